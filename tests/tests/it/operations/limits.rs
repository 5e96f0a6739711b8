//! How often a caller may call.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use mcp_tool_runtime::http::PlainHttp;
use mcp_tool_runtime::lint::{Client, Severity};
use mcp_tool_runtime::operations::Outcome;
use mcp_tool_runtime::{
    CallContext, CallToolRequest, Consent, Dispatcher, DispatcherBuilder, Extensions, json, mcp_tool, mcp_tools, tools,
};
use serde_json::Value;
use tower::ServiceExt as _;

use super::Records;
use crate::run::{built, faults};

/// Search.
#[mcp_tool(limit = "20/min")]
async fn search(word: String) -> String {
    word
}

/// Count.
#[mcp_tool]
async fn count() -> u8 {
    1
}

/// Search by another tool.
#[mcp_tool]
async fn relay(#[mcp_tool(context)] cx: &CallContext) -> bool {
    cx.call("search", json!({"word": "x"})).await.is_ok_and(|response| response.is_success())
}

/// Ask first.
#[mcp_tool(limit = "2/min")]
async fn careful(#[mcp_tool(ask = "Sure?")] sure: Consent) -> bool {
    let Consent { .. } = sure;
    true
}

fn builder() -> DispatcherBuilder {
    Dispatcher::builder()
        .tools(tools![search, count, relay, careful])
        .principal(|extensions: &Extensions| extensions.get::<String>().cloned())
}

fn request(tool: &str, caller: &str) -> CallToolRequest {
    CallToolRequest::new(tool, json!({"word": "x"})).with_extension(caller.to_owned())
}

async fn passes(dispatcher: &Dispatcher, request: CallToolRequest) -> bool {
    let response = dispatcher.call(request).await.expect("a response");
    let error = response.error();
    assert!(error.is_none_or(|error| error.code() == Some("limited")), "{error:?}");
    error.is_none()
}

/// The clock is that of tokio, which stands still between two steps.
#[tokio::test(start_paused = true)]
async fn exactly_the_calls_of_the_rate_pass_for_each_of_five_callers() {
    let records = Records::default();
    let dispatcher = built(records.of(builder()));
    let mut passed = [0_u32; 5];
    for step in 0..1_000_u32 {
        for (caller, passed) in passed.iter_mut().enumerate() {
            let is_let_in = passes(&dispatcher, request("search", &format!("caller {caller}"))).await;
            // Twenty at once, and one more every three seconds.
            assert_eq!(is_let_in, *passed < 20 + step / 10, "{caller} {step}");
            *passed += u32::from(is_let_in);
        }
        tokio::time::advance(Duration::from_millis(300)).await;
    }
    assert_eq!(passed, [119; 5]);
    let outcomes = records.outcomes();
    assert_eq!(outcomes.len(), 5_000);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Success).count(), 5 * 119);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Limited).count(), 5_000 - 5 * 119);
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_a_caller_counts_all_tools_and_callers_apart() {
    let dispatcher = built(builder().limit_per_caller("3/min"));
    for (tool, caller, expected) in [
        ("search", "ann", true),
        ("count", "ann", true),
        // The inner call counts for `search`, and not for the caller.
        ("relay", "ann", true),
        ("count", "ann", false),
        ("count", "bob", true),
    ] {
        let request = CallToolRequest::new(tool, if tool == "search" { json!({"word": "x"}) } else { json!({}) });
        assert_eq!(passes(&dispatcher, request.with_extension(caller.to_owned())).await, expected, "{tool} {caller}");
    }
    // Without a principal, all callers are one, and lists never count.
    for expected in [true, true, true, false] {
        assert_eq!(dispatcher.seen_by(&Extensions::new()).list().len(), 4);
        assert_eq!(passes(&dispatcher, CallToolRequest::new("count", json!({}))).await, expected);
    }
    let limited = dispatcher.call(CallToolRequest::new("count", json!({}))).await.expect("a response");
    let error = limited.error().expect("an error");
    assert_eq!(error.message(), "at most 3 calls a minute of all tools together; try again in 20 s");
    assert_eq!((error.retry_after_ms(), error.can_retry()), (Some(20_000), true));
}

#[tokio::test(start_paused = true)]
async fn a_tool_of_a_limit_of_its_own_is_limited_for_other_tools_too() {
    let dispatcher = built(builder());
    for _ in 0..20 {
        let response = dispatcher.call(CallToolRequest::new("relay", json!({}))).await.expect("a response");
        assert!(response.deserialize::<bool>().expect("a value"));
    }
    let response = dispatcher.call(CallToolRequest::new("relay", json!({}))).await.expect("a response");
    assert!(!response.deserialize::<bool>().expect("a value"));
}

#[tokio::test(start_paused = true)]
async fn plain_http_answers_with_429_before_it_looks_at_the_arguments() {
    let dispatcher = built(Dispatcher::builder().tools(tools![search]));
    let post = |body: Value| {
        let request = Request::post("http://localhost/search").header("content-type", "application/json");
        PlainHttp::new(dispatcher.clone()).oneshot(request.body(Body::from(body.to_string())).expect("a request"))
    };
    for _ in 0..20 {
        // An invalid call counts too.
        assert_eq!(post(json!({"word": 1})).await.expect("a response").status(), 422);
    }
    let response = post(json!({"word": 1})).await.expect("a response");
    assert_eq!((response.status().as_u16(), response.headers()["retry-after"].as_bytes()), (429, &b"3"[..]));
    assert!(response.headers().contains_key("mcp-tool-call-id"));
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    let problem: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(problem["code"], "limited");
    assert_eq!(problem["detail"], "at most 20 calls a minute; try again in 3 s");
}

#[tokio::test(start_paused = true)]
async fn the_rounds_of_a_question_count_once() {
    let dispatcher = built(builder());
    let meta = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
    let first = || CallToolRequest::new("careful", json!({})).with_meta(meta.as_object().expect("an object").clone());
    let asked = dispatcher.call(first()).await.expect("a response");
    let state = asked.input_required().expect("a question").state().to_owned();
    let answer = || {
        let yes = json!({"sure": {"action": "accept", "content": {"confirm": true}}});
        first().with_request_state(state.clone()).with_input_responses(yes)
    };
    assert!(passes(&dispatcher, answer()).await);
    assert!(dispatcher.call(first()).await.expect("a response").input_required().is_some());
    assert!(!passes(&dispatcher, first()).await);
    // A state that is sent again and again is limited too.
    for _ in 1..16 {
        assert!(passes(&dispatcher, answer()).await);
    }
    assert!(!passes(&dispatcher, answer()).await);
}

#[tokio::test(start_paused = true)]
async fn a_limited_call_does_not_wait_for_a_permit() {
    /// Wait.
    #[mcp_tool(limit = "1/h")]
    async fn wait() {
        std::future::pending::<()>().await;
    }
    let dispatcher = built(Dispatcher::builder().tools(tools![wait]).max_concurrency(1));
    let running = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call(CallToolRequest::new("wait", json!({}))).await.map(drop) }
    });
    tokio::task::yield_now().await;
    assert!(!passes(&dispatcher, CallToolRequest::new("wait", json!({}))).await);
    running.abort();
}

#[test]
fn a_block_limits_each_of_its_methods_and_build_refuses_what_is_no_rate() {
    struct Shelf;

    #[mcp_tools(limit = "1/day")]
    impl Shelf {
        /// Look.
        #[mcp_tool]
        async fn look(&self) -> u8 {
            1
        }

        /// Take.
        #[mcp_tool(limit = "2/day")]
        async fn take(&self) -> u8 {
            1
        }
    }

    let dispatcher = built(Dispatcher::builder().service(Arc::new(Shelf)));
    let passes = |tool| crate::run::call(&dispatcher, tool, json!({})).is_success();
    assert_eq!(
        [passes("look"), passes("look"), passes("take"), passes("take"), passes("take")],
        [true, false, true, true, false]
    );
    let message = "`limit_per_caller`: `20/m` is not a rate: write a number of calls and one of `/s`, `/min`, `/h`, `/day`, as in `20/min`";
    assert_eq!(faults(Dispatcher::builder().limit_per_caller("20/m")), [message]);
    assert_eq!(
        faults(Dispatcher::builder().merge(Dispatcher::builder().limit_per_caller("20/min"))),
        ["a merged builder sets `limit_per_caller`; set it on the builder that it is merged into"]
    );
}

/// Send a mail.
#[mcp_tool(once = "10m")]
async fn send_mail(to: String) -> String {
    to
}

#[test]
fn lint_reports_acts_that_all_callers_share() {
    let found = |builder: DispatcherBuilder| {
        let findings = built(builder.tasks(mcp_tool_runtime::Tasks::in_memory())).lint(&[Client::ClaudeApi]);
        let shared = findings.iter().filter(|finding| finding.rule == "shared-once");
        shared
            .map(|finding| (finding.tool.as_deref().unwrap_or_default().to_owned(), finding.severity))
            .collect::<Vec<_>>()
    };
    let once = || Dispatcher::builder().tools(tools![count, send_mail]);
    assert_eq!(found(once()), [("send_mail".to_owned(), Severity::Advice)]);
    assert!(found(once().principal(|_| None)).is_empty());
    assert!(found(Dispatcher::builder().tools(tools![count])).is_empty());
}

#[test]
fn lint_reports_a_limit_that_all_callers_share() {
    let found = |builder: DispatcherBuilder| {
        let findings = built(builder).lint(&[Client::ClaudeApi]);
        findings.iter().filter(|finding| finding.rule == "shared-limit").count()
    };
    assert_eq!(found(Dispatcher::builder().tools(tools![search])), 1);
    assert_eq!(found(Dispatcher::builder().tools(tools![count]).limit_per_caller("1/s")), 1);
    assert_eq!(found(Dispatcher::builder().tools(tools![count])), 0);
    assert_eq!(found(builder()), 0);
}
