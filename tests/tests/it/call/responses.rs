//! `CallToolResponse` as a value, as Open Tool Calling, and as bytes.

use std::time::Duration;

use mcp_tool_runtime::{CallToolRequest, Output, ProtocolVersion, ToolError};
use serde_json::{Value, json};

use crate::run::{self, ByHand, LATEST, built, call, exact, now, send};
use crate::sample_tools;

#[test]
fn call_and_call_json_give_the_same_document() {
    for version in ProtocolVersion::ALL {
        // Each way has its own dispatcher, so that both have read their clocks equally often.
        let (typed, raw) = (sample_tools::dispatcher(), sample_tools::dispatcher());
        for (name, arguments, _) in sample_tools::calls() {
            let meta = json!({"rs.mcp-tool/call_id": "from-meta"});
            let params = json!({"name": name, "arguments": arguments, "_meta": meta}).to_string();
            let bytes = now(raw.call_json(params.as_bytes(), version)).expect("a result");
            let request = CallToolRequest::new(name, arguments).with_protocol_version(version);
            let request = request.with_meta(meta.as_object().cloned().unwrap_or_default());
            let written = serde_json::to_string(&send(&typed, request).to_mcp(version)).expect("JSON");
            assert_eq!(String::from_utf8(bytes).expect("UTF-8"), written, "{name} {version}");
        }
    }
}

#[test]
fn open_tool_calling_has_a_value_or_an_error() {
    let dispatcher = sample_tools::dispatcher();
    for (name, arguments, succeeds) in sample_tools::calls() {
        let response = call(&dispatcher, name, arguments);
        let document = run::otc(&response);
        let keys: Vec<_> = document.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(keys, ["call_id", "duration", "success", if succeeds { "value" } else { "error" }], "{name}");
        assert_eq!(document["success"], succeeds, "{name}");
        assert_eq!((response.is_success(), response.error().is_none()), (succeeds, succeeds), "{name}");
        assert_eq!(response.value().is_some(), succeeds, "{name}");
        assert_eq!(response.deserialize::<Value>().ok().as_ref(), document.get("value"), "{name}");
    }
}

#[test]
fn open_tool_callings_error_leaves_out_unset_fields() {
    let fail = ByHand::any("fail", |_, arguments| {
        let error = ToolError::new("no").with_developer_message("for the logs");
        Err(match arguments["how"].as_str() {
            Some("later") => error.with_retry_after(Duration::from_millis(1500)),
            Some("again") => error.with_can_retry(true),
            Some("hint") => error.with_additional_prompt_content("try this"),
            _ => error,
        })
    });
    let dispatcher = built(exact().tool(fail));
    let error = |how: &str| run::otc(&call(&dispatcher, "fail", json!({"how": how})))["error"].clone();
    assert_eq!(error(""), json!({"message": "no"}));
    assert_eq!(error("later"), json!({"message": "no", "can_retry": true, "retry_after_ms": 1500}));
    assert_eq!(error("again"), json!({"message": "no", "can_retry": true}));
    assert_eq!(error("hint"), json!({"message": "no", "additional_prompt_content": "try this"}));
}

#[test]
fn the_debug_output_of_a_response_has_no_value() {
    let dispatcher = built(exact().tool(ByHand::any("tell", |_, _| Output::value("s3cr3t"))));
    let response = call(&dispatcher, "tell", json!({}));
    assert!(!format!("{response:?}").contains("s3cr3t"));
    assert_eq!(response.deserialize::<String>().ok().as_deref(), Some("s3cr3t"));
    assert!(response.deserialize::<u8>().is_err());
}

#[test]
fn one_response_can_be_rendered_for_every_version() {
    let response = call(&sample_tools::dispatcher(), "add", json!({"a": 1, "b": 2}));
    let latest = response.to_mcp(LATEST);
    assert_eq!(
        serde_json::to_string(&latest).expect("JSON"),
        concat!(
            r#"{"resultType":"complete","content":[{"type":"text","text":"3"}],"structuredContent":3,"isError":false,"#,
            r#""_meta":{"rs.mcp-tool/call_id":"call-1","rs.mcp-tool/duration":5.0}}"#,
        )
    );
    let read: mcp_tool_runtime::mcp::CallToolResult = serde_json::from_value(run::json(&latest)).expect("a result");
    assert_eq!(run::json(&read), run::json(&latest));
    assert_eq!(
        serde_json::to_string(&response.to_otc()).expect("JSON"),
        r#"{"call_id":"call-1","duration":5,"success":true,"value":3}"#
    );
}
