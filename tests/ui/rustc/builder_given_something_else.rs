use mcp_tool_runtime::Dispatcher;

struct Add;

fn main() {
    let _ = Dispatcher::builder().tool(Add).build();
}
