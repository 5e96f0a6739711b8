#![allow(unused)]

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Note {
    id: u32,
}

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(arguments, ask = "Which?")] note: Note,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
