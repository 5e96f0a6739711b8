//! How a server introduces itself: its identity, which is the same in every transport, document and command, and the
//! results of `server/discover` and `initialize`.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::CacheScope;
use super::version::supported_versions;

/// The name and version of a server, its title and its instructions.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Identity {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    pub(crate) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<String>,
}

impl Identity {
    /// Returns the title, or else the name.
    pub(crate) fn display_name(&self) -> &str {
        self.title.as_ref().unwrap_or(&self.name)
    }
}

/// The name of the tasks extension.
pub(crate) const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Returns the property that results have in their `_meta` from version 2026-07-28 on, with a comma before it.
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
