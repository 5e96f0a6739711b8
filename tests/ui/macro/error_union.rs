#[derive(mcp_tool_runtime::IntoToolError)]
union Failure {
    code: u32,
}

fn main() {
    let _ = Failure { code: 1 };
}
