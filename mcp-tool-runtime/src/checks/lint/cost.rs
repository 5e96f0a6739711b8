//! How many bytes each definition costs.

use serde::Serialize;
use serde_json::Value;

use super::{Client, is_api};
use crate::mcp;

/// How many bytes of compact JSON the definition of one tool costs with one client.
///
/// Of a client of the Model Context Protocol that is the tool as `tools/list` has it, of the API of a model its name,
/// description and input schema. About four bytes make one token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    client: Client,
    tool: String,
    bytes: usize,
    description: usize,
    input_schema: usize,
    output_schema: usize,
}

impl Cost {
    /// The client.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The bytes of the whole definition.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The bytes of the tool's description alone.
    #[must_use]
    pub fn description(&self) -> usize {
        self.description
    }

    /// The bytes of the input schema alone.
    #[must_use]
    pub fn input_schema(&self) -> usize {
        self.input_schema
    }

    /// The bytes of the output schema alone; 0 where it is not sent.
    #[must_use]
    pub fn output_schema(&self) -> usize {
        self.output_schema
    }
}

/// The costs of all tools, client by client.
pub(crate) fn costs<'t>(clients: &[Client], list: impl Fn(Client) -> &'t [mcp::Tool]) -> Vec<Cost> {
    let of = |&client| list(client).iter().map(move |tool| cost(client, tool));
    clients.iter().flat_map(of).collect()
}

/// A tool as the API of a model takes it; the APIs differ in the name of the third member alone.
#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
}

fn cost(client: Client, tool: &mcp::Tool) -> Cost {
    let description = tool.description.as_deref().unwrap_or_default();
    let (bytes, output) = if is_api(client) {
        let function = Function { name: &tool.name, description, input_schema: &tool.input_schema };
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
