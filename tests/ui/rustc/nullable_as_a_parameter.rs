use mcp_tool_runtime::{Nullable, mcp_tool, tools};

/// Change a note.
#[mcp_tool]
async fn change_note(due: Nullable<String>) {
    drop(due);
}

fn main() {
    let _ = tools![change_note];
}
