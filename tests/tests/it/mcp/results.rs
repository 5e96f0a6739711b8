//! Results of the Model Context Protocol (section 4).

use std::time::Duration;

use mcp_tool_runtime::{
    CallToolRequest, DispatchError, Output, ProtocolVersion, Text, ToolError, mcp, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::run::{self, ByHand, LATEST, LEGACY, built, call, error, exact, giving, message, now, serve};
use crate::sample_tools;

#[test]
fn r1_content_is_always_sent_and_the_latest_version_sends_complete() {
    let dispatcher = sample_tools::dispatcher();
    for (name, arguments, succeeds) in sample_tools::calls() {
        let response = call(&dispatcher, name, arguments);
        for version in ProtocolVersion::ALL {
            let result = run::mcp(&response, version);
            assert!(result["content"].is_array(), "{name}: {result}");
            assert_eq!(result.get("resultType"), (version == LATEST).then_some(&json!("complete")), "{name}");
            assert_eq!(result["isError"], !succeeds, "{name}");
        }
    }
}

#[test]
fn r2_structured_content_is_sent_with_an_output_schema() {
    let dispatcher = sample_tools::dispatcher();
    for (name, arguments, succeeds) in sample_tools::calls() {
        let response = call(&dispatcher, name, arguments);
        for version in ProtocolVersion::ALL {
            let promised = run::listed(&dispatcher, name, version).get("outputSchema").is_some();
            let result = run::mcp(&response, version);
            assert_eq!(result.get("structuredContent").is_some(), promised && succeeds, "{name} {version}: {result}");
        }
    }
}

#[test]
fn r2_an_output_that_violates_its_schema_is_never_sent() {
    let dispatcher = built(
        exact()
            .tool(giving("text", json!({"type": "string", "maxLength": 5})))
            .tool(giving(
                "rows",
                json!({"type": "array", "items": {"required": ["id"], "properties": {"id": {"type": "integer"}}}}),
            ))
            .tool(giving("when", json!({"type": "string", "format": "date-time"}))),
    );
    for (name, value, place) in [
        ("text", json!("confidential"), "the value: expected at most 5 characters"),
        ("text", json!(null), "the value: expected a string, got null"),
        ("rows", json!([{"id": 1}, {"id": "confidential"}]), "`[1].id`: expected an integer, got a string"),
        ("rows", json!([{}]), "`[0].id`: required, but missing"),
        (
            "when",
            json!("confidential"),
            "the value: expected a string of format date-time, such as 2026-01-31T09:30:00Z",
        ),
    ] {
        let text = message(&dispatcher, name, json!({"value": value}));
        assert_eq!(text, format!("tool `{name}` produced an invalid result: {place}"));
    }
    // The server continues to work.
    assert_eq!(run::value(&dispatcher, "text", json!({"value": "fine"})), json!("fine"));
}

#[test]
fn r2_blocks_alone_violate_an_output_schema() {
    let tool =
        mcp::Tool::new("blocks", "Blocks.", json!({"type": "object"})).with_output_schema(json!({"type": "array"}));
    let blocks = ByHand::new(tool, |_, _| Ok(Output::content(vec![Text::new("no value").into()])));
    let text = message(&built(exact().tool(blocks)), "blocks", json!({}));
    assert!(text.starts_with("tool `blocks` produced an invalid result: "), "{text}");
}

#[test]
fn r4_an_error_has_its_message_then_the_additional_prompt_content() {
    let dispatcher = sample_tools::dispatcher();
    for version in ProtocolVersion::ALL {
        let result = run::mcp(&call(&dispatcher, "buy", json!({"closed": true})), version);
        assert_eq!(
            result["content"],
            json!([
                {"type": "text", "text": "the shop is closed. Try again in 60 s."},
                {"type": "text", "text": "it opens at nine", "annotations": {"audience": ["assistant"]}}
            ])
        );
        assert_eq!(result["isError"], true);
        assert!(result.get("structuredContent").is_none());
    }
}

#[test]
fn r4_the_text_says_when_to_try_again_unless_the_author_says_it() {
    let dispatcher = built(exact().tool(ByHand::any("fail", |_, arguments| {
        let mut error = ToolError::new(arguments["message"].as_str().unwrap_or_default());
        if let Some(after) = arguments["after"].as_u64() {
            error = error.with_retry_after(Duration::from_millis(after));
        } else {
            error = error.with_can_retry(arguments["later"] == true);
        }
        match arguments["more"].as_str() {
            Some(more) => Err(error.with_additional_prompt_content(more)),
            None => Err(error),
        }
    })));
    for (arguments, expected) in [
        (json!({"message": "busy"}), vec!["busy"]),
        (json!({"message": "busy", "later": true}), vec!["busy. The same call may succeed later."]),
        (json!({"message": "Busy.", "later": true}), vec!["Busy. The same call may succeed later."]),
        (json!({"message": "", "later": true}), vec!["The same call may succeed later."]),
        (json!({"message": "busy; try again soon", "later": true}), vec!["busy; try again soon"]),
        (json!({"message": "busy", "after": 0}), vec!["busy. The same call may succeed later."]),
        (json!({"message": "busy", "after": 500}), vec!["busy. Try again in 500 ms."]),
        (json!({"message": "busy!\n", "after": 1_001}), vec!["busy! Try again in 2 s."]),
        (json!({"message": "busy", "after": 90_000}), vec!["busy. Try again in 90 s."]),
        (json!({"message": "busy", "after": 3_600_000}), vec!["busy. Try again in 60 min."]),
        (json!({"message": "busy", "after": 86_400_000}), vec!["busy. Try again in 24 h."]),
        (
            json!({"message": "busy, try again later", "after": 30_000}),
            vec!["busy, try again later. Try again in 30 s."],
        ),
        (json!({"message": "Try again in a minute", "after": 60_000}), vec!["Try again in a minute"]),
        (
            json!({"message": "busy", "after": 60_000, "more": "it opens at nine"}),
            vec!["busy. Try again in 60 s.", "it opens at nine"],
        ),
        (
            json!({"message": "busy", "after": 60_000, "more": "try again in a minute"}),
            vec!["busy", "try again in a minute"],
        ),
    ] {
        let response = call(&dispatcher, "fail", arguments.clone());
        for version in ProtocolVersion::ALL {
            let result = run::mcp(&response, version);
            let blocks = result["content"].as_array().expect("blocks");
            let texts: Vec<_> = blocks.iter().map(|block| block["text"].as_str().expect("a text")).collect();
            assert_eq!(texts, expected, "{arguments}");
        }
        // Programs have fields for it.
        assert_eq!(response.error().map(ToolError::message), arguments["message"].as_str());
    }
}

#[test]
fn r5_meta_of_a_success_and_of_an_error() {
    let later = ByHand::any("later", |_, arguments| {
        if arguments["fail"] == true {
            return Err(ToolError::new("later").with_retry_after(Duration::from_millis(1500)));
        }
        Ok(Output::value(1)?.with_meta("com.example/page", 2))
    });
    let dispatcher = built(exact().tool(later));
    let success = run::mcp(&call(&dispatcher, "later", json!({})), LATEST);
    assert_eq!(
        success["_meta"],
        json!({
            "com.example/page": 2,
            "rs.mcp-tool/call_id": "call-1", "rs.mcp-tool/duration": 5.0
        })
    );
    for version in ProtocolVersion::ALL {
        let failure = run::mcp(&call(&dispatcher, "later", json!({"fail": true})), version);
        assert_eq!(
            failure["_meta"],
            json!({
                "rs.mcp-tool/can_retry": true,
                "rs.mcp-tool/retry_after_ms": 1500, "rs.mcp-tool/call_id": "call-1", "rs.mcp-tool/duration": 5.0
            })
        );
    }
    let never = run::mcp(&call(&sample_tools::dispatcher(), "fail", json!({})), LATEST);
    assert_eq!(never["_meta"]["rs.mcp-tool/can_retry"], false);
    assert!(never["_meta"].get("rs.mcp-tool/retry_after_ms").is_none());
}

#[test]
fn r6_the_text_and_the_structured_value_are_equal() {
    let dispatcher = sample_tools::dispatcher();
    let mut compared = 0;
    for (name, arguments, succeeds) in sample_tools::calls() {
        // The author wrote the text of `rows`.
        if !succeeds || name == "rows" {
            continue;
        }
        let result = run::mcp(&call(&dispatcher, name, arguments), LATEST);
        if let Some(structured) = result.get("structuredContent") {
            let text = result["content"][0]["text"].as_str().expect("text first");
            assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), *structured, "{name}");
            compared += 1;
        }
    }
    assert!(compared >= 14, "{compared}");
}

#[derive(Serialize, JsonSchema)]
struct Reading {
    name: &'static str,
    values: Vec<Option<f64>>,
}

#[test]
fn r7_a_number_that_is_not_finite_is_an_error_with_its_path() {
    /// Read.
    #[mcp_tool]
    async fn read() -> Vec<Reading> {
        let reading = |values| Reading { name: "null", values };
        vec![reading(vec![None, Some(1.0)]), reading(vec![None, Some(f64::NAN)])]
    }

    /// One.
    #[mcp_tool]
    async fn one() -> f32 {
        f32::NEG_INFINITY
    }

    /// No schema looks at it.
    #[mcp_tool(output = off)]
    async fn off() -> f64 {
        f64::INFINITY
    }

    let dispatcher = serve(tools![read, one, off]);
    let text = |name| message(&dispatcher, name, json!({}));
    assert_eq!(text("read"), "tool `read` produced an invalid result: `[1].values[1]` is not finite");
    assert_eq!(text("one"), "tool `one` produced an invalid result: the value is not finite");
    assert_eq!(text("off"), "tool `off` produced an invalid result: the value is not finite");
    let admitted = run::value(&sample_tools::dispatcher(), "pass", json!({"value": null}));
    assert_eq!(admitted, json!(null));
}

#[test]
fn r8_an_unknown_tool_is_a_protocol_error_with_the_nearest_name() {
    let dispatcher = sample_tools::dispatcher();
    let error = |name: &str| now(dispatcher.call(CallToolRequest::new(name, json!({})))).expect_err("no such tool");
    let near = error("shop_search");
    assert_eq!(near.code(), -32602);
    assert_eq!(near.to_string(), "unknown tool `shop_search`; did you mean `Shop.Search`?");
    assert!(matches!(
        near,
        DispatchError::UnknownTool { name, did_you_mean: Some(known) } if name == "shop_search" && known == "Shop.Search"
    ));
    assert_eq!(error("weather").to_string(), "unknown tool `weather`");
    let json = now(dispatcher.call_json(br#"{"name": "ad"}"#, LEGACY[0])).expect_err("no such tool");
    assert_eq!((json.code(), json.to_string()), (-32602, "unknown tool `ad`; did you mean `add`?".to_owned()));
    let flood = error(&format!("x`\n{}", "y".repeat(100_000))).to_string();
    assert!(flood.len() < 300 && !flood.contains('\n'), "{flood}");
}

#[test]
fn r8_a_malformed_request_is_a_protocol_error() {
    let dispatcher = sample_tools::dispatcher();
    for params in [
        "",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"name": 5}"#,
        r#"{"name": null}"#,
        r#"{"name": "add", "_meta": 5}"#,
        r#"{"name": "add"} x"#,
        r#"{"arguments": {}}"#,
    ] {
        let error = now(dispatcher.call_json(params.as_bytes(), LATEST)).expect_err(params);
        assert_eq!(error.code(), -32602, "{params}");
        assert!(matches!(error, DispatchError::InvalidRequest { .. }), "{params}: {error}");
        assert!(error.to_string().starts_with("invalid request: "), "{error}");
    }
}

#[test]
fn r8_everything_below_arguments_is_an_error_result() {
    let dispatcher = sample_tools::dispatcher();
    for arguments in [json!([]), json!("a"), json!(5), json!(true), json!({"a": []})] {
        assert!(!error(&dispatcher, "add", arguments.clone()).message().is_empty(), "{arguments}");
    }
}

/// Collects the paths of `null` properties, except inside free-form values of tools and schemas.
fn null_properties(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(properties) => {
            for (name, property) in properties {
                let path = format!("{path}/{name}");
                let free = ["default", "enum", "const", "examples", "structuredContent", "value"];
                if !free.contains(&name.as_str()) {
                    found.extend(property.is_null().then(|| path.clone()));
                    null_properties(property, &path, found);
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| null_properties(element, path, found)),
        _ => {}
    }
}

#[test]
fn t13_absent_optional_properties_are_left_out() {
    let dispatcher = sample_tools::dispatcher();
    let mut found = Vec::new();
    for version in ProtocolVersion::ALL {
        let list = serde_json::from_slice(dispatcher.list_json(version)).expect("a list");
        null_properties(&list, "list", &mut found);
        for (name, arguments, _) in sample_tools::calls() {
            let response = call(&dispatcher, name, arguments);
            null_properties(&run::mcp(&response, version), name, &mut found);
            null_properties(&run::otc(&response), name, &mut found);
        }
    }
    assert_eq!(found, [""; 0]);
    let bare = run::json(&mcp::Tool::new("bare", "Bare.", json!({"type": "object"})));
    assert_eq!(bare, json!({"name": "bare", "description": "Bare.", "inputSchema": {"type": "object"}}));
}
