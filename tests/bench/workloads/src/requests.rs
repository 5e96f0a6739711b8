//! The requests, as the bytes that every contestant reads.

use serde::Serialize;

use crate::{Summands, Words, Workload, orders, searches};

/// A request's `params`.
#[derive(Serialize)]
struct Params<T> {
    name: &'static str,
    arguments: T,
}

fn written(name: &'static str, arguments: impl Serialize) -> Vec<u8> {
    serde_json::to_vec(&Params { name, arguments }).expect("arguments of strings and finite numbers")
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
    match workload.tool() {
        "order" => written("order", orders::arguments()),
        "search" => written("search", searches::arguments()),
        "text" => written("text", Words { text: text() }),
        _ => written("add", Summands { a: 17, b: 25 }),
    }
}

/// Returns the whole request, for contestants that only read whole messages.
#[must_use]
pub fn message(workload: Workload) -> Vec<u8> {
    let mut message = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"#.to_vec();
    message.extend(params(workload));
    message.push(b'}');
    message
}
