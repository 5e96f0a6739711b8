//! What an author can write: services, blocking tools, every way to pass an answer.

use std::sync::Arc;

use mcp_tool_runtime::{
    Answer, Ask, CallContext, CallToolRequest, Consent, Dispatcher,
    ask::{Reply, Scripted},
    json, mcp_tool, mcp_tools, tools,
};

use crate::ask::tools::{Day, Guest, error, request, text};

#[tokio::test]
async fn a_tool_is_still_an_ordinary_function() {
    /// Delete.
    #[mcp_tool]
    async fn delete(
        id: u8,
        #[mcp_tool(ask = "Delete {id}?")] _sure: Consent,
        #[mcp_tool(ask = "Why?")] why: &str,
    ) -> String {
        format!("{id} {why}")
    }
    assert_eq!(delete(7, Consent, "old").await, "7 old");
}

struct Shelf<S> {
    label: S,
}

trait Label: Send + Sync + 'static {
    fn text(&self) -> &str;
}

impl Label for String {
    fn text(&self) -> &str {
        self
    }
}

#[mcp_tools(prefix = "shelf_")]
impl<S: Label> Shelf<S> {
    async fn question(&self, book: &str) -> Ask<Consent> {
        if book == "free" { Ask::known(Consent) } else { Ask::new(format!("Take {book} from {}?", self.label.text())) }
    }

    /// Take a book.
    #[mcp_tool]
    async fn take(&self, book: &str, #[mcp_tool(ask = self.question(book).await)] _sure: Consent) -> String {
        format!("{book} from {}", self.label.text())
    }

    /// Count.
    #[mcp_tool(blocking)]
    fn count(&self, #[mcp_tool(ask = "Up to?")] limit: Answer<u8>, #[mcp_tool(context)] cx: &CallContext) -> String {
        format!("{limit:?} {}", cx.tool_name())
    }
}

#[tokio::test]
async fn methods_of_a_generic_service_and_blocking_tools_ask() {
    let dispatcher =
        Dispatcher::builder().service(Shelf { label: "the left".to_owned() }).build().expect("valid tools");
    let user = Scripted::new().reply("sure", Reply::yes()).reply("limit", Reply::accept(3));
    let call = |name: &str, arguments| dispatcher.call(CallToolRequest::new(name, arguments).with_asker(user.clone()));
    let response = call("shelf_take", json!({ "book": "Emma" })).await.expect("a response");
    assert_eq!(text(&response), "Emma from the left");
    assert_eq!(user.asked()[0].message(), "Take Emma from the left?");
    assert_eq!(text(&call("shelf_take", json!({ "book": "free" })).await.expect("a response")), "free from the left");
    assert_eq!(text(&call("shelf_count", json!({})).await.expect("a response")), "Given(3) shelf_count");
}

/// Take answers in every way.
#[mcp_tool]
async fn every_way(
    #[mcp_tool(ask = "A {number}?")] text: &str,
    #[mcp_tool(ask = "B?")] guest: Option<&str>,
    #[mcp_tool(ask = both(text, guest, extension, cx))] day: &Answer<Day>,
    #[mcp_tool(ask = "D?")]
    #[serde(rename = "Number")]
    number: i64,
    #[mcp_tool(extension)] extension: Option<&Arc<u8>>,
    #[mcp_tool(context)] cx: &CallContext,
) -> String {
    format!("{text} {guest:?} {day:?} {number} {extension:?} {}", cx.tool_name())
}

fn both(text: &str, guest: Option<&str>, extension: Option<&Arc<u8>>, cx: &CallContext) -> Ask<Day> {
    Ask::new(format!("{text} {guest:?} {extension:?} {}?", cx.tool_name()))
}

#[tokio::test]
async fn answers_are_passed_in_every_way() {
    let dispatcher = Dispatcher::builder().tools(tools![every_way]).build().expect("valid tools");
    let user = Scripted::new()
        .reply("text", Reply::accept("a"))
        .reply("guest", Reply::accept(json!({})))
        .reply("day", Reply::Decline)
        .reply("Number", Reply::accept(-4));
    let call = CallToolRequest::new("every_way", json!({})).with_asker(user.clone());
    assert_eq!(text(&dispatcher.call(call).await.expect("a response")), "a None Declined -4 None every_way");
    let asked: Vec<_> = user.asked().iter().map(|question| question.message().to_owned()).collect();
    assert_eq!(asked, ["B?", "D?", "A -4?", "a None None every_way?"]);
}

#[tokio::test]
async fn a_panic_in_a_question_is_masked() {
    fn panicking() -> Ask<Consent> {
        panic!("secret")
    }
    /// Ask badly.
    #[mcp_tool]
    async fn ask_badly(#[mcp_tool(ask = panicking())] _sure: Consent) {}

    let dispatcher = Dispatcher::builder().tools(tools![ask_badly]).build().expect("valid tools");
    let response = dispatcher.call(request("ask_badly", json!({}))).await.expect("a response");
    assert!(error(&response).starts_with("internal error in tool `ask_badly`"), "{}", error(&response));
}

#[test]
fn what_a_form_cannot_express_is_a_fault_of_build_with_the_property() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Nested {
        guest: Guest,
        #[schemars(regex(pattern = "^a"))]
        code: String,
        tags: Vec<String>,
    }
    /// Ask for too much.
    #[mcp_tool]
    async fn ask_for_too_much(
        #[mcp_tool(ask = "What?")] nested: Nested,
        #[mcp_tool(ask = "Who?")] guest: Option<Guest>,
    ) {
        let _ = (nested, guest);
    }
    let error = Dispatcher::builder().tools(tools![ask_for_too_much]).build().expect_err("faults");
    let faults = error.errors().join("\n");
    for expected in [
        "tool `ask_for_too_much`: the question `nested`: `guest`: a form has no objects in it",
        "`code`: a form has no `pattern`",
        "`tags`: a list in a form is a list of choices",
        "the question `guest`: a form cannot be left out as a whole; write `Answer<…>`",
    ] {
        assert!(faults.contains(expected), "{expected} in {faults}");
    }
}

#[test]
fn a_constraint_that_does_nothing_is_a_fault_of_build() {
    /// Ask with constraints.
    #[mcp_tool]
    async fn ask_with_constraints(
        #[mcp_tool(ask = "How many?")]
        #[schemars(length(max = 3))]
        count: u8,
        #[mcp_tool(ask = "Who?")]
        #[schemars(range(max = 3))]
        guest: Answer<Guest>,
        #[mcp_tool(ask = "Why?")]
        #[schemars(length(max = 3))]
        why: &str,
    ) {
        let _ = (count, guest, why);
    }
    let error = Dispatcher::builder().tools(tools![ask_with_constraints]).build().expect_err("faults");
    let faults = error.errors().join("\n");
    for expected in [
        "the question `count`: `count`: `length(…)` has no effect on an integer: write `range(…)`, or remove it",
        "the question `guest`: `guest`: `range(…)` has no effect on an object: write it on a field of the object",
    ] {
        assert!(faults.contains(expected), "{expected} in {faults}");
    }
    assert!(!faults.contains("`why`"), "{faults}");
}
