//! Types that tools take and give.

use mcp_tool_runtime::{schemars, serde};

/// A place on earth.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "mcp_tool_runtime::serde")]
#[schemars(crate = "mcp_tool_runtime::schemars")]
pub struct Place {
    /// Its name.
    pub name: String,
}

/// A unit of temperature.
#[derive(Debug, Clone, Copy, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "mcp_tool_runtime::serde")]
#[schemars(crate = "mcp_tool_runtime::schemars")]
pub enum Unit {
    /// Degrees Celsius.
    #[default]
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
}

/// An error.
#[derive(Debug, mcp_tool_runtime::IntoToolError)]
pub enum Failure {
    /// No such place.
    #[tool_error(additional_prompt_content = "not {0}")]
    NoPlace(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no such place")
    }
}
