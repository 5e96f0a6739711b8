// Two mistakes, two errors.

use mcp_tool_runtime::{mcp_tool, tools};

struct Weather;
struct Failure;

/// The weather.
#[mcp_tool]
async fn weather() -> Result<Weather, Failure> {
    Err(Failure)
}

fn main() {
    let _ = tools![weather];
}
