//! Layers around calls.

use std::sync::{Arc, Mutex};

use mcp_tool_runtime::{
    BoxFuture, CallContext, CallToolRequest, DispatchError, Dispatcher, Image, Middleware, Next, Output, ToolError,
    mcp_tool, tools,
};
use serde_json::{Value, json};

use crate::run::{self, LATEST, LEGACY, built, call, exact, message, now, send, value};

type Answer<'a> = BoxFuture<'a, Result<Output, ToolError>>;

/// Double a number.
#[mcp_tool]
async fn double(number: u8, #[mcp_tool(state)] log: &Log) -> u16 {
    log.write("double");
    2 * u16::from(number)
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().expect("a log").push(line.into());
    }

    fn read(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("a log"))
    }
}

/// A layer that logs each request and result.
struct Scribe(&'static str, Log);

impl Middleware for Scribe {
    fn call<'a>(&'a self, request: &'a mut CallToolRequest, cx: &'a CallContext, next: Next<'a>) -> Answer<'a> {
        Box::pin(async move {
            self.1.write(format!("{} in", self.0));
            run::pause().await;
            let answer = next.run(request, cx).await;
            let outcome = answer.as_ref().map_or_else(|error| error.message().to_owned(), |_| "out".to_owned());
            self.1.write(format!("{} {outcome}", self.0));
            answer
        })
    }
}

fn with(layer: impl Middleware) -> (Dispatcher, Log) {
    let log = Log::default();
    (built(exact().tools(tools![double]).state(log.clone()).middleware(layer)), log)
}

#[tokio::test]
async fn layers_run_in_the_order_of_registration() {
    let log = Log::default();
    let builder =
        exact().middleware(Scribe("a", log.clone())).tools(tools![double]).middleware(Scribe("b", log.clone()));
    let dispatcher = built(builder.state(log.clone()));
    let response = dispatcher.call(CallToolRequest::new("double", json!({"number": 4}))).await.expect("a response");
    assert_eq!(response.deserialize::<u16>().ok(), Some(8));
    assert_eq!(log.read(), ["a in", "b in", "double", "b out", "a out"]);
    let raw = br#"{"name": "double", "arguments": {"number": 5}}"#;
    let raw = dispatcher.call_json(raw, LATEST).await.expect("a result");
    assert!(String::from_utf8_lossy(&raw).contains(r#""structuredContent":10"#));
    assert_eq!(log.read(), ["a in", "b in", "double", "b out", "a out"]);
}

#[tokio::test]
async fn layers_see_invalid_arguments_as_an_error() {
    let log = Log::default();
    let dispatcher = built(exact().tools(tools![double]).state(log.clone()).middleware(Scribe("a", log.clone())));
    let message = "invalid arguments: number: expected an integer, got a string";
    let response = dispatcher.call(CallToolRequest::new("double", json!({"number": "4"}))).await.expect("a response");
    assert_eq!(response.error().map(ToolError::message), Some(message));
    assert_eq!(log.read(), ["a in", &format!("a {message}")]);
    let raw = br#"{"name": "double", "arguments": {"number": 4, "number": 4}}"#;
    let raw = dispatcher.call_json(raw, LATEST).await.expect("a result");
    let raw: Value = serde_json::from_slice(&raw).expect("JSON");
    assert_eq!(raw["isError"], true);
    let message = raw["content"][0]["text"].as_str().expect("a text");
    assert!(message.contains("number"), "{message}");
    assert_eq!(log.read(), ["a in", &format!("a {message}")]);
}

#[test]
fn layers_do_not_run_for_an_unknown_tool() {
    let log = Log::default();
    let (dispatcher, _) = with(Scribe("a", log.clone()));
    assert!(now(dispatcher.call(CallToolRequest::new("dubble", json!({})))).is_err());
    assert_eq!(log.read(), [""; 0]);
}

#[test]
fn a_layer_sees_the_request_as_it_was_sent() {
    fn show<'a>(request: &'a mut CallToolRequest, cx: &'a CallContext, _: Next<'a>) -> Answer<'a> {
        let seen = json!([
            request.name,
            request.arguments,
            request.call_id.as_ref().map(ToString::to_string),
            request.meta,
            request.extensions.get::<u8>(),
            cx.call_id().to_string(),
            cx.tool_name(),
            cx.meta(),
            cx.extensions().get::<u8>(),
            cx.protocol_version().to_string(),
        ]);
        Box::pin(async move { Err(ToolError::new(seen.to_string())) })
    }

    let (dispatcher, _) = with(show);
    let seen = |request| -> Value {
        let response = send(&dispatcher, request);
        serde_json::from_str(response.error().expect("an error").message()).expect("JSON")
    };
    let meta = json!({"com.example/a": 1});
    let request = CallToolRequest::new("double", json!({"number": "not one"}))
        .with_call_id("mine")
        .with_meta(meta.as_object().cloned().unwrap_or_default())
        .with_extension(7_u8)
        .with_protocol_version(LEGACY[0]);
    assert_eq!(
        seen(request),
        json!(["double", {"number": "not one"}, "mine", meta, 7, "mine", "double", meta, 7, "2025-06-18"])
    );
    let mut bare = CallToolRequest::new("double", json!({}));
    bare.arguments = None;
    assert_eq!(seen(bare), json!(["double", null, null, null, null, "call-1", "double", {}, null, "2026-07-28"]));
    let raw_of = |raw: &str| -> Value {
        let result = now(dispatcher.call_json(raw.as_bytes(), LATEST)).expect("a result");
        let result: Value = serde_json::from_slice(&result).expect("JSON");
        serde_json::from_str(result["content"][0]["text"].as_str().expect("a text")).expect("JSON")
    };
    assert_eq!(raw_of(r#"{"name": "double"}"#)[1], Value::Null, "the request has no arguments");
    assert_eq!(raw_of(r#"{"name": "double", "arguments": {}}"#)[1], json!({}));
    let raw = br#"{"name": "double", "arguments": {"number": 1}, "_meta": {"com.example/a": 1}}"#;
    let raw: Value =
        serde_json::from_slice(&now(dispatcher.call_json(raw, LEGACY[1])).expect("a result")).expect("JSON");
    let text = raw["content"][0]["text"].as_str().expect("a text");
    assert_eq!(
        serde_json::from_str::<Value>(text).expect("JSON"),
        json!(["double", {"number": 1}, null, meta, null, "call-1", "double", meta, null, "2025-11-25"])
    );
}

#[test]
fn a_layer_can_answer_without_the_tool() {
    fn seven<'a>(_: &'a mut CallToolRequest, _: &'a CallContext, _: Next<'a>) -> Answer<'a> {
        Box::pin(async { Output::value(7) })
    }

    fn refuse<'a>(_: &'a mut CallToolRequest, _: &'a CallContext, _: Next<'a>) -> Answer<'a> {
        Box::pin(async { Err(ToolError::new("not today")) })
    }

    let (dispatcher, log) = with(seven);
    // Only the tool checks the arguments, and it is not called.
    assert_eq!(value(&dispatcher, "double", json!({"number": "x"})), json!(7));
    let result = run::mcp(&call(&dispatcher, "double", json!({})), LEGACY[0]);
    assert_eq!(result["structuredContent"], json!({"result": 7}));
    assert_eq!(log.read(), [""; 0]);
    let (dispatcher, log) = with(refuse);
    assert_eq!(message(&dispatcher, "double", json!({"number": 1})), "not today");
    assert_eq!(log.read(), [""; 0]);
}

#[test]
fn a_layer_can_change_the_arguments_but_not_the_tool() {
    fn change<'a>(request: &'a mut CallToolRequest, cx: &'a CallContext, next: Next<'a>) -> Answer<'a> {
        let given = request.arguments.take().unwrap_or_default();
        request.name = "other".to_owned();
        request.arguments = given.get("n").map(|number| json!({"number": number}));
        next.run(request, cx)
    }

    let (dispatcher, _) = with(change);
    assert_eq!(value(&dispatcher, "double", json!({"n": 21})), json!(42));
    assert_eq!(message(&dispatcher, "double", json!({"n": 256})), "invalid arguments: number: expected 255 or less",);
    assert_eq!(message(&dispatcher, "double", json!({})), "invalid arguments: number: required, but missing");
    let raw = now(dispatcher.call_json(br#"{"name": "double", "arguments": {"n": 21}}"#, LATEST)).expect("a result");
    assert!(String::from_utf8_lossy(&raw).contains(r#""structuredContent":42"#));
}

struct User(&'static str);

/// Name the user.
#[mcp_tool]
async fn who(#[mcp_tool(extension)] user: &User, #[mcp_tool(context)] cx: &CallContext) -> String {
    let same = cx.extensions().get::<User>().is_some_and(|other| std::ptr::eq(user, other));
    format!("{} {same}", user.0)
}

#[test]
fn a_layer_can_attach_an_extension() {
    fn sign_in<'a>(request: &'a mut CallToolRequest, cx: &'a CallContext, next: Next<'a>) -> Answer<'a> {
        if request.meta.as_ref().is_some_and(|meta| meta["key"] == "sesame") {
            request.extensions.insert(User("ann"));
        }
        next.run(request, cx)
    }

    let dispatcher = built(exact().tools(tools![who]).middleware(sign_in));
    let with_key = |key: &str| {
        let meta = json!({"key": key}).as_object().cloned().unwrap_or_default();
        CallToolRequest::new("who", json!({})).with_meta(meta)
    };
    assert_eq!(send(&dispatcher, with_key("sesame")).deserialize::<String>().ok().as_deref(), Some("ann true"));
    let error = now(dispatcher.call(with_key("wrong"))).expect_err("no user has this key");
    assert!(matches!(error, DispatchError::MissingExtension { .. }), "{error:?}");
    assert!(now(dispatcher.call_json(br#"{"name": "who", "_meta": {"key": "wrong"}}"#, LATEST)).is_err());
    let raw = now(dispatcher.call_json(br#"{"name": "who", "_meta": {"key": "sesame"}}"#, LATEST)).expect("a result");
    assert!(String::from_utf8_lossy(&raw).contains("ann true"));
}

#[test]
fn r2_a_layer_cannot_break_an_output_schema() {
    fn lie<'a>(request: &'a mut CallToolRequest, _: &'a CallContext, _: Next<'a>) -> Answer<'a> {
        let how = request.arguments.as_ref().and_then(|arguments| arguments["how"].as_str().map(str::to_owned));
        Box::pin(async move {
            match how.as_deref() {
                Some("type") => Output::value("seven"),
                Some("blocks") => Ok(Output::content(Vec::new())),
                Some("media") => Ok(Output::value(7)?.with_content(Image::new("GIF89a", "gif"))),
                _ => Output::value(f64::NAN),
            }
        })
    }

    let (dispatcher, _) = with(lie);
    for (how, reason) in [
        ("type", "the value: expected an integer, got a string"),
        ("blocks", "it has no value, though an output schema is published"),
        ("media", "the media type of an image must be `image/…`"),
        ("nan", "the value is not finite"),
    ] {
        let text = message(&dispatcher, "double", json!({"how": how}));
        assert_eq!(text, format!("tool `double` produced an invalid result: {reason}"));
    }
}

#[test]
fn a_layer_can_replace_an_error_and_extend_an_output() {
    fn forgive<'a>(request: &'a mut CallToolRequest, cx: &'a CallContext, next: Next<'a>) -> Answer<'a> {
        Box::pin(async move {
            let output = next.run(request, cx).await.or_else(|_| Output::value(0))?;
            Ok(output.with_meta("com.example/by", "layer"))
        })
    }

    let (dispatcher, _) = with(forgive);
    for (number, doubled) in [(json!(4), 8), (json!("x"), 0)] {
        let result = run::mcp(&call(&dispatcher, "double", json!({"number": number})), LATEST);
        assert_eq!(
            (&result["structuredContent"], &result["_meta"]["com.example/by"]),
            (&json!(doubled), &json!("layer"))
        );
    }
}

#[test]
fn section_6_a_panic_of_a_layer_is_masked() {
    fn crash<'a>(request: &'a mut CallToolRequest, cx: &'a CallContext, next: Next<'a>) -> Answer<'a> {
        let number = request.arguments.as_ref().and_then(|arguments| arguments["number"].as_u64());
        assert!(number != Some(1), "secret at once");
        Box::pin(async move {
            assert!(number != Some(2), "secret before");
            let answer = next.run(request, cx).await;
            assert!(number != Some(3), "secret after");
            answer
        })
    }

    let log = Log::default();
    let builder = exact().tools(tools![double]).state(log.clone()).max_concurrency(1);
    let dispatcher = built(builder.middleware(Scribe("a", log.clone())).middleware(crash));
    let called = |number: u8| {
        let call = dispatcher.call(CallToolRequest::new("double", json!({"number": number})));
        let mut call = Box::pin(call);
        loop {
            if let Some(response) = run::polled(call.as_mut()) {
                return response.expect("a response");
            }
        }
    };
    for (number, text) in [(1, "at once"), (2, "before"), (3, "after")] {
        let response = called(number);
        let error = response.error().expect("an error");
        assert_eq!(error.message(), "internal error in tool `double` (call_id call-1)");
        assert_eq!(error.developer_message(), Some(&*format!("panicked: secret {text}")));
    }
    assert!(called(4).is_success());
}

#[tokio::test(start_paused = true)]
async fn time_outs_and_max_concurrency_include_layers() {
    fn dawdle<'a>(request: &'a mut CallToolRequest, cx: &'a CallContext, next: Next<'a>) -> Answer<'a> {
        Box::pin(async move {
            tokio::time::sleep(std::time::Duration::from_millis(30)).await;
            next.run(request, cx).await
        })
    }

    let builder =
        Dispatcher::builder().tools(tools![double]).state(Log::default()).max_concurrency(1).middleware(dawdle);
    let dispatcher = built(builder.timeout(std::time::Duration::from_millis(50)));
    let request = CallToolRequest::new("double", json!({"number": 1}));
    let (first, second) = tokio::join!(dispatcher.call(request.clone()), dispatcher.call(request));
    assert!(first.expect("a response").is_success());
    let second = second.expect("a response");
    assert_eq!(second.error().map(ToolError::message), Some("tool `double` timed out after 50 ms"));
}
