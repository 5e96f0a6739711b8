//! What every answer to hostile arguments must be: there, and short.

use mcp_tool_runtime::{Dispatcher, ProtocolVersion};
use serde_json::Value;

use crate::run;

/// The longest answer to a bad request, in bytes.
const MAX_ANSWER: usize = 16 * 1_024;

/// The lines of a message: a heading, 32 violations, and that there are more.
const MAX_LINES: usize = 34;

/// The `params` of a call.
pub(crate) fn params(name: &str, arguments: &str) -> String {
    format!(r#"{{"name":"{name}","arguments":{arguments}}}"#)
}

/// Calls a tool, checks its answer, and returns the result.
pub(crate) fn answer(dispatcher: &Dispatcher, name: &str, arguments: &str, version: ProtocolVersion) -> Value {
    let params = params(name, arguments);
    check(&run::now(dispatcher.call_json(params.as_bytes(), version)).expect("a result"))
}

/// Checks the bytes of a result.
pub(crate) fn check(bytes: &[u8]) -> Value {
    let result: Value = serde_json::from_slice(bytes).expect("JSON");
    if result["isError"] == true {
        assert!(bytes.len() < MAX_ANSWER, "{} bytes: {result}", bytes.len());
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.lines().count() <= MAX_LINES, "{text}");
        assert!(!text.chars().any(|character| character.is_control() && character != '\n'), "{text:?}");
    }
    result
}
