//! Tasks over HTTP: the routing header, and plain HTTP with `Prefer: respond-async`.

use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use mcp_tool_runtime::http::{Endpoint, Page, PlainHttp};
use mcp_tool_runtime::{Dispatcher, Tasks, json};
use serde_json::Value;
use tower::ServiceExt as _;

use super::client::modern;
use super::tools::{Log, builder};
use crate::run::built;

fn server() -> Dispatcher {
    built(builder(&Log::default()).tasks(Tasks::in_memory()))
}

async fn post(endpoint: &Endpoint, method: &str, name: Option<&str>, mut params: Value) -> (StatusCode, Value) {
    params["_meta"] = modern(&json!({"io.modelcontextprotocol/tasks": {}}));
    let mut request = Request::post("http://localhost/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = name {
        request = request.header("mcp-name", name);
    }
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let response = endpoint.clone().oneshot(request.body(message).expect("a request")).await.expect("a response");
    let status = response.status();
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    (status, serde_json::from_slice(&body).expect("JSON"))
}

#[tokio::test(start_paused = true)]
async fn k11_the_header_mcp_name_is_the_id_of_the_task() {
    let endpoint = Endpoint::new(server());
    let call = json!({"name": "wait", "arguments": {"seconds": 5}});
    let (status, answer) = post(&endpoint, "tools/call", Some("wait"), call).await;
    assert_eq!((status, &answer["result"]["resultType"]), (StatusCode::OK, &json!("task")), "{answer}");
    let id = answer["result"]["taskId"].as_str().expect("an id");
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({"taskId": id, "inputResponses": {}});
        let (status, answer) = post(&endpoint, method, Some(id), params.clone()).await;
        assert_eq!((status, &answer["result"]["resultType"]), (StatusCode::OK, &json!("complete")), "{answer}");
        let (status, _) = post(&endpoint, method, None, params.clone()).await;
        assert_eq!(status, StatusCode::OK, "FastMCP does not send it");
        let (status, answer) = post(&endpoint, method, Some("wait"), params).await;
        assert_eq!((status, &answer["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32020)), "{answer}");
        let (status, answer) = post(&endpoint, method, Some(id), json!({"taskId": null})).await;
        assert_eq!((status, &answer["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32020)), "{answer}");
        let text = answer["error"]["message"].as_str().expect("a message");
        assert!(text.ends_with("but the body has no string `taskId`"), "{text}");
        let unknown = "0".repeat(32);
        let (status, answer) = post(&endpoint, method, Some(&unknown), json!({"taskId": unknown})).await;
        assert_eq!((status, &answer["error"]["code"]), (StatusCode::OK, &json!(-32602)), "{answer}");
    }
    let (status, _) = post(&endpoint, "tasks/list", None, json!({})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

async fn ask(rest: &PlainHttp, method: Method, path: &str, prefer: Option<&str>) -> (StatusCode, HeaderMap, Value) {
    let mut request = Request::builder()
        .method(method)
        .uri(format!("http://localhost{path}"))
        .header("content-type", "application/json");
    if let Some(prefer) = prefer {
        request = request.header("prefer", HeaderValue::from_str(prefer).expect("a header"));
    }
    let body = if path == "/wait" { r#"{"seconds": 5}"# } else { "" };
    let response = rest.clone().oneshot(request.body(body.to_owned()).expect("a request")).await.expect("a response");
    let (parts, body) = response.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    (parts.status, parts.headers, serde_json::from_slice(&body).unwrap_or_default())
}

#[tokio::test(start_paused = true)]
async fn plain_http_answers_with_a_task_where_the_client_prefers_it() {
    let rest = PlainHttp::new(server());
    let (status, _, result) = ask(&rest, Method::POST, "/wait", None).await;
    assert_eq!((status, result), (StatusCode::OK, json!(5)));
    let (status, _, result) = ask(&rest, Method::POST, "/wait", Some("return=minimal")).await;
    assert_eq!((status, result), (StatusCode::OK, json!(5)));
    for prefer in ["respond-async", "return=minimal, Respond-Async; wait=1"] {
        let (status, headers, task) = ask(&rest, Method::POST, "/wait", Some(prefer)).await;
        assert_eq!((status, &task["status"]), (StatusCode::ACCEPTED, &json!("working")));
        assert_eq!(headers["preference-applied"], "respond-async");
        assert_eq!(headers["retry-after"], "1");
        let id = task["taskId"].as_str().expect("an id");
        // Relative to `/wait`.
        assert_eq!(headers["location"], format!("tasks/{id}"));
        let (status, headers, found) = ask(&rest, Method::GET, &format!("/tasks/{id}"), None).await;
        assert_eq!((status, found), (StatusCode::OK, task.clone()));
        assert_eq!(headers["retry-after"], "1");
        assert_eq!(headers["cache-control"], "no-store");
        tokio::time::sleep(std::time::Duration::from_secs(6)).await;
        let (status, headers, ended) = ask(&rest, Method::GET, &format!("/tasks/{id}"), None).await;
        assert_eq!((status, headers.get("retry-after")), (StatusCode::OK, None));
        assert_eq!((&ended["status"], &ended["result"]["structuredContent"]), (&json!("completed"), &json!(5)));
    }
    let (_, _, task) = ask(&rest, Method::POST, "/wait", Some("respond-async")).await;
    let path = format!("/tasks/{}", task["taskId"].as_str().expect("an id"));
    assert_eq!(ask(&rest, Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ask(&rest, Method::GET, &path, None).await.2["status"], "cancelled");
    let (status, headers, _) = ask(&rest, Method::POST, &path, None).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(headers["allow"], "GET, HEAD, DELETE");
    for method in [Method::GET, Method::DELETE] {
        let (status, _, problem) = ask(&rest, method, "/tasks/x", None).await;
        assert_eq!((status, &problem["detail"]), (StatusCode::NOT_FOUND, &json!("there is no such task")));
    }
    // A tool without `task`, and a server without tasks.
    assert_eq!(ask(&rest, Method::POST, "/wait_here", Some("respond-async")).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let plain = PlainHttp::new(built(builder(&Log::default())));
    assert_eq!(ask(&plain, Method::POST, "/wait", Some("respond-async")).await.0, StatusCode::OK);
    assert_eq!(ask(&plain, Method::GET, "/tasks/x", None).await.0, StatusCode::NOT_FOUND);
}

#[test]
fn the_document_of_plain_http_has_the_paths_of_tasks() {
    let document = server().openapi();
    assert!(document["paths"]["/tasks/{id}"]["get"].is_object());
    assert!(document["paths"]["/wait"]["post"]["responses"]["202"].is_object());
    assert!(document["paths"]["/wait_here"]["post"]["responses"].get("202").is_none());
    let plain = built(builder(&Log::default())).openapi();
    assert!(plain["paths"].get("/tasks/{id}").is_none() && plain["components"].get("parameters").is_none());
}

async fn ask_page(page: &Page, query: &str, headers: &[(&str, &str)], body: &str) -> (StatusCode, String) {
    let mut request = Request::post(format!("http://localhost/try?{query}")).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = page.clone().oneshot(request.body(body.to_owned()).expect("a request")).await.expect("a response");
    let status = response.status();
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    (status, String::from_utf8(body.to_vec()).expect("text"))
}

/// Calls a tool from the page, and returns the last event.
async fn call_from_page(page: &Page, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments}).to_string();
    let (status, events) = ask_page(page, "call", &[], &params).await;
    assert_eq!(status, StatusCode::OK, "{events}");
    let last = events.lines().filter_map(|line| line.strip_prefix("data: ")).next_back().expect("an event");
    serde_json::from_str(last).expect("JSON")
}

#[tokio::test(start_paused = true)]
async fn the_page_gets_a_task_reads_it_and_cancels_it() {
    let page = Page::new(server());
    let read = async |id: &str| {
        let (status, task) = ask_page(&page, &format!("task={id}"), &[], "").await;
        assert_eq!(status, StatusCode::OK);
        serde_json::from_str::<Value>(&task).expect("JSON")
    };
    let quick = call_from_page(&page, "wait", &json!({"seconds": 0})).await;
    assert_eq!((&quick["mcp"]["structuredContent"], quick.get("task")), (&json!(0), None), "{quick}");

    let task = call_from_page(&page, "wait", &json!({"seconds": 5})).await["task"].take();
    assert_eq!((&task["status"], &task["statusMessage"]), (&json!("working"), &json!("half")));
    let id = task["taskId"].as_str().expect("an id");
    assert_eq!(read(id).await, task);
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    let ended = read(id).await;
    assert_eq!((&ended["status"], &ended["result"]["structuredContent"]), (&json!("completed"), &json!(5)));

    // A tool with `task = "required"` runs as well: the page supports tasks.
    let task = call_from_page(&page, "render", &json!({})).await["task"].take();
    let id = task["taskId"].as_str().expect("an id");
    // No other page can cancel it.
    let (status, _) = ask_page(&page, &format!("cancel={id}"), &[("sec-fetch-site", "cross-site")], "").await;
    assert_eq!((status, &read(id).await["status"]), (StatusCode::FORBIDDEN, &json!("working")));
    assert_eq!(ask_page(&page, &format!("cancel={id}"), &[], "").await.0, StatusCode::NO_CONTENT);
    assert_eq!(read(id).await["status"], "cancelled");

    for query in ["task=x", "cancel=x"] {
        let (status, problem) = ask_page(&page, query, &[], "").await;
        assert!(status == StatusCode::NOT_FOUND && problem.contains("there is no such task"), "{problem}");
    }
    let unknown = call_from_page(&page, "wat", &json!({})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let wrong = call_from_page(&page, "wait", &json!({"seconds": "five"})).await;
    assert_eq!(wrong["errors"][0]["pointer"], "/seconds", "{wrong}");
}
