//! The client of the official SDK, with the SDK's server and with ours.

use std::time::Duration;

use ::rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, ClientCapabilities, ClientConfig, GetTaskParams,
    Implementation, ProtocolVersion, TaskPayload, UpdateTaskParams,
};
use ::rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RunningService, ServiceError};
use ::rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use mcp_tool_runtime::{Dispatcher, Tasks, json, rmcp, serde_json, stdio};
use serde_json::Value;

use super::tools::{Log, builder};
use crate::run::built;

/// A client that supports tasks, or does not.
#[derive(Clone)]
struct Client {
    has_tasks: bool,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder();
        let capabilities = if self.has_tasks { capabilities.enable_tasks().build() } else { capabilities.build() };
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }
}

fn dispatcher() -> Dispatcher {
    built(builder(&Log::default()).tasks(Tasks::in_memory()))
}

/// Connects a client to our server for the SDK, or to our server for streams.
async fn connect(is_sdk: bool, has_tasks: bool) -> RunningService<RoleClient, Client> {
    let (near, far) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        if is_sdk {
            let running = rmcp::Server::new(dispatcher()).serve(far).await.expect("a session");
            let _ = running.waiting().await;
        } else {
            let (input, output) = tokio::io::split(far);
            stdio::Server::new(dispatcher()).serve_on(input, output).await.expect("no error");
        }
    });
    let preferred_versions = vec![serde_json::from_value::<ProtocolVersion>(json!("2026-07-28")).expect("a version")];
    let era = ClientLifecycleMode::Discover { preferred_versions };
    Client { has_tasks }.serve_with_lifecycle(near, era).await.expect("a session")
}

fn params(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("no object: {arguments}") };
    CallToolRequestParams::new(name).with_arguments(arguments)
}

async fn start(client: &RunningService<RoleClient, Client>, name: &'static str, arguments: Value) -> String {
    match client.call_tool_once(params(name, arguments)).await.expect("an answer") {
        CallToolResponse::Task(created) => created.task.task_id,
        other => panic!("no task: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn the_client_of_the_sdk_polls_and_cancels_tasks() {
    for is_sdk in [true, false] {
        let client = connect(is_sdk, true).await;
        let id = start(&client, "wait", json!({"seconds": 5})).await;
        let task = client.get_task(GetTaskParams::new(&id)).await.expect("a task").task;
        assert_eq!(task.task.status_message.as_deref(), Some("half"));
        tokio::time::sleep(Duration::from_secs(10)).await;
        match client.get_task(GetTaskParams::new(&id)).await.expect("a task").task.payload {
            TaskPayload::Completed { result } => assert_eq!(result["structuredContent"], 5),
            other => panic!("{other:?}"),
        }
        let id = start(&client, "wait", json!({"seconds": 50})).await;
        client.update_task(UpdateTaskParams::new(&id, std::collections::BTreeMap::new())).await.expect("acknowledged");
        client.cancel_task(CancelTaskParams::new(&id)).await.expect("acknowledged");
        let task = client.get_task(GetTaskParams::new(&id)).await.expect("a task").task;
        assert!(matches!(task.payload, TaskPayload::Cancelled), "{task:?}");
        match client.get_task(GetTaskParams::new("x")).await {
            Err(ServiceError::McpError(error)) => assert_eq!(error.code.0, -32602),
            other => panic!("{other:?}"),
        }
        // What ends soon is no task.
        let quick = client.call_tool_once(params("wait", json!({"seconds": 0}))).await.expect("an answer");
        assert!(matches!(quick, CallToolResponse::Complete(_)), "{quick:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_of_the_sdk_without_tasks_waits() {
    for is_sdk in [true, false] {
        let client = connect(is_sdk, false).await;
        let result = client.call_tool(params("wait", json!({"seconds": 5}))).await.expect("a result");
        assert_eq!(result.structured_content, Some(json!(5)));
        match client.call_tool(params("render", json!({}))).await {
            Err(ServiceError::McpError(error)) => assert_eq!(error.code.0, -32021),
            other => panic!("{other:?}"),
        }
    }
}
