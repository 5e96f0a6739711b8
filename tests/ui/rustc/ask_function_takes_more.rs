// rustc counts the arguments of the call. Write: the names of more parameters in the call, `ask = question(id, name)`.

use mcp_tool_runtime::{Ask, Consent, mcp_tool, tools};

fn question(id: &u32, name: &str) -> Ask<Consent> {
    Ask::new(format!("Delete {id}, {name}?"))
}

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(ask = question(id))] sure: Consent,
) -> u32 {
    drop((id, sure)); 1
}

fn main() {
    let _ = tools![delete];
}
