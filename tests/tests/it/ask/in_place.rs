//! Questions that are answered while the call waits.

use std::sync::Arc;
use std::time::Duration;

use mcp_tool_runtime::serde_json::Value;
use mcp_tool_runtime::{
    Ask, BoxFuture, CallContext, CallToolRequest, Consent, Dispatcher,
    ask::{Asker, Question, Reply, Scripted},
    json, mcp_tool, tools,
};
use tokio::sync::Notify;

use crate::ask::tools::{Log, builder, error, request, text};

fn asking(name: &str, arguments: Value, user: &Scripted) -> CallToolRequest {
    CallToolRequest::new(name, arguments).with_asker(user.clone())
}

#[tokio::test]
async fn an_asker_answers_one_question_after_the_other() {
    let dispatcher = builder().build().expect("valid tools");
    let user = Scripted::new()
        .reply("guest", Reply::accept(json!({ "name": "Ann" })))
        .reply("guest", Reply::accept(json!({ "name": "Ann", "seats": 2 })))
        .reply("day", Reply::accept("tomorrow"));
    let response = dispatcher.call(asking("book", json!({ "table": 5 }), &user)).await.expect("a response");
    assert_eq!(text(&response), "Ann at table 5, Given(Tomorrow)");
    let asked: Vec<_> = user.asked().iter().map(|question| question.message().to_owned()).collect();
    assert_eq!(
        asked,
        [
            "Who comes to table   5?",
            "Who comes to table   5?\n\nThe last answer was not valid:\nseats: required, but missing",
            "Which day, Ann?",
        ]
    );
}

#[tokio::test]
async fn every_outcome_of_an_asker() {
    let dispatcher = builder().build().expect("valid tools");
    for (reply, expected) in [
        (Reply::Decline, "the user declined: Delete note 7 for good?"),
        (Reply::accept(false), "the user declined: Delete note 7 for good?"),
        (Reply::Cancel, "the user closed the question without an answer: Delete note 7 for good?"),
        (Reply::Unavailable, "this needs an answer from the user, and this client cannot ask: Delete note 7 for good?"),
    ] {
        let user = Scripted::new().reply("sure", reply);
        let response = dispatcher.call(asking("delete_note", json!({ "id": 7 }), &user)).await.expect("a response");
        assert_eq!(error(&response), expected);
    }
    let user = Scripted::new().reply("sure", Reply::accept(true));
    let response = dispatcher.call(asking("delete_note", json!({ "id": 7 }), &user)).await.expect("a response");
    assert!(response.is_success());
    let user = Scripted::new().reply("go", Reply::Cancel).reply("count", Reply::accept(3));
    let response = dispatcher.call(asking("decide", json!({}), &user)).await.expect("a response");
    assert_eq!(text(&response), "Cancelled Given(3)");
}

#[tokio::test]
async fn an_asker_is_asked_eight_times_at_most() {
    let dispatcher = builder().build().expect("valid tools");
    let user = (0..20).fold(Scripted::new(), |user, _| user.reply("guest", Reply::accept(7)));
    let response = dispatcher.call(asking("greet", json!({}), &user)).await.expect("a response");
    assert_eq!(error(&response), "the user gave no valid answer in 8 rounds: Who is the guest?");
    assert_eq!(user.asked().len(), 8);
}

/// Buy at the price of the moment.
#[mcp_tool]
async fn buy(#[mcp_tool(ask = at_the_price_of_the_moment(log))] _sure: Consent, #[mcp_tool(state)] log: &Log) {
    log.add("bought".to_owned());
}

fn at_the_price_of_the_moment(log: &Log) -> Ask<Consent> {
    log.add("priced".to_owned());
    Ask::new(format!("Buy for {}?", log.lines().len()))
}

/// Agrees to everything.
#[derive(Clone, Default)]
struct Agreeing(Arc<Log>);

impl Asker for Agreeing {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        self.0.add(question.message());
        Box::pin(async { Reply::yes() })
    }
}

#[tokio::test]
async fn a_yes_to_a_question_that_changes_never_counts() {
    let log = Arc::new(Log::default());
    let dispatcher = Dispatcher::builder().tools(tools![buy]).state(Arc::clone(&log)).build().expect("valid tools");
    let user = Agreeing::default();
    let response =
        dispatcher.call(CallToolRequest::new("buy", json!({})).with_asker(user.clone())).await.expect("a response");
    assert_eq!(error(&response), "the user gave no valid answer in 8 rounds: Buy for 9?");
    let reason = response.error().and_then(|error| error.developer_message().map(str::to_owned)).expect("a reason");
    assert!(reason.contains("must always be the same"), "{reason}");
    assert_eq!(user.0.lines(), (1..=8).map(|price| format!("Buy for {price}?")).collect::<Vec<_>>());
    assert!(!log.lines().contains(&"bought".to_owned()));
}

/// Buy at a price that changes twice.
#[mcp_tool]
async fn buy_later(#[mcp_tool(ask = at_a_price_that_settles(log))] _sure: Consent, #[mcp_tool(state)] log: &Log) {
    log.add("bought");
}

fn at_a_price_that_settles(log: &Log) -> Ask<Consent> {
    log.add("priced");
    Ask::new(format!("Buy for {}?", log.lines().len().min(3)))
}

#[tokio::test]
async fn a_consent_is_asked_for_again_until_its_question_is_the_one_that_was_shown() {
    let log = Arc::new(Log::default());
    let dispatcher =
        Dispatcher::builder().tools(tools![buy_later]).state(Arc::clone(&log)).build().expect("valid tools");
    let user = Agreeing::default();
    let request = CallToolRequest::new("buy_later", json!({})).with_asker(user.clone());
    assert!(dispatcher.call(request).await.expect("a response").is_success());
    assert_eq!(user.0.lines(), ["Buy for 1?", "Buy for 2?", "Buy for 3?"]);
    assert_eq!(log.lines(), ["priced", "priced", "priced", "priced", "bought"]);
}

#[tokio::test]
async fn a_no_counts_though_the_question_has_changed() {
    let log = Arc::new(Log::default());
    let dispatcher = Dispatcher::builder().tools(tools![buy]).state(Arc::clone(&log)).build().expect("valid tools");
    let user = Scripted::new().reply("sure", Reply::Decline).reply("sure", Reply::yes());
    let response = dispatcher.call(asking("buy", json!({}), &user)).await.expect("a response");
    assert!(error(&response).starts_with("the user declined: "), "{response:?}");
    assert_eq!(user.asked().len(), 1);
}

#[tokio::test]
async fn a_test_whose_replies_end_while_the_question_changes_says_so() {
    let log = Arc::new(Log::default());
    let dispatcher = Dispatcher::builder().tools(tools![buy]).state(Arc::clone(&log)).build().expect("valid tools");
    let user = Scripted::new().reply("sure", Reply::yes()).reply("sure", Reply::yes());
    let response = dispatcher.call(asking("buy", json!({}), &user)).await.expect("a response");
    assert_eq!(error(&response), "the question `sure` changed after the last reply to it, so the reply does not count");
    let reason = response.error().and_then(|error| error.developer_message().map(str::to_owned)).expect("a reason");
    assert!(reason.contains("must always be the same"), "{reason}");
    assert!(!log.lines().contains(&"bought".to_owned()), "nothing is bought");
}

/// Move a note.
#[mcp_tool]
async fn move_note(
    id: u32,
    #[mcp_tool(ask = "Move note {id}?")] _sure: Consent,
    #[mcp_tool(ask = which_shelf(id))] shelf: u8,
) -> u8 {
    let _ = id;
    shelf
}

fn which_shelf(id: &u32) -> Result<Ask<u8>, String> {
    if *id == 0 { Err("note 0 does not exist".to_owned()) } else { Ok(Ask::known(3)) }
}

#[tokio::test]
async fn a_question_function_fails_before_the_user_is_asked_anything() {
    let dispatcher = Dispatcher::builder().tools(tools![move_note]).build().expect("valid tools");
    let user = Scripted::new().reply("sure", Reply::yes()).reply("sure", Reply::yes());
    let response = dispatcher.call(asking("move_note", json!({ "id": 0 }), &user)).await.expect("a response");
    assert_eq!(error(&response), "note 0 does not exist");
    assert!(user.asked().is_empty(), "{:?}", user.asked());
    let response = dispatcher.call(request("move_note", json!({ "id": 0 }))).await.expect("a response");
    assert_eq!(error(&response), "note 0 does not exist");

    let response = dispatcher.call(asking("move_note", json!({ "id": 7 }), &user)).await.expect("a response");
    assert_eq!(response.deserialize::<u8>().expect("a number"), 3);
    assert_eq!(user.asked().len(), 1);
}

#[tokio::test]
async fn an_invalid_reply_without_another_one_is_named() {
    let dispatcher = builder().build().expect("valid tools");
    let user = Scripted::new().reply("guest", Reply::accept(json!({ "name": "Ann" })));
    let response = dispatcher.call(asking("book", json!({ "table": 5 }), &user)).await.expect("a response");
    assert_eq!(error(&response), "the last reply to the question `guest` was not valid: seats: required, but missing");
    // A parameter that decides about a missing answer does not hide the mistake of the test.
    let user = Scripted::new()
        .reply("guest", Reply::accept(json!({ "name": "Ann", "seats": 2 })))
        .reply("day", Reply::accept("someday"));
    let response = dispatcher.call(asking("book", json!({ "table": 5 }), &user)).await.expect("a response");
    assert!(error(&response).starts_with("the last reply to the question `day` was not valid: "), "{response:?}");
}

/// Answers when it is told to.
struct Slow {
    asked: Arc<Notify>,
    answer: Arc<Notify>,
}

impl Asker for Slow {
    fn ask<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async {
            self.asked.notify_one();
            self.answer.notified().await;
            Reply::yes()
        })
    }
}

/// Wait a second after the question.
#[mcp_tool(timeout = "5s")]
async fn ask_then_wait(
    #[mcp_tool(ask = "Wait?")] _sure: Consent,
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(state)] log: &Log,
) -> u64 {
    let left = cx.deadline().expect("a deadline").saturating_duration_since(tokio::time::Instant::now().into_std());
    log.add(format!("{} s left", left.as_secs_f64().round()));
    tokio::time::sleep(Duration::from_secs(4)).await;
    left.as_secs()
}

/// Do nothing.
#[mcp_tool]
async fn nothing() {}

#[tokio::test(start_paused = true)]
async fn a_waiting_call_pauses_its_timeout_and_gives_up_its_permit() {
    let log = Arc::new(Log::default());
    let dispatcher = Dispatcher::builder()
        .tools(tools![ask_then_wait, nothing])
        .state(Arc::clone(&log))
        .max_concurrency(1)
        .build()
        .expect("valid tools");
    let (asked, answer) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let user = Slow { asked: Arc::clone(&asked), answer: Arc::clone(&answer) };
    let call = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call(CallToolRequest::new("ask_then_wait", json!({})).with_asker(user)).await }
    });
    asked.notified().await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    // The permit is free while the user thinks.
    assert!(dispatcher.call(CallToolRequest::new("nothing", json!({}))).await.expect("a response").is_success());
    answer.notify_one();
    let response = call.await.expect("no panic").expect("a response");
    assert!(response.is_success(), "{response:?}");
    assert_eq!(log.lines(), ["5 s left"]);
    assert_eq!(response.duration(), Duration::from_secs(4), "the body alone");
}

/// Run longer than allowed after the question.
#[mcp_tool(timeout = "1s")]
async fn too_slow(#[mcp_tool(ask = "Go?")] _sure: Consent) {
    std::future::pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn the_timeout_goes_on_after_the_answer_and_nobody_waits_longer_than_ten_minutes() {
    let dispatcher = Dispatcher::builder().tools(tools![too_slow]).build().expect("valid tools");
    let user = Scripted::new().reply("sure", Reply::yes());
    let response = dispatcher.call(asking("too_slow", json!({}), &user)).await.expect("a response");
    assert_eq!(error(&response), "tool `too_slow` timed out after 1 s");

    let start = tokio::time::Instant::now();
    let user = Slow { asked: Arc::default(), answer: Arc::default() };
    let response =
        dispatcher.call(CallToolRequest::new("too_slow", json!({})).with_asker(user)).await.expect("a response");
    assert_eq!(error(&response), "this needs an answer from the user, and this client cannot ask: Go?");
    assert_eq!(start.elapsed().as_secs(), 600);
}

#[tokio::test]
async fn a_call_that_is_dropped_while_it_waits_frees_everything() {
    let dispatcher = builder().max_concurrency(1).build().expect("valid tools");
    let user = Slow { asked: Arc::default(), answer: Arc::default() };
    let asked = Arc::clone(&user.asked);
    let mut call = Box::pin(dispatcher.call(CallToolRequest::new("delete_note", json!({ "id": 7 })).with_asker(user)));
    tokio::select! {
        _ = &mut call => panic!("nobody has answered"),
        () = asked.notified() => drop(call),
    }
    let user = Scripted::new().reply("sure", Reply::yes());
    assert!(dispatcher.call(asking("delete_note", json!({ "id": 7 }), &user)).await.expect("a response").is_success());
}
