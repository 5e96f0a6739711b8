//! Call ids, which are echoed or created, and durations.

use std::collections::HashSet;
use std::time::Duration;

use mcp_tool_runtime::{CallId, CallToolRequest, Dispatcher, Output, ProtocolVersion, ToolError, mcp_tool, tools};
use serde_json::{Value, json};

use crate::run::{self, ByHand, LATEST, built, call, exact, exact_after, now, send, serve};

/// Nothing.
#[mcp_tool]
async fn nothing() {}

fn request() -> CallToolRequest {
    CallToolRequest::new("nothing", json!({}))
}

fn with_meta(value: Value) -> CallToolRequest {
    let Value::Object(meta) = value else { panic!("an object") };
    request().with_meta(meta)
}

#[test]
fn the_call_id_field_takes_precedence_over_meta() {
    let dispatcher = serve(tools![nothing]);
    let id = |request: CallToolRequest| send(&dispatcher, request).call_id().as_str().to_owned();
    assert_eq!(id(request()), "call-1");
    assert_eq!(id(request().with_call_id("mine")), "mine");
    assert_eq!(id(with_meta(json!({"rs.mcp-tool/call_id": "from meta"}))), "from meta");
    assert_eq!(id(with_meta(json!({"rs.mcp-tool/call_id": "from meta"})).with_call_id("mine")), "mine");
    assert_eq!(id(request().with_call_id(CallId::new("mine").expect("a valid id"))), "mine");
}

#[test]
fn an_invalid_call_id_in_the_field_is_ignored() {
    let dispatcher = serve(tools![nothing]);
    for text in [String::new(), "é".repeat(200), "two\nlines".to_owned(), "a ".to_owned()] {
        for request in [request().with_call_id(text.as_str()), request().with_call_id(text.clone())] {
            assert_eq!(send(&dispatcher, request).call_id().as_str(), "call-1", "{text:?}");
        }
    }
}

#[test]
fn an_invalid_call_id_in_meta_is_ignored() {
    let dispatcher = serve(tools![nothing]);
    let long = "x".repeat(257);
    for value in [json!(7), json!(null), json!(""), json!(long), json!(["a"]), json!({"a": "b"})] {
        let response = send(&dispatcher, with_meta(json!({"rs.mcp-tool/call_id": value})));
        assert_eq!(response.call_id().as_str(), "call-1", "{value}");
    }
    let whole = "x".repeat(256);
    assert_eq!(send(&dispatcher, with_meta(json!({"rs.mcp-tool/call_id": whole}))).call_id().as_str(), whole);
}

#[test]
fn new_ids_are_distinct_uuids_of_version_7() {
    let dispatcher = built(Dispatcher::builder().tools(tools![nothing]));
    let ids: Vec<_> = (0..10_000).map(|_| send(&dispatcher, request()).call_id().as_str().to_owned()).collect();
    for id in &ids {
        let parts: Vec<_> = id.split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{id}");
        assert!(parts[2].starts_with('7') && parts[3].starts_with(['8', '9', 'a', 'b']), "{id}");
        assert!(id.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)), "{id}");
    }
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
    // The first 48 bits are the time, so ids sort by time.
    assert!(ids[0][..13] <= ids[9_999][..13], "{} {}", ids[0], ids[9_999]);
}

#[test]
fn ids_created_by_many_threads_are_distinct() {
    let one = || (0..1_000).map(|_| CallId::generate().to_string()).collect::<Vec<_>>();
    let ids: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("ids")).collect()
    });
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 4_000);
}

#[test]
fn a_call_id_has_1_to_256_bytes() {
    assert!(CallId::new("").is_err() && CallId::new("x".repeat(257)).is_err());
    assert_eq!(CallId::new("x".repeat(256)).map(|id| id.as_str().len()), Ok(256));
}

#[test]
fn section_6_the_duration_is_measured_with_the_clock_also_on_errors() {
    let fail = ByHand::any("fail", |_, _| Err(ToolError::new("no")));
    let dispatcher = built(exact_after(Duration::from_micros(1500)).tools(tools![nothing]).tool(fail));
    for name in ["nothing", "fail"] {
        let response = call(&dispatcher, name, json!({}));
        assert_eq!(response.duration(), Duration::from_micros(1500), "{name}");
        assert_eq!(run::otc(&response)["duration"], json!(1.5), "{name}");
        for version in ProtocolVersion::ALL {
            assert_eq!(run::mcp(&response, version)["_meta"]["rs.mcp-tool/duration"], json!(1.5), "{name}");
        }
    }
    // A call with invalid arguments has a duration too.
    assert_eq!(call(&dispatcher, "nothing", json!([])).duration(), Duration::from_micros(1500));
}

#[test]
fn section_6_whole_milliseconds_are_serialized_without_a_fraction() {
    for millis in [1, 7, 29, 57, 1_001, 4_035, 16_065, 86_399_999] {
        let dispatcher = built(exact_after(Duration::from_millis(millis)).tools(tools![nothing]));
        let response = call(&dispatcher, "nothing", json!({}));
        assert_eq!(run::otc(&response)["duration"], json!(millis));
        assert_eq!(run::mcp(&response, LATEST)["_meta"]["rs.mcp-tool/duration"].as_f64().map(f64::fract), Some(0.0));
    }
}

#[test]
fn section_6_the_default_clock_advances() {
    let dispatcher = built(Dispatcher::builder().tool(ByHand::any("work", |_, _| {
        let sum: u64 = (0..200_000).map(std::hint::black_box).sum();
        Output::value(sum)
    })));
    assert!(call(&dispatcher, "work", json!({})).duration() > Duration::ZERO);
}

#[test]
fn the_context_has_the_call_id_the_tool_name_and_the_meta() {
    #[derive(Debug)]
    struct User(&'static str);

    let who = ByHand::any("who", |cx, _| {
        let user = cx.extensions().get::<User>().map(|user| user.0);
        let id = cx.call_id().as_str();
        Output::value(json!([id, cx.tool_name(), cx.meta(), cx.protocol_version().to_string(), user]))
    });
    let dispatcher = built(exact().tool(who));
    let meta = json!({"com.example/a": 1}).as_object().cloned().unwrap_or_default();
    let request = CallToolRequest::new("who", json!({})).with_meta(meta).with_extension(User("ann"));
    let request = request.with_protocol_version(ProtocolVersion::V2025_11_25);
    assert!(!format!("{request:?}").contains("ann"));
    let seen: Value = send(&dispatcher, request).deserialize().expect("a value");
    assert_eq!(seen, json!(["call-1", "who", {"com.example/a": 1}, "2025-11-25", "ann"]));
    let raw = now(dispatcher.call_json(br#"{"name": "who"}"#, ProtocolVersion::V2025_06_18)).expect("a result");
    let raw: Value = serde_json::from_slice(&raw).expect("JSON");
    assert_eq!(raw["structuredContent"], Value::Null, "no output schema");
    assert_eq!(raw["content"][0]["text"], r#"["call-1","who",{},"2025-06-18",null]"#);
}
