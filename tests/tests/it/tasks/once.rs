//! The key `once`: the same call of the same caller is the same act.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use mcp_tool_runtime::export::{Strict, Vendor};
use mcp_tool_runtime::http::PlainHttp;
use mcp_tool_runtime::operations::{Carrier, Outcome};
use mcp_tool_runtime::{
    CallToolRequest, CallToolResponse, Content, Dispatcher, DispatcherBuilder, Image, ProtocolVersion, Structured,
    Tasks, ToolError, mcp_tool, middleware, tools,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::client::User;
use super::queue::Queue;
use crate::operations::Records;
use crate::run::{LATEST, built, mcp};

/// How often the tools have acted, and what the next act waits for.
#[derive(Default)]
pub(super) struct Acts {
    count: AtomicUsize,
    pub(super) gate: tokio::sync::Notify,
}

impl Acts {
    pub(super) fn add(&self) -> usize {
        self.count.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }
}

/// Send a mail, and return which act it was.
#[mcp_tool(once = "10m", destructive_hint)]
async fn send_mail(to: String, #[serde(default)] copies: f64, #[mcp_tool(state)] acts: &Acts) -> usize {
    let _ = (to, copies);
    acts.add()
}

/// Send a mail when the gate opens.
#[mcp_tool(once = "10m")]
async fn send_slowly(#[mcp_tool(state)] acts: &Acts) -> usize {
    let act = acts.add();
    acts.gate.notified().await;
    act
}

/// Fail, until the third time.
#[mcp_tool(once = "10m")]
async fn send_at_last(#[mcp_tool(state)] acts: &Acts) -> Result<usize, ToolError> {
    match acts.add() {
        act @ 1.. if act < 3 => Err(ToolError::new(format!("busy {act}")).with_retry_after(Duration::from_secs(5))),
        act => Ok(act),
    }
}

/// Take too long.
#[mcp_tool(once = "10m", timeout = "50ms")]
async fn send_too_slowly(#[mcp_tool(state)] acts: &Acts) {
    acts.add();
    std::future::pending::<()>().await;
}

/// Return nothing.
#[mcp_tool(once = "10m")]
async fn nothing(#[mcp_tool(state)] acts: &Acts) {
    acts.add();
}

/// Return blocks.
#[mcp_tool(once = "10m")]
async fn picture(#[mcp_tool(state)] acts: &Acts) -> Vec<Content> {
    acts.add();
    vec![Image::new(b"GIF89a", "image/gif").into(), mcp_tool_runtime::Text::new("a picture").into()]
}

/// Return a value with a block and `_meta`.
#[mcp_tool(once = "10m")]
async fn both(#[mcp_tool(state)] acts: &Acts) -> Structured<Vec<usize>> {
    let act = acts.add();
    Structured::new(vec![act]).with_content(mcp_tool_runtime::Text::new("more")).with_meta("com.example/key", 7)
}

fn builder(acts: &Arc<Acts>) -> DispatcherBuilder {
    Dispatcher::builder()
        .tools(tools![send_mail, send_slowly, send_at_last, send_too_slowly, nothing, picture, both])
        .state(Arc::clone(acts))
        .principal(|extensions| extensions.get::<User>().map(|user| user.0.clone()))
        .task_context(|extensions| extensions.get::<User>().cloned(), |user: User, extensions| extensions.insert(user))
}

fn in_memory(acts: &Arc<Acts>) -> Dispatcher {
    built(builder(acts).tasks(Tasks::in_memory()))
}

fn on(queue: &Queue, acts: &Arc<Acts>) -> Dispatcher {
    built(builder(acts).tasks(Tasks::on(queue.clone())))
}

pub(super) async fn call_as(dispatcher: &Dispatcher, user: &str, name: &str, arguments: Value) -> CallToolResponse {
    let request = CallToolRequest::new(name, arguments).with_extension(User(user.to_owned()));
    dispatcher.call(request).await.unwrap_or_else(|error| panic!("{error}"))
}

pub(super) async fn call(dispatcher: &Dispatcher, name: &str, arguments: Value) -> CallToolResponse {
    call_as(dispatcher, "ann", name, arguments).await
}

pub(super) fn is_replayed(response: &CallToolResponse) -> bool {
    mcp(response, LATEST)["_meta"].get("rs.mcp-tool/replayed") == Some(&json!(true))
}

/// Both homes of tasks.
fn homes(acts: &Arc<Acts>) -> [Dispatcher; 2] {
    [in_memory(acts), on(&Queue::default(), acts)]
}

#[tokio::test(start_paused = true)]
async fn the_same_call_gets_the_first_result() {
    let acts = Arc::<Acts>::default();
    for dispatcher in homes(&acts) {
        let before = acts.count();
        let first = call(&dispatcher, "send_mail", json!({"to": "bob"})).await;
        assert!(!is_replayed(&first));
        // In any spelling: with a default, in another order, with another number.
        for same in [
            json!({"to": "bob"}),
            json!({"to": "bob", "copies": 0}),
            json!({"copies": 0.0, "to": "bob"}),
            json!({"copies": -0.0, "to": "bob"}),
        ] {
            let again = call(&dispatcher, "send_mail", same).await;
            assert_eq!(again.deserialize::<usize>().ok(), Some(before + 1));
            assert!(is_replayed(&again));
            let result = mcp(&again, LATEST);
            let texts = result["content"].as_array().expect("blocks");
            assert_eq!((texts.len(), &texts[0]["text"]), (2, &json!((before + 1).to_string())));
            assert!(texts[1]["text"].as_str().expect("a text").contains("`idempotency_key`"), "{result}");
        }
        // Other arguments, another caller, a key: another act.
        assert!(!is_replayed(&call(&dispatcher, "send_mail", json!({"to": "bo"})).await));
        assert!(!is_replayed(&call(&dispatcher, "send_mail", json!({"to": "bob", "copies": 0.5})).await));
        assert!(!is_replayed(&call_as(&dispatcher, "eve", "send_mail", json!({"to": "bob"})).await));
        for key in ["1", "2"] {
            let keyed = json!({"to": "bob", "idempotency_key": key});
            assert!(!is_replayed(&call(&dispatcher, "send_mail", keyed.clone()).await));
            assert!(is_replayed(&call(&dispatcher, "send_mail", keyed).await));
        }
        // A model may write an empty text for what it leaves out.
        assert!(is_replayed(&call(&dispatcher, "send_mail", json!({"to": "bob", "idempotency_key": ""})).await));
        assert_eq!(acts.count() - before, 6);
    }
    // After the time, in memory, where the clock is that of the test.
    let dispatcher = in_memory(&acts);
    call(&dispatcher, "send_mail", json!({"to": "bob"})).await;
    tokio::time::sleep(Duration::from_secs(599)).await;
    assert!(is_replayed(&call(&dispatcher, "send_mail", json!({"to": "bob"})).await));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!is_replayed(&call(&dispatcher, "send_mail", json!({"to": "bob"})).await));
}

#[tokio::test(start_paused = true)]
async fn any_result_is_repeated_as_it_was() {
    let acts = Arc::<Acts>::default();
    for dispatcher in homes(&acts) {
        for name in ["nothing", "picture", "both", "send_mail"] {
            let arguments = if name == "send_mail" { json!({"to": "bob"}) } else { json!({}) };
            let first = call(&dispatcher, name, arguments.clone()).await;
            let again = call(&dispatcher, name, arguments).await;
            assert!(is_replayed(&again), "{name}");
            for version in ProtocolVersion::ALL {
                let (first, again) = (mcp(&first, version), mcp(&again, version));
                let blocks = again["content"].as_array().expect("blocks");
                assert_eq!(first["content"].as_array().map(Vec::as_slice), Some(&blocks[..blocks.len() - 1]), "{name}");
                assert_eq!(first["structuredContent"], again["structuredContent"], "{name}");
                assert_eq!(first["_meta"].get("com.example/key"), again["_meta"].get("com.example/key"), "{name}");
            }
            if name != "picture" {
                assert_eq!(first.value().map(RawValue::get), again.value().map(RawValue::get), "{name}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_calls_at_once_are_one_act() {
    let acts = Arc::<Acts>::default();
    let dispatcher = in_memory(&acts);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..10_000 {
        let dispatcher = dispatcher.clone();
        calls.spawn(async move {
            let name = if number % 2 == 0 { "ann" } else { "bob" };
            let response = call_as(&dispatcher, name, "send_slowly", json!({})).await;
            (name, response.deserialize::<usize>().expect("an act"), is_replayed(&response))
        });
    }
    while acts.count() < 2 {
        tokio::task::yield_now().await;
    }
    acts.gate.notify_waiters();
    acts.gate.notify_one();
    let answers = calls.join_all().await;
    assert_eq!(acts.count(), 2, "one for each caller");
    assert_eq!(answers.iter().filter(|(_, _, replayed)| !replayed).count(), 2);
    for name in ["ann", "bob"] {
        let mut acts: Vec<_> = answers.iter().filter(|(of, ..)| *of == name).map(|(_, act, _)| *act).collect();
        acts.dedup();
        assert_eq!(acts.len(), 1, "no caller sees the act of another");
    }
}

#[tokio::test(start_paused = true)]
async fn two_servers_share_an_engine_and_no_worker_is_needed() {
    let (acts, queue) = (Arc::<Acts>::default(), Queue::default());
    let servers = [on(&queue, &acts), on(&queue, &acts)];
    let calls: Vec<_> = (0..100)
        .map(|number| {
            let server = servers[number % 2].clone();
            tokio::spawn(async move { call(&server, "send_slowly", json!({})).await })
        })
        .collect();
    while acts.count() == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    acts.gate.notify_one();
    let mut first = 0;
    for call in calls {
        let response = call.await.expect("no panic");
        assert_eq!(response.deserialize::<usize>().ok(), Some(1));
        first += usize::from(!is_replayed(&response));
    }
    assert_eq!((acts.count(), first), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_gave_up_gets_the_result_later() {
    let acts = Arc::<Acts>::default();
    for dispatcher in homes(&acts) {
        let before = acts.count();
        let given_up = tokio::time::timeout(Duration::from_secs(2), call(&dispatcher, "send_slowly", json!({}))).await;
        assert!(given_up.is_err());
        let retry = tokio::spawn({
            let dispatcher = dispatcher.clone();
            async move { call(&dispatcher, "send_slowly", json!({})).await }
        });
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(!retry.is_finished(), "it waits");
        acts.gate.notify_one();
        let retry = retry.await.expect("no panic");
        assert_eq!((retry.deserialize::<usize>().ok(), is_replayed(&retry)), (Some(before + 1), true));
        assert_eq!(acts.count(), before + 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_gives_up_before_its_call_is_stored_is_no_obstacle() {
    let (acts, queue) = (Arc::<Acts>::default(), Queue::default());
    let dispatcher = on(&queue, &acts);
    let given_up =
        tokio::time::timeout(Duration::from_millis(5), call(&dispatcher, "send_mail", json!({"to": "bob"}))).await;
    assert!(given_up.is_err() && queue.rows().is_empty());
    let retry =
        tokio::time::timeout(Duration::from_secs(5), call(&dispatcher, "send_mail", json!({"to": "bob"}))).await;
    assert!(!is_replayed(&retry.expect("an answer")));
    assert_eq!(acts.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_failure_may_be_tried_again_and_an_unknown_outcome_may_not() {
    for home in 0..2 {
        let acts = Arc::<Acts>::default();
        let dispatcher = homes(&acts)[home].clone();
        for expected in [Err("busy 1"), Err("busy 2"), Ok(3), Ok(3)] {
            let response = call(&dispatcher, "send_at_last", json!({})).await;
            match expected {
                Ok(act) => assert_eq!(response.deserialize::<usize>().ok(), Some(act)),
                Err(text) => assert_eq!(response.error().map(ToolError::message), Some(text)),
            }
        }
        let refused = call(&dispatcher, "send_mail", json!({"to": 5})).await;
        assert!(refused.error().is_some_and(|error| !error.errors().is_empty()));

        let before = acts.count();
        let first = call(&dispatcher, "send_too_slowly", json!({})).await;
        assert_eq!(first.error().and_then(ToolError::code), Some("outcome_unknown"));
        let again = call(&dispatcher, "send_too_slowly", json!({})).await;
        assert_eq!(again.error().map(ToolError::message), first.error().map(ToolError::message));
        assert!(is_replayed(&again));
        assert!(
            again
                .error()
                .and_then(ToolError::additional_prompt_content)
                .is_some_and(|text| text.contains("`idempotency_key`"))
        );
        assert_eq!(acts.count(), before + 1);
        let keyed = call(&dispatcher, "send_too_slowly", json!({"idempotency_key": "x"})).await;
        assert!(!is_replayed(&keyed) && acts.count() == before + 2);
    }
}

#[tokio::test(start_paused = true)]
async fn an_act_whose_process_has_died_is_not_done_again() {
    let (acts, queue) = (Arc::<Acts>::default(), Queue::default());
    let dead = on(&queue, &acts);
    let call_of_dead = tokio::spawn(async move { call(&dead, "send_slowly", json!({})).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    call_of_dead.abort();
    queue.put_back();
    let retry = call(&on(&queue, &acts), "send_slowly", json!({})).await;
    let error = retry.error().expect("an error");
    assert!(error.message().starts_with("the outcome of `send_slowly` is not known"), "{error}");
    let again = call(&on(&queue, &acts), "send_slowly", json!({})).await;
    assert!(is_replayed(&again) && again.error().map(ToolError::message) == Some(error.message()));
    assert_eq!(acts.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn plain_http_and_open_tool_calling_have_keys_of_their_own() {
    let acts = Arc::<Acts>::default();
    let dispatcher = in_memory(&acts);
    let service = PlainHttp::new(dispatcher.clone());
    let post = async |key: Option<&str>| {
        let mut request = Request::post("http://localhost/send_mail").header("content-type", "application/json");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let request = request.body(Body::from(r#"{"to": "bob"}"#)).expect("a request");
        let response = service.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        serde_json::from_slice::<usize>(&body).expect("an act")
    };
    assert_eq!([post(None).await, post(None).await, post(Some("k")).await, post(Some("k")).await], [1, 1, 2, 2]);
    let otc = async |id: &str| {
        let request = json!({"tool_id": "send_mail", "call_id": id, "input": {"to": "bob"}});
        let request: CallToolRequest = serde_json::from_value(request).expect("a request");
        dispatcher.call(request).await.expect("a response").deserialize::<usize>().expect("an act")
    };
    assert_eq!([otc("call-1").await, otc("call-1").await, otc("call-2").await], [3, 3, 4]);
    let operation = &dispatcher.openapi()["paths"]["/send_mail"]["post"];
    assert_eq!(
        (&operation["parameters"][0]["name"], &operation["parameters"][0]["in"]),
        (&json!("Idempotency-Key"), &json!("header"))
    );
}

#[tokio::test(start_paused = true)]
async fn records_tell_a_replay_from_an_act() {
    let (acts, records) = (Arc::<Acts>::default(), Records::default());
    for tasks in [Tasks::in_memory(), Tasks::on(Queue::default())] {
        let dispatcher = built(records.of(builder(&acts)).tasks(tasks));
        for arguments in [json!({"to": "bob"}), json!({"to": "bob"}), json!({"to": 1})] {
            call(&dispatcher, "send_mail", arguments).await;
        }
        let ends =
            [Outcome::Success, Outcome::Replayed, Outcome::InvalidArguments].map(|outcome| (Carrier::Rust, outcome));
        assert_eq!(records.ends(), ends);
    }
}

#[tokio::test(start_paused = true)]
async fn middlewares_run_for_the_act_alone() {
    let (acts, runs) = (Arc::<Acts>::default(), Arc::<AtomicUsize>::default());
    let counted = Arc::clone(&runs);
    let layer = middleware::from_fn(move |request, cx, next| {
        counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(next.run(request, cx))
    });
    let dispatcher = built(builder(&acts).middleware(layer).tasks(Tasks::in_memory()));
    for _ in 0..3 {
        call(&dispatcher, "send_mail", json!({"to": "bob"})).await;
    }
    assert_eq!((acts.count(), runs.load(Ordering::SeqCst)), (1, 1));
}

/// Send a letter with a key of its own.
#[mcp_tool(once = "1h")]
async fn send_letter(idempotency_key: String, #[mcp_tool(state)] acts: &Acts) -> String {
    acts.add();
    idempotency_key
}

#[tokio::test(start_paused = true)]
async fn the_argument_is_published_unless_the_author_has_it() {
    let acts = Arc::<Acts>::default();
    let dispatcher = built(builder(&acts).tools(tools![send_letter]).tasks(Tasks::in_memory()));
    let schema = |name: &str| {
        let tool = dispatcher.list().iter().find(|tool| tool.name == name).expect("a tool");
        tool.input_schema.clone()
    };
    assert_eq!(schema("send_mail")["properties"]["idempotency_key"]["type"], "string");
    assert_eq!(schema("send_mail")["required"], json!(["to"]));
    // No vendor refuses it in strict mode.
    for vendor in [Vendor::OpenAiResponses, Vendor::Anthropic] {
        let findings = format!("{:?}", dispatcher.export(vendor).strict(Strict::WhereLossless).findings());
        assert!(!findings.contains("idempotency_key"), "{findings}");
    }
    assert_eq!(schema("send_letter")["required"], json!(["idempotency_key"]));
    for key in ["a", "a", "b"] {
        let response = call(&dispatcher, "send_letter", json!({"idempotency_key": key})).await;
        assert_eq!(response.deserialize::<String>().ok().as_deref(), Some(key));
    }
    assert_eq!(acts.count(), 2);
}
