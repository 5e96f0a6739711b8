use mcp_tool_runtime::mcp_tool;

#[mcp_tool]
unsafe trait Add {
    async fn add(a: i64, b: i64) -> i64;
}

fn main() {}
