//! A trait for every type, whose methods are named like those of generated code.

#![allow(dead_code, clippy::wrong_self_convention)]

use mcp_tool_runtime::{mcp_tool, tools};

use crate::types::{Failure, Place};

trait Hijack: Sized {
    fn as_ref(self) {}
    fn check(self) {}
    fn decode(self) {}
    fn error(self) {}
    fn failure(self) {}
    fn into_output(self) {}
    fn into_tool_error(self) {}
    fn kind(self) {}
    fn lend(self) {}
    fn map(self) {}
    fn output(self) {}
    fn pin(self) {}
    fn push(self) {}
    fn schema(self) {}
    fn split(self) {}
    fn success(self) {}
    fn take(self) {}
    fn to_string(self) {}
}

impl<T> Hijack for T {}

/// Find a place.
///
/// # Errors
///
/// When there is no such place.
#[mcp_tool(text = spoken)]
pub async fn find(name: Option<&str>, #[serde(default)] exact: bool) -> Result<Place, Failure> {
    let place = name.filter(|_| exact).map(|name| Place { name: name.into() });
    place.ok_or_else(|| Failure::NoPlace(name.unwrap_or_default().into()))
}

fn spoken(place: &Place) -> String {
    place.name.clone()
}

/// An error in the same surroundings.
#[derive(Debug, mcp_tool_runtime::IntoToolError)]
pub enum Wrapped {
    /// Another.
    #[tool_error(transparent)]
    Inner(Failure),
    /// A place.
    #[tool_error(retry_after_ms = 5u8, developer_message = "{0:?}", internal)]
    Place(Place),
}

impl std::fmt::Display for Wrapped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("wrapped")
    }
}

/// All of them.
#[must_use]
pub fn handlers() -> Vec<Box<dyn mcp_tool_runtime::ToolHandler>> {
    tools![find]
}
