//! Streamed messages. `tests/clients/streams.py` records the streams and the messages with the vendors' own packages.

use mcp_tool_runtime::{Dispatcher, export::Vendor, mcp_tool, tools};
use serde_json::{Value, json};

use super::{now, serve};

/// A place.
#[mcp_tool]
async fn place() -> String {
    "Paris".to_owned()
}

/// The weather at a place.
#[mcp_tool]
async fn weather(city: String) -> String {
    format!("sunny in {city}")
}

/// A recorded stream.
struct Stream {
    vendor: Vendor,
    /// The model was not cut off.
    is_complete: bool,
    events: Vec<Value>,
    /// What the vendor's package makes of the events.
    turn: Value,
}

fn streams() -> Vec<Stream> {
    let read = |line: &str| {
        let recorded: Value = serde_json::from_str(line).expect("JSON");
        let vendor = Vendor::ALL.iter().find(|vendor| recorded["vendor"] == vendor.to_string()).expect("a vendor");
        Stream {
            vendor: *vendor,
            is_complete: recorded["is_complete"] == true,
            events: recorded["events"].as_array().expect("events").clone(),
            turn: recorded["turn"].clone(),
        }
    };
    include_str!("streams.jsonl").lines().map(read).collect()
}

fn dispatcher() -> Dispatcher {
    serve(tools![place, weather])
}

#[test]
fn a_stream_becomes_the_message_that_the_vendors_package_makes_of_it() {
    for stream in streams() {
        let export = dispatcher().export(stream.vendor);
        let mut assembly = export.assemble();
        for event in &stream.events {
            assembly.push_line(&format!("data: {event}")).unwrap_or_else(|error| panic!("{error}"));
        }
        let response = assembly.finish().unwrap_or_else(|error| panic!("{}: {error}", stream.vendor));
        let mut turn = Value::from(export.turn(&response).expect("a message"));
        if stream.vendor == Vendor::Anthropic && !stream.is_complete {
            // The vendor's package drops arguments that were cut off.
            assert_eq!(turn[0]["content"][3]["input"], json!({ "INVALID_JSON": "{\"city\": \"Par" }));
            turn[0]["content"][3]["input"] = json!({});
        }
        assert_eq!(turn, stream.turn, "{}", stream.vendor);
        let answer =
            now(export.answer_with(&response, |_| mcp_tool_runtime::export::Approval::Run)).expect("a message");
        let outcomes: Vec<_> = answer.outcomes.iter().map(|one| (one.tool.as_str(), one.is_success)).collect();
        assert_eq!(outcomes, [("place", true), ("weather", stream.is_complete)], "{}", stream.vendor);
        let text = Value::from(answer.messages).to_string();
        assert_eq!(text.contains("sunny in Paris"), stream.is_complete, "{text}");
        assert_eq!(text.contains("cut off"), !stream.is_complete, "{text}");
    }
}

#[test]
fn a_response_keeps_what_the_stream_says_about_it() {
    let assembled = |vendor, events: &[Value]| {
        let mut assembly = dispatcher().export(vendor).assemble();
        for event in events {
            assembly.push(event).unwrap_or_else(|error| panic!("{vendor}: {error}"));
        }
        assembly.finish().unwrap_or_else(|error| panic!("{vendor}: {error}"))
    };
    let response =
        |status: &str, usage: Value| json!({"id": "r", "model": "m", "status": status, "output": [], "usage": usage});
    let item = json!({"type": "message", "role": "assistant", "content": []});
    let built = assembled(
        Vendor::OpenAiResponses,
        &[
            json!({"type": "response.created", "response": response("in_progress", Value::Null)}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": response("completed", json!({"total_tokens": 3}))}),
        ],
    );
    let expected =
        json!({"id": "r", "model": "m", "status": "completed", "output": [item], "usage": {"total_tokens": 3}});
    assert_eq!(built, expected);

    let chunk = |choices: Value, usage: Value| json!({"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": choices, "usage": usage});
    let built = assembled(
        Vendor::OpenAiChat,
        &[
            chunk(json!([{"index": 0, "delta": {"role": "assistant", "content": "Hi"}}]), Value::Null),
            chunk(json!([{"index": 0, "delta": {}, "finish_reason": "stop"}]), Value::Null),
            chunk(json!([]), json!({"total_tokens": 3})),
        ],
    );
    let choice = json!({"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"});
    let expected = json!({"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": {"total_tokens": 3}});
    assert_eq!(built, expected);

    let start = json!({"id": "a", "model": "m", "role": "assistant", "content": [], "usage": {"input_tokens": 5, "output_tokens": 1}});
    let built = assembled(
        Vendor::Anthropic,
        &[
            json!({"type": "message_start", "message": start}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9, "input_tokens": null}}),
            json!({"type": "message_stop"}),
        ],
    );
    assert_eq!((&built["id"], &built["usage"]), (&json!("a"), &json!({"input_tokens": 5, "output_tokens": 9})));

    let part = |text: &str, count: u8| json!({"candidates": [{"content": {"parts": [{"text": text}]}}], "modelVersion": "m", "responseId": "g", "usageMetadata": {"totalTokenCount": count}});
    let mut last = part("o", 4);
    last["candidates"][0]["finishReason"] = json!("STOP");
    let built = assembled(Vendor::Gemini, &[part("Hell", 2), last]);
    assert_eq!((&built["responseId"], &built["modelVersion"]), (&json!("g"), &json!("m")));
    assert_eq!(built["usageMetadata"]["totalTokenCount"], 4);

    let built = assembled(
        Vendor::Bedrock,
        &[
            json!({"messageStop": {"stopReason": "end_turn"}}),
            json!({"metadata": {"usage": {"totalTokens": 3}, "metrics": {"latencyMs": 7}}}),
        ],
    );
    assert_eq!((&built["usage"]["totalTokens"], &built["metrics"]["latencyMs"]), (&json!(3), &json!(7)));
}

#[test]
fn only_the_first_choice_is_read() {
    let mut assembly = dispatcher().export(Vendor::OpenAiChat).assemble();
    let chunk = |index: u64, text: &str| json!({ "choices": [{ "index": index, "delta": { "content": text } }] });
    for event in [chunk(0, "a"), chunk(1, "b"), chunk(0, "c")] {
        assembly.push(&event).expect("a chunk");
    }
    assembly.push(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] })).expect("the end");
    assert_eq!(assembly.finish().expect("a response")["choices"][0]["message"]["content"], "ac");
}

/// Assembles a stream of the Chat Completions API from the elements of `tool_calls` in each chunk.
fn assembled_calls(chunks: &[Value]) -> Value {
    let mut assembly = dispatcher().export(Vendor::OpenAiChat).assemble();
    for calls in chunks {
        let chunk = json!({ "choices": [{ "index": 0, "delta": { "tool_calls": calls } }] });
        assembly.push(&chunk).unwrap_or_else(|error| panic!("{error}"));
    }
    assembly.push(&json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] })).expect("the end");
    assembly.finish().expect("a response")["choices"][0]["message"]["tool_calls"].take()
}

/// Returns a part of a call. What is `None` is left out.
fn part(index: Option<u64>, id: Option<&str>, name: Option<&str>, arguments: &str) -> Value {
    let mut part = json!({ "type": "function", "function": { "arguments": arguments } });
    for (field, value) in [("index", index.map(Value::from)), ("id", id.map(Value::from))] {
        part.as_object_mut().expect("an object").extend(value.map(|value| (field.to_owned(), value)));
    }
    if let Some(name) = name {
        part["function"]["name"] = name.into();
    }
    part
}

fn whole(id: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": "weather", "arguments": arguments } })
}

#[test]
fn a_new_id_with_a_name_begins_a_new_call() {
    let name = Some("weather");
    let both = json!([whole("a", "{\"city\": \"x\"}"), whole("b", "{\"city\": \"y\"}")]);
    for index in [None, Some(0), Some(1)] {
        let calls = [("a", "{\"city\": \"x\"}"), ("b", "{\"city\": \"y\"}")];
        // Each call whole, in a chunk of its own.
        let chunks = calls.map(|(id, arguments)| json!([part(index, Some(id), name, arguments)]));
        assert_eq!(assembled_calls(&chunks), both, "{index:?}");
        // In pieces: the later ones without an id, with an empty one, with the same one, or with another one.
        for later in [|_| None, |_| Some(""), |id| Some(id), |_| Some("z")] {
            let pieces = calls.iter().flat_map(|(id, arguments)| {
                let (start, end) = arguments.split_at(5);
                [part(index, Some(id), name, start), part(index, later(id), None, end)]
            });
            let chunks: Vec<_> = pieces.map(|piece| json!([piece])).collect();
            assert_eq!(assembled_calls(&chunks), both, "{index:?}");
        }
    }
    // Two calls in a chunk, and then their other pieces.
    let start = [part(None, Some("a"), name, "{\"city\":"), part(None, Some("b"), name, "{\"city\": \"y")];
    let end = [part(None, None, None, " \"x\"}"), part(None, None, None, "\"}")];
    assert_eq!(assembled_calls(&[json!(start), json!(end)]), both);
}

#[test]
fn any_index_and_no_type_is_a_call() {
    let mut untyped = part(Some(1), Some("a"), Some("weather"), "");
    untyped.as_object_mut().expect("an object").remove("type");
    let chunks = [json!([untyped]), json!([part(Some(u64::MAX), Some("b"), Some("weather"), "{}")])];
    assert_eq!(assembled_calls(&chunks), json!([whole("a", ""), whole("b", "{}")]));
    let without_arguments = json!([{ "index": 0, "id": "a", "function": { "name": "weather" } }]);
    assert_eq!(assembled_calls(&[without_arguments]), json!([whole("a", "")]));
    for broken in [json!([[]]), json!([{ "function": "x" }, { "index": 0, "function": {} }])] {
        let chunk = json!({ "choices": [{ "delta": { "tool_calls": broken } }] });
        let error = dispatcher().export(Vendor::OpenAiChat).assemble().push(&chunk).expect_err("no calls").to_string();
        assert!(error.contains("the event is not one of OpenAI Chat"), "{error}");
    }
}

#[test]
fn a_call_keeps_the_fields_that_only_its_server_has() {
    let signature = json!({ "google": { "thought_signature": "s" } });
    let (mut start, mut expected) = (part(Some(0), Some("a"), Some("weather"), "{"), whole("a", "{}"));
    for call in [&mut start, &mut expected] {
        call["extra_content"] = signature.clone();
        call["function"]["strict"] = json!(true);
    }
    assert_eq!(assembled_calls(&[json!([start]), json!([part(Some(0), None, None, "}")])]), json!([expected]));
    // A custom tool takes text, which comes in pieces too.
    let custom = |fields: Value| json!([{ "index": 0, "id": "c", "type": "custom", "custom": fields }]);
    let chunks = [custom(json!({ "name": "grep", "input": "he" })), custom(json!({ "input": "llo" }))];
    let expected = json!([{ "id": "c", "type": "custom", "custom": { "name": "grep", "input": "hello" } }]);
    let calls = assembled_calls(&chunks);
    assert_eq!(calls, expected);
    let message = json!({ "role": "assistant", "content": null, "tool_calls": calls });
    let export = dispatcher().export(Vendor::OpenAiChat);
    assert_eq!(export.calls(&message).expect("a message").len(), 0);
    assert_eq!(export.turn(&message).expect("a message"), [message]);
}

#[test]
fn a_stream_that_ends_early_or_with_an_error_is_an_error() {
    for stream in streams() {
        let export = dispatcher().export(stream.vendor);
        let mut assembly = export.assemble();
        for event in &stream.events[..2] {
            assembly.push(event).unwrap_or_else(|error| panic!("{error}"));
        }
        let error = assembly.clone().finish().expect_err("half a stream").to_string();
        assert_eq!(error, "the stream ended early");
        let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "busy" } });
        let error = assembly.push(&overloaded).expect_err("an error").to_string();
        assert!(error.contains("busy"), "{error}");
        assert!(export.assemble().push_line("data: {").is_err() && export.assemble().push_line("event: x").is_ok());
    }
}

#[test]
fn the_error_of_a_stream_is_told_in_the_words_of_the_vendor() {
    for (vendor, event) in [
        (Vendor::OpenAiResponses, json!({"type": "error", "code": "server_error", "message": "overloaded"})),
        (
            Vendor::OpenAiResponses,
            json!({"type": "response.failed", "response": {"status": "failed", "error": {"message": "overloaded"}}}),
        ),
        (Vendor::OpenAiChat, json!({"error": {"message": "overloaded"}})),
        (Vendor::Anthropic, json!({"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}})),
    ] {
        let error = dispatcher().export(vendor).assemble().push(&event).expect_err("an error").to_string();
        assert!(
            error.contains("the stream ended with an error: ") && error.contains("overloaded"),
            "{vendor}: {error}"
        );
    }
    // The first events have an `error` that is null.
    let created = json!({"type": "response.created", "response": {"status": "in_progress", "error": null}});
    assert!(dispatcher().export(Vendor::OpenAiResponses).assemble().push(&created).is_ok());
}

/// Say the weather.
#[mcp_tool(allow_unknown)]
async fn anywhere() -> &'static str {
    "sunny"
}

#[test]
fn streamed_input_that_is_not_json_is_an_error_of_its_call() {
    for (vendor, events) in [
        (
            Vendor::Anthropic,
            json!([
                { "type": "message_start", "message": { "role": "assistant", "content": [] } },
                { "type": "content_block_start", "index": 0, "content_block": { "type": "tool_use", "id": "1", "name": "anywhere", "input": {} } },
                { "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": "{\"city\": " } },
                { "type": "content_block_stop", "index": 0 },
                { "type": "message_delta", "delta": { "stop_reason": "tool_use" } },
                { "type": "message_stop" },
            ]),
        ),
        (
            Vendor::Bedrock,
            json!([
                { "messageStart": { "role": "assistant" } },
                { "contentBlockStart": { "start": { "toolUse": { "toolUseId": "1", "name": "anywhere" } }, "contentBlockIndex": 0 } },
                { "contentBlockDelta": { "delta": { "toolUse": { "input": "{\"city\": " } }, "contentBlockIndex": 0 } },
                { "contentBlockStop": { "contentBlockIndex": 0 } },
                { "messageStop": { "stopReason": "tool_use" } },
            ]),
        ),
    ] {
        let export = serve(tools![anywhere]).export(vendor);
        let mut assembly = export.assemble();
        for event in events.as_array().expect("a list") {
            assembly.push_line(&format!("data: {event}")).unwrap_or_else(|error| panic!("{error}"));
        }
        let response = assembly.finish().unwrap_or_else(|error| panic!("{vendor}: {error}"));
        let calls = export.calls(&response).expect("a message");
        assert_eq!((calls[0].arguments(), calls[0].can_run()), (None, false), "{vendor}");
        let answer = now(export.answer(&response)).expect("a message");
        assert!(Value::from(answer).to_string().contains("invalid arguments"), "{vendor}");
    }
}
