use mcp_tool_runtime::mcp_tools;

#[mcp_tools]
trait Notes {
    fn count(&self) -> u64;
}

fn main() {}
