//! The requests, as the bytes that every contestant reads.

use serde::Serialize;
use serde_json::{Value, json};

use crate::{Level, Summands, Tool, Words, Workload, orders, searches};

/// A request's `params`.
#[derive(Serialize)]
struct Params<T> {
    name: &'static str,
    arguments: T,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Value>,
}

/// Returns the `_meta` of a request of 2026-07-28: what the protocol requires of every request, as a real client sends it.
#[must_use]
pub fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "example-client", "version": "1.2.3"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}, "sampling": {}},
    })
}

/// Returns a text with quotes and line breaks, which JSON escapes.
#[must_use]
pub fn text() -> String {
    let mut text = "The quick brown fox \"jumps\" over the lazy dog.\n".repeat(1_400);
    text.truncate(64 * 1_024);
    text
}

/// Returns the `params` of the workload's `tools/call` request.
#[must_use]
pub fn params(workload: Workload) -> Vec<u8> {
    fn written(name: &'static str, workload: Workload, arguments: impl Serialize) -> Vec<u8> {
        let meta = (workload.level() != Level::Bare).then(meta);
        serde_json::to_vec(&Params { name, arguments, meta }).expect("arguments of strings and finite numbers")
    }
    match workload.tool() {
        "search" if matches!(workload, Workload::Call(_, Tool::Row)) => written("search", workload, searches::short()),
        "order" => written("order", workload, orders::arguments()),
        "search" => written("search", workload, searches::arguments()),
        "text" => written("text", workload, Words { text: text() }),
        _ => written("add", workload, Summands { a: 17, b: 25 }),
    }
}

/// Returns the whole message.
#[must_use]
pub fn message(workload: Workload) -> Vec<u8> {
    let mut message = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"#.to_vec();
    message.extend(params(workload));
    message.push(b'}');
    message
}

/// Returns the headers of the HTTP request, as a real client sends them.
#[must_use]
pub fn headers(workload: Workload) -> [(&'static str, &'static str); 7] {
    [
        ("host", "127.0.0.1:8080"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("user-agent", "example-client/1.2.3"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", workload.tool()),
    ]
}
