//! The `_meta` of a call.
//!
//! The map is built only when a tool asks for it. Building it on each call would cost the benchmark `add` 87% more
//! instructions, and 22 allocations instead of 3.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

/// This constant and the next seven are the keys of the `_meta` entries that the dispatcher writes.
pub(crate) const CALL_ID: &str = "rs.mcp-tool/call_id";
pub(crate) const DURATION: &str = "rs.mcp-tool/duration";
pub(crate) const CAN_RETRY: &str = "rs.mcp-tool/can_retry";
pub(crate) const RETRY_AFTER_MS: &str = "rs.mcp-tool/retry_after_ms";
pub(crate) const CODE: &str = "rs.mcp-tool/code";
pub(crate) const DATA: &str = "rs.mcp-tool/data";
pub(crate) const REPLAYED: &str = "rs.mcp-tool/replayed";
pub(crate) const RENAMED_TO: &str = "rs.mcp-tool/renamed_to";

/// The `_meta` of a call, as JSON text and, once a tool asks for it, as a map.
#[derive(Clone, Default)]
pub(crate) struct Meta {
    /// The JSON text, or `None` if the map was given instead or there is no `_meta`.
    text: Option<Arc<str>>,
    /// The entries. They are given, or read from the text on first use.
    map: OnceLock<Arc<Map<String, Value>>>,
}

debug_struct!(
    /// Shows none of the entries, because they may be secret.
    Meta
);

impl Meta {
    pub(crate) fn of_text(text: &str) -> Self {
        Self { text: Some(text.into()), map: OnceLock::new() }
    }

    /// Returns the JSON text, if there is one and it has at most 2,048 bytes.
    pub(crate) fn short_text(&self) -> Option<&Arc<str>> {
        self.text.as_ref().filter(|text| text.len() <= 2_048)
    }

    pub(crate) fn map(&self) -> &Map<String, Value> {
        self.map.get_or_init(|| {
            let read = self.text.as_deref().and_then(|text| serde_json::from_str(text).ok());
            Arc::new(read.unwrap_or_default())
        })
    }
}

impl From<Map<String, Value>> for Meta {
    fn from(map: Map<String, Value>) -> Self {
        Self { text: None, map: OnceLock::from(Arc::new(map)) }
    }
}
