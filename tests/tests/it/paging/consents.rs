//! A consent is asked once for all pages.

use std::time::Duration;

use mcp_tool_runtime::ask::{Reply, Scripted};
use mcp_tool_runtime::{
    Answer, CallToolRequest, CallToolResponse, Consent, Cursor, Dispatcher, DispatcherBuilder, Excerpt, Extensions,
    Paged, ProtocolVersion, json, mcp_tool, tools,
};
use serde_json::Value;

use super::{joined, value};
use crate::ask::tools::{accept, messages, request, state};
use crate::run::{built, mcp, send};

/// List secrets.
#[mcp_tool(budget = 120)]
async fn secrets(count: u32, #[mcp_tool(ask = "Show {count} secrets?")] _sure: Consent) -> Paged<u32> {
    Paged::new(0..count)
}

/// List secrets by key.
#[mcp_tool(budget = 120)]
async fn keys(after: Cursor<u32>, #[mcp_tool(ask = "Show the keys?")] _sure: Consent) -> Paged<u32> {
    let start = after.position().map_or(0, |key| key + 1);
    Paged::by(start..300, |key| *key)
}

/// Read a diary.
#[mcp_tool(budget = 150)]
async fn diary(#[mcp_tool(ask = "Read the diary?")] sure: Answer<Consent>) -> Excerpt {
    let text = if sure.given().is_some() { "a day\n" } else { "a blank\n" };
    Excerpt::lines(text.repeat(300))
}

/// List numbers.
#[mcp_tool(budget = 120)]
async fn numbers(count: u32) -> Paged<u32> {
    Paged::new(0..count)
}

/// Ask twice.
#[mcp_tool(budget = 120)]
async fn twice(#[mcp_tool(ask = "One?")] _one: Consent, #[mcp_tool(ask = "Two?")] _two: Consent) -> Paged<u32> {
    Paged::new(0..300)
}

/// List all secrets.
#[mcp_tool]
async fn all(after: Cursor<u32>, #[mcp_tool(ask = "Show all?")] _sure: Consent) -> Paged<u32> {
    Paged::by(after.position().map_or(0, |key| key + 1)..10, |key| *key).with_total(10)
}

struct User(&'static str);

fn text(page: &CallToolResponse) -> String {
    mcp(page, ProtocolVersion::LATEST)["content"].to_string()
}

fn builder() -> DispatcherBuilder {
    Dispatcher::builder()
        .tools(tools![secrets, keys, diary, numbers, twice, all])
        .state_keys("test", [[7; 32]])
        .consent_for(|tool| tool.name() == "numbers")
        .principal(|extensions: &Extensions| extensions.get::<User>().map(|user| user.0.to_owned()))
}

/// Calls a tool for a user who says yes to everything. Returns the response and what was asked.
fn call(dispatcher: &Dispatcher, user: &'static str, name: &str, arguments: Value) -> (CallToolResponse, Vec<String>) {
    let script = ["sure", "consent", "one", "two"]
        .into_iter()
        .fold(Scripted::new(), |script, key| script.reply(key, Reply::yes()));
    let request = CallToolRequest::new(name, arguments).with_extension(User(user)).with_asker(script.clone());
    let response = send(dispatcher, request);
    assert!(response.is_success(), "{response:?}");
    (response, script.asked().iter().map(|question| question.message().to_owned()).collect())
}

#[test]
fn the_pages_after_the_first_do_not_ask() {
    let dispatcher = built(builder());
    for (name, mut arguments, cursor, question) in [
        ("secrets", json!({"count": 300}), "cursor", "Show 300 secrets?"),
        ("keys", json!({}), "after", "Show the keys?"),
        ("diary", json!({}), "cursor", "Read the diary?"),
        ("numbers", json!({"count": 300}), "cursor", "Run \"Numbers\"?\n\ncount: 300"),
    ] {
        let (first, asked) = call(&dispatcher, "ann", name, arguments.clone());
        assert_eq!(asked, [question]);
        let mut pages = vec![first];
        while let Some(next) = pages[pages.len() - 1].next_cursor() {
            arguments[cursor] = next.into();
            let (page, asked) = call(&dispatcher, "ann", name, arguments.clone());
            assert!(asked.is_empty(), "{asked:?}");
            pages.push(page);
        }
        assert!(pages.len() > 3);
        match name {
            "diary" => assert!(pages.iter().all(|page| text(page).contains("a day"))),
            _ => assert_eq!(json!(joined(&pages)), json!((0..300).collect::<Vec<_>>())),
        }
    }
}

#[test]
fn a_consent_of_another_round_counts_for_the_pages_too() {
    let dispatcher = built(builder());
    let first = send(&dispatcher, request("secrets", json!({"count": 300})));
    assert_eq!(messages(&first).len(), 1);
    let yes = json!({"sure": accept(json!({"confirm": true}))});
    let again = request("secrets", json!({"count": 300})).with_input_responses(yes).with_request_state(state(&first));
    let first = send(&dispatcher, again);
    let second = send(&dispatcher, request("secrets", json!({"count": 300, "cursor": first.next_cursor()})));
    assert_ne!(value(&second)["items"][0], 0);
    // A replica has the same keys. Another server does not.
    let next = || request("secrets", json!({"count": 300, "cursor": second.next_cursor()}));
    assert!(send(&built(builder()), next()).is_success());
    assert_eq!(messages(&send(&built(builder().state_keys("test", [[8; 32]])), next())).len(), 1);
    assert_eq!(messages(&send(&built(builder().state_keys("other", [[7; 32]])), next())).len(), 1);
}

#[test]
fn a_consent_counts_only_for_its_caller_its_call_and_its_time() {
    let dispatcher = built(builder());
    let (first, _) = call(&dispatcher, "ann", "secrets", json!({"count": 300}));
    let cursor = first.next_cursor().expect("more");
    let asked =
        |user, cursor: &str| call(&dispatcher, user, "secrets", json!({"count": 300, "cursor": cursor})).1.len();
    assert_eq!(asked("ann", cursor), 0);
    assert_eq!(asked("bob", cursor), 1);
    let (position, ticket) = cursor.split_once('.').expect("a consent");
    for damaged in
        [position.to_owned(), format!("{position}."), format!("{position}.{}", &ticket[1..]), format!("{cursor}A")]
    {
        assert_eq!(asked("ann", &damaged), 1, "{damaged}");
    }
    for at in 0..ticket.len() {
        let mut other = ticket.to_owned();
        other.replace_range(at..=at, if &ticket[at..=at] == "A" { "B" } else { "A" });
        assert_eq!(asked("ann", &format!("{position}.{other}")), 1, "{other}");
    }
    // The consent to one call is none to another, whose cursor somebody has seen.
    let (_, small) = call(&dispatcher, "ann", "secrets", json!({"count": 299}));
    assert_eq!(small.len(), 1);
    let (small, _) = call(&dispatcher, "bob", "secrets", json!({"count": 299}));
    let (other, _) = small.next_cursor().expect("more").split_once('.').expect("a consent");
    let (_, questions) =
        call(&dispatcher, "ann", "secrets", json!({"count": 299, "cursor": format!("{other}.{ticket}")}));
    assert_eq!(questions, ["Show 299 secrets?"]);
    // It ends with the states of questions.
    let short = built(builder().state_ttl(Duration::from_millis(1)));
    let (first, _) = call(&short, "ann", "secrets", json!({"count": 300}));
    assert_eq!(call(&short, "ann", "secrets", json!({"count": 300, "cursor": first.next_cursor()})).1.len(), 1);
    // A cursor has room for one.
    let (first, asked) = call(&dispatcher, "ann", "twice", json!({}));
    assert_eq!(asked.len(), 2);
    assert_eq!(call(&dispatcher, "ann", "twice", json!({"cursor": first.next_cursor()})).1.len(), 2);
}

#[test]
fn who_has_not_agreed_is_asked_on_each_page() {
    let dispatcher = built(builder());
    let page = |cursor: Option<&str>, reply| {
        let script = Scripted::new().reply("sure", reply);
        let arguments = cursor.map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
        let request = CallToolRequest::new("diary", arguments).with_asker(script.clone());
        (send(&dispatcher, request), script.asked().len())
    };
    let (first, _) = page(None, Reply::Decline);
    assert!(text(&first).contains("a blank"));
    let (second, asked) = page(first.next_cursor(), Reply::yes());
    assert!(text(&second).contains("a day") && asked == 1);
    assert_eq!(page(second.next_cursor(), Reply::Decline).1, 0);
}

#[test]
fn whether_the_total_is_right_is_not_found_by_another_question() {
    let dispatcher = built(builder());
    let (page, asked) = call(&dispatcher, "ann", "all", json!({}));
    assert_eq!(asked, ["Show all?"]);
    let (last, asked) = call(&dispatcher, "ann", "all", json!({"after": page.next_cursor().expect("perhaps more")}));
    assert!(asked.is_empty(), "{asked:?}");
    assert_eq!((joined(&[page]).len(), joined(&[last]).len()), (10, 0));
}
