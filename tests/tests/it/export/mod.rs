//! The tools in the tool-calling interfaces of model vendors.
//!
//! [`agreement`] checks that a dispatcher accepts what an exported schema accepts, for every tool of the zoo and for [`hand_written`]
//! schemas. [`oracle`] gives every
//! export to the vendors' own packages, if a command for that is set.

mod agreement;
mod answers;
mod definitions;
mod examples;
mod hand_written;
mod questions;
mod refused;
mod requests;
mod streams;
mod strict;
mod turns;
mod vendor_packages;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mcp_tool_runtime::{Arguments, BoxFuture, CallContext, ToolError};
use mcp_tool_runtime::{Dispatcher, Output, ToolHandler, ToolMetadata, export::Vendor, mcp};
use serde_json::Value;

/// A hand-written tool that returns its arguments.
struct Echo(mcp::Tool);

impl Echo {
    fn new(name: &str, schema: Value) -> Self {
        Self(mcp::Tool::new(name, "Return the arguments.", schema))
    }
}

impl ToolHandler for Echo {
    fn definition(&self) -> mcp::Tool {
        self.0.clone()
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { Output::value(arguments.to_value()) })
    }
}

fn serve(tools: impl IntoIterator<Item = Box<dyn ToolHandler>>) -> Dispatcher {
    Dispatcher::builder().tools(tools).build().unwrap_or_else(|error| panic!("{error}"))
}

fn echoing(name: &str, schema: Value) -> Dispatcher {
    serve([Box::new(Echo::new(name, schema)) as Box<dyn ToolHandler>])
}

/// Returns the definitions, for Gemini those inside the only element.
fn definitions(tools: &[Value], vendor: Vendor) -> Vec<Value> {
    match (vendor, tools) {
        (_, []) => Vec::new(),
        (Vendor::Gemini, [only]) => only["functionDeclarations"].as_array().expect("a list").clone(),
        (Vendor::Gemini, _) => panic!("{tools:?}"),
        _ => tools.to_vec(),
    }
}

/// Returns the name, the input schema and `strict` of an exported definition.
fn parts(definition: &Value, vendor: Vendor) -> (String, Value, bool) {
    let (inner, schema) = match vendor {
        Vendor::OpenAiResponses => (definition, &definition["parameters"]),
        Vendor::OpenAiChat => (&definition["function"], &definition["function"]["parameters"]),
        Vendor::Anthropic => (definition, &definition["input_schema"]),
        Vendor::Gemini => (definition, &definition["parametersJsonSchema"]),
        _ => (&definition["toolSpec"], &definition["toolSpec"]["inputSchema"]["json"]),
    };
    (inner["name"].as_str().expect("a name").to_owned(), schema.clone(), inner["strict"] == true)
}

/// Returns the output of a future that never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}
