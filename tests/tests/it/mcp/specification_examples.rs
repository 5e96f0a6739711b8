//! The examples of the Model Context Protocol: parsed, serialized again, and reproduced by tools.

use mcp_tool_runtime::{CallToolRequest, Output, Text, ToolError, mcp, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::run::{self, ByHand, LATEST, built, call, exact};
use crate::specification::document;

const TOOLS: [&str; 6] = [
    "tool-with-array-output-schema",
    "tool-with-composition-input-schema",
    "with-default-2020-12-input-schema",
    "with-explicit-draft-07-input-schema",
    "with-no-parameters",
    "with-output-schema-for-structured-content",
];

fn example(kind: &str, name: &str) -> Value {
    document(&format!("mcp/2026-07-28/examples/{kind}/{name}.json"))
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn tool_examples_survive_parsing_serializing_and_publishing() {
    for name in TOOLS {
        let fixture = example("Tool", name);
        let tool: mcp::Tool = serde_json::from_value(fixture.clone()).expect("a tool");
        assert_eq!(run::json(&tool), fixture, "{name}");
        // A hand-written definition is published unchanged, in the same order of properties (rule T15).
        let dispatcher = built(exact().tool(ByHand::new(tool, |_, _| unreachable!())));
        let listed = run::listed(&dispatcher, fixture["name"].as_str().expect("a name"), LATEST);
        assert_eq!(listed, fixture, "{name}");
        assert_eq!(listed["inputSchema"].to_string(), fixture["inputSchema"].to_string(), "{name}");
    }
}

#[derive(Serialize, JsonSchema)]
struct User {
    /// User ID
    id: String,
    /// User name
    name: String,
    /// User email
    email: String,
}

/// Returns a list of all users
#[mcp_tool(title = "User List")]
async fn list_users() -> Vec<User> {
    let user = |id: &str, name: &str| User {
        id: id.to_owned(),
        name: name.to_owned(),
        email: format!("{}@example.com", name.to_lowercase()),
    };
    vec![user("1", "Alice"), user("2", "Bob")]
}

#[derive(Serialize, JsonSchema)]
struct Weather {
    /// Temperature in celsius
    temperature: f64,
    /// Weather conditions description
    conditions: &'static str,
    /// Humidity percentage
    humidity: f64,
}

/// Get current weather data for a location
#[mcp_tool(title = "Weather Data Retriever")]
async fn get_weather_data(
    /// City name or zip code
    location: String,
) -> Weather {
    drop(location);
    Weather { temperature: 22.5, conditions: "Partly cloudy", humidity: 65.0 }
}

/// Add two numbers
#[mcp_tool]
async fn calculate_sum(a: f64, b: f64) -> f64 {
    a + b
}

/// Returns the current server time
#[mcp_tool(output = off)]
async fn get_current_time() -> String {
    "12:00".to_owned()
}

/// Removes what our definition has and the example leaves out: the derived title, the output schema,
/// `additionalProperties: false` and empty `properties`.
fn as_in_example(mut tool: Value, fixture: &Value) -> Value {
    let properties = tool.as_object_mut().expect("a tool");
    if fixture.get("title").is_none() {
        properties.shift_remove("title");
    }
    if fixture.get("outputSchema").is_none() {
        properties.shift_remove("outputSchema");
    }
    let schema = properties["inputSchema"].as_object_mut().expect("a schema");
    if fixture["inputSchema"].get("additionalProperties").is_none() {
        assert_eq!(schema.shift_remove("additionalProperties"), Some(json!(false)));
    }
    if fixture["inputSchema"].get("properties").is_none() {
        assert_eq!(schema.shift_remove("properties"), Some(json!({})));
    }
    tool
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn tool_examples_are_derived_from_functions() {
    let dispatcher = run::serve(tools![list_users, get_weather_data, calculate_sum, get_current_time]);
    // The other two cannot be derived: one declares draft-07, the other has branches without a type.
    for name in [TOOLS[0], TOOLS[2], TOOLS[4], TOOLS[5]] {
        let fixture = example("Tool", name);
        let listed = run::listed(&dispatcher, fixture["name"].as_str().expect("a name"), LATEST);
        assert_eq!(as_in_example(listed, &fixture), fixture, "{name}");
    }
}

/// Removes what our result has and the example leaves out: `_meta` and `isError: false`.
fn without_additions(mut result: Value, fixture: &Value) -> Value {
    let properties = result.as_object_mut().expect("a result");
    assert!(properties.shift_remove("_meta").is_some());
    if fixture.get("isError").is_none() {
        assert_eq!(properties.shift_remove("isError"), Some(json!(false)));
    }
    result
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn result_examples_are_parsed_serialized_and_reproduced() {
    let list_with_text = |_: &_, _| {
        Ok(Output::value(run::now(list_users()))?
            .with_text("Found 2 users: Alice (alice@example.com) and Bob (bob@example.com)."))
    };
    let list = run::serve(tools![list_users]).list()[0].clone();
    let dispatcher = built(
        exact()
            .tools(tools![get_weather_data])
            .tool(ByHand::new(list, list_with_text))
            .tool(ByHand::any("book", |_, _| {
                Err(ToolError::new("Invalid departure date: must be in the future. Current date is 08/08/2025."))
            }))
            .tool(ByHand::any("weather", |_, _| {
                let text = "Current weather in New York:\nTemperature: 72°F\nConditions: Partly cloudy";
                Ok(Output::content(vec![Text::new(text).into()]))
            })),
    );
    for (example_name, tool) in [
        ("invalid-tool-input-error", "book"),
        ("result-with-array-structured-content", "list_users"),
        ("result-with-structured-content", "get_weather_data"),
        ("result-with-unstructured-text", "weather"),
    ] {
        let mut fixture = example("CallToolResult", example_name);
        let result: mcp::CallToolResult = serde_json::from_value(fixture.clone()).expect("a result");
        assert_eq!(run::json(&result), fixture, "{example_name}");
        let arguments = if tool == "get_weather_data" { json!({"location": "New York"}) } else { json!({}) };
        let mut ours = without_additions(run::mcp(&call(&dispatcher, tool, arguments), LATEST), &fixture);
        if tool == "get_weather_data" {
            // The text of the example has blanks and writes 65.0 as 65. Both texts represent the same value.
            for result in [&mut ours, &mut fixture] {
                let text = result["content"][0]["text"].as_str().expect("a text");
                result["content"][0]["text"] = as_floats(serde_json::from_str(text).expect("JSON"));
                result["structuredContent"] = as_floats(result["structuredContent"].clone());
            }
        }
        assert_eq!(ours, fixture, "{example_name}");
    }
}

/// Turns all numbers into floats, so that 65 and 65.0 are equal.
fn as_floats(mut value: Value) -> Value {
    for property in value.as_object_mut().into_iter().flat_map(|properties| properties.values_mut()) {
        if let Some(number) = property.as_f64() {
            *property = json!(number);
        }
    }
    value
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn the_list_example_is_reproduced() {
    let mut fixture = example("ListToolsResult", "tools-list-with-cursor-and-ttl");
    let tool: mcp::Tool = serde_json::from_value(fixture["tools"][0].clone()).expect("a tool");
    let public = exact().list_scope(mcp::CacheScope::Public);
    let dispatcher = built(public.tool(ByHand::new(tool, |_, _| unreachable!())));
    // Our lists always have one page.
    fixture.as_object_mut().map(|list| list.shift_remove("nextCursor"));
    assert_eq!(serde_json::from_slice::<Value>(dispatcher.list_json(LATEST)).expect("a list"), fixture);
}

#[test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
fn request_params_examples_are_parsed() {
    for name in ["get-weather-tool-call-params", "tool-call-params-with-progress-token"] {
        let fixture = example("CallToolRequestParams", name);
        let request: CallToolRequest = serde_json::from_value(fixture.clone()).expect("a request");
        assert_eq!(request.name, fixture["name"].as_str().unwrap_or_default());
        assert_eq!(request.arguments.as_ref(), Some(&fixture["arguments"]));
        assert_eq!(request.meta.map(Value::Object).as_ref(), Some(&fixture["_meta"]));
        let known = ByHand::any(&request.name, |_, arguments| Output::value(arguments));
        let bytes = fixture.to_string();
        let result = run::now(built(exact().tool(known)).call_json(bytes.as_bytes(), LATEST)).expect("a result");
        assert_eq!(serde_json::from_slice::<Value>(&result).expect("JSON")["isError"], false);
    }
}
