//! Results without a schema of their own: with the schema of another type, and with none.

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Serialize)]
struct Foreign {
    sum: i64,
}

#[derive(schemars::JsonSchema)]
#[allow(dead_code)]
struct Described {
    sum: i64,
}

fn written() -> mcp_tool_runtime::serde_json::Value {
    mcp_tool_runtime::json!({"type": "object", "properties": {"sum": {"type": "integer"}}})
}

fn spoken(foreign: &Foreign) -> String {
    format!("the sum is {}", foreign.sum)
}

/// Add.
#[mcp_tool(output = Described)]
async fn described(a: i64, b: i64) -> Result<Foreign, String> {
    Ok(Foreign { sum: a + b })
}

/// Add.
#[mcp_tool(output_schema = written)]
async fn hand_written(a: i64, b: i64) -> Foreign {
    Foreign { sum: a + b }
}

/// Add.
#[mcp_tool(output = off)]
async fn text_only(a: i64, b: i64) -> Foreign {
    Foreign { sum: a + b }
}

/// Add.
#[mcp_tool(output = off, text = spoken)]
async fn words(a: i64, b: i64) -> Foreign {
    Foreign { sum: a + b }
}

#[test]
fn runs() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let dispatcher = mcp_tool_runtime::Dispatcher::builder()
        .tools(tools![described, hand_written, text_only, words])
        .build()
        .unwrap();
    let call = |name: &str| {
        let request = mcp_tool_runtime::CallToolRequest::new(name, mcp_tool_runtime::json!({"a": 2, "b": 3}));
        let response = runtime.block_on(dispatcher.call(request)).unwrap();
        assert!(response.is_success(), "{name}: {:?}", response.error());
        mcp_tool_runtime::serde_json::to_value(response.to_mcp(mcp_tool_runtime::ProtocolVersion::V2025_11_25)).unwrap()
    };
    for name in ["described", "hand_written"] {
        assert_eq!(call(name)["structuredContent"]["sum"], 5, "{name}");
    }
    assert_eq!(call("text_only")["content"][0]["text"], r#"{"sum":5}"#);
    assert_eq!(call("words")["content"][0]["text"], "the sum is 5");
    for name in ["text_only", "words"] {
        assert_eq!(call(name).get("structuredContent"), None, "{name}");
    }
}
