//! Text from a caller that tries to look like a message of the server, in an answer or in a log.

use mcp_tool_runtime::{CallId, CallToolRequest, CallToolResponse, ToolError, mcp_tool, tools};
use serde_json::{Value, json};

use crate::run::{self, LATEST};

/// Texts that start a new line, turn the direction of a line, or move the cursor of a terminal.
const FORGERIES: [&str; 9] = [
    "1\nERROR the disk is full",
    "1\r\nERROR",
    "1\u{1b}[2K\u{1b}[1A",
    "1\u{85}ERROR",
    "1\u{2028}ERROR",
    "1\u{202e}RORRE",
    "1\u{9b}2K",
    "\0",
    " 1 ",
];

fn is_one_visible_line(text: &str) -> bool {
    text.chars().all(|c| c == ' ' || c == '`' || c.escape_debug().len() == 1 || matches!(c, '"' | '\'' | '\\'))
}

/// Fail.
#[mcp_tool]
async fn fail() -> Result<u8, ToolError> {
    Err(ToolError::internal("the disk is full"))
}

fn fails_with(request: CallToolRequest) -> CallToolResponse {
    run::send(&run::serve(tools![fail]), request)
}

#[test]
fn an_id_that_would_forge_a_line_of_a_log_is_replaced() {
    for id in FORGERIES {
        assert!(CallId::new(id).is_err(), "{id:?}");
        assert!(CallId::try_from(id).is_err() && CallId::try_from(id.to_owned()).is_err(), "{id:?}");
        let Value::Object(meta) = json!({"rs.mcp-tool/call_id": id}) else { unreachable!() };
        let open_tool_calling = serde_json::from_value(json!({"tool_id": "fail", "call_id": id})).expect("a request");
        for request in [CallToolRequest::new("fail", json!({})).with_meta(meta), open_tool_calling] {
            let response = fails_with(request);
            assert_eq!(response.call_id().as_str(), "call-1", "{id:?}");
            assert_eq!(response.error().expect("an error").message(), "internal error in tool `fail` (call_id call-1)");
        }
    }
    let ids = ["1", "order 17", "größe/é", "日本-1", "a\"b\\c'd", "😀"];
    for id in ids {
        assert_eq!(CallId::new(id).as_ref().map(CallId::as_str), Ok(id));
    }
}

#[test]
fn names_from_a_caller_stay_on_one_line_of_every_message() {
    let dispatcher = run::serve(tools![fail]);
    for text in FORGERIES {
        let error = run::now(dispatcher.call(CallToolRequest::new(text, json!({})))).expect_err("unknown");
        assert!(is_one_visible_line(&error.to_string()), "{error:?}");
        let message = run::message(&dispatcher, "fail", json!({text: 1}));
        assert!(is_one_visible_line(&message), "{message:?}");
        let twice = serde_json::to_string(text).expect("JSON");
        let params = format!(r#"{{"name":"fail","arguments":{{{twice}:1,{twice}:2}}}}"#);
        let result = run::now(dispatcher.call_json(params.as_bytes(), LATEST)).expect("a result");
        let result: Value = serde_json::from_slice(&result).expect("JSON");
        let message = result["content"][0]["text"].as_str().expect("a text");
        assert!(message.contains("appears twice") && is_one_visible_line(message), "{message:?}");
    }
}
