//! Values that are not `Send` and do not live across an `await`.

use std::rc::Rc;

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Weather {
    #[serde(skip)]
    cache: Rc<u8>,
    degrees: u8,
}

/// A result that is not `Send`.
#[mcp_tool]
async fn weather() -> Weather {
    let cache = Rc::new(1);
    Weather { degrees: *cache, cache }
}

/// Never comes back.
#[mcp_tool]
async fn hang() -> Result<String, std::convert::Infallible> {
    std::future::pending().await
}

#[test]
fn runs() {
    assert_eq!(tools![weather, hang].len(), 2);
    let _ = |weather: Weather| weather.cache;
}
