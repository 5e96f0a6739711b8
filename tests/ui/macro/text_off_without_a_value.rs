use mcp_tool_runtime::{mcp_tool, tools};

/// Delete a note.
#[mcp_tool(text = off)]
async fn delete(id: u64) {
    println!("deleted {id}");
}

fn main() {
    let _ = tools![delete];
}
