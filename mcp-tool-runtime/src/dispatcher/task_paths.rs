//! The part of an `OpenAPI` document about tasks.

use serde_json::{Map, Value, json};

/// Adds the paths of tasks, and what their operations share with those of tools.
pub(super) fn add(paths: &mut Map<String, Value>, components: &mut Value) {
    let document = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Task" } } });
    let retry_after = json!({ "description": "Seconds until the next request. Absent if the task has ended.", "schema": { "type": "integer", "minimum": 0 } });
    components["parameters"] = json!({
        "Prefer": {
            "name": "Prefer",
            "in": "header",
            "description": "`respond-async`: the response may be a task.",
            "schema": { "type": "string", "examples": ["respond-async"] },
        },
    });
    components["responses"]["202"] = json!({
        "description": "The call goes on as a task. `Location` is its URL.",
        "headers": {
            "Location": { "description": "The URL of the task.", "schema": { "type": "string", "format": "uri-reference" } },
            "Retry-After": retry_after,
        },
        "content": document,
    });
    components["schemas"]["Task"] = schema();
    let id = json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } });
    let not_found = json!({ "$ref": "#/components/responses/404" });
    let task = json!({
        "parameters": [id],
        "get": {
            "operationId": "tasks/get",
            "summary": "Get a task",
            "responses": {
                "200": { "description": "The task.", "headers": { "Retry-After": retry_after }, "content": document },
                "404": not_found,
            },
        },
        "delete": {
            "operationId": "tasks/cancel",
            "summary": "Cancel a task",
            "responses": { "204": { "description": "The task is cancelled, unless it has ended." }, "404": not_found },
        },
    });
    paths.insert("/tasks/{id}".to_owned(), task);
}

fn schema() -> Value {
    json!({
        "description": "A call that goes on after its response.",
        "type": "object",
        "properties": {
            "taskId": { "type": "string" },
            "status": { "enum": ["working", "completed", "failed", "cancelled"] },
            "statusMessage": { "description": "The last progress of a task that works, or why there is no result.", "type": "string" },
            "createdAt": { "type": "string", "format": "date-time" },
            "lastUpdatedAt": { "type": "string", "format": "date-time" },
            "ttlMs": { "description": "Milliseconds from the creation after which the task is dropped. `null` until it ends.", "type": ["integer", "null"] },
            "pollIntervalMs": { "type": "integer" },
            "result": { "description": "The result of a task that is `completed`, as of `tools/call` in the Model Context Protocol.", "type": "object" },
            "error": { "description": "The JSON-RPC error of a task that has `failed`.", "type": "object" },
        },
        "required": ["taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs"],
    })
}
