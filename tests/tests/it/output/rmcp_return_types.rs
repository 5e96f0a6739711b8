//! The table "Return types" of the guide `from_rmcp`, row by row: what the SDK makes of the type on the left, and what this crate makes of
//! the type on the right.

use mcp_tool_runtime::{Content, IntoToolError, ProtocolVersion, Text, ToolError, mcp_tool, tools};
use rmcp::ErrorData;
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::handler::server::wrapper::Json;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::run::{self, LATEST, LEGACY, call, listed, message, serve};

/// A sum.
#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

const SUM: Sum = Sum { sum: 3 };

/// Returns the parts of a result that clients read, as the SDK writes them.
fn of_sdk(value: impl IntoCallToolResult) -> [Value; 3] {
    match value.into_call_tool_result() {
        Ok(CallToolResponse::Complete(result)) => parts(&run::json(&result)),
        Ok(_) => panic!("not a result"),
        Err(error) => panic!("{error}"),
    }
}

/// Returns the same parts of a call without arguments of a tool of this crate.
fn here(tools: Vec<Box<dyn mcp_tool_runtime::ToolHandler>>, version: ProtocolVersion) -> [Value; 3] {
    let name = tools[0].definition().name;
    parts(&run::mcp(&call(&serve(tools), &name, json!({})), version))
}

fn parts(result: &Value) -> [Value; 3] {
    ["content", "structuredContent", "isError"].map(|key| result[key].clone())
}

#[test]
fn json_is_its_value() {
    /// Add.
    #[mcp_tool]
    async fn plain() -> Sum {
        SUM
    }

    /// Add.
    #[mcp_tool]
    async fn wrapped() -> Json<Sum> {
        Json(SUM)
    }

    for version in ProtocolVersion::ALL {
        assert_eq!(here(tools![plain], version), of_sdk(Json(SUM)));
        assert_eq!(here(tools![wrapped], version), of_sdk(Json(SUM)));
    }
}

#[test]
fn a_string_is_a_text() {
    /// Greet.
    #[mcp_tool]
    async fn text() -> Text {
        Text::new("hello")
    }

    /// Greet.
    #[mcp_tool]
    async fn string() -> String {
        "hello".to_owned()
    }

    for version in ProtocolVersion::ALL {
        assert_eq!(here(tools![text], version), of_sdk("hello".to_owned()));
    }
    for version in LEGACY {
        let [content, structured, is_error] = here(tools![string], version);
        assert_eq!([content, Value::Null, is_error], of_sdk("hello".to_owned()));
        assert_eq!(structured, json!({"result": "hello"}));
    }
    assert_eq!(listed(&serve(tools![string]), "string", LATEST)["outputSchema"]["type"], "string");
}

#[test]
fn nothing_is_the_text_done() {
    /// Delete.
    #[mcp_tool]
    async fn delete() {}

    assert_eq!(of_sdk(()), [json!([]), Value::Null, json!(false)]);
    assert_eq!(here(tools![delete], LATEST), [json!([{"type": "text", "text": "Done"}]), Value::Null, json!(false)]);
}

#[test]
fn content_blocks_are_content() {
    fn blocks() -> Vec<ContentBlock> {
        vec![ContentBlock::text("a dot"), ContentBlock::image("aGVsbG8=", "image/png")]
    }

    /// Draw.
    #[mcp_tool]
    async fn of_the_sdk() -> Vec<ContentBlock> {
        blocks()
    }

    /// Draw.
    #[mcp_tool]
    async fn one_of_the_sdk() -> ContentBlock {
        ContentBlock::text("a dot")
    }

    /// Draw.
    #[mcp_tool]
    async fn own() -> Vec<Content> {
        vec![Text::new("a dot").into(), mcp_tool_runtime::Image::new(b"hello", "image/png").into()]
    }

    for version in ProtocolVersion::ALL {
        let expected = of_sdk(CallToolResult::success(blocks()));
        assert_eq!(here(tools![of_the_sdk], version), expected);
        assert_eq!(here(tools![own], version), expected);
        assert_eq!(here(tools![one_of_the_sdk], version), of_sdk(ContentBlock::text("a dot")));
    }
}

fn foreign() -> Value {
    json!({"sum": 3, "more": [1.5, null]})
}

#[test]
fn a_structured_result_is_an_object() {
    /// Ask.
    #[mcp_tool]
    async fn map() -> Map<String, Value> {
        foreign().as_object().cloned().unwrap_or_default()
    }

    /// Ask.
    #[mcp_tool(output = Sum)]
    async fn described() -> Value {
        foreign()
    }

    /// Ask.
    #[mcp_tool]
    async fn any() -> Value {
        foreign()
    }

    let expected = of_sdk(CallToolResult::structured(foreign()));
    for version in ProtocolVersion::ALL {
        assert_eq!(here(tools![map], version), expected);
        assert_eq!(here(tools![described], version), expected);
    }
    assert_eq!(here(tools![any], LATEST), expected);
    for version in LEGACY {
        assert_eq!(here(tools![any], version)[1], json!({"result": foreign()}));
    }
    assert_eq!(listed(&serve(tools![described]), "described", LATEST)["outputSchema"]["required"], json!(["sum"]));
}

#[test]
fn the_json_of_another_service_as_text_is_a_value_without_an_output_schema() {
    /// Ask.
    #[mcp_tool(output = off)]
    async fn ask() -> Value {
        foreign()
    }

    let text = ContentBlock::text(foreign().to_string());
    for version in ProtocolVersion::ALL {
        assert_eq!(here(tools![ask], version), of_sdk(CallToolResult::success(vec![text.clone()])));
    }
    assert_eq!(listed(&serve(tools![ask]), "ask", LATEST)["outputSchema"], Value::Null);
}

#[test]
fn indented_json_is_a_text() {
    /// Ask.
    #[mcp_tool]
    async fn ask() -> Text {
        Text::new(serde_json::to_string_pretty(&foreign()).unwrap_or_default())
    }

    let text = ContentBlock::text(serde_json::to_string_pretty(&foreign()).expect("JSON"));
    assert_eq!(here(tools![ask], LATEST), of_sdk(CallToolResult::success(vec![text])));
}

#[test]
fn an_error_result_is_an_error() {
    /// Fail.
    #[mcp_tool]
    async fn own() -> Result<Sum, ToolError> {
        Err(ToolError::new("no").with_data(json!({"left": 2})))
    }

    /// Fail.
    #[mcp_tool]
    async fn string() -> Result<Text, String> {
        Err("no".to_owned())
    }

    for version in ProtocolVersion::ALL {
        let expected = of_sdk(CallToolResult::error(vec![ContentBlock::text("no")]));
        assert_eq!(here(tools![own], version), expected);
        assert_eq!(here(tools![string], version), of_sdk(Err::<String, _>("no".to_owned())));
    }
    // A structured value beside an error breaks the output schema of the tool. The data is in `_meta`.
    let result = run::mcp(&call(&serve(tools![own]), "own", json!({})), LATEST);
    assert_eq!(result["_meta"]["rs.mcp-tool/data"], json!({"left": 2}));
}

#[test]
fn an_error_of_the_protocol_is_an_error_result() {
    /// Fail.
    #[mcp_tool]
    async fn fail() -> Result<Json<Sum>, ErrorData> {
        Err(ErrorData::invalid_params("no sum", Some(json!({"left": 2}))))
    }

    let result = run::mcp(&call(&serve(tools![fail]), "fail", json!({})), LATEST);
    assert_eq!(parts(&result), of_sdk(CallToolResult::error(vec![ContentBlock::text("no sum")])));
    assert_eq!(result["_meta"]["rs.mcp-tool/code"], "-32602");
    assert_eq!(result["_meta"]["rs.mcp-tool/data"], json!({"left": 2}));
}

#[test]
fn an_error_of_anyhow_is_masked_unless_it_is_exposed() {
    /// Fail.
    #[mcp_tool]
    async fn masked() -> anyhow::Result<Text> {
        anyhow::bail!("/srv/keys is missing")
    }

    /// Fail.
    #[mcp_tool(expose_errors)]
    async fn exposed() -> anyhow::Result<Text> {
        anyhow::bail!("no sheet has the id 7")
    }

    let dispatcher = serve(tools![masked, exposed]);
    assert_eq!(message(&dispatcher, "masked", json!({})), "internal error in tool `masked` (call_id call-1)");
    assert_eq!(message(&dispatcher, "exposed", json!({})), "no sheet has the id 7");
}

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error("no note has the id {0}")]
struct Missing(u32);

fn read(id: u32) -> Result<Text, Missing> {
    Err(Missing(id))
}

#[test]
fn the_question_mark_masks_an_error_that_is_not_converted() {
    /// Read.
    #[mcp_tool]
    async fn by_itself(id: u32) -> Result<Text, Missing> {
        read(id)
    }

    /// Read.
    #[mcp_tool]
    async fn converted(id: u32) -> Result<Text, ToolError> {
        let text = read(id).map_err(IntoToolError::into_tool_error)?;
        Ok(text)
    }

    /// Read.
    #[mcp_tool]
    async fn as_any_error(id: u32) -> Result<Text, ToolError> {
        Ok(read(id)?)
    }

    let dispatcher = serve(tools![by_itself, converted, as_any_error]);
    for name in ["by_itself", "converted"] {
        assert_eq!(message(&dispatcher, name, json!({"id": 7})), "no note has the id 7", "{name}");
    }
    let masked = message(&dispatcher, "as_any_error", json!({"id": 7}));
    assert_eq!(masked, "internal error in tool `as_any_error` (call_id call-1)");
}
