//! Arguments that the call owns and the function borrows.

use std::borrow::Cow;
use std::path::Path;

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    name: String,
}

/// Borrow everything.
#[mcp_tool]
async fn borrow(
    text: &str,
    list: &[City],
    path: &Path,
    city: &City,
    maybe: Option<&str>,
    maybe_list: Option<&[City]>,
    cow: Cow<'_, str>,
) -> String {
    let cities = list.iter().chain(maybe_list.into_iter().flatten()).map(|city| city.name.as_str());
    format!("{text}{}{}{}{maybe:?}{cow}", cities.collect::<String>(), path.display(), city.name)
}

/// Borrow under a lifetime, and give it back.
#[mcp_tool]
async fn echo<'a>(text: &'a str) -> &'a str {
    text
}

#[test]
fn runs() {
    assert_eq!(tools![borrow, echo].len(), 2);
}
