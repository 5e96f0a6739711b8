//! The examples of the Model Context Protocol: read, written back, and made again by tools of ours. They are read from
//! `MCP_SPEC_DIR`.

use mcp_tool_runtime::{CallToolRequest, Output, Text, ToolError, mcp, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::conformance::{report, spec};
use crate::run::{self, ByHand, LATEST, built, call, exact};

const TOOLS: [&str; 6] = [
    "tool-with-array-output-schema",
    "tool-with-composition-input-schema",
    "with-default-2020-12-input-schema",
    "with-explicit-draft-07-input-schema",
    "with-no-parameters",
    "with-output-schema-for-structured-content",
];

fn example(kind: &str, name: &str) -> Option<Value> {
    spec(&format!("mcp/2026-07-28/examples/{kind}/{name}.json"))
}

#[test]
fn the_examples_of_tools_are_read_written_back_and_published_by_hand() {
    let mut read = 0;
    for name in TOOLS {
        let Some(fixture) = example("Tool", name) else { break };
        let tool: mcp::Tool = serde_json::from_value(fixture.clone()).expect("a tool");
        assert_eq!(run::json(&tool), fixture, "{name}");
        // Written by hand, each is published as it stands, down to the order of its members (rule T15).
        let dispatcher = built(exact().tool(ByHand::new(tool, |_, _| unreachable!())));
        let listed = run::listed(&dispatcher, fixture["name"].as_str().expect("a name"), LATEST);
        assert_eq!(listed, fixture, "{name}");
        assert_eq!(listed["inputSchema"].to_string(), fixture["inputSchema"].to_string(), "{name}");
        read += 1;
    }
    report("the examples of tools", read, "fixtures");
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

/// A definition of ours in the words of an example: an example of a tool without a title has none, an open root may be
/// left open, and `properties` that are empty may be left out.
fn in_the_examples_words(mut tool: Value, fixture: &Value) -> Value {
    let members = tool.as_object_mut().expect("a tool");
    if fixture.get("title").is_none() {
        members.shift_remove("title");
    }
    if fixture.get("outputSchema").is_none() {
        members.shift_remove("outputSchema");
    }
    let schema = members["inputSchema"].as_object_mut().expect("a schema");
    if fixture["inputSchema"].get("additionalProperties").is_none() {
        assert_eq!(schema.shift_remove("additionalProperties"), Some(json!(false)));
    }
    if fixture["inputSchema"].get("properties").is_none() {
        assert_eq!(schema.shift_remove("properties"), Some(json!({})));
    }
    tool
}

#[test]
fn the_examples_of_tools_are_derived_from_functions() {
    let dispatcher = run::serve(tools![list_users, get_weather_data, calculate_sum, get_current_time]);
    let mut read = 0;
    // The two others cannot be derived: one names draft-07, one leaves its branches open.
    for name in [TOOLS[0], TOOLS[2], TOOLS[4], TOOLS[5]] {
        let Some(fixture) = example("Tool", name) else { break };
        let listed = run::listed(&dispatcher, fixture["name"].as_str().expect("a name"), LATEST);
        assert_eq!(in_the_examples_words(listed, &fixture), fixture, "{name}");
        read += 1;
    }
    report("the examples of tools, derived", read, "fixtures");
}

/// The results of our tools in the words of an example: those have no `_meta`, and some no `isError`.
fn without_ours(mut result: Value, fixture: &Value) -> Value {
    let members = result.as_object_mut().expect("a result");
    assert!(members.shift_remove("_meta").is_some());
    if fixture.get("isError").is_none() {
        assert_eq!(members.shift_remove("isError"), Some(json!(false)));
    }
    result
}

#[test]
fn the_examples_of_results_are_read_written_back_and_made_again() {
    let in_words = |_: &_, _| {
        Ok(Output::value(run::now(list_users()))?
            .with_text("Found 2 users: Alice (alice@example.com) and Bob (bob@example.com)."))
    };
    let list = run::serve(tools![list_users]).list()[0].clone();
    let dispatcher = built(
        exact()
            .tools(tools![get_weather_data])
            .tool(ByHand::new(list, in_words))
            .tool(ByHand::any("book", |_, _| {
                Err(ToolError::new("Invalid departure date: must be in the future. Current date is 08/08/2025."))
            }))
            .tool(ByHand::any("weather", |_, _| {
                let text = "Current weather in New York:\nTemperature: 72°F\nConditions: Partly cloudy";
                Ok(Output::content(vec![Text::new(text).into()]))
            })),
    );
    let mut read = 0;
    for (example_name, tool) in [
        ("invalid-tool-input-error", "book"),
        ("result-with-array-structured-content", "list_users"),
        ("result-with-structured-content", "get_weather_data"),
        ("result-with-unstructured-text", "weather"),
    ] {
        let Some(mut fixture) = example("CallToolResult", example_name) else { break };
        let result: mcp::CallToolResult = serde_json::from_value(fixture.clone()).expect("a result");
        assert_eq!(run::json(&result), fixture, "{example_name}");
        let arguments = if tool == "get_weather_data" { json!({"location": "New York"}) } else { json!({}) };
        let mut ours = without_ours(run::mcp(&call(&dispatcher, tool, arguments), LATEST), &fixture);
        if tool == "get_weather_data" {
            // The example's text has blanks and writes 65.0 as 65; both texts say the same value.
            for result in [&mut ours, &mut fixture] {
                let text = result["content"][0]["text"].as_str().expect("a text");
                result["content"][0]["text"] = as_floats(serde_json::from_str(text).expect("JSON"));
                result["structuredContent"] = as_floats(result["structuredContent"].clone());
            }
        }
        assert_eq!(ours, fixture, "{example_name}");
        read += 1;
    }
    report("the examples of results", read, "fixtures");
}

/// Numbers compare as what they are, not as they are written.
fn as_floats(mut value: Value) -> Value {
    for member in value.as_object_mut().into_iter().flat_map(|members| members.values_mut()) {
        if let Some(number) = member.as_f64() {
            *member = json!(number);
        }
    }
    value
}

#[test]
fn the_example_of_a_list_is_made_again() {
    let Some(mut fixture) = example("ListToolsResult", "tools-list-with-cursor-and-ttl") else {
        return report("the example of a list", 0, "");
    };
    let tool: mcp::Tool = serde_json::from_value(fixture["tools"][0].clone()).expect("a tool");
    let public = exact().list_scope(mcp_tool_runtime::CacheScope::Public);
    let dispatcher = built(public.tool(ByHand::new(tool, |_, _| unreachable!())));
    // Our lists have one page.
    fixture.as_object_mut().map(|list| list.shift_remove("nextCursor"));
    assert_eq!(serde_json::from_slice::<Value>(dispatcher.list_json(LATEST)).expect("a list"), fixture);
    report("the example of a list", 1, "fixture");
}

#[test]
fn the_examples_of_a_requests_params_are_read() {
    let mut read = 0;
    for name in ["get-weather-tool-call-params", "tool-call-params-with-progress-token"] {
        let Some(fixture) = example("CallToolRequestParams", name) else { break };
        let request: CallToolRequest = serde_json::from_value(fixture.clone()).expect("a request");
        assert_eq!(request.name, fixture["name"].as_str().unwrap_or_default());
        assert_eq!(request.arguments.as_ref(), Some(&fixture["arguments"]));
        assert_eq!(request.meta.map(Value::Object).as_ref(), Some(&fixture["_meta"]));
        let known = ByHand::any(&request.name, |_, arguments| Output::value(arguments));
        let bytes = fixture.to_string();
        let result = run::now(built(exact().tool(known)).call_json(bytes.as_bytes(), LATEST)).expect("a result");
        assert_eq!(serde_json::from_slice::<Value>(&result).expect("JSON")["isError"], false);
        read += 1;
    }
    report("the examples of a request's params", read, "fixtures");
}
