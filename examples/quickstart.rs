//! One tool, from the annotated function to the documents that go over the wire.
//!
//! `cargo run --example quickstart` prints three JSON documents: the definition of the tool, the Open Tool Calling
//! response of one call, and the Model Context Protocol (MCP) result of the same call.

use mcp_tool_runtime::{
    CallToolRequest, Dispatcher, IntoToolError, ProtocolVersion, json, mcp_tool, serde_json, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Units {
    #[default]
    Celsius,
    Fahrenheit,
}

/// Current weather conditions at a place.
#[derive(Serialize, JsonSchema)]
struct Weather {
    /// In the requested unit.
    temperature: f64,
    conditions: String,
}

#[derive(Debug, thiserror::Error, IntoToolError)]
enum WeatherError {
    #[error("no place is called {0:?}")]
    #[tool_error(additional_prompt_content = "ask for a city name or a zip code")]
    UnknownPlace(String),
}

/// Get the current weather for a place.
#[mcp_tool(title = "Weather", read_only_hint)]
async fn get_weather(
    /// City name or zip code.
    #[schemars(length(min = 1))]
    location: String,
    /// Unit of the temperature.
    #[serde(default)]
    units: Units,
) -> Result<Weather, WeatherError> {
    let celsius = match location.as_str() {
        "Paris" => 22.5,
        "Reykjavík" => 9.0,
        _ => return Err(WeatherError::UnknownPlace(location)),
    };
    let temperature = match units {
        Units::Celsius => celsius,
        Units::Fahrenheit => celsius * 9.0 / 5.0 + 32.0,
    };
    Ok(Weather { temperature, conditions: "partly cloudy".to_owned() })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::builder().tools(tools![get_weather]).build()?;
    let request = CallToolRequest::new("get_weather", json!({"location": "Paris"}));
    let response = dispatcher.call(request).await?;

    let definition = &dispatcher.list_for(ProtocolVersion::LATEST)[0];
    println!("{}", serde_json::to_string_pretty(definition)?);
    println!("{}", serde_json::to_string_pretty(&response.to_otc())?);
    println!("{}", serde_json::to_string_pretty(&response.to_mcp(ProtocolVersion::LATEST))?);
    Ok(())
}
