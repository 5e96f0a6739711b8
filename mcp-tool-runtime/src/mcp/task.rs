//! The tasks extension (SEP-2663): finds out whether a client supports it, creates the error if it does not, and adds
//! properties to results. A `Snapshot` writes the properties of a task.

use serde_json::{Value, json};

use super::identity::TASKS_EXTENSION;
use super::message::{ErrorKind, ProtocolError};

/// Returns `true` if the client's capabilities, given as JSON text, contain the tasks extension as an object.
pub(crate) fn is_declared(capabilities: &str) -> bool {
    let capabilities: Value = serde_json::from_str(capabilities).unwrap_or_default();
    capabilities["extensions"][TASKS_EXTENSION].is_object()
}

/// Returns the `data` of the error for a client without the tasks extension.
pub(crate) fn required() -> Value {
    json!({ "requiredCapabilities": { "extensions": { TASKS_EXTENSION: {} } } })
}

/// Returns the error for a request that needs the tasks extension. Its kind depends on `is_legacy`, because older
/// clients do not read errors with an HTTP status other than 200.
pub(crate) fn missing_extension(is_legacy: bool) -> ProtocolError {
    let kind = if is_legacy { ErrorKind::Method } else { ErrorKind::Malformed };
    ProtocolError::new(kind, -32021, missing_extension_text()).with_data(required())
}

pub(crate) fn missing_extension_text() -> String {
    format!("this needs the client extension `{TASKS_EXTENSION}`")
}

/// Adds `_meta` to a result. `more_meta` has the properties of `_meta`, with a comma before each.
pub(crate) fn with_meta(mut result: Vec<u8>, more_meta: &str) -> Vec<u8> {
    push_property(&mut result, "_meta", &format!("{{{}}}", more_meta.trim_start_matches(',')));
    result
}

/// Adds a property to the JSON text of an object that already has at least one property.
pub(crate) fn push_property(object: &mut Vec<u8>, key: &str, json: &str) {
    object.pop();
    object.extend_from_slice(format!(r#","{key}":"#).as_bytes());
    object.extend_from_slice(json.as_bytes());
    object.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_declares_the_extension_with_an_object() {
        for (capabilities, expected) in [
            (r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#, true),
            (r#"{"elicitation":{},"extensions":{"other":1,"io.modelcontextprotocol/tasks":{"x":1}}}"#, true),
            (r#"{"extensions":{"io.modelcontextprotocol/tasks":null}}"#, false),
            (r#"{"extensions":{"io.modelcontextprotocol/tasks":true}}"#, false),
            (r#"{"extensions":{"io.modelcontextprotocol/ui":{}}}"#, false),
            (r#"{"tasks":{"requests":{"tools":{"call":{}}}}}"#, false),
            (r#"{"extensions":null}"#, false),
            ("{}", false),
        ] {
            assert_eq!(is_declared(capabilities), expected, "{capabilities}");
        }
    }
}
