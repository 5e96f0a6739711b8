use mcp_tool_runtime::mcp_tool;

#[mcp_tool]
thread_local! {
    static COUNT: u8 = const { 0 };
}

fn main() {
    COUNT.with(|_| ());
}
