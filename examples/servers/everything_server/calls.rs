//! Tools that use their call: they wait, report progress, or read their own request.

use std::time::Duration;

use mcp_tool_runtime::{CallContext, Text, ToolHandler, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::time::sleep;

pub(crate) fn all() -> Vec<Box<dyn ToolHandler>> {
    tools![test_tool_with_progress, test_logging_tool, json_schema_2020_12_tool, wait, describe_call, in_region,]
}

/// Report progress three times, then return.
#[mcp_tool(read_only_hint)]
async fn test_tool_with_progress(#[mcp_tool(context)] cx: &CallContext) -> Text {
    for done in [0.0, 50.0, 100.0] {
        cx.progress(done, 100.0, format!("Completed step {done} of 100"));
        sleep(Duration::from_millis(50)).await;
    }
    Text::new("Done in three steps.")
}

/// Return a result without log messages: this server sends none.
#[mcp_tool(read_only_hint)]
async fn test_logging_tool() -> Text {
    Text::new("Nothing was logged.")
}

/// A hand-written schema, with keywords that derived schemas do not use.
const CONTACT: &str = include_str!("contact.schema.json");

/// Tool with JSON Schema 2020-12 features
#[mcp_tool(read_only_hint, input_schema = CONTACT)]
async fn json_schema_2020_12_tool(#[mcp_tool(arguments)] contact: serde_json::Value) -> Text {
    Text::new(format!("Called with {contact}"))
}

/// Report progress, then wait for some milliseconds.
#[mcp_tool(read_only_hint)]
async fn wait(
    /// How long to wait, in milliseconds.
    #[schemars(range(max = 60_000))]
    millis: u64,
    #[mcp_tool(context)] cx: &CallContext,
) -> u64 {
    cx.progress(0.0, None, None);
    sleep(Duration::from_millis(millis)).await;
    millis
}

#[derive(Serialize, JsonSchema)]
struct Call {
    tool: String,
    /// The protocol version of the request.
    version: String,
    /// The keys of the request's `_meta` that the protocol does not define.
    meta: Vec<String>,
    /// Whether the request arrived over HTTP.
    http: bool,
}

/// Return what the server knows about this call.
#[mcp_tool(read_only_hint)]
async fn describe_call(
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(extension)] parts: Option<&http::request::Parts>,
) -> Call {
    let own = |key: &&String| !key.starts_with("io.modelcontextprotocol/") && key.as_str() != "progressToken";
    Call {
        tool: cx.tool_name().to_owned(),
        version: cx.protocol_version().to_string(),
        meta: cx.meta().keys().filter(own).cloned().collect(),
        http: parts.is_some(),
    }
}

/// Return the region from the arguments.
#[mcp_tool(read_only_hint)]
async fn in_region(
    /// The region. Over HTTP a client sends it in a header as well.
    #[mcp_tool(header = "Region")]
    region: String,
) -> String {
    region
}
