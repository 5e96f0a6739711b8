//! No tests: a client that supports tasks.

use std::time::Duration;

use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{Dispatcher, Extensions, json, serde_json};
use serde_json::Value;

pub(super) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// A client of a protocol.
pub(super) struct Client {
    protocol: Protocol,
    /// The user of each request.
    user: Option<&'static str>,
    /// What each request says about its client.
    pub(super) meta: Value,
}

/// The user of a request.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct User(pub(super) String);

pub(super) fn modern(extensions: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {}, "extensions": extensions },
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    })
}

impl Client {
    pub(super) fn new(dispatcher: &Dispatcher) -> Self {
        Self { protocol: Protocol::new(dispatcher.clone()), user: None, meta: modern(&json!({ EXTENSION: {} })) }
    }

    /// Returns a client that does not support tasks.
    pub(super) fn without_tasks(dispatcher: &Dispatcher) -> Self {
        Self { meta: modern(&json!({})), ..Self::new(dispatcher) }
    }

    pub(super) fn of_user(self, user: &'static str) -> Self {
        Self { user: Some(user), ..self }
    }

    /// Sends a request, and returns the whole answer.
    pub(super) async fn send(&self, method: &str, mut params: Value) -> Value {
        if !self.meta.is_null() {
            params["_meta"] = self.meta.clone();
        }
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let mut extensions = Extensions::new();
        if let Some(user) = self.user {
            extensions.insert(User(user.to_owned()));
        }
        let answer = self.protocol.answer_with(request.as_bytes(), extensions).await.expect("an answer");
        serde_json::from_slice(&answer).expect("JSON")
    }

    /// Sends a request, and returns its result.
    pub(super) async fn result(&self, method: &str, params: Value) -> Value {
        let mut answer = self.send(method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    pub(super) async fn call(&self, name: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Calls a tool, and returns the id of its task.
    pub(super) async fn start(&self, name: &str, arguments: Value) -> String {
        let task = self.call(name, arguments).await;
        assert_eq!(task["resultType"], "task", "{task}");
        task["taskId"].as_str().expect("an id").to_owned()
    }

    pub(super) async fn get(&self, id: &str) -> Value {
        self.result("tasks/get", json!({ "taskId": id })).await
    }

    /// Polls until the task has ended.
    pub(super) async fn end(&self, id: &str) -> Value {
        for _ in 0..1_000 {
            let task = self.get(id).await;
            if task["status"] != "working" {
                return task;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the task does not end");
    }
}
