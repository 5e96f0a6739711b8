//! The tools of these tests.

use std::sync::Mutex;

use mcp_tool_runtime::serde_json::{Map, Value};
use mcp_tool_runtime::{
    Answer, Ask, CallContext, CallToolRequest, CallToolResponse, Consent, Dispatcher, DispatcherBuilder, IntoToolError,
    json, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the tools did, in order.
#[derive(Default)]
pub(crate) struct Log(Mutex<Vec<String>>);

impl Log {
    pub(crate) fn add(&self, line: impl Into<String>) {
        self.0.lock().expect("no panic").push(line.into());
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().expect("no panic").clone()
    }
}

/// Delete a note for good.
#[mcp_tool(destructive_hint)]
pub(crate) async fn delete_note(
    id: u32,
    #[mcp_tool(ask = "Delete note {id} for good?")] _sure: Consent,
    #[mcp_tool(state)] log: &Log,
    #[mcp_tool(context)] cx: &CallContext,
) -> String {
    log.add(format!("deleted {id}"));
    cx.call_id().to_string()
}

/// Greet a guest.
#[mcp_tool]
pub(crate) async fn greet(
    /// How the guest wants to be called.
    #[mcp_tool(ask = "Who is the guest?")]
    #[schemars(length(min = 2))]
    guest: &str,
    #[mcp_tool(state)] log: &Log,
) -> String {
    log.add(format!("greeted {guest}"));
    format!("Hello, {guest}!")
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Guest {
    /// The full name.
    #[schemars(length(min = 2))]
    pub(crate) name: String,
    pub(crate) seats: u8,
    #[serde(default)]
    pub(crate) window: bool,
    pub(crate) email: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Day {
    /// The day after today.
    Tomorrow,
    /// Today, after six.
    Today,
}

#[derive(Debug, thiserror::Error, IntoToolError)]
pub(crate) enum BookError {
    #[error("table {0} does not exist")]
    NoTable(u32),
}

pub(crate) async fn which_day(table: &u32, guest: &Guest, log: &Log) -> Result<Ask<Day>, BookError> {
    log.add(format!("asked for a day at table {table}"));
    match table {
        0 => Err(BookError::NoTable(0)),
        1 => Ok(Ask::known(Day::Today)),
        _ => Ok(Ask::new(format!("Which day, {}?", guest.name))),
    }
}

/// Book a table.
#[mcp_tool]
pub(crate) async fn book(
    #[mcp_tool(ask = which_day(table, guest, log).await)] day: Answer<Day>,
    table: u32,
    #[mcp_tool(ask = "Who comes to table {table:>3}?")] guest: Guest,
    #[mcp_tool(state)] log: &Log,
) -> String {
    log.add("booked");
    format!("{} at table {table}, {day:?}", guest.name)
}

/// Ask two things at once.
#[mcp_tool]
pub(crate) async fn two(
    #[mcp_tool(ask = "First?")] first: u8,
    #[mcp_tool(ask = "Second?")] second: Option<u8>,
) -> String {
    format!("{first} {second:?}")
}

/// Do whatever the user wants.
#[mcp_tool]
pub(crate) async fn decide(
    #[mcp_tool(ask = "Go on?")] go: Answer<Consent>,
    #[mcp_tool(ask = "How many?", sealed)] count: Answer<u8>,
) -> String {
    format!("{go:?} {count:?}")
}

pub(crate) fn builder() -> DispatcherBuilder {
    Dispatcher::builder()
        .tools(tools![delete_note, greet, book, two, decide])
        .state(std::sync::Arc::new(Log::default()))
}

pub(crate) fn meta(capabilities: Value) -> Map<String, Value> {
    [("io.modelcontextprotocol/clientCapabilities".to_owned(), capabilities)].into_iter().collect()
}

/// A request of a client that shows forms.
pub(crate) fn request(name: &str, arguments: Value) -> CallToolRequest {
    CallToolRequest::new(name, arguments).with_meta(meta(json!({ "elicitation": {} })))
}

pub(crate) fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// Returns the messages of a response that needs answers, by their keys.
pub(crate) fn messages(response: &CallToolResponse) -> Vec<(String, String)> {
    let required = response.input_required().expect("a response that needs answers");
    required.questions().iter().map(|question| (question.key().to_owned(), question.message().to_owned())).collect()
}

pub(crate) fn state(response: &CallToolResponse) -> String {
    response.input_required().expect("a response that needs answers").state().to_owned()
}

pub(crate) fn error(response: &CallToolResponse) -> &str {
    response.error().expect("an error").message()
}

pub(crate) fn text(response: &CallToolResponse) -> String {
    response.deserialize().unwrap_or_else(|error| panic!("{error}: {response:?}"))
}
