//! The results of `server/discover` and `initialize`, and what all results have. They are the same for every client, and made
//! once.

use std::time::Duration;

use serde_json::{Value, json};

use super::CacheScope;
use super::identity::Identity;
use super::version::supported_versions;

/// The name of the tasks extension.
pub(crate) const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

pub(crate) struct StaticResults {
    /// The end of a list, from 2026-07-28 on: its `_meta`, and the brace that closes the list.
    pub(crate) list_meta: String,
    /// The result of `server/discover`.
    pub(crate) discover: Box<[u8]>,
    /// The property that results have in their `_meta` from 2026-07-28 on, with a comma before it.
    pub(crate) server_info: String,
    info: Value,
    instructions: Option<Value>,
}

impl StaticResults {
    pub(crate) fn new(identity: &Identity, caching: (Duration, CacheScope), has_tasks: bool) -> Self {
        // Serializing strings cannot fail.
        let mut info = serde_json::to_value(identity).unwrap_or_default();
        let instructions = info.as_object_mut().and_then(|info| info.shift_remove("instructions"));
        let server_info = server_info_of(&info);
        let list_meta = format!(r#","_meta":{{{}}}}}"#, &server_info[1..]);
        let discover = discover(caching, &info, instructions.as_ref(), has_tasks);
        Self { list_meta, discover, server_info, info, instructions }
    }

    /// Returns the result of `initialize` with the negotiated version.
    pub(crate) fn initialize(&self, version: &str) -> Vec<u8> {
        let mut result =
            json!({ "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": self.info });
        if let Some(instructions) = &self.instructions {
            result["instructions"] = instructions.clone();
        }
        result.to_string().into_bytes()
    }
}

/// Returns the property that results have in their `_meta`, with a comma before it.
pub(crate) fn server_info(identity: &Identity) -> String {
    let mut info = serde_json::to_value(identity).unwrap_or_default();
    info.as_object_mut().and_then(|info| info.shift_remove("instructions"));
    server_info_of(&info)
}

fn server_info_of(info: &Value) -> String {
    format!(r#","io.modelcontextprotocol/serverInfo":{info}"#)
}

fn discover(
    (ttl, scope): (Duration, CacheScope),
    info: &Value,
    instructions: Option<&Value>,
    has_tasks: bool,
) -> Box<[u8]> {
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
        result["instructions"] = instructions.clone();
    }
    result.to_string().into_bytes().into_boxed_slice()
}
