use mcp_tool_runtime::{mcp_tool, tools};
use serde::{Deserialize, Deserializer};

type Since = Option<u64>;

fn since<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Since, D::Error> {
    Option::deserialize(deserializer)
}

/// List the notes.
#[mcp_tool]
async fn list(#[serde(deserialize_with = "since")] since: Since) -> Since {
    since
}

fn main() {
    let _ = tools![list];
}
