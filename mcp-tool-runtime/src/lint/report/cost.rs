//! The size of definitions, for each client.

use serde::Serialize;
use serde_json::json;

use super::super::Client;
use super::is_api;
use crate::mcp;

/// The size of one tool's definition for one client, in bytes of compact JSON.
///
/// A client of the Model Context Protocol receives the whole definition in `tools/list`. A model API receives only the name, the
/// description and the input schema. One token is about four bytes.
///
/// ```
/// use mcp_tool_runtime::{lint::Client, mcp_tool, tools, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// for cost in dispatcher.costs(&[Client::ClaudeApi, Client::ClaudeCode]) {
///     println!("{}: {} costs {} bytes", cost.client, cost.tool, cost.bytes);
///     assert_eq!(cost.description, "Add two numbers.".len());
///     assert!(cost.bytes > cost.description + cost.input_schema + cost.output_schema);
/// }
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// The client.
    pub client: Client,
    /// The name of the tool.
    pub tool: String,
    /// The size of the whole definition.
    pub bytes: usize,
    /// The size of the tool's description.
    pub description: usize,
    /// The size of the input schema.
    pub input_schema: usize,
    /// The size of the output schema, or 0 if the client does not receive it.
    pub output_schema: usize,
}

/// Returns the cost of one tool for a client that receives this definition.
pub(super) fn cost(client: Client, tool: &mcp::Tool) -> Cost {
    let description = tool.description.as_deref().unwrap_or_default();
    let (bytes, output) = if is_api(client) {
        // The APIs differ only in what they call the third property.
        let function = json!({ "name": tool.name, "description": description, "input_schema": tool.input_schema });
        (length(&function), None)
    } else {
        (length(tool), tool.output_schema.as_ref())
    };
    Cost {
        client,
        tool: tool.name.clone(),
        bytes,
        description: description.len(),
        input_schema: length(&tool.input_schema),
        output_schema: output.map_or(0, length),
    }
}

fn length(value: &impl Serialize) -> usize {
    serde_json::to_vec(value).unwrap_or_default().len()
}
