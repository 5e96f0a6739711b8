use mcp_tool_runtime::{mcp_tool, tools};

/// Read a byte.
#[mcp_tool]
async unsafe fn read(address: usize) -> u8 {
    unsafe { *(address as *const u8) }
}

fn main() {
    let _ = tools![read];
}
