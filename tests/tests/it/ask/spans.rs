//! The events that a `tracing` subscriber sees: each question and its outcome, never the answer.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use mcp_tool_runtime::{
    CallToolRequest,
    ask::{Reply, Scripted},
    json,
};
use tracing::field::{Field, Visit};
use tracing::instrument::WithSubscriber as _;
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

use crate::ask::tools::{accept, builder, request, state};
use crate::subscribers;

/// Records each event in a line: the span around it, and its fields.
#[derive(Clone)]
pub(crate) struct Watch(Arc<Mutex<Vec<String>>>);

impl Watch {
    pub(crate) fn new() -> Self {
        subscribers::keep_two();
        Self(Arc::default())
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }

    pub(crate) async fn of<T>(&self, work: impl Future<Output = T>) -> T {
        work.with_subscriber(tracing_subscriber::registry().with(self.clone())).await
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Watch {
    fn on_event(&self, event: &Event<'_>, cx: Context<'_, S>) {
        let mut line = cx.event_span(event).map_or_else(String::new, |span| span.name().to_owned());
        event.record(&mut Line(&mut line));
        self.0.lock().expect("no panic").push(line);
    }
}

struct Line<'l>(&'l mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {}={value:?}", field.name());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = write!(self.0, " {}={value}", field.name());
    }
}

fn event(question: &str, outcome: &str) -> String {
    format!("tools/call question={question} outcome={outcome}")
}

#[tokio::test]
async fn each_round_has_the_questions_and_outcomes_that_are_new_in_it() {
    let dispatcher = builder().build().expect("valid tools");
    let watch = Watch::new();
    let first = watch.of(dispatcher.call(request("book", json!({ "table": 5 })))).await.expect("a response");
    assert_eq!(watch.take(), [event("guest", "asked")]);
    let invalid = request("book", json!({ "table": 5 }))
        .with_request_state(state(&first))
        .with_input_responses(json!({ "guest": accept(json!({ "name": "Mallory" })) }));
    let again = watch.of(dispatcher.call(invalid)).await.expect("a response");
    assert_eq!(watch.take(), [event("guest", "invalid"), event("guest", "asked")]);
    let valid = request("book", json!({ "table": 5 }))
        .with_request_state(state(&again))
        .with_input_responses(json!({ "guest": accept(json!({ "name": "Mallory", "seats": 2 })) }));
    let day = watch.of(dispatcher.call(valid)).await.expect("a response");
    assert_eq!(watch.take(), [event("guest", "accepted"), event("day", "asked")]);
    let declined = request("book", json!({ "table": 5 }))
        .with_request_state(state(&day))
        .with_input_responses(json!({ "day": { "action": "decline" } }));
    assert!(watch.of(dispatcher.call(declined)).await.expect("a response").is_success());
    assert_eq!(watch.take(), [event("day", "declined")], "the guest was an answer of the round before");
}

#[tokio::test]
async fn a_forged_approval_and_a_refused_state_are_in_the_log() {
    let dispatcher = builder().build().expect("valid tools");
    let watch = Watch::new();
    let yes = json!({ "sure": accept(json!({ "confirm": true })) });
    let forged = request("delete_note", json!({ "id": 7 })).with_input_responses(yes.clone());
    let first = watch.of(dispatcher.call(forged)).await.expect("a response");
    assert_eq!(watch.take(), [event("sure", "unasked"), event("sure", "asked")]);
    let replayed =
        request("delete_note", json!({ "id": 8 })).with_request_state(state(&first)).with_input_responses(yes);
    watch.of(dispatcher.call(replayed)).await.expect_err("a state for other arguments");
    let [line] = &watch.take()[..] else { panic!("not one event") };
    assert!(line.contains("reason=it is for other arguments") && line.contains("tool=delete_note"), "{line}");
}

#[tokio::test]
async fn the_first_http_request_without_a_caller_is_a_warning() {
    let (watch, ask) = (Watch::new(), |headers: HeaderMap| request("greet", json!({})).with_extension(headers));
    let known = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static("Bearer 1"))]);
    let warnings = || watch.take().iter().filter(|line| line.contains("is valid for all callers")).count();
    let dispatcher = builder().build().expect("valid tools");
    watch.of(dispatcher.call(request("greet", json!({})))).await.expect("a response");
    watch.of(dispatcher.call(ask(known))).await.expect("a response");
    assert_eq!(warnings(), 0);
    for expected in [1, 0] {
        watch.of(dispatcher.call(ask(HeaderMap::new()))).await.expect("a response");
        assert_eq!(warnings(), expected);
    }
    let dispatcher = builder().principal(|_| None).build().expect("valid tools");
    watch.of(dispatcher.call(ask(HeaderMap::new()))).await.expect("a response");
    assert_eq!(warnings(), 0, "the server has said who its callers are");
}

#[tokio::test]
async fn an_asker_and_a_client_that_cannot_be_asked_have_outcomes_too() {
    let dispatcher = builder().build().expect("valid tools");
    let watch = Watch::new();
    let user = Scripted::new().reply("guest", Reply::accept("M")).reply("guest", Reply::accept("Mallory"));
    let call = CallToolRequest::new("greet", json!({})).with_asker(user);
    assert!(watch.of(dispatcher.call(call)).await.expect("a response").is_success());
    let lines = watch.take();
    assert_eq!(lines, ["asked", "invalid", "asked", "accepted"].map(|outcome| event("guest", outcome)));
    let silent = CallToolRequest::new("greet", json!({}));
    assert!(!watch.of(dispatcher.call(silent)).await.expect("a response").is_success());
    assert_eq!(watch.take(), [event("guest", "unavailable")]);
}
