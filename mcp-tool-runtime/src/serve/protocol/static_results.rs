//! The results of `server/discover` and `initialize`, and what all results have. They are the same for every client, and made
//! once.

use serde::Serialize;
use serde_json::{Value, json};

use crate::{Dispatcher, ProtocolVersion};

/// The name and version of a server, its title and its instructions.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ServerInfo {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    pub(crate) version: String,
    #[serde(skip)]
    pub(crate) instructions: Option<String>,
}

impl Default for ServerInfo {
    fn default() -> Self {
        let (name, version) = (env!("CARGO_PKG_NAME").to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Self { name, title: None, version, instructions: None }
    }
}

pub(super) struct StaticResults {
    /// The end of a list, from 2026-07-28 on: its `_meta`, and the brace that closes the list.
    pub(super) list_meta: String,
    /// The result of `server/discover`.
    pub(super) discover: Box<[u8]>,
    /// The property that results have in their `_meta` from 2026-07-28 on, with a comma before it.
    pub(super) server_info: String,
    info: Value,
    instructions: Option<String>,
}

impl StaticResults {
    pub(super) fn new(dispatcher: &Dispatcher, info: &ServerInfo) -> Self {
        let instructions = info.instructions.clone();
        // Serializing strings cannot fail.
        let info = serde_json::to_value(info).unwrap_or_default();
        let server_info = format!(r#","io.modelcontextprotocol/serverInfo":{info}"#);
        let list_meta = format!(r#","_meta":{{{}}}}}"#, &server_info[1..]);
        let discover = discover(dispatcher, &info, instructions.as_deref());
        Self { list_meta, discover, server_info, info, instructions }
    }

    /// Returns the result of `initialize` with the negotiated version.
    pub(super) fn initialize(&self, version: &str) -> Vec<u8> {
        let mut result =
            json!({ "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": self.info });
        if let Some(instructions) = &self.instructions {
            result["instructions"] = instructions.as_str().into();
        }
        result.to_string().into_bytes()
    }
}

/// Returns the supported versions, newest first.
pub(super) fn versions() -> Value {
    ProtocolVersion::ALL.iter().rev().map(|version| version.as_str()).collect()
}

fn discover(dispatcher: &Dispatcher, info: &Value, instructions: Option<&str>) -> Box<[u8]> {
    let (ttl, scope) = dispatcher.list_caching();
    let mut result = json!({
        "resultType": "complete",
        "supportedVersions": versions(),
        "capabilities": { "tools": {} },
        "ttlMs": u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX),
        "cacheScope": scope,
        "_meta": { "io.modelcontextprotocol/serverInfo": info },
    });
    if let Some(instructions) = instructions {
        result["instructions"] = instructions.into();
    }
    result.to_string().into_bytes().into_boxed_slice()
}
