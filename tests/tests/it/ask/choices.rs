//! Choices that are known only when the tool is called.

use std::sync::{Arc, Mutex};

use mcp_tool_runtime::serde_json::Value;
use mcp_tool_runtime::{
    Answer, Ask, BoxFuture, CallToolRequest, CallToolResponse, Dispatcher,
    ask::{Asker, Question, Reply, Scripted},
    json, mcp_tool, tools,
};

use crate::ask::tools::{accept, error, messages, request, state, text};
use crate::ask::transports::{self, Client};

/// The calendars of the user: numbers and names.
#[derive(Default)]
struct Calendars(Mutex<Vec<(u32, String)>>);

impl Calendars {
    fn of(names: &[&str]) -> Arc<Self> {
        let calendars = (7..).zip(names).map(|(id, name)| (id, (*name).to_owned())).collect();
        Arc::new(Self(Mutex::new(calendars)))
    }

    fn all(&self) -> Vec<(u32, String)> {
        self.0.lock().expect("no panic").clone()
    }
}

fn which_calendar(calendars: &Calendars) -> Ask<u32> {
    Ask::choose("Which calendar?", calendars.all())
}

/// Add an event.
#[mcp_tool]
async fn add_event(
    /// Where the event is seen.
    #[mcp_tool(ask = which_calendar(calendars))]
    calendar: u32,
    #[mcp_tool(ask = "What is it called?")] title: Option<String>,
    #[mcp_tool(state)] calendars: &Calendars,
) -> String {
    let name = calendars.all().into_iter().find(|(id, _)| *id == calendar).map(|(_, name)| name);
    format!("{title:?} in {name:?}")
}

/// Share a calendar.
#[mcp_tool]
async fn share(
    #[mcp_tool(ask = which_calendar(calendars), sealed)] calendar: Answer<u32>,
    #[mcp_tool(state)] calendars: &Calendars,
) -> String {
    let _ = calendars;
    format!("{calendar:?}")
}

/// Name a color.
#[mcp_tool]
async fn color(#[mcp_tool(ask = colors())] color: String) -> String {
    color
}

fn colors() -> Ask<String> {
    Ask::choose("Which color?", [("r", "Red\u{202e}\nline"), ("g", "Green"), ("r", "Red again")])
}

fn serve(calendars: &Arc<Calendars>) -> Dispatcher {
    let builder = Dispatcher::builder().tools(tools![add_event, share, color]).state(Arc::clone(calendars));
    builder.build().expect("valid tools")
}

fn form(response: &CallToolResponse, key: &str) -> Value {
    let required = response.input_required().expect("a response that needs answers");
    required.requests()[key]["params"]["requestedSchema"].clone()
}

#[tokio::test]
async fn the_choices_of_the_moment_are_offered_with_titles_and_the_answer_is_one_of_them() {
    let dispatcher = serve(&Calendars::of(&["Work", "Home"]));
    let first = dispatcher.call(request("add_event", json!({}))).await.expect("a response");
    assert_eq!(
        form(&first, "calendar"),
        json!({ "type": "object", "required": ["calendar"], "properties": { "calendar": {
            "type": "string", "description": "Where the event is seen.",
            "oneOf": [{ "const": "7", "title": "Work" }, { "const": "8", "title": "Home" }] } } })
    );
    let answer = |content: Value, response: &CallToolResponse| {
        let responses = json!({ "calendar": accept(content), "title": accept(json!({ "title": "Lunch" })) });
        let again = request("add_event", json!({})).with_input_responses(responses);
        dispatcher.call(again.with_request_state(state(response)))
    };
    for wrong in [json!({ "calendar": "9" }), json!({ "calendar": 7 }), json!({ "calendar": "Work" }), json!({})] {
        let again = answer(wrong.clone(), &first).await.expect("a response");
        let message = &messages(&again)[0];
        let problem = "The last answer was not valid:\ncalendar: choose one of the options";
        assert_eq!(message.1, format!("Which calendar?\n\n{problem}"), "{wrong}");
    }
    let done = answer(json!({ "calendar": "8" }), &first).await.expect("a response");
    assert_eq!(text(&done), r#"Some("Lunch") in Some("Home")"#);
}

#[tokio::test]
async fn an_answer_of_an_earlier_round_counts_only_while_it_is_offered() {
    let calendars = Calendars::of(&["Work", "Home"]);
    let dispatcher = serve(&calendars);
    let first = dispatcher.call(request("add_event", json!({}))).await.expect("a response");
    let chosen = json!({ "calendar": accept(json!({ "calendar": "8" })) });
    let again = request("add_event", json!({})).with_input_responses(chosen).with_request_state(state(&first));
    let second = dispatcher.call(again).await.expect("a response");
    assert_eq!(messages(&second), [("title".to_owned(), "What is it called?".to_owned())]);
    // `Home` is gone.
    calendars.0.lock().expect("no panic").pop();
    let title = json!({ "title": accept(json!({})) });
    let again = request("add_event", json!({})).with_input_responses(title).with_request_state(state(&second));
    let third = dispatcher.call(again).await.expect("a response");
    assert_eq!(messages(&third), [("calendar".to_owned(), "Which calendar?".to_owned())]);
}

/// Renames the calendar while the user looks at the question.
struct Renaming(Arc<Calendars>);

impl Asker for Renaming {
    fn ask<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, Reply> {
        let mut calendars = self.0.0.lock().expect("no panic");
        let next = format!("{}!", calendars[0].1);
        calendars[0].1 = next;
        Box::pin(async { Reply::accept("7") })
    }
}

#[tokio::test]
async fn a_sealed_choice_is_asked_again_if_other_options_were_shown() {
    let calendars = Calendars::of(&["Work", "Home"]);
    let dispatcher = serve(&calendars);
    let first = dispatcher.call(request("share", json!({}))).await.expect("a response");
    calendars.0.lock().expect("no panic")[0].1 = "Boss".to_owned();
    let chosen = json!({ "calendar": accept(json!({ "calendar": "7" })) });
    let again = request("share", json!({})).with_input_responses(chosen).with_request_state(state(&first));
    let second = dispatcher.call(again).await.expect("a response");
    assert_eq!(form(&second, "calendar")["properties"]["calendar"]["oneOf"][0]["title"], "Boss");

    let asked = CallToolRequest::new("share", json!({})).with_asker(Renaming(calendars));
    let response = dispatcher.call(asked).await.expect("a response");
    assert_eq!(error(&response), "the user gave no valid answer in 8 rounds: Which calendar?");
}

#[tokio::test]
async fn without_options_the_user_is_not_asked() {
    let dispatcher = serve(&Calendars::of(&[]));
    let user = Scripted::new();
    for asks in [request("add_event", json!({})), request("add_event", json!({})).with_asker(user.clone())] {
        let response = dispatcher.call(asks).await.expect("a response");
        assert_eq!(error(&response), "there is nothing to choose from: Which calendar?");
        assert_eq!(response.error().and_then(|error| error.code()), Some("unavailable"));
    }
    assert_eq!(user.asked().len(), 0);
    assert_eq!(text(&dispatcher.call(request("share", json!({}))).await.expect("a response")), "Unavailable");
}

#[tokio::test]
async fn titles_are_escaped_and_a_value_is_offered_once() {
    let dispatcher = serve(&Calendars::of(&[]));
    let first = dispatcher.call(request("color", json!({}))).await.expect("a response");
    assert_eq!(
        form(&first, "color")["properties"]["color"]["oneOf"],
        json!([{ "const": "r", "title": "Red\\u{202e}\\nline" }, { "const": "g", "title": "Green" }])
    );
    let user = Scripted::new().reply("color", Reply::accept("x")).reply("color", Reply::accept("g"));
    let response = dispatcher.call(CallToolRequest::new("color", json!({})).with_asker(user)).await;
    assert_eq!(text(&response.expect("a response")), "g");
}

#[tokio::test]
async fn a_client_of_2025_06_18_gets_the_choices_as_enum_names() {
    let dispatcher = serve(&Calendars::of(&["Work", "Home"]));
    let mut client = Client::legacy(dispatcher, "2025-06-18", json!({ "elicitation": {} })).await;
    client.call(1, "share", json!({})).await;
    let question = client.next().await;
    assert_eq!(
        question["params"]["requestedSchema"]["properties"]["calendar"],
        json!({ "type": "string", "enum": ["7", "8"], "enumNames": ["Work", "Home"] })
    );
    client.answer(&question, accept(json!({ "calendar": "8" }))).await;
    assert_eq!(transports::text(&client.next().await), "Given(8)");
}
