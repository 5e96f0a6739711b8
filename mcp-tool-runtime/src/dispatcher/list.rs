//! The definitions and the `tools/list` result of one protocol version.

use serde::Serialize;

use crate::call::settings::Settings;
use crate::mcp::CacheScope;
use crate::schema::project;
use crate::{ProtocolVersion, mcp};

/// Returns the definitions in the shape of one version.
pub(super) fn projected(definitions: &[mcp::Tool], version: ProtocolVersion) -> Vec<mcp::Tool> {
    let project = if version.is_legacy() { project::legacy } else { project::latest };
    let tools = definitions.iter().cloned().map(|mut tool| {
        tool.output_schema = tool.output_schema.as_ref().map(project);
        if version < ProtocolVersion::V2025_11_25 {
            tool.icons.clear();
        }
        tool
    });
    tools.collect()
}

/// The result of `tools/list`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListToolsResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    tools: &'a [mcp::Tool],
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_scope: Option<CacheScope>,
}

/// Writes the result of `tools/list`.
pub(super) fn write(tools: &[mcp::Tool], version: ProtocolVersion, settings: &Settings) -> Box<[u8]> {
    let is_latest = !version.is_legacy();
    let result = ListToolsResult {
        result_type: is_latest.then_some("complete"),
        tools,
        ttl_ms: is_latest.then(|| u64::try_from(settings.list_ttl.as_millis()).unwrap_or(u64::MAX)),
        cache_scope: is_latest.then_some(settings.list_scope),
    };
    // Serialising maps of strings and values cannot fail.
    serde_json::to_vec(&result).unwrap_or_default().into_boxed_slice()
}
