use mcp_tool_runtime::{Paged, mcp_tool, tools};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Row {
    id: u32,
}

fn counted(rows: &Vec<Row>) -> String {
    format!("{} rows", rows.len())
}

/// List rows.
#[mcp_tool(text = counted)]
async fn list() -> Paged<Row> {
    Paged::new([Row { id: 1 }])
}

fn main() {
    let _ = tools![list];
}
