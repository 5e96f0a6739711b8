//! The results of `server/discover` and `initialize`, and what all results have.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::CacheScope;
use super::identity::Identity;
use super::version::supported_versions;

/// The name of the tasks extension.
pub(crate) const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Returns the property that results have in their `_meta` from 2026-07-28 on, with a comma before it.
pub(crate) fn server_info(identity: &Identity) -> String {
    format!(r#","io.modelcontextprotocol/serverInfo":{}"#, Value::from(info(identity).0))
}

/// Returns the result of `initialize` with the negotiated version.
pub(crate) fn initialize(identity: &Identity, version: &str) -> Vec<u8> {
    let (info, instructions) = info(identity);
    let mut result = json!({ "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": info });
    if let Some(instructions) = instructions {
        result["instructions"] = instructions;
    }
    result.to_string().into_bytes()
}

/// Returns the result of `server/discover`.
pub(crate) fn discover(identity: &Identity, (ttl, scope): (Duration, CacheScope), has_tasks: bool) -> Vec<u8> {
    let (info, instructions) = info(identity);
    let mut result = json!({
        "resultType": "complete",
        "supportedVersions": supported_versions(),
        "capabilities": { "tools": {} },
        "ttlMs": u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX),
        "cacheScope": scope,
        "_meta": { "io.modelcontextprotocol/serverInfo": info },
    });
    if has_tasks {
        result["capabilities"]["extensions"] = json!({ TASKS_EXTENSION: {} });
    }
    if let Some(instructions) = instructions {
        result["instructions"] = instructions;
    }
    result.to_string().into_bytes()
}

/// Returns the name, title and version of the server, and its instructions.
fn info(identity: &Identity) -> (Map<String, Value>, Option<Value>) {
    // Serializing strings cannot fail.
    let Ok(Value::Object(mut info)) = serde_json::to_value(identity) else { return Default::default() };
    let instructions = info.shift_remove("instructions");
    (info, instructions)
}
