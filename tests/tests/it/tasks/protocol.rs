//! The messages of the tasks extension (SEP-2663).

use mcp_tool_runtime::{Dispatcher, Tasks, json};
use serde_json::Value;

use super::client::Client;
use super::tools::{Log, builder};
use crate::run::built;

/// Returns a schema of one type of the extension. It is written after the types of the SEP, which has no schema.
fn schema_of(name: &str) -> jsonschema::Validator {
    let time = json!({"type": "string", "format": "date-time"});
    let task = |statuses: Value| {
        json!({
            "type": "object",
            "properties": {
                "taskId": {"type": "string"},
                "status": {"enum": statuses},
                "statusMessage": {"type": "string"},
                "createdAt": time,
                "lastUpdatedAt": time,
                "ttlMs": {"type": ["integer", "null"], "minimum": 0},
                "pollIntervalMs": {"type": "integer", "minimum": 0},
            },
            "required": ["taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs"],
        })
    };
    let schema = match name {
        "CreateTaskResult" => json!({
            "allOf": [task(json!(["working", "input_required", "completed", "cancelled", "failed"]))],
            "properties": {"resultType": {"const": "task"}},
            "not": {"anyOf": [{"required": ["result"]}, {"required": ["error"]}]},
            "required": ["resultType"],
        }),
        _ => json!({
            "properties": {"resultType": {"const": "complete"}},
            "required": ["resultType"],
            "oneOf": [
                task(json!(["working", "cancelled"])),
                {
                    "allOf": [task(json!(["completed"]))],
                    "properties": {"result": {"type": "object", "required": ["content", "resultType"]}},
                    "required": ["result"],
                },
                {
                    "allOf": [task(json!(["failed"]))],
                    "properties": {"error": {"type": "object", "required": ["code", "message"]}},
                    "required": ["error", "statusMessage"],
                },
            ],
        }),
    };
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
}

pub(super) fn assert_valid(name: &str, document: &Value) {
    crate::specification::assert_valid(&schema_of(name), document, name);
    let other = if name == "CreateTaskResult" { "GetTaskResult" } else { "CreateTaskResult" };
    crate::specification::assert_invalid(&schema_of(other), document);
}

fn server() -> Dispatcher {
    built(builder(&Log::default()).tasks(Tasks::in_memory()))
}

#[tokio::test(start_paused = true)]
async fn k5_every_message_about_a_task_has_the_form_of_the_specification() {
    let client = Client::new(&server());
    let created = client.call("wait", json!({"seconds": 5})).await;
    assert_valid("CreateTaskResult", &created);
    let id = created["taskId"].as_str().expect("an id");
    assert_valid("GetTaskResult", &client.get(id).await);
    assert_valid("GetTaskResult", &client.end(id).await);
    let id = client.start("fail", json!({})).await;
    let failed = client.end(&id).await;
    assert_valid("GetTaskResult", &failed);
    assert_eq!((&failed["status"], &failed["result"]["isError"]), (&json!("completed"), &json!(true)));
    let id = client.start("wait", json!({"seconds": 5})).await;
    for method in ["tasks/update", "tasks/cancel"] {
        let acknowledged = client.result(method, json!({"taskId": id, "inputResponses": {"x": {}}})).await;
        let keys: Vec<_> = acknowledged.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["resultType", "_meta"]);
        assert_eq!(acknowledged["resultType"], "complete");
    }
    assert_valid("GetTaskResult", &client.get(&id).await);
}

#[tokio::test]
async fn k7_without_the_extension_there_is_one_error() {
    let dispatcher = server();
    let expected = json!({"requiredCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}});
    let client = Client::without_tasks(&dispatcher);
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let error = client.send(method, json!({"taskId": "x", "inputResponses": {}})).await["error"].take();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32021), &expected), "{method}: {error}");
    }
    let mut old = Client::new(&dispatcher);
    old.meta["io.modelcontextprotocol/protocolVersion"] = json!("2025-11-25");
    for client in [client, old] {
        let error = client.send("tools/call", json!({"name": "render"})).await["error"].take();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32021), &expected), "{error}");
    }
    // Elsewhere the tool is one like any other.
    let plain = built(builder(&Log::default()));
    let result = Client::without_tasks(&plain).call("render", json!({"no": 1})).await;
    assert_eq!(result["isError"], true);
}

#[tokio::test]
async fn k10_only_a_server_with_tasks_declares_and_answers_them() {
    let dispatcher = server();
    let client = Client::new(&dispatcher);
    let found = client.result("server/discover", json!({})).await;
    assert_eq!(
        found["capabilities"],
        json!({"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}),
        "without the capabilities of 2025-11-25"
    );
    for method in ["tasks/result", "tasks/list", "tasks/x", "subscriptions/listen"] {
        assert_eq!(client.send(method, json!({"taskId": "x"})).await["error"]["code"], -32601, "{method}");
    }
    let mut old = Client::new(&dispatcher);
    old.meta = Value::Null;
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    assert_eq!(old.result("initialize", hello).await["capabilities"], json!({"tools": {}}));
    let error = old.send("tasks/get", json!({"taskId": "x"})).await["error"].take();
    assert_eq!(error, json!({"code": -32601, "message": "`tasks/get` needs the protocol version 2026-07-28"}));

    let plain = Client::new(&built(builder(&Log::default())));
    assert_eq!(plain.result("server/discover", json!({})).await["capabilities"], json!({"tools": {}}));
    assert_eq!(plain.send("tasks/get", json!({"taskId": "x"})).await["error"]["code"], -32601);
}

#[tokio::test]
async fn an_id_that_is_no_text_is_an_invalid_parameter() {
    let client = Client::new(&server());
    for params in [json!({}), json!({"taskId": 7}), json!({"taskId": null})] {
        let error = client.send("tasks/get", params).await["error"].take();
        assert_eq!(error, json!({"code": -32602, "message": "`taskId` must be a string"}));
    }
}
