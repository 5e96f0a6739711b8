//! A call on `wasm32-unknown-unknown`, where asking the system for the time is a panic.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_tool_runtime::{CallId, Dispatcher, ExactCalls, ProtocolVersion, mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let dispatcher = Dispatcher::builder()
        .tools(tools![add])
        .exact_calls(ExactCalls::new(CallId::new("1").expect("a valid id"), Duration::from_millis(5)))
        .build()
        .expect("the tool is valid");
    for (arguments, text) in [(r#"{"a": 2, "b": 3}"#, r#""text":"5""#), (r#"{"a": 2}"#, r#""isError":true"#)] {
        let params = format!(r#"{{"name": "add", "arguments": {arguments}}}"#);
        let call = pin!(dispatcher.call_json(params.as_bytes(), ProtocolVersion::LATEST));
        let Poll::Ready(result) = call.poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("the tool waits for nothing")
        };
        let result = String::from_utf8(result.expect("the request is valid")).expect("JSON is UTF-8");
        assert!(result.contains(text), "{result}");
    }
}
