//! The calls in a message: approved, refused, cut off, or written by the model of another vendor.

use std::time::Duration;

use mcp_tool_runtime::export::{Approval, ExportedCall, ToolChoice};
use mcp_tool_runtime::{
    Content, DispatchError, Dispatcher, Paged, ToolError,
    export::{Strict, Vendor},
    mcp_tool, middleware, tools,
};
use serde_json::{Value, json};

use super::answers::message;
use super::{now, serve};

/// Add two numbers.
#[mcp_tool(name = "math.add", read_only_hint)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Delete everything.
#[mcp_tool(destructive_hint)]
async fn delete_all() -> String {
    "deleted".to_owned()
}

/// Fail for a while.
#[mcp_tool]
async fn busy() -> Result<(), ToolError> {
    Err(ToolError::new("busy").with_can_retry(true).with_retry_after(Duration::from_secs(3)))
}

/// Nothing at all.
#[mcp_tool]
async fn silent() -> Vec<Content> {
    Vec::new()
}

fn dispatcher() -> Dispatcher {
    serve(tools![add, delete_all, busy, silent])
}

/// Returns the name that a vendor gets for `math.add`.
fn add_of(vendor: Vendor) -> &'static str {
    if vendor == Vendor::Gemini { "math.add" } else { "math_add" }
}

fn sum(vendor: Vendor) -> (&'static str, &'static str, Value) {
    ("c1", add_of(vendor), json!({ "a": 1, "b": 2 }))
}

/// Wraps a message in the response of the vendor, with a reason why the model stopped.
fn response(vendor: Vendor, message: Value, stop: &str) -> Value {
    match vendor {
        Vendor::OpenAiResponses => json!({ "output": message, "status": stop }),
        Vendor::OpenAiChat => json!({ "choices": [{ "message": message, "finish_reason": stop }] }),
        Vendor::Anthropic => {
            let mut message = message;
            message["stop_reason"] = stop.into();
            message
        }
        Vendor::Gemini => json!({ "candidates": [{ "content": message, "finishReason": stop }] }),
        _ => json!({ "output": { "message": message }, "stopReason": stop }),
    }
}

#[test]
fn the_message_of_another_vendor_is_an_error() {
    for vendor in Vendor::ALL {
        let export = dispatcher().export(*vendor);
        for other in Vendor::ALL {
            let message = message(*other, &[("c1", "delete_all", json!({}))]);
            let is_the_same = vendor == other;
            for message in [message.clone(), response(*other, message, "stop")] {
                let answer = now(export.answer(&message));
                assert_eq!(answer.is_ok(), is_the_same, "{other} to {vendor}: {answer:?}");
                assert!(is_the_same || matches!(answer, Err(DispatchError::InvalidMessage { .. })));
            }
        }
    }
}

#[test]
fn the_response_of_another_vendor_is_named() {
    for of in Vendor::ALL {
        let response = response(*of, message(*of, &[sum(*of)]), "stop");
        for vendor in Vendor::ALL.iter().filter(|vendor| *vendor != of) {
            let error = now(dispatcher().export(*vendor).answer(&response)).expect_err("another vendor").to_string();
            let expected = format!("; it looks like a response of {of}, and the export is for {vendor}");
            assert!(error.ends_with(&expected), "{error}");
        }
    }
}

#[test]
fn a_call_that_was_cut_off_does_not_run() {
    for (vendor, stop) in [
        (Vendor::OpenAiChat, "length"),
        (Vendor::Anthropic, "max_tokens"),
        (Vendor::Gemini, "MAX_TOKENS"),
        (Vendor::Bedrock, "max_tokens"),
        (Vendor::Bedrock, "malformed_tool_use"),
    ] {
        let export = dispatcher().export(vendor);
        let message = message(vendor, &[sum(vendor), ("c2", "delete_all", json!({}))]);
        let response = response(vendor, message, stop);
        let calls = export.calls(&response).expect("a message");
        assert_eq!(calls.iter().map(ExportedCall::is_complete).collect::<Vec<_>>(), [true, false], "{vendor}");
        let text = Value::from(now(export.answer(&response)).expect("a message")).to_string();
        assert!(text.contains("cut off") && !text.contains("deleted"), "{vendor}: {text}");
    }
    let item = json!({ "type": "function_call", "call_id": "1", "name": "delete_all", "arguments": "{}", "status": "incomplete" });
    let results = now(dispatcher().export(Vendor::OpenAiResponses).answer(&json!([item]))).expect("a message");
    assert!(results[0]["output"].as_str().is_some_and(|text| text.contains("cut off")), "{results:?}");
}

#[test]
fn a_response_without_a_message_says_why() {
    let blocked = json!({ "candidates": [{ "finishReason": "SAFETY", "index": 0 }] });
    let error = now(dispatcher().export(Vendor::Gemini).answer(&blocked)).expect_err("no message").to_string();
    assert!(error.contains("`SAFETY`"), "{error}");
}

#[test]
fn null_is_no_call() {
    let gemini = json!({ "role": "model", "parts": [{ "text": "Hi", "functionCall": null }] });
    assert_eq!(now(dispatcher().export(Vendor::Gemini).answer(&gemini)), Ok(Vec::new()));
    let bedrock = json!({ "role": "assistant", "content": [{ "text": "Hi", "toolUse": null }] });
    assert_eq!(now(dispatcher().export(Vendor::Bedrock).answer(&bedrock)), Ok(Vec::new()));
}

#[test]
fn each_call_is_approved_refused_or_skipped() {
    for vendor in Vendor::ALL.iter().copied() {
        let export = dispatcher().export(vendor);
        let calls =
            [sum(vendor), ("c2", "delete_all", json!({})), ("c3", "busy", json!({})), ("c4", "nobody", json!({}))];
        let message = message(vendor, &calls);
        let mut asked = Vec::new();
        let answer = now(export.answer_with(&message, |call| {
            let hints = call.annotations().cloned().unwrap_or_default();
            asked.push((call.id().map(str::to_owned), call.tool().map(str::to_owned), hints.destructive_hint));
            match call.name() {
                "delete_all" => Approval::Refuse("the user said no".to_owned()),
                "nobody" => Approval::Skip,
                _ => Approval::Run,
            }
        }))
        .expect("a message");
        let id = |id: &str| Some(id.to_owned());
        assert_eq!(asked[0], (id("c1"), id("math.add"), None));
        assert_eq!(asked[1], (id("c2"), id("delete_all"), Some(true)));
        assert_eq!(asked[3], (id("c4"), None, None));
        let outcomes: Vec<_> =
            answer.outcomes.iter().map(|one| (one.tool.as_str(), one.is_success, one.can_retry)).collect();
        assert_eq!(outcomes, [("math.add", true, false), ("delete_all", false, false), ("busy", false, true)]);
        assert_eq!(answer.outcomes[2].retry_after, Some(Duration::from_secs(3)));
        assert_eq!((answer.outcomes[1].duration, answer.outcomes[0].call_id.as_deref()), (Duration::ZERO, Some("c1")));
        let text = Value::from(answer.messages).to_string();
        assert!(text.contains("busy. Try again in 3 s."), "{text}");
        assert!(text.contains("the user said no") && !text.contains("nobody") && !text.contains("deleted"), "{text}");
    }
}

#[test]
fn nobody_is_asked_about_a_call_that_cannot_run() {
    for vendor in Vendor::ALL.iter().copied() {
        let export = dispatcher().export(vendor);
        let wrong = ("w1", add_of(vendor), json!({ "a": "one" }));
        let message =
            message(vendor, &[sum(vendor), wrong, ("n1", "nobody", json!({})), ("c2", "delete_all", json!({}))]);
        let stop = match vendor {
            Vendor::OpenAiResponses => "completed",
            Vendor::OpenAiChat => "length",
            Vendor::Gemini => "MAX_TOKENS",
            _ => "max_tokens",
        };
        let response = response(vendor, message, stop);
        let is_cut_off = vendor != Vendor::OpenAiResponses;
        let calls = export.calls(&response).expect("a message");
        let can_run: Vec<_> = calls.iter().map(ExportedCall::can_run).collect();
        assert_eq!(can_run, [true, false, false, !is_cut_off], "{vendor}");
        let mut asked = Vec::new();
        let answer = now(export.answer_with(&response, |call| {
            asked.push(call.name().to_owned());
            if call.tool().is_none() { Approval::Skip } else { Approval::Run }
        }))
        .expect("a message");
        let expected = [add_of(vendor), "nobody", "delete_all"];
        assert_eq!(asked, expected[..if is_cut_off { 2 } else { 3 }], "{vendor}");
        // The model learns why.
        assert_eq!(answer.outcomes.len(), 3, "{vendor}");
        assert!(answer.outcomes[0].is_success && !answer.outcomes[1].is_success, "{vendor}");
        let text = Value::from(answer.messages).to_string();
        assert!(text.contains("expected an integer") && !text.contains("nobody"), "{vendor}: {text}");
    }
}

#[test]
fn a_middleware_may_correct_arguments_so_approve_is_asked_about_invalid_ones() {
    let log = middleware::from_fn(|request, cx, next| Box::pin(next.run(request, cx)));
    let dispatcher = Dispatcher::builder().tools(tools![add]).middleware(log).build().expect("a tool");
    for vendor in Vendor::ALL.iter().copied() {
        let export = dispatcher.export(vendor);
        // What is not JSON cannot be corrected.
        let unreadable = ("w2", add_of(vendor), json!({ "INVALID_JSON": "{" }));
        let mut message = message(vendor, &[("w1", add_of(vendor), json!({ "a": "one" })), unreadable]);
        for path in ["/tool_calls/1/function/arguments", "/2/arguments"] {
            if let Some(arguments) = message.pointer_mut(path) {
                *arguments = "{".into();
            }
        }
        let calls = export.calls(&message).expect("a message");
        let can_run: Vec<_> = calls.iter().map(|call| (call.can_run(), call.arguments().is_some())).collect();
        assert_eq!(can_run, [(true, true), (false, false)], "{vendor}");
        let mut asked = 0;
        let answer = now(export.answer_with(&message, |_| {
            asked += 1;
            Approval::Run
        }))
        .expect("a message");
        assert_eq!((asked, answer.outcomes.len()), (1, 2), "{vendor}");
        assert!(answer.outcomes.iter().all(|outcome| !outcome.is_success), "{vendor}");
        let text = Value::from(answer.messages).to_string();
        assert!(text.contains("expected an integer") && text.contains("expected valid JSON"), "{vendor}: {text}");
    }
}

#[test]
fn no_content_is_a_text() {
    for vendor in Vendor::ALL.iter().copied() {
        let message = message(vendor, &[("c1", "silent", json!({}))]);
        let text = Value::from(now(dispatcher().export(vendor).answer(&message)).expect("a message")).to_string();
        assert!(text.contains("(no content)"), "{vendor}: {text}");
    }
}

#[test]
fn names_and_choices_are_in_the_form_of_the_vendor() {
    let expected = |vendor| match vendor {
        Vendor::OpenAiResponses => (json!("required"), json!({ "type": "function", "name": "math_add" })),
        Vendor::OpenAiChat => (json!("required"), json!({ "type": "function", "function": { "name": "math_add" } })),
        Vendor::Anthropic => (json!({ "type": "any" }), json!({ "type": "tool", "name": "math_add" })),
        Vendor::Gemini => (
            json!({ "functionCallingConfig": { "mode": "ANY" } }),
            json!({ "functionCallingConfig": { "mode": "ANY", "allowedFunctionNames": ["math.add"] } }),
        ),
        _ => (json!({ "any": {} }), json!({ "tool": { "name": "math_add" } })),
    };
    for vendor in Vendor::ALL.iter().copied() {
        let export = dispatcher().export(vendor);
        assert_eq!(export.exported_name("math.add").as_deref(), Some(add_of(vendor)));
        assert_eq!(export.tool_name(add_of(vendor)).as_deref(), Some("math.add"));
        assert_eq!((export.exported_name("math_add"), export.tool_name("nobody")), (None, None));
        let (any, one) = expected(vendor);
        assert_eq!(export.tool_choice(ToolChoice::Any), Some(any), "{vendor}");
        assert_eq!(export.tool_choice(ToolChoice::Tool("math.add")), Some(one), "{vendor}");
        assert_eq!(export.tool_choice(ToolChoice::Tool("nobody")), None, "{vendor}");
        assert_eq!(export.tool_choice(ToolChoice::None).is_none(), vendor == Vendor::Bedrock, "{vendor}");
    }
}

/// List numbers.
#[mcp_tool(read_only_hint, budget = 2_000)]
async fn numbers() -> Paged<u32> {
    Paged::new(0..10_000)
}

/// What a scripted model reads in a result: the numbers, and the text after `"next_cursor":"`.
fn read_page(result: &Value) -> (Vec<u32>, Option<String>) {
    // Some vendors take the result as JSON, some as a string of JSON.
    let text = result.to_string().replace('\\', "");
    let after = |start: &str, end: char| Some(text.split_once(start)?.1.split_once(end)?.0.to_owned());
    let items = after("\"items\":[", ']').expect("items");
    (items.split(',').map(|item| item.parse().expect("a number")).collect(), after("\"next_cursor\":\"", '"'))
}

#[test]
fn an_agent_follows_the_cursors_to_the_end_of_a_list() {
    let dispatcher = serve(tools![numbers]);
    for &vendor in Vendor::ALL {
        for strict in [Strict::Off, Strict::WhereLossless] {
            let export = dispatcher.export(vendor).strict(strict);
            let (mut all, mut turns, mut arguments) = (Vec::new(), 0, json!({}));
            loop {
                turns += 1;
                let results = now(export.answer(&message(vendor, &[("1", "numbers", arguments)]))).expect("a message");
                let (items, next) = read_page(&json!(results));
                all.extend(items);
                let Some(next) = next else { break };
                arguments = json!({ "cursor": next });
            }
            assert!(all.iter().copied().eq(0..10_000), "{vendor}: {} numbers", all.len());
            assert!((10..100).contains(&turns), "{vendor}: {turns} turns");
        }
    }
}
