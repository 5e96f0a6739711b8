//! Twenty sample tools of every kind, with calls that succeed and calls that fail, for tests that apply to all tools.

use std::collections::BTreeMap;
use std::net::IpAddr;

use mcp_tool_runtime::mcp::{Icon, ToolAnnotations};
use mcp_tool_runtime::{
    Audio, Content, Dispatcher, EmbeddedResource, Image, IntoToolError, Output, ResourceLink, Role, Text, ToolError,
    mcp, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{ByHand, built, exact};

/// Where to look.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Filter {
    /// At most so many.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    /// Any of these.
    #[serde(default)]
    tags: Vec<String>,
}

/// How to sort.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sort {
    /// Newest first.
    #[default]
    Newest,
    /// Best first.
    BestRated,
}

/// A comment with its answers.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Comment {
    text: String,
    #[serde(default)]
    answers: Vec<Comment>,
}

/// By what to find it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code)]
pub(crate) enum Key {
    /// By its number.
    Id(u64),
    /// By its name.
    Name(String),
}

/// What was found.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Found {
    /// One.
    One { id: u64, tags: Vec<String> },
    /// None.
    Nothing,
}

#[derive(Debug, thiserror::Error, IntoToolError)]
pub(crate) enum ShopError {
    #[error("the shop is closed")]
    #[tool_error(retry_after_ms = 60_000, additional_prompt_content = "it opens at nine")]
    Closed,
    #[error(transparent)]
    #[tool_error(internal)]
    Io(#[from] std::io::Error),
}

/// Add two numbers.
#[mcp_tool(title = "Adder", read_only_hint, idempotent_hint, open_world_hint = false)]
async fn add(
    /// The first summand.
    a: i64,
    /// The second summand.
    b: i64,
) -> i64 {
    a.saturating_add(b)
}

/// Search the shop.
#[mcp_tool(name = "Shop.Search")]
async fn search(
    #[schemars(length(min = 1, max = 20))] query: &str,
    #[serde(default)] filter: Filter,
    sort: Option<Sort>,
    #[serde(default, rename = "minPrice")]
    #[schemars(range(min = 0.0))]
    min_price: f64,
) -> Vec<(String, f64)> {
    drop((filter, sort));
    vec![(query.to_owned(), min_price)]
}

/// Ring.
#[mcp_tool]
async fn ring() {}

/// Find by one key.
#[mcp_tool(root_union)]
async fn find(#[mcp_tool(arguments)] key: Key) -> Found {
    match key {
        Key::Id(id) => Found::One { id, tags: Vec::new() },
        Key::Name(_) => Found::Nothing,
    }
}

/// Echo a discussion.
#[mcp_tool]
async fn discuss(comment: Comment) -> Comment {
    comment
}

/// Count by name.
#[mcp_tool]
async fn tally(votes: BTreeMap<String, u8>, #[serde(flatten)] more: BTreeMap<String, u8>) -> BTreeMap<String, u8> {
    votes.into_iter().chain(more).collect()
}

/// Look one up.
#[mcp_tool]
async fn lookup(address: Option<IpAddr>) -> Option<IpAddr> {
    address
}

/// Say it.
#[mcp_tool]
async fn say(words: String) -> String {
    words
}

/// Is it so?
#[mcp_tool]
async fn is_so(#[serde(default)] so: bool) -> bool {
    so
}

/// Measure.
#[mcp_tool]
async fn measure(values: Vec<f64>) -> Vec<f64> {
    values.into_iter().map(|value| 1.0 / value).collect()
}

/// Pass anything on.
#[mcp_tool(allow_unknown)]
async fn pass(value: Value) -> Value {
    value
}

/// Buy.
#[mcp_tool(destructive_hint)]
async fn buy(closed: bool) -> Result<Found, ShopError> {
    if closed { Err(ShopError::Closed) } else { Err(std::io::Error::other("10.0.0.7 refused").into()) }
}

/// Fail in the author's words.
#[mcp_tool]
async fn fail() -> Result<(), &'static str> {
    Err("that is not possible")
}

/// Panic.
#[mcp_tool]
async fn crash() -> u8 {
    panic!("out of cheese")
}

/// A note.
#[mcp_tool]
async fn note() -> Text {
    Text::new("noted").with_audience([Role::User]).with_priority(0.5).with_meta("com.example/kept", true)
}

/// Show all kinds of content.
#[mcp_tool]
async fn show() -> Vec<Content> {
    vec![
        Text::new("all of it").into(),
        Image::new(b"\x89PNG", "image/png").with_priority(1.0).into(),
        Audio::new(b"RIFF", "audio/wav").into(),
        ResourceLink::new("file:///a.md", "a.md").with_title("A").with_description("A file.").with_size(7).into(),
        EmbeddedResource::text("memo://1", "milk").with_mime_type("text/plain").into(),
        EmbeddedResource::blob("memo://2", [0, 159]).into(),
    ]
}

/// Nothing at all to show.
#[mcp_tool]
async fn show_nothing() -> Vec<Content> {
    Vec::new()
}

/// Old.
#[deprecated(note = "use `add`")]
#[mcp_tool(output = off)]
async fn old() -> u8 {
    1
}

#[allow(clippy::ptr_arg, reason = "the function of `text` takes what the tool returns")]
fn in_words(rows: &Vec<u8>) -> String {
    format!("{} rows", rows.len())
}

/// Rows.
#[mcp_tool(text = in_words)]
async fn rows() -> Vec<u8> {
    vec![1, 2]
}

pub(crate) fn dispatcher() -> Dispatcher {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"street": {"$anchor": "line", "type": "string"}, "town": {"$ref": "#line"}},
        "allOf": [{"required": ["street"]}]
    });
    let by_hand = mcp::Tool::new("by_hand", "Written by hand.", schema.clone())
        .with_title("By hand")
        .with_output_schema(schema)
        .with_annotations(ToolAnnotations::default().with_read_only_hint(true))
        .with_icon(Icon::new("data:image/png;base64,AA==").with_mime_type("image/png").with_sizes(["any"]))
        .with_meta("com.example/team", "shop");
    let by_hand = ByHand::new(by_hand, |_, arguments| {
        Ok(Output::value(arguments)?.with_content(Text::new("more")).with_meta("com.example/rows", 1))
    });
    let liar = mcp::Tool::new("liar", "Break a promise.", json!({"type": "object"}))
        .with_title("Liar")
        .with_output_schema(json!({"type": "object", "required": ["sum"]}));
    let liar = ByHand::new(liar, |_, arguments| {
        if arguments["fail"] == true {
            return Err(ToolError::new("failed").with_developer_message("in the cellar"));
        }
        Output::value(json!({"total": 1}))
    });
    #[allow(deprecated)]
    let tools = tools![
        add,
        search,
        ring,
        find,
        discuss,
        tally,
        lookup,
        say,
        is_so,
        measure,
        pass,
        buy,
        fail,
        crash,
        note,
        show,
        show_nothing,
        old,
        rows
    ];
    built(exact().tools(tools).tool(by_hand).tool(liar))
}

/// Tool names and arguments, and `true` if the call succeeds.
pub(crate) fn calls() -> Vec<(&'static str, Value, bool)> {
    vec![
        ("add", json!({"a": 1, "b": 2.0}), true),
        ("add", json!({"a": "1", "c": 2}), false),
        ("Shop.Search", json!({"query": "tea", "filter": {"limit": null}, "sort": "best_rated"}), true),
        ("Shop.Search", json!({"query": "", "filter": {"limit": 51, "tags": [1]}, "minPrice": -0.5}), false),
        ("ring", json!({}), true),
        ("ring", json!(null), true),
        ("ring", json!([]), false),
        ("find", json!({"id": 7}), true),
        ("find", json!({"name": "tea"}), true),
        ("find", json!({"id": 7, "name": "tea"}), false),
        ("discuss", json!({"comment": {"text": "a", "answers": [{"text": "b", "answers": []}]}}), true),
        ("discuss", json!({"comment": {"text": "a", "answers": [{"text": 1}]}}), false),
        ("tally", json!({"votes": {"ann": 1}, "bob": 2}), true),
        ("tally", json!({"votes": {"ann": 256}, "bob": "2"}), false),
        ("lookup", json!({}), true),
        ("lookup", json!({"address": "::1"}), true),
        ("lookup", json!({"address": "here"}), false),
        ("say", json!({"words": "say \"hi\"\n\u{1F600}\u{0}"}), true),
        ("say", json!({"words": ""}), true),
        ("is_so", json!({"so": true}), true),
        ("measure", json!({"values": [2]}), true),
        ("measure", json!({"values": []}), true),
        ("measure", json!({"values": [2, 0]}), false),
        ("pass", json!({"value": {"__proto__": null}, "more": 1}), true),
        ("buy", json!({"closed": true}), false),
        ("buy", json!({"closed": false}), false),
        ("fail", json!({}), false),
        ("crash", json!({}), false),
        ("note", json!({}), true),
        ("show", json!({}), true),
        ("show_nothing", json!({}), true),
        ("old", json!({}), true),
        ("rows", json!({}), true),
        ("by_hand", json!({"street": "High Street", "town": "Paris"}), true),
        ("by_hand", json!({"town": 1}), false),
        ("liar", json!({}), false),
        ("liar", json!({"fail": true}), false),
    ]
}

#[test]
fn sample_calls_succeed_or_fail_as_declared() {
    let dispatcher = dispatcher();
    for (name, arguments, succeeds) in calls() {
        let response = crate::run::call(&dispatcher, name, arguments.clone());
        assert_eq!(response.is_success(), succeeds, "{name} {arguments}: {response:?}");
    }
}
