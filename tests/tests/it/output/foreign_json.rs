//! JSON of another service, passed on as a result.

use mcp_tool_runtime::{ProtocolVersion, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::run::{self, LATEST, call, listed, serve};

#[derive(Serialize, JsonSchema)]
struct Weather {
    temperature: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    wind: Option<u8>,
}

type Answer = Result<Box<RawValue>, String>;

/// Pass on a text of JSON.
#[mcp_tool(output = Weather)]
async fn checked(json: String) -> Answer {
    RawValue::from_string(json).map_err(|error| error.to_string())
}

/// Pass on a text of JSON, whatever it is.
#[mcp_tool]
async fn unchecked(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("JSON")
}

fn bytes(name: &str, json: &str, version: ProtocolVersion) -> String {
    let params = json!({"name": name, "arguments": {"json": json}}).to_string();
    let dispatcher = serve(tools![checked, unchecked]);
    String::from_utf8(run::now(dispatcher.call_json(params.as_bytes(), version)).expect("a result")).expect("UTF-8")
}

#[test]
fn raw_json_is_spliced_in_as_it_was_written_in_every_version() {
    for version in ProtocolVersion::ALL {
        let json = r#"{"temperature":21.50,"wind":1e1,"more":[12345678901234567890123]}"#;
        let result = bytes("checked", json, version);
        assert!(result.contains(&format!(r#""structuredContent":{json},"isError":false"#)), "{result}");
        let text = serde_json::to_string(json).expect("JSON");
        assert!(result.contains(&format!(r#"[{{"type":"text","text":{text}}}]"#)), "{result}");
    }
}

#[test]
fn raw_json_that_does_not_match_the_declared_schema_is_an_error_result() {
    let dispatcher = serve(tools![checked]);
    for (text, expected) in [
        (r#"{"temperature": "warm"}"#, "`temperature`: expected a number, got a string"),
        (r#"{"temperature": 1, "wind": 300}"#, "`wind`: expected 255 or less"),
        (r#"{"temperature": 1, "temperature": 2}"#, "the value: the key `temperature` appears twice"),
        (r"[21.5]", "the value: expected an object, got an array"),
    ] {
        let message = run::message(&dispatcher, "checked", json!({"json": text}));
        assert_eq!(message, format!("tool `checked` produced an invalid result: {expected}"));
    }
    assert!(run::message(&dispatcher, "checked", json!({"json": "{"})).starts_with("EOF"));
}

#[test]
fn white_space_of_raw_json_is_removed_so_that_a_message_is_one_line() {
    for name in ["checked", "unchecked"] {
        let result = bytes(name, "\r\n{ \"temperature\" :\t21.5,\n \"place\": \"a \\n b\" }\n", LATEST);
        assert!(!result.contains(['\n', '\t']), "{result}");
        assert!(result.contains(r#"{\"temperature\":21.5,\"place\":\"a \\n b\"}"#), "{result}");
    }
}

#[test]
fn raw_json_without_a_declared_schema_is_text() {
    let dispatcher = serve(tools![unchecked]);
    let response = call(&dispatcher, "unchecked", json!({"json": "[1.50]"}));
    assert_eq!(response.value().map(RawValue::get), Some("[1.50]"));
    for version in ProtocolVersion::ALL {
        assert!(listed(&dispatcher, "unchecked", version).get("outputSchema").is_none());
        let result = run::mcp(&response, version);
        assert_eq!(result["content"], json!([{"type": "text", "text": "[1.50]"}]));
        assert!(result.get("structuredContent").is_none());
    }
    assert!(serde_json::to_string(&response.to_otc()).expect("JSON").contains(r#""value":[1.50]"#));
}

#[test]
fn objects_of_another_service_stay_objects_in_every_version() {
    /// Return an object.
    #[mcp_tool]
    async fn map() -> Map<String, Value> {
        [("temperature".to_owned(), json!(1))].into_iter().collect()
    }

    /// Return a value of the declared type.
    #[mcp_tool(output = Weather)]
    async fn value() -> Result<Value, String> {
        Ok(json!({"temperature": 1}))
    }

    /// Return a map whose type is declared elsewhere.
    #[mcp_tool(output = Map<String, Value>)]
    async fn raw() -> Box<RawValue> {
        RawValue::from_string(r#"{"temperature":1}"#.to_owned()).expect("JSON")
    }

    let dispatcher = serve(tools![map, value, raw]);
    for version in ProtocolVersion::ALL {
        for name in ["map", "value", "raw"] {
            assert_eq!(listed(&dispatcher, name, version)["outputSchema"]["type"], "object");
            let result = run::mcp(&call(&dispatcher, name, json!({})), version);
            assert_eq!(result["structuredContent"], json!({"temperature": 1}), "{name}");
        }
    }
}
