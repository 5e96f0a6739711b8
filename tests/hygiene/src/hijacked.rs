//! A trait with an impl for every type, whose methods have the names of methods that generated code calls.

#![allow(dead_code, clippy::wrong_self_convention)]

use mcp_tool_runtime::{CallContext, mcp_tool, mcp_tools, tools};

use crate::types::{Failure, Place};

trait Hijack: Sized {
    fn as_ref(self) {}
    fn check(self) {}
    fn decode(self) {}
    fn describe(self) {}
    fn error(self) {}
    fn failure(self) {}
    fn find(self) {}
    fn from_default(self) {}
    fn from_text(self) {}
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
    fn unwrap_or_else(self) {}
    fn with_icon(self) {}
    fn with_meta(self) {}
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

/// A service in the same surroundings.
pub struct Finder;

#[mcp_tools]
impl Finder {
    /// Find a place.
    ///
    /// # Errors
    ///
    /// When there is no such place.
    #[mcp_tool(icon(src = "data:,", sizes = "any"), meta("key" = true))]
    pub async fn found(
        &self,
        #[mcp_tool(context)] cx: &CallContext,
        #[mcp_tool(state)] state: Option<&u8>,
        #[mcp_tool(default = "here")] name: &str,
        #[mcp_tool(default = 1)] count: Option<u8>,
    ) -> Result<Place, Failure> {
        if state.is_some() || count != Some(1) {
            return Err(Failure::NoPlace(cx.tool_name().into()));
        }
        Ok(Place { name: name.into() })
    }
}

/// Returns all tools.
#[must_use]
pub fn handlers() -> Vec<Box<dyn mcp_tool_runtime::ToolHandler>> {
    tools![find]
}
