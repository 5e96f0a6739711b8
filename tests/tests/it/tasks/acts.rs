//! Which calls are the same act of a tool with `once`, and what becomes of an act that ends badly.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use mcp_tool_runtime::http::{Claims, PlainHttp};
use mcp_tool_runtime::operations::Outcome;
use mcp_tool_runtime::{
    CallToolRequest, CallToolResponse, Content, Dispatcher, DispatcherBuilder, Extensions, Nullable, Tasks, Text,
    ToolError, ToolHandler as _, mcp_tool, middleware, tools,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::client::{Client, User};
use super::once::{Acts, call, call_as, is_replayed};
use super::queue::Queue;
use crate::ask::spans::Watch;
use crate::operations::Records;
use crate::run::{LATEST, built, faults, mcp};

/// The tenant of a request.
#[derive(Clone, serde::Serialize, Deserialize)]
struct Tenant(String);

/// Order something, for a tenant that the server knows.
#[mcp_tool(once = "10m")]
async fn order(tenant: String, item: String, #[mcp_tool(state)] acts: &Acts) -> String {
    acts.add();
    format!("{tenant} ordered {item}")
}

/// Return more than can be sent.
#[mcp_tool(once = "10m")]
async fn too_large(#[mcp_tool(state)] acts: &Acts) -> String {
    acts.add();
    "x".repeat(2_000)
}

const SCHEMA: &str = r#"{"type": "object", "required": ["n"]}"#;

/// Return something else than the schema says.
#[mcp_tool(once = "10m", output_schema = SCHEMA)]
async fn invalid(#[mcp_tool(state)] acts: &Acts) -> Value {
    acts.add();
    json!({})
}

/// Act, and panic.
#[mcp_tool(once = "10m")]
async fn panics(#[mcp_tool(state)] acts: &Acts) {
    acts.add();
    panic!("after the act");
}

/// Act, and panic, which does no harm.
#[mcp_tool(once = "10m", idempotent_hint)]
async fn panics_again(#[mcp_tool(state)] acts: &Acts) {
    acts.add();
    panic!("after the act");
}

/// Act, and wait.
#[mcp_tool(once = "10m")]
async fn waits(#[mcp_tool(state)] acts: &Acts) -> usize {
    let act = acts.add();
    acts.gate.notified().await;
    act
}

/// Act, and fail.
#[mcp_tool(once = "10m")]
async fn fails(#[mcp_tool(state)] acts: &Acts) -> Result<(), ToolError> {
    acts.add();
    Err(ToolError::new("busy"))
}

/// Act, and hear nothing from the backend.
#[mcp_tool(once = "10m")]
async fn gets_no_answer(#[mcp_tool(state)] acts: &Acts) -> Result<(), ToolError> {
    acts.add();
    let error = ToolError::new("the mail server did not answer").with_code("outcome_unknown");
    Err(error.with_additional_prompt_content("It is not known. Check what has been done, in the outbox."))
}

/// Return one text.
#[mcp_tool(once = "10m")]
async fn text(#[mcp_tool(state)] acts: &Acts) -> Vec<Content> {
    acts.add();
    vec![Text::new("sent").into()]
}

fn builder(acts: &Arc<Acts>) -> DispatcherBuilder {
    Dispatcher::builder()
        .tools(tools![too_large, invalid, panics, panics_again, waits, fails, gets_no_answer, text])
        .tool(order {}.with_fixed_from("tenant", |extensions: &Extensions| Some(extensions.get::<Tenant>()?.0.clone())))
        .tool(order {}.with_name("order_for_c").with_fixed("tenant", "C"))
        .state(Arc::clone(acts))
        .max_result_bytes(1_000)
        .principal(|extensions| extensions.get::<User>().map(|user| user.0.clone()))
        .task_context(
            |extensions| extensions.get::<Tenant>().cloned(),
            |tenant: Tenant, extensions| extensions.insert(tenant),
        )
}

/// Both homes of tasks.
fn homes() -> [Tasks; 2] {
    [Tasks::in_memory(), Tasks::on(Queue::default())]
}

async fn order_for(dispatcher: &Dispatcher, tenant: Option<&str>, arguments: Value) -> CallToolResponse {
    let mut request = CallToolRequest::new("order", arguments).with_extension(User("ann".to_owned()));
    if let Some(tenant) = tenant {
        request = request.with_extension(Tenant(tenant.to_owned()));
    }
    dispatcher.call(request).await.expect("a response")
}

/// What to order.
#[derive(Deserialize, JsonSchema)]
struct Order {
    customer: String,
    note: Option<String>,
    lines: Vec<Line>,
    /// `null` clears it, so it is another act.
    #[serde(default, with = "Nullable::<String>")]
    #[expect(clippy::option_option, reason = "`null` clears it")]
    due: Option<Option<String>>,
}

#[derive(Deserialize, JsonSchema)]
struct Line {
    sku: String,
    gift: Option<bool>,
    #[serde(default = "one")]
    count: u8,
}

fn one() -> u8 {
    1
}

fn counted(acts: &Acts, order: Order) -> String {
    acts.add();
    let Order { customer, note, lines, due } = order;
    let lines: Vec<_> = lines.into_iter().map(|Line { sku, gift, count }| format!("{sku}{gift:?}{count}")).collect();
    format!("{customer}{note:?}{lines:?}{due:?}")
}

/// Order.
#[mcp_tool(once = "10m")]
async fn order_by_struct(#[mcp_tool(arguments)] order: Order, #[mcp_tool(state)] acts: &Acts) -> String {
    counted(acts, order)
}

/// Order.
#[mcp_tool(once = "10m")]
async fn order_by_fields(#[serde(flatten)] order: Order, #[mcp_tool(state)] acts: &Acts) -> String {
    counted(acts, order)
}

#[tokio::test(start_paused = true)]
async fn null_for_an_absent_field_and_a_nested_default_are_the_same_act() {
    let acts = Arc::<Acts>::default();
    let dispatcher = built(builder(&acts).tools(tools![order_by_struct, order_by_fields]).tasks(Tasks::in_memory()));
    for name in ["order_by_struct", "order_by_fields"] {
        let order = json!({"customer": "x", "lines": [{"sku": "a"}]});
        assert!(!is_replayed(&call(&dispatcher, name, order).await));
        for same in [
            json!({"customer": "x", "note": null, "lines": [{"sku": "a"}]}),
            json!({"customer": "x", "lines": [{"sku": "a", "gift": null}]}),
            json!({"customer": "x", "lines": [{"sku": "a", "count": 1}]}),
        ] {
            assert!(is_replayed(&call(&dispatcher, name, same.clone()).await), "{name} {same}");
        }
        let cleared = json!({"customer": "x", "lines": [{"sku": "a"}], "due": null});
        assert!(!is_replayed(&call(&dispatcher, name, cleared).await));
    }
    assert_eq!(acts.count(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_fixed_value_is_part_of_the_act() {
    for tasks in homes() {
        let acts = Arc::<Acts>::default();
        let dispatcher = built(builder(&acts).tasks(tasks));
        for (tenant, expected) in [("A", false), ("B", false), ("A", true), ("B", true)] {
            let response = order_for(&dispatcher, Some(tenant), json!({"item": "pen"})).await;
            assert_eq!(response.deserialize::<String>().ok(), Some(format!("{tenant} ordered pen")));
            assert_eq!(is_replayed(&response), expected, "{tenant}");
        }
        let fixed = call(&dispatcher, "order_for_c", json!({"item": "pen"})).await;
        assert_eq!(fixed.deserialize::<String>().ok().as_deref(), Some("C ordered pen"));
        assert_eq!(acts.count(), 3);
        // Without the value, the call fails as it would without `once`, although the act is known.
        let failed = order_for(&dispatcher, None, json!({"item": "pen"})).await;
        let error = failed.error().expect("an error");
        assert_eq!(error.message(), format!("internal error in tool `order` (call_id {})", failed.call_id()));
        assert_eq!(acts.count(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_fixed_value_that_a_middleware_attaches_is_too_late() {
    let acts = Arc::<Acts>::default();
    let layer = middleware::from_fn(|request, cx, next| {
        request.extensions.insert(Tenant("A".to_owned()));
        Box::pin(next.run(request, cx))
    });
    let records = Records::default();
    let dispatcher = built(records.of(builder(&acts)).middleware(layer).tasks(Tasks::in_memory()));
    let failed = order_for(&dispatcher, None, json!({"item": "pen"})).await;
    assert!(failed.error().is_some_and(|error| error.message().starts_with("internal error")));
    assert!(
        failed
            .error()
            .and_then(ToolError::developer_message)
            .is_some_and(|text| text.contains("before the middlewares"))
    );
    assert_eq!((records.outcomes(), acts.count()), (vec![Outcome::Masked], 0));
}

#[tokio::test(start_paused = true)]
async fn an_act_that_may_have_happened_is_not_done_again() {
    let lost = "has done its work: only the result is lost";
    let unknown = "is not known. Check what has been done";
    for tasks in homes() {
        let (acts, records) = (Arc::<Acts>::default(), Records::default());
        let dispatcher = built(records.of(builder(&acts)).tasks(tasks));
        for (name, code, words, outcome) in [
            ("too_large", "result_lost", lost, Outcome::TooLarge),
            ("invalid", "result_lost", lost, Outcome::InvalidResult),
            ("panics", "outcome_unknown", unknown, Outcome::Panicked),
            ("gets_no_answer", "outcome_unknown", unknown, Outcome::Failed),
        ] {
            let before = acts.count();
            let first = call(&dispatcher, name, json!({})).await;
            let again = call(&dispatcher, name, json!({})).await;
            for response in [&first, &again] {
                let error = response.error().expect("an error");
                assert_eq!((error.code(), error.can_retry()), (Some(code), false), "{name}");
                assert!(
                    mcp(response, LATEST)["content"][1]["text"].as_str().is_some_and(|text| text.contains(words)),
                    "{name}"
                );
            }
            assert_eq!(first.error().map(ToolError::message), again.error().map(ToolError::message), "{name}");
            assert_eq!([is_replayed(&first), is_replayed(&again)], [false, true], "{name}");
            let advice = mcp(&again, LATEST)["content"][1]["text"].to_string();
            assert_eq!(advice.contains("If you have checked"), code == "outcome_unknown", "{advice}");
            assert_eq!(advice.contains("To do it again"), code == "result_lost", "{advice}");
            assert_eq!((acts.count(), records.outcomes()), (before + 1, vec![outcome, Outcome::Replayed]), "{name}");
            assert!(!is_replayed(&call(&dispatcher, name, json!({"idempotency_key": "again"})).await));
            records.take();
        }
        // What the author says may be tried again is.
        for name in ["fails", "panics_again"] {
            let before = acts.count();
            for _ in 0..2 {
                assert!(!is_replayed(&call(&dispatcher, name, json!({})).await), "{name}");
            }
            assert_eq!(acts.count(), before + 2, "{name}");
        }
    }
}

/// Returns the id of the task that an act of "ann" has on any server.
async fn id_of(name: &str) -> String {
    let (acts, records) = (Arc::<Acts>::default(), Records::default());
    let dispatcher = built(records.of(builder(&acts)).tasks(Tasks::in_memory()));
    acts.gate.notify_one();
    call(&dispatcher, name, json!({})).await;
    records.one().task_id().expect("a task").to_owned()
}

fn spawned(dispatcher: &Dispatcher, name: &'static str) -> tokio::task::JoinHandle<CallToolResponse> {
    let dispatcher = dispatcher.clone();
    tokio::spawn(async move { call(&dispatcher, name, json!({})).await })
}

#[tokio::test(start_paused = true)]
async fn an_act_that_is_cancelled_stops_and_is_not_done_again() {
    let id = id_of("waits").await;
    for tasks in homes() {
        let (acts, records) = (Arc::<Acts>::default(), Records::default());
        let dispatcher = built(records.of(builder(&acts)).tasks(tasks));
        let (running, waiting) = (spawned(&dispatcher, "waits"), spawned(&dispatcher, "waits"));
        tokio::time::sleep(Duration::from_secs(1)).await;
        Client::new(&dispatcher).of_user("ann").result("tasks/cancel", json!({"taskId": id})).await;
        for response in [running.await.expect("no panic"), waiting.await.expect("no panic")] {
            assert_eq!(response.error().and_then(ToolError::code), Some("outcome_unknown"), "{response:?}");
        }
        let again = call(&dispatcher, "waits", json!({})).await;
        assert!(is_replayed(&again) && again.error().and_then(ToolError::code) == Some("outcome_unknown"));
        // The tool was dropped when its task was cancelled.
        let mut outcomes = records.outcomes();
        outcomes.sort_by_key(|outcome| outcome.as_str());
        assert_eq!(outcomes, [Outcome::Cancelled, Outcome::Replayed, Outcome::Replayed]);
        assert_eq!(acts.count(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_act_that_is_cancelled_before_it_begins_may_be_tried_again() {
    let id = id_of("text").await;
    for tasks in homes() {
        let acts = Arc::<Acts>::default();
        let dispatcher = built(builder(&acts).max_concurrency(1).tasks(tasks));
        let first = spawned(&dispatcher, "waits");
        tokio::time::sleep(Duration::from_secs(1)).await;
        let waiting = spawned(&dispatcher, "text");
        tokio::time::sleep(Duration::from_secs(1)).await;
        Client::new(&dispatcher).of_user("ann").result("tasks/cancel", json!({"taskId": id})).await;
        assert!(waiting.await.expect("no panic").error().is_some());
        acts.gate.notify_one();
        assert!(first.await.expect("no panic").is_success());
        assert_eq!(acts.count(), 1);
        let again = call(&dispatcher, "text", json!({})).await;
        assert!(again.is_success() && !is_replayed(&again));
        assert_eq!(acts.count(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn an_act_that_is_cancelled_after_its_process_has_died_is_not_done_again() {
    let (id, acts, queue) = (id_of("waits").await, Arc::<Acts>::default(), Queue::default());
    let server = |acts: &Arc<Acts>| built(builder(acts).tasks(Tasks::on(queue.clone())));
    let (dead, running) = (server(&acts), Arc::clone(&acts));
    // A runtime that is dropped leaves nothing behind, like a process.
    let process = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let _call = spawned(&dead, "waits");
            while running.count() == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
    });
    process.join().expect("no panic");
    queue.put_back();
    let other = server(&acts);
    Client::new(&other).of_user("ann").result("tasks/cancel", json!({"taskId": id})).await;
    let again = call(&other, "waits", json!({})).await;
    assert_eq!(again.error().and_then(ToolError::code), Some("outcome_unknown"));
    assert_eq!(acts.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_an_act_has_waited() {
    let (acts, records) = (Arc::<Acts>::default(), Records::default());
    let dispatcher = built(records.of(builder(&acts)).tasks(Tasks::in_memory()));
    let [first, waiting, given_up] = [(); 3].map(|()| spawned(&dispatcher, "waits"));
    tokio::time::sleep(Duration::from_secs(1)).await;
    given_up.abort();
    assert!(given_up.await.is_err());
    acts.gate.notify_one();
    for call in [first, waiting] {
        assert!(call.await.expect("no panic").is_success());
    }
    let all = records.take();
    let waited = |outcome| all.iter().find(|record| record.outcome() == outcome).expect("a record").waited();
    let (second, none) = (Duration::from_secs(1), Duration::ZERO);
    assert_eq!([Outcome::Success, Outcome::Replayed, Outcome::Cancelled].map(waited), [none, second, second]);
}

#[tokio::test(start_paused = true)]
async fn the_header_of_a_key_has_bounds_and_a_replay_is_marked() {
    let acts = Arc::<Acts>::default();
    let service = PlainHttp::new(built(builder(&acts).tasks(Tasks::in_memory())));
    let post = async |keys: &[&[u8]], body: Value| {
        let mut request = Request::post("http://localhost/text").header("content-type", "application/json");
        for key in keys {
            request = request.header("idempotency-key", *key);
        }
        let request = request.body(Body::from(body.to_string())).expect("a request");
        let response = service.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        let replayed = response.headers().get("mcp-tool-replayed").is_some_and(|value| value == "true");
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        (status, replayed, serde_json::from_slice::<Value>(&body).expect("JSON"))
    };
    let key = "k".repeat(256);
    let valid: [&[&[u8]]; 3] = [&[], &[b"a"], &[key.as_bytes()]];
    for keys in valid {
        // The value of a replay is that of the first call, although a model reads one text more.
        assert_eq!(post(keys, json!({})).await, (200, false, json!("sent")));
        assert_eq!(post(keys, json!({})).await, (200, true, json!("sent")));
    }
    assert_eq!(post(&[b"b"], json!({"idempotency_key": "b"})).await, (200, false, json!("sent")));
    // An empty argument is no key.
    assert_eq!(post(&[b"b"], json!({"idempotency_key": ""})).await, (200, true, json!("sent")));
    assert_eq!(acts.count(), 4);
    let long = "k".repeat(257);
    let invalid: [&[&[u8]]; 4] = [&[b""], &[long.as_bytes()], &["é".as_bytes()], &[b"a", b"b"]];
    for keys in invalid {
        let (status, _, problem) = post(keys, json!({})).await;
        let detail = "the header Idempotency-Key must be sent once, with 1 to 256 characters of printable ASCII";
        assert_eq!((status, &problem["detail"]), (400, &json!(detail)));
    }
    let (status, _, problem) = post(&[b"a"], json!({"idempotency_key": "b"})).await;
    let detail = "the header Idempotency-Key and the argument `idempotency_key` must be equal; send one of them";
    assert_eq!((status, &problem["detail"]), (400, &json!(detail)));
    assert_eq!(acts.count(), 4);
}

#[tokio::test(start_paused = true)]
async fn the_results_of_one_principal_do_not_use_the_room_of_all() {
    let acts = Arc::<Acts>::default();
    let dispatcher = built(builder(&acts).tasks(Tasks::in_memory().max_bytes(20_000)));
    let arguments = |number: usize| json!({"item": format!("{number}{}", "x".repeat(500))});
    let mut passed = 0;
    let refused = loop {
        let response = call(&dispatcher, "order_for_c", arguments(passed)).await;
        if !response.is_success() {
            break response;
        }
        passed += 1;
    };
    assert!((3..10).contains(&passed), "{passed}");
    let error = refused.error().expect("an error");
    assert!(error.message().starts_with("too many tasks are running, or too many results are kept"), "{error}");
    assert!(error.can_retry() && error.code() == Some("limited") && acts.count() == passed);
    assert!(call_as(&dispatcher, "bob", "order_for_c", arguments(0)).await.is_success());
    tokio::time::sleep(Duration::from_millis(error.retry_after_ms().expect("a time"))).await;
    assert!(call(&dispatcher, "order_for_c", arguments(passed)).await.is_success());
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_callers_share_their_acts_warns_once() {
    let watch = Watch::new();
    for (of_caller, expected) in [(false, 1), (true, 0)] {
        let mut builder = Dispatcher::builder().tools(tools![text]).state(Arc::<Acts>::default());
        if of_caller {
            builder = builder.principal(|_| None);
        }
        let service = PlainHttp::new(built(builder.tasks(Tasks::in_memory())));
        for _ in 0..2 {
            let request = Request::post("http://localhost/text").header("content-type", "application/json");
            let request = request.body(Body::empty()).expect("a request");
            let response = watch.of(service.clone().oneshot(request)).await;
            assert_eq!(response.unwrap_or_else(|never| match never {}).status(), 200);
        }
        let warnings = watch.take().into_iter().filter(|line| line.contains("all callers are one to `once`"));
        assert_eq!(warnings.count(), expected);
    }
}

#[test]
fn rules_that_tell_callers_apart_need_a_principal() {
    let acts = Arc::<Acts>::default();
    let builder = Dispatcher::builder().tools(tools![text]).state(acts).visible_to::<User>(|_, user| user.is_some());
    let found = faults(builder.tasks(Tasks::in_memory()));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("all callers are one to `once`: add `.principal(…)`"), "{found:?}");
}

/// Send what the caller has written.
#[mcp_tool(once = "1m")]
async fn send_own(#[mcp_tool(extension)] user: &User) -> String {
    user.0.clone()
}

/// Send what the caller has written, or nothing.
#[mcp_tool(once = "1m", name = "send_own")]
async fn send_any(#[mcp_tool(extension)] user: Option<&User>) -> String {
    user.map_or_else(String::new, |user| user.0.clone())
}

/// Say whether the caller has a token.
#[mcp_tool(once = "1m")]
async fn has_token(#[mcp_tool(extension)] claims: Option<&Claims>) -> bool {
    claims.is_some()
}

#[test]
fn an_act_that_reads_its_caller_needs_a_principal() {
    for tools in [tools![send_own], tools![send_any]] {
        let found = faults(Dispatcher::builder().tools(tools).tasks(Tasks::in_memory()));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("tool `send_own`: its parameter of the type `"), "{found:?}");
        assert!(found[0].ends_with("with what identifies the caller"), "{found:?}");
    }
    for tools in [tools![send_own], tools![send_any]] {
        let builder = Dispatcher::builder().tools(tools).tasks(Tasks::in_memory());
        built(builder.principal(|extensions| extensions.get::<User>().map(|user| user.0.clone())));
    }
    // The claims of `http::Bearer` identify the caller.
    built(Dispatcher::builder().tools(tools![has_token, send_any]).tasks(Tasks::in_memory()));
}

/// A name, and labels of any name.
#[derive(Deserialize, JsonSchema)]
struct Labelled {
    name: String,
    #[serde(flatten)]
    labels: serde_json::Map<String, Value>,
}

/// File something under labels.
#[mcp_tool(once = "10m")]
async fn file(#[mcp_tool(arguments)] what: Labelled, #[mcp_tool(state)] acts: &Acts) -> String {
    acts.add();
    format!("{} {}", what.name, what.labels.len())
}

#[tokio::test(start_paused = true)]
async fn a_default_does_not_make_acts_with_other_labels_the_same() {
    let acts = Arc::<Acts>::default();
    let tool = file {}.with_argument("name", |argument| argument.with_default("note"));
    let dispatcher = built(Dispatcher::builder().tool(tool).state(Arc::clone(&acts)).tasks(Tasks::in_memory()));
    for (arguments, expected) in [
        (json!({"name": "note", "a": 1}), ("note 1", 1)),
        (json!({"a": 1}), ("note 1", 1)),
        (json!({"a": 2}), ("note 1", 2)),
        (json!({}), ("note 0", 3)),
    ] {
        let response = call(&dispatcher, "file", arguments).await;
        let text = &mcp(&response, LATEST)["content"][0]["text"];
        assert_eq!((text, acts.count()), (&Value::from(format!("{:?}", expected.0)), expected.1));
    }
}
