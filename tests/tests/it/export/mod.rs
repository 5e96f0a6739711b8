//! The tools in the tool-calling interfaces of model vendors.
//!
//! [`vendor_packages`] gives every export to the vendors' own packages, if a command for that is set. The test `agreement` compares exported
//! schemas with the dispatcher.

mod answers;
mod definitions;
mod examples;
mod questions;
mod refused;
mod requests;
mod streams;
mod strict;
mod strict_null;
mod turns;
mod vendor_packages;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mcp_tool_runtime::{Dispatcher, ToolHandler};
use mcp_tool_tests::hand_written::{self, Echo};
use mcp_tool_tests::vendors::{definitions, parts};
use serde_json::Value;

fn serve(tools: impl IntoIterator<Item = Box<dyn ToolHandler>>) -> Dispatcher {
    Dispatcher::builder().tools(tools).build().unwrap_or_else(|error| panic!("{error}"))
}

fn echoing(name: &str, schema: Value) -> Dispatcher {
    serve([Box::new(Echo::new(name, schema)) as Box<dyn ToolHandler>])
}

/// Returns the output of a future that never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}
