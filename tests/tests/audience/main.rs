//! Who sees a tool, and under what shape: rules of visibility in every carrier, shapes of tools, merged builders.

#![allow(
    clippy::semicolon_if_nothing_returned,
    clippy::type_complexity,
    clippy::wrong_self_convention,
    reason = "tools and doubles that show what authors write"
)]

mod carried;
mod carriers;
mod challenge;
mod closed;
mod keys;
mod merge;
mod property;
mod repeated;
mod rules;
mod shapes;
mod twins;
mod world;
mod wrapped;

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_tool_runtime::{CallId, CallToolRequest, CallToolResponse, Dispatcher, DispatcherBuilder, HasScopes};
use serde_json::Value;

/// What the transport attaches to a caller's requests.
#[derive(Debug, Clone, Default)]
struct Caller {
    level: u8,
    scopes: Vec<String>,
}

impl Caller {
    fn with_scopes(scopes: &[&str]) -> Self {
        Self { level: 0, scopes: scopes.iter().map(ToString::to_string).collect() }
    }
}

impl HasScopes for Caller {
    fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|own| own == scope)
    }
}

/// Returns a builder whose calls take no time and have the id `call-1`.
fn exact() -> DispatcherBuilder {
    Dispatcher::builder().clock(|| Duration::ZERO).call_ids(|| CallId::from("call-1"))
}

fn built(builder: DispatcherBuilder) -> Dispatcher {
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the errors of `build`. Panics if it succeeds.
fn faults(builder: DispatcherBuilder) -> Vec<String> {
    builder.build().expect_err("an error").faults().to_vec()
}

/// Returns the output of a future that is ready at once.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}

fn call(dispatcher: &Dispatcher, name: &str, arguments: Value) -> CallToolResponse {
    now(dispatcher.call(CallToolRequest::new(name, arguments))).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the value of a call. Panics if the call fails.
fn value(dispatcher: &Dispatcher, name: &str, arguments: Value) -> Value {
    call(dispatcher, name, arguments).deserialize().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn names(dispatcher: &Dispatcher) -> Vec<&str> {
    dispatcher.list().iter().map(|tool| tool.name.as_str()).collect()
}
