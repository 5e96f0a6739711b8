//! The texts of questions: bounded, quoted, titled, and what they may name.

#![deny(unused_variables)]

use mcp_tool_runtime::ask::quote;
use mcp_tool_runtime::lint::Severity;
use mcp_tool_runtime::{
    Answer, Ask, CallToolRequest, Consent, Dispatcher,
    ask::{Question, Reply, Scripted},
    json, mcp_tool, mcp_tools, tools,
};

use crate::ask::tools::{messages, request};

fn long(text: &str) -> Ask<Consent> {
    Ask::new(format!("Delete {text}?"))
}

/// Delete a text.
#[mcp_tool]
async fn delete_long(text: String, #[mcp_tool(ask = long(text))] _sure: Consent) -> usize {
    text.len()
}

fn quoted(text: &str) -> Ask<Consent> {
    Ask::new(format!("Delete {}?", quote(text)))
}

/// Delete a quoted text.
#[mcp_tool]
async fn delete_quoted(
    text: String,
    #[mcp_tool(ask = quoted(text))] _sure: Consent,
    #[mcp_tool(ask = "Delete “{text}”, '{text}', {text:?}?")] _really: Consent,
) {
}

async fn asked(dispatcher: &Dispatcher, tool: &str, text: &str) -> Vec<String> {
    let response = dispatcher.call(request(tool, json!({ "text": text }))).await.expect("a response");
    messages(&response).into_iter().map(|(_, message)| message).collect()
}

#[tokio::test]
async fn the_message_of_a_question_function_is_bounded_and_escaped() {
    let dispatcher = Dispatcher::builder().tools(tools![delete_long]).build().expect("valid tools");
    assert_eq!(asked(&dispatcher, "delete_long", "\u{202e}a\u{7}").await, ["Delete \\u{202e}a\\u{7}?"]);
    let message = asked(&dispatcher, "delete_long", &"é".repeat(10_000)).await.remove(0);
    assert_eq!(message, format!("Delete {}…", "é".repeat(4_000 - "Delete ".len())));
}

#[tokio::test]
async fn a_quoted_text_cannot_leave_its_quotes() {
    let dispatcher = Dispatcher::builder().tools(tools![delete_quoted]).build().expect("valid tools");
    assert_eq!(
        asked(&dispatcher, "delete_quoted", "a\" ”'\\\n b").await,
        [r#"Delete "a\" ”'\\\n b"?"#, r#"Delete “a" \”'\\\n b”, 'a" ”\'\\\n b', "a\" ”'\\\n b"?"#]
    );
    let long = asked(&dispatcher, "delete_quoted", &"x".repeat(300)).await.remove(0);
    assert_eq!(long, format!("Delete \"{}…\"?", "x".repeat(200)));
}

const CLEAR: &str = "Clear everything?";
const Q: &str = "Really?";

/// Send a note; only the questions name the reasons.
#[mcp_tool]
async fn send(
    reason: String,
    _note: String,
    #[mcp_tool(ask = "Send \"{note}\"? \"{reason}\"")] _sure: Consent,
    #[mcp_tool(ask = with_reason(reason, note))] _again: Answer<Consent>,
) {
}

fn with_reason(reason: &str, note: &str) -> Ask<Consent> {
    Ask::new(format!("{reason} {note}"))
}

/// Clear.
#[mcp_tool]
async fn clear(
    #[mcp_tool(ask = CLEAR, title = "Yes, clear it")] _sure: Consent,
    #[mcp_tool(ask = concat!("How ", "many?"), title = "Number")] _count: Answer<u8>,
    #[mcp_tool(ask = Q)] _really: Answer<Consent>,
) {
}

struct Desk;

impl Desk {
    const QUESTION: &str = "Tidy up?";
}

#[mcp_tools]
impl Desk {
    /// Tidy up.
    #[mcp_tool]
    async fn tidy(
        &self,
        why: String,
        #[mcp_tool(ask = Self::QUESTION)] _sure: Consent,
        #[mcp_tool(ask = "{why:?}?")] _b: Consent,
    ) {
    }
}

#[tokio::test]
async fn a_parameter_that_only_a_question_names_is_used_and_an_underscore_may_be_left_out() {
    let dispatcher = Dispatcher::builder().tools(tools![send]).service(Desk).build().expect("valid tools");
    let response = dispatcher.call(request("send", json!({ "reason": "r", "note": "n" }))).await.expect("a response");
    let shown: Vec<_> = messages(&response).into_iter().map(|(_, message)| message).collect();
    assert_eq!(shown, ["Send \"n\"? \"r\"", "r n"]);
    let response = dispatcher.call(request("tidy", json!({ "why": "w" }))).await.expect("a response");
    let shown: Vec<_> = messages(&response).into_iter().map(|(_, message)| message).collect();
    assert_eq!(shown, ["Tidy up?", "\"w\"?"]);
}

#[tokio::test]
async fn a_question_may_be_a_constant_and_have_a_title() {
    let dispatcher = Dispatcher::builder().tools(tools![clear]).build().expect("valid tools");
    let user =
        Scripted::new().reply("sure", Reply::yes()).reply("count", Reply::accept(3)).reply("really", Reply::yes());
    let call = CallToolRequest::new("clear", json!({})).with_asker(user.clone());
    assert!(dispatcher.call(call).await.expect("a response").is_success());
    let asked = user.asked();
    let messages: Vec<_> = asked.iter().map(Question::message).collect();
    assert_eq!(messages, ["Clear everything?", "How many?", "Really?"]);
    let title = |index: usize, name: &str| asked[index].schema()["properties"][name]["title"].clone();
    assert_eq!([title(0, "confirm"), title(1, "count")], [json!("Yes, clear it"), json!("Number")]);
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Pair {
    _a: u8,
    _b: u8,
}

/// Ask for two.
#[mcp_tool]
async fn two(#[mcp_tool(ask = "Which?", title = "Both")] _pair: Pair) {}

#[test]
fn a_title_is_for_a_form_with_one_property() {
    let error = Dispatcher::builder().tools(tools![two]).build().expect_err("two properties");
    let expected = "tool `two`: the question `pair`: `title` is for a form with one property; write `#[schemars(title = \"…\")]` on the fields";
    assert_eq!(error.errors(), [expected]);
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Color {
    Red,
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("red")
    }
}

/// Paint.
#[mcp_tool]
async fn paint(
    id: u32,
    #[serde(rename = "what")] name: String,
    other: Option<String>,
    color: Color,
    cost: rust_decimal::Decimal,
    #[mcp_tool(ask = "Paint {id} {color} for {cost} as {name}, '{name}', {name:?}, {other:?}?")] _sure: Consent,
    #[mcp_tool(ask = "Not {name}?")] _no: Answer<u8>,
) {
    let _ = Color::Red;
}

/// A pattern that a sentence can match, and one of an identifier.
#[mcp_tool]
async fn frame(
    #[schemars(regex(pattern = "^INV-"))] invoice: String,
    #[schemars(regex(pattern = r"^[A-Z]{2}-\d+$"))] order: String,
    #[mcp_tool(ask = "Frame {invoice} of {order}?")] _sure: Consent,
) {
}

#[test]
fn lint_warns_of_a_text_without_quotes_in_a_consent() {
    let dispatcher =
        Dispatcher::builder().tools(tools![paint, frame]).state_keys("a", [[1; 32]]).build().expect("valid tools");
    let found: Vec<_> =
        dispatcher.lint(&[]).into_iter().map(|finding| (finding.rule, finding.severity, finding.to_string())).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    for (found, argument) in found.iter().zip(["`what`", "`invoice`"]) {
        assert_eq!((found.0, found.1), ("unquoted-in-consent", Severity::Lost));
        assert!(found.2.contains(argument) && found.2.contains("/questions/sure"), "{found:?}");
    }
}
