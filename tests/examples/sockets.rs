//! Serves one tool over HTTP, for `tests/load/load.py`: `ours` with `http::Endpoint`, `recorded` the same with a function of `on_call`, `by-hand`
//! with axum and `serde_json` alone, and `typed` with types that borrow from the request, the least that axum and `serde_json` can take.
//!
//! The handlers by hand check nothing, and add no call id: they are what a developer writes for one tool that only well-behaved clients call.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Bytes;
use axum::http::{StatusCode, header::CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{post, post_service};
use axum::{Json, Router};
use mcp_tool_runtime::{Dispatcher, http::Endpoint, mcp_tool, tools};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    method: &'a str,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    name: &'a str,
    arguments: Sum,
}

#[derive(Deserialize)]
struct Sum {
    a: i64,
    b: i64,
}

#[derive(Serialize)]
struct Answer<'a> {
    jsonrpc: &'a str,
    id: &'a RawValue,
    result: CallResult,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult {
    content: [Block; 1],
    structured_content: i64,
    is_error: bool,
    result_type: &'static str,
}

#[derive(Serialize)]
struct Block {
    r#type: &'static str,
    text: String,
}

async fn by_hand(Json(request): Json<Value>) -> Response {
    let (params, arguments) = (&request["params"], &request["params"]["arguments"]);
    if (&request["method"], &params["name"]) != (&json!("tools/call"), &json!("add")) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let (Some(a), Some(b)) = (arguments["a"].as_i64(), arguments["b"].as_i64()) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let result = json!({
        "content": [{"type": "text", "text": (a + b).to_string()}],
        "structuredContent": a + b,
        "isError": false,
        "resultType": "complete",
    });
    Json(json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).into_response()
}

async fn typed(body: Bytes) -> Response {
    let Ok(request) = serde_json::from_slice::<Request>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    if (request.method, request.params.name) != ("tools/call", "add") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let sum = request.params.arguments.a + request.params.arguments.b;
    let result = CallResult {
        content: [Block { r#type: "text", text: sum.to_string() }],
        structured_content: sum,
        is_error: false,
        result_type: "complete",
    };
    let answer = serde_json::to_vec(&Answer { jsonrpc: "2.0", id: request.id, result });
    ([(CONTENT_TYPE, "application/json")], answer.unwrap_or_default()).into_response()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let app = match std::env::args().nth(1).as_deref() {
        Some(way @ ("ours" | "recorded")) => {
            let mut builder = Dispatcher::builder().tools(tools![add]);
            if way == "recorded" {
                let (calls, errors) = (AtomicU64::new(0), AtomicU64::new(0));
                builder = builder.on_call(move |call| {
                    calls.fetch_add(1, Ordering::Relaxed);
                    errors.fetch_add(u64::from(call.outcome().is_error()), Ordering::Relaxed);
                });
            }
            Router::new().route("/mcp", post_service(Endpoint::new(builder.build()?)))
        }
        Some("by-hand") => Router::new().route("/mcp", post(by_hand)),
        Some("typed") => Router::new().route("/mcp", post(typed)),
        _ => return Err("usage: sockets ours|recorded|by-hand|typed".into()),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("http://{}/mcp", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}
