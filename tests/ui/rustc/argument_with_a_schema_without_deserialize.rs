use mcp_tool_runtime::{mcp_tool, tools};

struct Date(String);

/// List the notes of a day.
#[mcp_tool]
async fn list(#[schemars(with = "String")] day: Option<Date>) -> Option<String> {
    day.map(|day| day.0)
}

fn main() {
    let _ = tools![list];
}
