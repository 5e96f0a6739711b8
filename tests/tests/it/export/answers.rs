//! The calls in a model's message, and their results.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::{
    Audio, CallContext, Content, DispatchError, EmbeddedResource, Extensions, Image, ResourceLink, Structured, Text,
    ToolError, export::Vendor, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{now, serve};

/// Add two numbers.
#[mcp_tool(name = "math.add")]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[derive(Serialize, JsonSchema)]
struct Place {
    name: String,
}

/// A place.
#[mcp_tool]
async fn place() -> Place {
    Place { name: "Paris".to_owned() }
}

/// Say it.
#[mcp_tool]
async fn say(words: String) -> String {
    words
}

/// Fail.
#[mcp_tool]
async fn fail() -> Result<(), ToolError> {
    Err(ToolError::new("it is closed").with_additional_prompt_content("try tomorrow"))
}

/// Fail inside.
#[mcp_tool]
async fn break_down() -> Result<(), std::io::Error> {
    Err(std::io::Error::other("10.0.0.7 refused"))
}

/// Show things.
#[mcp_tool]
async fn show() -> Vec<Content> {
    vec![
        Text::new("two things").into(),
        Image::new(b"\x89PNG", "image/png").into(),
        Audio::new(b"RIFF", "audio/wav").into(),
        ResourceLink::new("file:///a.md", "a.md").with_description("A file.").into(),
        EmbeddedResource::text("memo://1", "milk").into(),
    ]
}

/// A place with a picture.
#[mcp_tool]
async fn pictured() -> Structured<Place> {
    Structured::new(Place { name: "Paris".to_owned() }).with_content(Image::new(b"GIF89a", "image/gif"))
}

/// Nothing.
#[mcp_tool]
async fn nothing() {}

fn in_words(place: &Place) -> String {
    format!("It is {}.", place.name)
}

/// Say where.
#[mcp_tool(text = in_words)]
async fn told() -> Place {
    Place { name: "Paris".to_owned() }
}

fn dispatcher() -> mcp_tool_runtime::Dispatcher {
    serve(tools![add, place, say, fail, break_down, show, pictured, nothing, told])
}

/// Writes a message of a model with these calls.
pub(super) fn message(vendor: Vendor, calls: &[(&str, &str, Value)]) -> Value {
    let calls = calls.iter();
    match vendor {
        Vendor::OpenAiResponses => {
            let reasoning = json!({ "type": "reasoning", "id": "r", "summary": [] });
            let call = |(id, name, arguments): &(&str, &str, Value)| json!({ "type": "function_call", "id": "fc", "call_id": id, "name": name, "arguments": arguments.to_string() });
            std::iter::once(reasoning).chain(calls.map(call)).collect()
        }
        Vendor::OpenAiChat => {
            let call = |(id, name, arguments): &(&str, &str, Value)| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments.to_string() } });
            json!({ "role": "assistant", "content": null, "tool_calls": calls.map(call).collect::<Vec<_>>() })
        }
        Vendor::Anthropic => {
            let text = json!({ "type": "text", "text": "Let me see." });
            let call = |(id, name, arguments): &(&str, &str, Value)| json!({ "type": "tool_use", "id": id, "name": name, "input": arguments });
            let content: Vec<_> = std::iter::once(text).chain(calls.map(call)).collect();
            json!({ "id": "msg", "type": "message", "role": "assistant", "content": content, "stop_reason": "tool_use" })
        }
        Vendor::Gemini => {
            let call = |(id, name, arguments): &(&str, &str, Value)| json!({ "functionCall": { "id": id, "name": name, "args": arguments }, "thoughtSignature": "AA==" });
            json!({ "role": "model", "parts": calls.map(call).collect::<Vec<_>>() })
        }
        _ => {
            let text = json!({ "text": "Let me see." });
            let call = |(id, name, arguments): &(&str, &str, Value)| json!({ "toolUse": { "toolUseId": id, "name": name, "input": arguments } });
            json!({ "role": "assistant", "content": std::iter::once(text).chain(calls.map(call)).collect::<Vec<_>>() })
        }
    }
}

fn answer(vendor: Vendor, calls: &[(&str, &str, Value)]) -> Vec<Value> {
    now(dispatcher().export(vendor).answer(&message(vendor, calls))).expect("a message of this shape")
}

#[test]
fn results_are_in_the_order_of_the_calls_and_carry_their_ids() {
    let calls = |add: &str| {
        let add = add.to_owned();
        vec![
            ("c1", add, json!({ "a": 1, "b": 2 })),
            ("c2", "place".to_owned(), json!({})),
            ("c3", "fail".to_owned(), json!({})),
        ]
    };
    let answer = |vendor, add: &str| {
        let calls = calls(add);
        let calls: Vec<_> = calls.iter().map(|(id, name, arguments)| (*id, name.as_str(), arguments.clone())).collect();
        answer(vendor, &calls)
    };
    let output = |id: &str, text: &str| json!({ "type": "function_call_output", "call_id": id, "output": text });
    let error = "Error: it is closed\n\ntry tomorrow";
    assert_eq!(
        answer(Vendor::OpenAiResponses, "math_add"),
        [output("c1", "3"), output("c2", r#"{"name":"Paris"}"#), output("c3", error)]
    );
    let output = |id: &str, text: &str| json!({ "role": "tool", "tool_call_id": id, "content": text });
    assert_eq!(
        answer(Vendor::OpenAiChat, "math_add"),
        [output("c1", "3"), output("c2", r#"{"name":"Paris"}"#), output("c3", error)]
    );
    let text = |text: &str| json!({ "type": "text", "text": text });
    let result = |id: &str, content: Value, is_error: bool| json!({ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error });
    assert_eq!(
        answer(Vendor::Anthropic, "math_add"),
        [json!({ "role": "user", "content": [
            result("c1", json!([text("3")]), false),
            result("c2", json!([text(r#"{"name":"Paris"}"#)]), false),
            result("c3", json!([text("it is closed"), text("try tomorrow")]), true),
        ] })]
    );
    let response = |id: &str, name: &str, response: Value| json!({ "functionResponse": { "id": id, "name": name, "response": response } });
    assert_eq!(
        answer(Vendor::Gemini, "math.add"),
        [json!({ "role": "user", "parts": [
            response("c1", "math.add", json!({ "output": 3 })),
            response("c2", "place", json!({ "output": { "name": "Paris" } })),
            response("c3", "fail", json!({ "error": "it is closed\n\ntry tomorrow" })),
        ] })]
    );
    let result = |id: &str, content: Value, status: &str| json!({ "toolResult": { "toolUseId": id, "content": content, "status": status } });
    assert_eq!(
        answer(Vendor::Bedrock, "math_add"),
        [json!({ "role": "user", "content": [
            result("c1", json!([{ "text": "3" }]), "success"),
            result("c2", json!([{ "json": { "name": "Paris" } }]), "success"),
            result("c3", json!([{ "text": "it is closed" }, { "text": "try tomorrow" }]), "error"),
        ] })]
    );
}

#[test]
fn a_message_without_calls_has_no_answer() {
    let export = |vendor| dispatcher().export(vendor);
    for (vendor, message) in [
        (Vendor::OpenAiResponses, json!([])),
        (Vendor::OpenAiResponses, json!({ "output": [] })),
        (Vendor::OpenAiResponses, json!([{ "type": "message", "role": "assistant", "content": [] }])),
        (Vendor::OpenAiChat, json!({ "role": "assistant", "content": "Hello!" })),
        (Vendor::OpenAiChat, json!({ "role": "assistant", "content": "Hello!", "tool_calls": null })),
        (Vendor::Anthropic, json!({ "role": "assistant", "content": "Hello!" })),
        (Vendor::Anthropic, json!({ "role": "assistant", "content": [{ "type": "text", "text": "Hello!" }] })),
        (Vendor::Gemini, json!({ "role": "model", "parts": [{ "text": "Hello!" }] })),
        (Vendor::Gemini, json!({ "role": "model" })),
        (Vendor::Bedrock, json!({ "role": "assistant", "content": [{ "text": "Hello!" }] })),
    ] {
        assert_eq!(now(export(vendor).answer(&message)), Ok(Vec::new()), "{vendor} {message}");
    }
}

#[test]
fn a_message_of_another_shape_is_refused_and_runs_nothing() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    /// Count.
    #[mcp_tool]
    async fn count() -> usize {
        CALLS.fetch_add(1, Ordering::SeqCst)
    }
    let dispatcher = serve(tools![count]);
    let call = json!({ "type": "tool_use", "id": "1", "name": "count", "input": {} });
    for (vendor, message) in [
        (Vendor::OpenAiResponses, json!({ "output": {} })),
        (Vendor::OpenAiResponses, json!([{ "type": "function_call", "name": "count", "arguments": "{}" }])),
        (Vendor::OpenAiChat, json!({ "choices": [{ "message": {} }] })),
        (Vendor::OpenAiChat, json!({ "role": "user", "content": "" })),
        (Vendor::OpenAiChat, json!({ "role": "assistant", "content": [call] })),
        (Vendor::OpenAiChat, json!({ "role": "assistant", "tool_calls": [{ "function": { "name": "count" } }] })),
        (Vendor::OpenAiChat, json!({ "role": "assistant", "tool_calls": [{ "id": "1", "type": "function" }] })),
        (Vendor::Anthropic, json!("Hello!")),
        (Vendor::Anthropic, json!({ "role": "assistant" })),
        (Vendor::Anthropic, json!({ "role": "assistant", "content": [call, { "type": "tool_use", "id": "2" }] })),
        (Vendor::Gemini, json!({ "candidates": [] })),
        (Vendor::Gemini, json!({ "parts": [{ "functionCall": { "id": 1, "name": "count" } }] })),
        (Vendor::Bedrock, json!({ "output": { "message": {} } })),
        (Vendor::Bedrock, json!({ "content": [{ "toolUse": { "name": "count" } }] })),
    ] {
        let refused = now(dispatcher.export(vendor).answer(&message));
        assert!(matches!(refused, Err(DispatchError::InvalidMessage { .. })), "{vendor} {message}: {refused:?}");
        let export = dispatcher.export(vendor);
        let others = [export.turn(&message).map(drop), export.calls(&message).map(drop)];
        assert_eq!(others, [refused.clone().map(drop), refused.map(drop)], "{vendor} {message}");
    }
    assert_eq!(CALLS.load(Ordering::SeqCst), 0);
}

#[test]
fn the_error_of_a_vendor_is_reported_in_its_words() {
    let words = "Your credit balance is too low";
    let error = json!({ "message": words, "type": "invalid_request_error", "code": null });
    let failed = json!({ "id": "resp_1", "status": "failed", "error": error, "output": [] });
    for (vendor, body) in [
        (Vendor::OpenAiChat, json!({ "error": error })),
        (Vendor::OpenAiChat, json!({ "error": words })),
        (Vendor::OpenAiResponses, json!({ "error": error })),
        (Vendor::OpenAiResponses, failed),
        (Vendor::Anthropic, json!({ "type": "error", "error": error, "request_id": "req_1" })),
        (Vendor::Gemini, json!({ "error": { "code": 429, "message": words, "status": "RESOURCE_EXHAUSTED" } })),
        (Vendor::Gemini, json!([{ "error": error }])),
        (Vendor::Bedrock, json!({ "message": words })),
        // A gateway in front of Bedrock.
        (Vendor::Bedrock, json!({ "error": error })),
        (Vendor::Bedrock, json!({ "__type": "ThrottlingException", "Message": words })),
    ] {
        let export = dispatcher().export(vendor);
        for refused in
            [now(export.answer(&body)).map(drop), export.calls(&body).map(drop), export.turn(&body).map(drop)]
        {
            let refused = refused.expect_err("an error").to_string();
            assert!(refused.ends_with(&format!("the vendor answered with an error: {words}")), "{vendor}: {refused}");
        }
    }
    let response = json!({ "error": null, "status": "completed", "output": [] });
    assert!(dispatcher().export(Vendor::OpenAiResponses).calls(&response).is_ok());
}

#[test]
fn an_unknown_tool_and_wrong_arguments_are_errors_for_the_model() {
    let [result] = answer(Vendor::OpenAiChat, &[("1", "math_ad", json!({}))]).try_into().expect("one");
    assert!(result["content"].as_str().is_some_and(|text| text.starts_with("Error: unknown tool")), "{result}");
    let [result] = answer(Vendor::OpenAiChat, &[("1", "math_add", json!({ "a": "x" }))]).try_into().expect("one");
    assert!(
        result["content"].as_str().is_some_and(|text| text.starts_with("Error: invalid arguments:\n- b: ")),
        "{result}"
    );
    let raw = |arguments: &str| {
        let call = json!({ "id": "1", "type": "function", "function": { "name": "math_add", "arguments": arguments } });
        let message = json!({ "role": "assistant", "tool_calls": [call] });
        let [result] =
            now(dispatcher().export(Vendor::OpenAiChat).answer(&message)).expect("a message").try_into().expect("one");
        result["content"].as_str().expect("a text").to_owned()
    };
    for wrong in ["{", "{\"a\": 1, \"a\": 2, \"b\": 3}", "[1]", &"[".repeat(1000)] {
        assert!(raw(wrong).starts_with("Error: invalid arguments"), "{wrong}: {}", raw(wrong));
    }
    assert!(raw("").contains("a: required"), "an empty text is no arguments: {}", raw(""));
}

#[test]
fn what_was_not_written_for_a_model_is_masked() {
    for vendor in Vendor::ALL {
        let text = Value::from(answer(*vendor, &[("c7", "break_down", json!({}))])).to_string();
        assert!(
            !text.contains("10.0.0.7") && text.contains("internal error in tool `break_down` (call_id c7)"),
            "{text}"
        );
    }
}

#[test]
fn images_are_images_where_the_vendor_takes_them() {
    let note = "[audio of type audio/wav, 4 bytes]";
    let (link, memo) = ("[a.md](file:///a.md): A file.", "[memo://1]\nmilk");
    let call = |vendor| answer(vendor, &[("1", "show", json!({}))]).remove(0);
    let text = |text: &str| json!({ "type": "input_text", "text": text });
    let image = json!({ "type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw==" });
    let responses = call(Vendor::OpenAiResponses);
    assert_eq!(responses["output"], json!([text("two things"), image, text(note), text(link), text(memo)]));
    let chat = call(Vendor::OpenAiChat);
    let all = ["two things", "[image of type image/png, 4 bytes]", note, link, memo];
    assert_eq!(chat["content"], all.join("\n\n"));
    let anthropic = call(Vendor::Anthropic);
    let image =
        json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw==" } });
    assert_eq!(anthropic["content"][0]["content"][1], image);
    let gemini = &call(Vendor::Gemini)["parts"][0]["functionResponse"];
    assert_eq!(gemini["parts"], json!([{ "inlineData": { "mimeType": "image/png", "data": "iVBORw==" } }]));
    let bedrock = call(Vendor::Bedrock);
    let image = json!({ "image": { "format": "png", "source": { "bytes": "iVBORw==" } } });
    assert_eq!(bedrock["content"][0]["toolResult"]["content"][1], image);
    // Beside a value.
    let call = |vendor| answer(vendor, &[("1", "pictured", json!({}))]).remove(0);
    assert_eq!(
        call(Vendor::Bedrock)["content"][0]["toolResult"]["content"],
        json!([{ "json": { "name": "Paris" } }, { "image": { "format": "gif", "source": { "bytes": "R0lGODlh" } } }])
    );
    let gemini = &call(Vendor::Gemini)["parts"][0]["functionResponse"];
    assert_eq!(gemini["response"]["output"], json!({ "name": "Paris" }));
    // Gemini reads no GIF.
    assert_eq!(gemini.get("parts"), None);
    assert_eq!(gemini["response"]["content"], json!(["[image of type image/gif, 6 bytes]"]));
}

#[test]
fn nothing_and_an_empty_text_are_results_too() {
    let call = |vendor, name| answer(vendor, &[("1", name, json!({ "words": " " }))]).remove(0);
    assert_eq!(call(Vendor::Anthropic, "say")["content"][0]["content"][0]["text"], "(an empty text)");
    let nothing = |vendor| answer(vendor, &[("1", "nothing", json!({}))]).remove(0);
    assert_eq!(nothing(Vendor::Anthropic)["content"][0]["content"], json!([{ "type": "text", "text": "Done" }]));
    assert_eq!(nothing(Vendor::Gemini)["parts"][0]["functionResponse"]["response"], json!({ "output": "Done" }));
}

#[test]
fn the_authors_text_takes_the_place_of_the_value() {
    let call = |vendor| answer(vendor, &[("1", "told", json!({}))]).remove(0);
    assert_eq!(call(Vendor::OpenAiChat)["content"], "It is Paris.");
    assert_eq!(call(Vendor::Gemini)["parts"][0]["functionResponse"]["response"], json!({ "output": "It is Paris." }));
    assert_eq!(call(Vendor::Bedrock)["content"][0]["toolResult"]["content"], json!([{ "text": "It is Paris." }]));
}

#[test]
fn calls_see_the_callers_extensions_and_the_vendors_id() {
    struct User(&'static str);
    /// Say who.
    #[mcp_tool]
    async fn whoami(#[mcp_tool(extension)] user: &User, #[mcp_tool(context)] cx: &CallContext) -> String {
        format!("{} {}", user.0, cx.call_id())
    }
    let dispatcher = serve(tools![whoami]);
    let mut extensions = Extensions::new();
    extensions.insert(User("ann"));
    let calls = [("call_9", "whoami", json!({}))];
    let known = dispatcher.export(Vendor::OpenAiChat).for_caller(extensions);
    let result = now(known.answer(&message(Vendor::OpenAiChat, &calls))).expect("a message");
    assert_eq!(result[0]["content"], "ann call_9");
    let unknown = dispatcher.export(Vendor::OpenAiChat);
    let result = now(unknown.answer(&message(Vendor::OpenAiChat, &calls))).expect("a message");
    assert_eq!(result[0]["content"], "Error: the server did not attach what this tool needs");
}

#[tokio::test]
async fn calls_run_concurrently() {
    /// Wait for another call.
    #[mcp_tool]
    async fn meet(#[mcp_tool(state)] barrier: &tokio::sync::Barrier) -> bool {
        barrier.wait().await;
        true
    }
    let dispatcher = mcp_tool_runtime::Dispatcher::builder()
        .tools(tools![meet])
        .state(Arc::new(tokio::sync::Barrier::new(3)))
        .build()
        .expect("a tool");
    let calls = [("1", "meet", json!({})), ("2", "meet", json!({})), ("3", "meet", json!({}))];
    let results = dispatcher.export(Vendor::OpenAiChat).answer(&message(Vendor::OpenAiChat, &calls)).await;
    assert_eq!(results.expect("a message").len(), 3);
}

#[test]
fn a_gemini_call_without_an_id_is_answered_without_one() {
    let message = json!({ "role": "model", "parts": [{ "functionCall": { "name": "place" } }] });
    let results = now(dispatcher().export(Vendor::Gemini).answer(&message)).expect("a message");
    assert_eq!(
        results,
        [json!({ "role": "user", "parts": [
            { "functionResponse": { "name": "place", "response": { "output": { "name": "Paris" } } } },
        ] })]
    );
}
