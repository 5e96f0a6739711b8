//! Types of the SDK in the signature of a tool keep their meaning.

use mcp_tool_runtime::{ProtocolVersion, ToolError, mcp_tool, tools};
use rmcp::model::ContentBlock;
use rmcp::{ErrorData, Json};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::run::{self, LATEST, call, listed, serve};

/// A sum.
#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

type Answer<T> = Result<T, ErrorData>;

fn failure() -> ErrorData {
    ErrorData::internal_error("the disk is full", Some(json!({"free": 0})))
}

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> Answer<Json<Sum>> {
    a.checked_add(b).map(|sum| Json(Sum { sum })).ok_or_else(failure)
}

/// Fail in a helper.
#[mcp_tool]
async fn save() -> Result<(), ToolError> {
    Err(failure())?;
    Ok(())
}

/// Draw something.
#[mcp_tool]
async fn draw(count: usize) -> Answer<Vec<ContentBlock>> {
    let blocks = [ContentBlock::text("a dot"), ContentBlock::image("aGVsbG8=", "image/png")];
    Ok(blocks.into_iter().cycle().take(count).collect())
}

/// Draw one thing.
#[mcp_tool]
async fn draw_one() -> ContentBlock {
    ContentBlock::text("a dot")
}

#[test]
fn an_error_of_the_sdk_shows_its_message_and_has_its_code_and_data() {
    let dispatcher = serve(tools![add, save]);
    for (name, arguments) in [("add", json!({"a": i64::MAX, "b": 1})), ("save", json!({}))] {
        let response = call(&dispatcher, name, arguments);
        let error = response.error().expect("an error");
        assert_eq!((error.message(), error.code()), ("the disk is full", Some("-32603")), "{name}");
        let result = run::mcp(&response, LATEST);
        assert_eq!(result["content"], json!([{"type": "text", "text": "the disk is full"}]));
        assert_eq!(result["_meta"]["rs.mcp-tool/data"], json!({"free": 0}));
    }
}

#[test]
fn the_json_of_the_sdk_is_its_value() {
    let dispatcher = serve(tools![add]);
    let response = call(&dispatcher, "add", json!({"a": 1, "b": 2}));
    for version in ProtocolVersion::ALL {
        assert_eq!(listed(&dispatcher, "add", version)["outputSchema"]["properties"]["sum"]["type"], "integer");
        assert_eq!(run::mcp(&response, version)["structuredContent"], json!({"sum": 3}));
    }
}

#[test]
fn content_blocks_of_the_sdk_are_content_blocks() {
    let dispatcher = serve(tools![draw, draw_one]);
    let dot = json!({"type": "text", "text": "a dot"});
    let image = json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"});
    for (name, arguments, expected) in [
        ("draw", json!({"count": 3}), json!([dot, image, dot])),
        ("draw", json!({"count": 0}), json!([])),
        ("draw_one", json!({}), json!([dot])),
    ] {
        assert!(listed(&dispatcher, name, LATEST).get("outputSchema").is_none());
        let result = run::mcp(&call(&dispatcher, name, arguments), LATEST);
        assert_eq!(result["content"], expected);
        assert!(result.get("structuredContent").is_none());
    }
}
