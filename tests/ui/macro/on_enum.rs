use mcp_tool_runtime::mcp_tool;

#[mcp_tool]
#[derive(Debug)]
pub(crate) enum Units {
    Celsius,
}

fn main() {
    println!("{:?}", Units::Celsius);
}
