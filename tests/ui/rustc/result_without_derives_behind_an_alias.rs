use mcp_tool_runtime::{mcp_tool, tools};

type Outcome<T> = Result<T, String>;

struct Weather {
    degrees: f64,
}

/// The weather.
#[mcp_tool]
async fn weather() -> Outcome<Option<Weather>> {
    Ok(Some(Weather { degrees: 21.0 }))
}

fn main() {
    let _ = tools![weather];
}
