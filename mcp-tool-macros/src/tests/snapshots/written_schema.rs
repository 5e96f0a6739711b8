/// Draw a chart.
#[mcp_tool(input_schema = chart_schema, output = off)]
async fn draw(#[mcp_tool(arguments)] chart: serde_json::Value) -> String {
    render(&chart)
}
