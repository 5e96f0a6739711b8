//! The web page (`http::Page`), without a browser. `tests/page/page.mjs` opens it in one.

#![allow(clippy::semicolon_if_nothing_returned, reason = "tools that show what authors write")]

mod sources;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use mcp_tool_runtime::http::{Body, Page};
use mcp_tool_runtime::{CallContext, Consent, Dispatcher, ToolError, mcp_tool, tools};
use serde_json::{Map, Value, json};
use tower::ServiceExt as _;

/// The number of calls that reached a tool.
#[derive(Default)]
struct Calls(AtomicUsize);

/// Add two numbers.
#[mcp_tool(tags("math"), read_only_hint)]
async fn add(a: i64, b: i64, #[mcp_tool(state)] calls: &Calls) -> i64 {
    calls.0.fetch_add(1, Ordering::Relaxed);
    a + b
}

/// Report two steps.
#[mcp_tool]
async fn steps(#[mcp_tool(context)] cx: &CallContext) -> String {
    cx.progress(1.0, 2.0, "one".to_owned());
    tokio::task::yield_now().await;
    cx.progress(2.0, 2.0, None);
    "done".to_owned()
}

/// Delete.
#[mcp_tool(destructive_hint)]
async fn delete(id: u32, #[mcp_tool(ask = "Delete {id}?")] _sure: Consent) -> String {
    format!("{id} is deleted")
}

/// Fail.
#[mcp_tool]
async fn fail() -> Result<(), ToolError> {
    Err(ToolError::new("it is closed"))
}

/// Hold a value until the call ends.
#[mcp_tool]
async fn hold(#[mcp_tool(state)] held: &Arc<()>, #[mcp_tool(context)] cx: &CallContext) {
    let _held = Arc::clone(held);
    cx.progress(1.0, None, None);
    std::future::pending().await
}

/// Reset.
#[mcp_tool(name = "admin.reset", tags("admin"))]
async fn reset() {}

struct Setup {
    page: Page,
    calls: Arc<Calls>,
    held: Arc<()>,
}

fn setup() -> Setup {
    let (calls, held) = (Arc::new(Calls::default()), Arc::new(()));
    let dispatcher = Dispatcher::builder()
        .tools(tools![add, steps, delete, fail, hold, reset])
        .state(Arc::clone(&calls))
        .state(Arc::new(Arc::clone(&held)))
        .visible(|tool, extensions| {
            let headers = extensions.get::<HeaderMap>();
            !tool.tags().contains("admin") || headers.is_some_and(|headers| headers.contains_key("x-admin"))
        })
        .info("test", "1.2.3")
        .build()
        .expect("tools");
    Setup { page: Page::new(dispatcher).with_max_body_bytes(1_000), calls, held }
}

async fn send(page: &Page, method: Method, address: &str, headers: &[(&str, &str)], body: &str) -> Response<Body> {
    let mut request = Request::builder().method(method).uri(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    page.clone().oneshot(request.body(body.to_owned()).expect("a request")).await.expect("a response")
}

async fn text(response: Response<Body>) -> String {
    String::from_utf8(response.into_body().collect().await.expect("a body").to_bytes().to_vec()).expect("text")
}

/// Returns the events of a call.
async fn call(page: &Page, params: &Value) -> Vec<Value> {
    let response =
        send(page, Method::POST, "/?call", &[("content-type", "application/json")], &params.to_string()).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let text = text(response).await;
    text.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).expect("JSON"))
        .collect()
}

async fn overview(page: &Page, headers: &[(&str, &str)]) -> Value {
    let response = send(page, Method::POST, "/any/path?tools", headers, "").await;
    assert_eq!(response.headers()["content-type"], "application/json");
    serde_json::from_str(&text(response).await).expect("JSON")
}

#[tokio::test]
async fn the_page_is_one_document_whose_policy_allows_its_own_style_and_script_alone() {
    let Setup { page, .. } = setup();
    for address in ["/", "/try", "/try/", "/?unknown"] {
        let response = send(&page, Method::GET, address, &[], "").await;
        assert_eq!(response.status(), StatusCode::OK);
        let headers = response.headers();
        assert_eq!(headers["content-type"], "text/html; charset=utf-8");
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        let policy = headers["content-security-policy"].to_str().expect("text").to_owned();
        let directives: Vec<_> = policy.split("; ").collect();
        let hashed = directives.iter().filter(|directive| directive.contains(" 'sha256-")).count();
        assert_eq!(hashed, 2, "{policy}");
        for expected in [
            "default-src 'none'",
            "connect-src 'self'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "trusted-types 'none'",
        ] {
            assert!(directives.contains(&expected), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        let html = text(response).await;
        assert!(html.starts_with("<!doctype html>") && !html.contains(" src=") && !html.contains("@import"));
    }
}

#[tokio::test]
async fn the_document_alone_is_the_same_page_and_nothing_else() {
    let Setup { page, calls, .. } = setup();
    let document = page.document();
    let send = async |method: Method, address: &str, host: &str, body: &str| {
        let request = Request::builder().method(method).uri(address).header("host", host);
        let request = request.header("content-type", "application/json").body(body.to_owned()).expect("a request");
        document.clone().oneshot(request).await.expect("a response")
    };
    for address in ["/", "/try", "/try?tools", "/try?call"] {
        let of_page = self::send(&page, Method::GET, address, &[], "").await;
        let alone = send(Method::GET, address, "localhost", "").await;
        assert_eq!((alone.status(), alone.headers()), (StatusCode::OK, of_page.headers()));
        let (of_page, alone) = (text(of_page).await, text(alone).await);
        assert_eq!(of_page, alone);
        assert!(!alone.contains("admin.reset") && !alone.contains("1.2.3"), "the document is that of every server");
    }
    let call = r#"{"name": "add", "arguments": {"a": 1, "b": 2}}"#;
    for (method, address) in
        [(Method::POST, "/?call"), (Method::POST, "/?tools"), (Method::PUT, "/"), (Method::OPTIONS, "/")]
    {
        let response = send(method, address, "localhost", call).await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(response.headers()["allow"], "GET, HEAD");
        assert!(!text(response).await.contains("add"));
    }
    assert_eq!(calls.0.load(Ordering::Relaxed), 0);
    assert_eq!(send(Method::GET, "/", "evil.example", "").await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_overview_has_what_the_caller_sees_with_findings_and_sizes() {
    let Setup { page, .. } = setup();
    let names = |overview: &Value| -> Vec<String> {
        let tools = overview["tools"].as_array().expect("tools");
        tools.iter().map(|tool| tool["definition"]["name"].as_str().expect("a name").to_owned()).collect()
    };
    let public = overview(&page, &[]).await;
    assert_eq!(names(&public), ["add", "steps", "delete", "fail", "hold"]);
    assert_eq!(public["server"], json!({"name": "test", "version": "1.2.3"}));
    let add = &public["tools"][0];
    assert_eq!((&add["tags"], &add["definition"]["annotations"]["readOnlyHint"]), (&json!(["math"]), &json!(true)));
    let size = |key: &str| add["cost"][key].as_u64().expect("a size");
    assert!(size("bytes") > size("description") + size("input_schema"));
    assert_eq!(public["tools"][2]["questions"][0]["consent"], true);
    // The findings about a hidden tool would name it.
    assert!(!public.to_string().contains("admin.reset"));
    let all = overview(&page, &[("x-admin", "1")]).await;
    assert_eq!(names(&all).last().expect("a tool"), "admin.reset");
    let finding = all["findings"].as_array().expect("findings").iter().find(|finding| finding["rule"] == "tool-name");
    assert_eq!(finding.expect("a finding about the dot")["tool"], "admin.reset");
}

#[tokio::test]
async fn a_call_has_one_result_in_each_protocol() {
    let Setup { page, calls, .. } = setup();
    let events = call(&page, &json!({"name": "add", "arguments": {"a": 2, "b": 3}})).await;
    let [event] = &*events else { panic!("{events:?}") };
    assert_eq!(event["mcp"]["structuredContent"], 5);
    assert_eq!(event["mcp_legacy"]["structuredContent"], json!({"result": 5}));
    assert_eq!((&event["otc"]["value"], &event["otc"]["success"]), (&json!(5), &json!(true)));
    assert_eq!(calls.0.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn progress_comes_before_the_result() {
    let events = call(&setup().page, &json!({"name": "steps"})).await;
    assert_eq!(events[0], json!({"progress": {"done": 1.0, "total": 2.0, "message": "one"}}));
    assert_eq!(events[1]["progress"]["message"], Value::Null);
    assert_eq!((events.len(), &events[2]["otc"]["value"]), (3, &json!("done")));
}

#[tokio::test]
async fn errors_of_arguments_point_to_them() {
    let events = call(&setup().page, &json!({"name": "add", "arguments": {"a": "two", "c": 1}})).await;
    let errors = events[0]["errors"].as_array().expect("errors");
    let mut pointers: Vec<_> = errors.iter().map(|error| error["pointer"].as_str().expect("a pointer")).collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/a", "/b", "/c"]);
    let events = call(&setup().page, &json!({"name": "fail"})).await;
    assert_eq!(events[0]["otc"]["error"]["message"], "it is closed");
}

#[tokio::test]
async fn an_event_is_bounded_by_the_answers_in_it() {
    /// Quote.
    #[mcp_tool]
    async fn quote(count: usize) -> BTreeMap<String, String> {
        BTreeMap::from([("quotes".to_owned(), "\"".repeat(count))])
    }
    let dispatcher = Dispatcher::builder().tools(tools![quote]).max_result_bytes(100_000).build().expect("a tool");
    let page = Page::new(dispatcher);
    let length = async |params: Value| {
        let events = call(&page, &params).await;
        assert_eq!(events.len(), 1);
        (events[0].to_string().len(), events[0]["otc"]["success"].clone())
    };
    // A quote is two bytes of the value, and four of the text in which the value is written.
    let (largest, success) = length(json!({"name": "quote", "arguments": {"count": 49_990}})).await;
    assert!(success == true && (600_000..702_000).contains(&largest), "{largest}");
    let (refused, success) = length(json!({"name": "quote", "arguments": {"count": 50_000}})).await;
    assert!(success == false && refused < 2_000, "{refused}");
    let unknown: Map<_, _> = (0..500).map(|index| (format!("{index}{}", "\"".repeat(500)), json!(1))).collect();
    let (invalid, success) = length(json!({"name": "quote", "arguments": unknown})).await;
    assert!(success == false && (16_000..4 * 16_384).contains(&invalid), "{invalid}");
}

#[tokio::test]
async fn an_unknown_and_a_hidden_tool_are_the_same_error() {
    let page = setup().page;
    for name in ["nothing", "admin.reset"] {
        let events = call(&page, &json!({"name": name, "arguments": {"a": "two"}})).await;
        assert_eq!(events[0]["error"]["code"], -32602);
        assert!(
            events[0]["error"]["message"].as_str().expect("a message").starts_with(&format!("unknown tool `{name}`"))
        );
    }
}

#[tokio::test]
async fn a_question_is_answered_in_a_second_request() {
    let page = setup().page;
    let capabilities = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}});
    let first = json!({"name": "delete", "arguments": {"id": 7}, "_meta": capabilities});
    let events = call(&page, &first).await;
    assert_eq!(events[0]["mcp"]["resultType"], "input_required");
    let mut again = first;
    again["requestState"] = events[0]["mcp"]["requestState"].clone();
    again["inputResponses"] = json!({"sure": {"action": "accept", "content": {"confirm": true}}});
    let events = call(&page, &again).await;
    assert_eq!(events[0]["otc"]["value"], "7 is deleted");
}

#[tokio::test]
async fn a_closed_page_cancels_its_call() {
    let Setup { page, held, .. } = setup();
    let before = Arc::strong_count(&held);
    let body = json!({"name": "hold"}).to_string();
    let response = send(&page, Method::POST, "/?call", &[("content-type", "application/json")], &body).await;
    let mut body = response.into_body();
    body.frame().await.expect("progress").expect("a frame");
    assert_eq!(Arc::strong_count(&held), before + 1);
    drop(body);
    while Arc::strong_count(&held) > before {
        tokio::task::yield_now().await;
    }
}
