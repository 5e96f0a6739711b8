//! The tools of the other tests.

use std::collections::BTreeMap;
use std::io;

use mcp_tool_runtime::{
    CallContext, Content, EmbeddedResource, Image, IntoToolError, ResourceLink, Text, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cli, cli};

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Units {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Filter {
    /// Only places with this tag.
    tag: Option<String>,
    /// At most this far away, in kilometres.
    max_distance: Option<f64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub(super) enum Area {
    Circle { radius: f64 },
    Square { side: u8 },
}

#[derive(Debug, IntoToolError)]
#[tool_error(additional_prompt_content = "ask for a city name")]
pub(super) struct UnknownPlace;

impl std::fmt::Display for UnknownPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no place has this name")
    }
}

/// What a tool was called with.
pub(super) type Echo = BTreeMap<String, serde_json::Value>;

fn echo<const N: usize>(pairs: [(&str, serde_json::Value); N]) -> Echo {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Get the current weather for a place.
///
/// The answer repeats the arguments.
#[mcp_tool(read_only_hint)]
async fn get_weather(
    /// City name or zip code.
    #[schemars(length(min = 1))]
    location: String,
    /// Unit of the temperature.
    #[serde(default)]
    units: Units,
    /// Days to look ahead.
    #[schemars(range(max = 14))]
    days_ahead: Option<u8>,
) -> Result<Echo, UnknownPlace> {
    if location == "Atlantis" {
        return Err(UnknownPlace);
    }
    Ok(echo([("location", location.into()), ("units", serde_json::json!(units)), ("days_ahead", days_ahead.into())]))
}

/// Find places.
#[mcp_tool]
async fn find(
    filter: Option<Filter>,
    tags: Vec<String>,
    #[serde(default)] counts: BTreeMap<String, u32>,
    area: Option<Area>,
    verbose: Option<bool>,
    point: Option<(f64, f64)>,
    id: Option<serde_json::Value>,
) -> Echo {
    let json = |value: &dyn Fn() -> serde_json::Result<serde_json::Value>| value().expect("JSON");
    echo([
        ("filter", json(&|| serde_json::to_value(&filter))),
        ("tags", tags.clone().into()),
        ("counts", json(&|| serde_json::to_value(&counts))),
        ("area", json(&|| serde_json::to_value(&area))),
        ("verbose", verbose.into()),
        ("point", json(&|| serde_json::to_value(point))),
        ("id", id.into()),
    ])
}

/// Delete a place.
#[mcp_tool(destructive_hint, idempotent_hint)]
async fn delete(#[serde(rename = "json")] all: bool, help: String) {
    let _ = (all, help);
}

/// Greet somebody.
#[mcp_tool]
async fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

/// Count to three.
#[mcp_tool]
async fn count(#[mcp_tool(context)] cx: &CallContext) -> u8 {
    for step in 1..=3 {
        cx.progress(f64::from(step), 3.0, format!("step {step}\x1b[31m"));
    }
    3
}

/// Draw a map.
#[mcp_tool]
async fn draw() -> Vec<Content> {
    vec![
        Text::new("a map").into(),
        Image::new([1, 2, 3], "image/png").into(),
        EmbeddedResource::blob("memo://x/../../notes.pdf", [4, 5]).with_mime_type("application/pdf").into(),
        ResourceLink::new("file:///log", "log").into(),
    ]
}

/// Fail with a secret.
#[mcp_tool]
async fn fail() -> Result<u8, io::Error> {
    Err(io::Error::other("the password is hunter2"))
}

pub(super) fn weather() -> Cli {
    cli(tools![get_weather, find, delete, greet, count, draw, fail])
}
