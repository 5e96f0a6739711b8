//! Replays the exchanges of the official conformance suite with its own server, and compares the answers.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::Body;
use http::{HeaderName, Request};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{Content, Output, ProtocolVersion, ToolError, ToolHandler, mcp};
use serde_json::Value;

use crate::run::{ByHand, built, exact};
use crate::specification;
use crate::wire::{Answer, assert_sound, exchange};

/// An endpoint with the tools of the recorded server: its definitions and the recorded result of each.
fn recorded_server(lines: &[Value]) -> Endpoint {
    let method = |line: &&Value, name: &str| line["request"]["method"] == name;
    let list = lines.iter().find(|line| method(line, "tools/list")).expect("a list");
    let definitions: Vec<mcp::Tool> =
        serde_json::from_value(list["response"]["result"]["tools"].clone()).expect("tools");
    let calls = lines.iter().filter(|line| method(line, "tools/call"));
    let results: BTreeMap<_, _> = calls
        .map(|line| {
            let end = line["response"].as_array().and_then(|events| events.last()).unwrap_or(&line["response"]);
            (line["request"]["params"]["name"].as_str().expect("a name").to_owned(), end["result"].clone())
        })
        .collect();
    let tools = definitions.into_iter().map(|definition| {
        let result = results.get(&definition.name).cloned().unwrap_or_default();
        let steps: &[f64] = if definition.name == "test_tool_with_progress" { &[0.0, 50.0, 100.0] } else { &[] };
        let answer = move |cx: &mcp_tool_runtime::CallContext, _| {
            for step in steps {
                cx.progress(*step, 100.0, None);
            }
            if result["isError"] == true {
                return Err(ToolError::new(result["content"][0]["text"].as_str().expect("a text")));
            }
            let content: Vec<Content> = serde_json::from_value(result["content"].clone()).expect("content");
            Ok(Output::content(content))
        };
        Box::new(ByHand::new(definition, answer)) as Box<dyn ToolHandler>
    });
    Endpoint::new(built(exact().tools(tools).info("mini", "0.0.0").list_ttl(Duration::ZERO)))
}

/// Removes what our messages have beyond the recorded ones.
fn comparable(mut message: Value) -> Value {
    if let Some(result) = message.get_mut("result").and_then(Value::as_object_mut) {
        if let Some(meta) = result.get_mut("_meta").and_then(Value::as_object_mut) {
            meta.retain(|key, _| !key.starts_with("rs.mcp-tool/"));
        }
        result.retain(|key, value| {
            !(key == "_meta" && value == &serde_json::json!({}) || key == "isError" && value == false)
        });
    }
    message
}

/// Compares a message with the recorded one. Numbers are compared as floats, since the recording writes 50.0 as 50.
fn assert_same(message: &Value, recorded: &Value, what: &str) {
    let float = |value: &Value| match value.as_f64() {
        Some(number) => Value::from(number),
        None => value.clone(),
    };
    if recorded["method"] == "notifications/progress" {
        for key in ["progress", "total", "progressToken"] {
            assert_eq!(float(&message["params"][key]), float(&recorded["params"][key]), "{what}");
        }
    } else {
        assert_eq!(comparable(message.clone()), *recorded, "{what}");
    }
}

async fn replayed(endpoint: &Endpoint, line: &Value) -> Answer {
    let method = line["http"].as_str().expect("a method");
    let body = line["request"].as_object().map_or_else(Body::empty, |_| Body::from(line["request"].to_string()));
    let mut request = Request::builder().method(method).uri("/mcp").body(body).expect("a request");
    for (name, value) in line["headers"].as_object().expect("headers") {
        let name: HeaderName = name.parse().expect("a name");
        request.headers_mut().insert(name, value.as_str().expect("a value").parse().expect("a value"));
    }
    exchange(endpoint, request).await
}

#[tokio::test]
#[cfg_attr(not(specification_documents), ignore = "MCP_SPEC_DIR is not set")]
async fn the_recorded_exchanges_of_the_official_suite_are_reproduced() {
    for file in ProtocolVersion::ALL {
        let text = specification::text(&format!("conformance/wire-{file}.jsonl"));
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
        let endpoint = recorded_server(&lines);
        for line in &lines {
            let answer = replayed(&endpoint, line).await;
            let what = format!("{file} {}", line["request"]);
            assert_eq!(Some(u64::from(answer.status.as_u16())), line["status"].as_u64(), "{what} {answer:?}");
            let version = line["headers"]["mcp-protocol-version"].as_str().unwrap_or("2025-11-25");
            let version: ProtocolVersion = version.parse().expect("a version");
            let method = line["request"]["method"].as_str().unwrap_or_default();
            match &line["response"] {
                Value::Null => {}
                Value::Array(events) => {
                    let messages = answer.events();
                    assert_eq!(messages.len(), events.len(), "{what}");
                    for (message, recorded) in messages.iter().zip(events) {
                        assert_same(message, recorded, &what);
                        assert_sound(version, method, message);
                    }
                }
                recorded => {
                    assert_same(&answer.message(), recorded, &what);
                    assert_sound(version, method, &answer.message());
                }
            }
        }
    }
}
