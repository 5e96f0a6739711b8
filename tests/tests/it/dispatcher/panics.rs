//! A panic in a tool becomes a masked error result, and the server continues.

use std::panic::panic_any;
use std::task::Poll;

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Output, ProtocolVersion, ToolError, ToolHandler, ToolMetadata, mcp, mcp_tool,
    tools,
};
use serde_json::json;

use crate::run::{self, built, call, error, exact, now, serve, value};

/// Panic in the way that was asked for.
#[mcp_tool]
async fn crash(how: &str) -> u8 {
    match how {
        "str" => panic!("secret str"),
        "string" => panic!("secret {}", String::from("string")),
        "other" => panic_any(17_u8),
        "index" => how.as_bytes()[how.len()],
        _ => 1,
    }
}

const MASKED: &str = "internal error in tool `crash` (call_id call-1)";

#[test]
fn section_6_a_panic_with_any_payload_is_masked() {
    let dispatcher = serve(tools![crash]);
    for (how, developer_message) in [
        ("str", "panicked: secret str"),
        ("string", "panicked: secret string"),
        ("other", "panicked: with a value that is not text"),
        ("index", "panicked: index out of bounds: the len is 5 but the index is 5"),
    ] {
        let response = call(&dispatcher, "crash", json!({"how": how}));
        let error = response.error().expect("an error");
        assert_eq!((error.message(), error.developer_message()), (MASKED, Some(developer_message)), "{how}");
        assert!(!error.can_retry());
        for version in ProtocolVersion::ALL {
            assert!(!run::mcp(&response, version).to_string().contains("secret"));
        }
        assert!(!run::otc(&response).to_string().contains("secret"));
        assert_eq!(value(&dispatcher, "crash", json!({"how": "not"})), json!(1));
    }
}

/// A handler that panics in `call`, before it returns a future, or in the `poll` of the future.
struct Panics {
    at_once: bool,
}

impl ToolHandler for Panics {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("crash", "Panics.", json!({"type": "object"}))
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        assert!(!self.at_once, "secret at once");
        Box::pin(std::future::poll_fn(|_| -> Poll<Result<Output, ToolError>> { panic!("secret when polled") }))
    }
}

#[test]
fn section_6_a_panic_outside_an_async_body_is_masked_too() {
    for (at_once, developer_message) in [(true, "panicked: secret at once"), (false, "panicked: secret when polled")] {
        let dispatcher = built(exact().tool(Panics { at_once }));
        for _ in 0..2 {
            let error = error(&dispatcher, "crash", json!({}));
            assert_eq!((error.message(), error.developer_message()), (MASKED, Some(developer_message)));
        }
    }
}

#[test]
fn section_6_a_panic_in_the_users_own_types_is_masked() {
    struct Fragile;

    impl serde::Serialize for Fragile {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            panic!("secret writing")
        }
    }

    impl<'de> serde::Deserialize<'de> for Fragile {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            panic!("secret reading")
        }
    }

    impl schemars::JsonSchema for Fragile {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Fragile".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({"type": "string"})
        }
    }

    struct Unspeakable;

    impl std::fmt::Display for Unspeakable {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("secret speaking")
        }
    }

    /// Read.
    #[mcp_tool]
    async fn read(fragile: Fragile) {
        let _ = fragile;
    }

    /// Write.
    #[mcp_tool]
    async fn write() -> Fragile {
        Fragile
    }

    /// Speak.
    #[mcp_tool]
    async fn speak() -> Result<(), Unspeakable> {
        Err(Unspeakable)
    }

    let dispatcher = serve(tools![read, write, speak]);
    for (name, arguments, developer_message) in [
        ("read", json!({"fragile": ""}), "panicked: secret reading"),
        ("write", json!({}), "panicked: secret writing"),
        ("speak", json!({}), "panicked: secret speaking"),
    ] {
        let error = error(&dispatcher, name, arguments);
        assert_eq!(error.message(), format!("internal error in tool `{name}` (call_id call-1)"));
        assert_eq!(error.developer_message(), Some(developer_message));
    }
}

/// Arguments are validated before they are deserialized, so the types never see invalid ones.
#[test]
fn section_6_types_that_panic_on_invalid_input_are_only_called_with_valid_input() {
    struct Choice(u8);

    impl<'de> serde::Deserialize<'de> for Choice {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer).unwrap_or_else(|error| panic!("secret {error}"));
            Ok(Self(if text == "one" { 1 } else { 2 }))
        }
    }

    impl schemars::JsonSchema for Choice {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Choice".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({"type": "string", "enum": ["one", "two"]})
        }
    }

    struct Open(u64);

    impl<'de> serde::Deserialize<'de> for Open {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let properties =
                serde_json::Map::deserialize(deserializer).unwrap_or_else(|error| panic!("secret {error}"));
            assert_eq!(properties.len(), 1, "secret count");
            Ok(Self(properties["a"].as_u64().expect("secret number")))
        }
    }

    impl schemars::JsonSchema for Open {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Open".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({
                "type": "object",
                "properties": {"a": {"type": "integer", "minimum": 0}},
                "required": ["a"],
                "additionalProperties": {"not": {}}
            })
        }
    }

    /// Choose.
    #[mcp_tool]
    async fn choose(choice: Choice, open: Open) -> u64 {
        u64::from(choice.0) + open.0
    }

    let dispatcher = serve(tools![choose]);
    assert_eq!(value(&dispatcher, "choose", json!({"choice": "one", "open": {"a": 1}})), json!(2));
    let error = error(&dispatcher, "choose", json!({"choice": "three", "open": {"a": 1, "b": 2}}));
    assert_eq!(
        error.message(),
        concat!(
            "invalid arguments:\n",
            "- choice: expected one of \"one\", \"two\", got another string\n",
            "- open.b: not known; did you mean `a`?"
        )
    );
}

/// Wait once, then panic.
#[mcp_tool]
async fn crash_later() -> u8 {
    tokio::task::yield_now().await;
    panic!("secret after waiting")
}

#[tokio::test]
async fn section_6_a_panic_after_an_await_does_not_affect_other_calls() {
    let dispatcher = serve(tools![crash_later, crash]);
    let request = |name, arguments| mcp_tool_runtime::CallToolRequest::new(name, arguments);
    let crashing = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call(request("crash_later", json!({}))).await }
    });
    let fine = dispatcher.call(request("crash", json!({"how": "not"}))).await.expect("a response");
    let crashed = crashing.await.expect("the panic is caught").expect("a response");
    assert!(fine.is_success());
    let error = crashed.error().expect("an error");
    assert_eq!(error.message(), "internal error in tool `crash_later` (call_id call-1)");
    assert_eq!(error.developer_message(), Some("panicked: secret after waiting"));
}

#[test]
fn section_6_dropping_the_future_cancels_the_call() {
    use std::sync::atomic::{AtomicU8, Ordering};

    static STARTED: AtomicU8 = AtomicU8::new(0);
    static FINISHED: AtomicU8 = AtomicU8::new(0);

    /// Wait for ever.
    #[mcp_tool]
    async fn wait() {
        struct Dropped;

        impl Drop for Dropped {
            fn drop(&mut self) {
                FINISHED.fetch_add(1, Ordering::SeqCst);
            }
        }

        let _dropped = Dropped;
        STARTED.fetch_add(1, Ordering::SeqCst);
        std::future::pending::<()>().await;
    }

    let dispatcher = serve(tools![wait]);
    let mut running = Box::pin(dispatcher.call(mcp_tool_runtime::CallToolRequest::new("wait", json!({}))));
    let polled = now(std::future::poll_fn(|cx| Poll::Ready(running.as_mut().poll(cx).is_pending())));
    assert!(polled);
    assert_eq!((STARTED.load(Ordering::SeqCst), FINISHED.load(Ordering::SeqCst)), (1, 0));
    drop(running);
    assert_eq!(FINISHED.load(Ordering::SeqCst), 1);
}
