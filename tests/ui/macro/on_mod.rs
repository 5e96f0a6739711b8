use mcp_tool_runtime::mcp_tool;

#[mcp_tool]
mod tools {
    pub async fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    let _ = tools::add(1, 2);
}
