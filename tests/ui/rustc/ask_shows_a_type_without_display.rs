// rustc checks the format string. Write: `{note:?}` with `#[derive(Debug)]`, or implement `std::fmt::Display`.

use mcp_tool_runtime::{Consent, mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Note {
    id: u32,
}

/// Delete a note.
#[mcp_tool]
async fn delete(
    note: Note,
    #[mcp_tool(ask = "Delete {note}?")] sure: Consent,
) -> u32 {
    drop((note, sure)); 1
}

fn main() {
    let _ = tools![delete];
}
