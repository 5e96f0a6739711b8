//! The tools over plain HTTP (`http::PlainHttp`), and their `OpenAPI` document.

#![allow(clippy::semicolon_if_nothing_returned, reason = "tools and doubles that show what authors write")]

mod openapi;
mod scopes;

use std::collections::BTreeMap;
use std::time::Duration;

use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use mcp_tool_runtime::{
    Answer, CallId, Consent, Dispatcher, DispatcherBuilder, ExactCalls, Image, Text, ToolError, http::PlainHttp,
    mcp_tool, tools,
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

/// Add two numbers.
#[mcp_tool(name = "math.add")]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Search.
#[mcp_tool]
async fn search(filter: BTreeMap<String, Vec<u8>>) -> usize {
    filter.len()
}

/// Nothing.
#[mcp_tool]
async fn nothing() {}

/// A note.
#[mcp_tool]
async fn note() -> Text {
    Text::new("noted")
}

/// A picture.
#[mcp_tool]
async fn picture() -> Vec<mcp_tool_runtime::Content> {
    vec![Text::new("a cat").into(), Image::new(b"\x89PNG", "image/png").into()]
}

/// Fail in words.
#[mcp_tool]
async fn fail() -> Result<(), ToolError> {
    Err(ToolError::new("it is closed").with_code("closed").with_additional_prompt_content("try tomorrow"))
}

/// Fail for now.
#[mcp_tool]
async fn busy() -> Result<(), ToolError> {
    Err(ToolError::new("busy").with_retry_after(Duration::from_millis(1_001)))
}

/// Fail inside.
#[mcp_tool]
async fn break_down() -> Result<(), std::io::Error> {
    Err(std::io::Error::other("10.0.0.7 refused"))
}

/// Fall over.
#[mcp_tool]
async fn panic_now() -> u8 {
    panic!("out of cheese")
}

/// Wait for ever.
#[mcp_tool(timeout = "50ms")]
async fn wait() {
    std::future::pending().await
}

/// Reset.
#[mcp_tool(tags("admin"))]
async fn reset() {}

/// Erase a note.
#[mcp_tool]
async fn erase(id: u32, #[mcp_tool(ask = "Erase note {id} for good?")] _sure: Consent) -> u32 {
    id
}

/// Book a table, by a window if nobody says where.
#[mcp_tool]
async fn book(#[mcp_tool(ask = "At which table?")] table: Answer<String>) -> String {
    match table {
        Answer::Given(table) => table,
        _ => "by a window".to_owned(),
    }
}

const NO_PATH: &str = "there is nothing at this path: a tool is called at `/{name}`, without a slash after it";

fn builder() -> DispatcherBuilder {
    Dispatcher::builder()
        .tools(tools![add, search, nothing, note, picture, fail, busy, break_down, panic_now, wait, reset, erase, book])
        .visible(|tool, extensions| {
            let headers = extensions.get::<http::HeaderMap>();
            !tool.tags().contains("admin") || headers.is_some_and(|headers| headers.contains_key("x-admin"))
        })
        .max_argument_bytes(2_000)
        .exact_calls(ExactCalls::new(CallId::new("call-1").expect("an id"), Duration::ZERO))
        .info("test", "1.2.3")
}

fn rest() -> PlainHttp {
    PlainHttp::new(builder().build().expect("tools"))
}

async fn send(rest: PlainHttp, request: Request<String>) -> (StatusCode, http::HeaderMap, Value) {
    let response = rest.oneshot(request).await.expect("never fails");
    let (parts, body) = response.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    (parts.status, parts.headers, serde_json::from_slice(&body).expect("JSON"))
}

async fn post(name: &str, body: &str) -> (StatusCode, http::HeaderMap, Value) {
    let request = Request::post(format!("http://localhost/{name}")).header("content-type", "application/json");
    send(rest(), request.body(body.to_owned()).expect("a request")).await
}

#[tokio::test]
async fn a_call_gives_the_value_and_says_its_id_and_duration() {
    for (name, body, expected) in [
        ("math.add", r#"{"a": 2, "b": 3}"#, json!(5)),
        ("search", r#"{"filter": {}}"#, json!(0)),
        ("nothing", "{}", json!(null)),
        ("note", "{}", json!("noted")),
        (
            "picture",
            "{}",
            json!([{"type": "text", "text": "a cat"}, {"type": "image", "data": "iVBORw==", "mimeType": "image/png"}]),
        ),
    ] {
        let (status, headers, value) = post(name, body).await;
        assert_eq!((status, value), (StatusCode::OK, expected), "{name}");
        assert_eq!(headers["content-type"], "application/json");
        assert_eq!(headers["server-timing"], "tool;dur=0");
        assert_eq!(headers["mcp-tool-call-id"], "call-1");
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_is_a_problem_with_a_status_of_its_own() {
    let problem = |status: u16, title: &str, detail: &Value| json!({"type": "about:blank", "title": title, "status": status, "detail": detail});
    for (name, body, status, title, detail) in [
        ("math.add", "{", 400, "Bad Request", "the body is not valid JSON: "),
        ("math.ad", "{}", 404, "Not Found", "unknown tool "),
        ("reset", "{}", 404, "Not Found", "unknown tool "),
        ("math.add/", "{}", 404, "Not Found", NO_PATH),
        ("panic_now", "{}", 500, "Internal Server Error", "internal error in tool "),
        ("wait", "{}", 504, "Gateway Timeout", "tool `wait` timed out "),
    ] {
        let (found, headers, value) = post(name, body).await;
        assert_eq!(headers["content-type"], "application/problem+json");
        assert!(value["detail"].as_str().is_some_and(|text| text.starts_with(detail)), "{value}");
        assert_eq!((found.as_u16(), &value), (status, &problem(status, title, &value["detail"])), "{name}");
    }
    let (status, _, value) = post("fail", "{}").await;
    assert_eq!(status, 400);
    assert_eq!((&value["detail"], &value["code"]), (&json!("it is closed"), &json!("closed")));
    assert_eq!(value["additional_prompt_content"], "try tomorrow");
    let (status, headers, value) = post("busy", "{}").await;
    assert_eq!(
        (status.as_u16(), &headers["retry-after"], &value["can_retry"]),
        (503, &"2".parse().expect("a value"), &json!(true))
    );
    let (status, headers, value) = post("break_down", "{}").await;
    assert_eq!(status, 500);
    let text = value.to_string();
    assert!(!text.contains("10.0.0.7"), "{text}");
    assert!(text.contains(headers["mcp-tool-call-id"].to_str().expect("an id")), "{text}");
}

#[tokio::test]
async fn a_question_that_needs_a_person_is_a_conflict() {
    let (status, headers, value) = post("erase", r#"{"id": 7}"#).await;
    assert_eq!(
        (status.as_u16(), &headers["content-type"]),
        (409, &"application/problem+json".parse().expect("a value"))
    );
    assert_eq!((&value["status"], &value["title"]), (&json!(409), &json!("Conflict")));
    assert_eq!(value["code"], "unavailable", "{value}");
    assert!(value["detail"].as_str().is_some_and(|detail| detail.contains("Erase note 7 for good?")), "{value}");
    // Bad arguments come first: no person can help.
    assert_eq!(post("erase", r#"{"id": "x"}"#).await.0, 422);
    // The answer is no argument: a caller cannot give it instead of the person.
    assert_eq!(post("erase", r#"{"id": 7, "sure": {}}"#).await.0, 422);
    // A tool that can do without an answer is called.
    let (status, _, value) = post("book", "{}").await;
    assert_eq!((status.as_u16(), value), (200, json!("by a window")));
}

#[tokio::test]
async fn every_invalid_argument_has_a_pointer() {
    let (status, _, value) = post("search", r#"{"filter": {"a/b": [1, "x", 300]}, "filtr": 1}"#).await;
    assert_eq!(status, 422);
    let mut pointers: Vec<_> = value["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| error["pointer"].as_str().expect("a pointer"))
        .collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["#/filter/a~1b/1", "#/filter/a~1b/2", "#/filtr"], "{value}");
    // RFC 6901, section 6: a pointer in a URI fragment is percent-encoded.
    let (_, _, value) = post("search", r#"{"filter": {"a b%\"é^?:@": 1}}"#).await;
    assert_eq!(value["errors"][0]["pointer"], "#/filter/a%20b%25%22%C3%A9%5E?:@", "{value}");
    for body in ["[]", r#"{"a": 1, "a": 2, "b": 3}"#] {
        assert_eq!(post("math.add", body).await.0, 422, "{body}");
    }
    assert_eq!(post("math.add", &format!(r#"{{"a": 1{}}}"#, " ".repeat(3_000))).await.0, 413);
}

/// The table of the guide `plain_http`.
#[tokio::test]
async fn paths_are_exact() {
    for (method, path, status, allow) in [
        ("GET", "/", 200, ""),
        ("HEAD", "/", 200, ""),
        ("POST", "/", 405, "GET, HEAD"),
        ("GET", "/openapi.json", 200, ""),
        ("POST", "/openapi.json", 405, "GET, HEAD"),
        ("POST", "/math.add", 200, ""),
        ("POST", "/math.add?a=1", 200, ""),
        ("POST", "/math%2Eadd", 200, ""),
        ("GET", "/math.add", 405, "POST"),
        ("OPTIONS", "/math.add", 405, "POST"),
        ("BREW", "/math.add", 405, "POST"),
        ("POST", "/math%252Eadd", 404, ""),
        ("POST", "/math%add", 404, ""),
        ("POST", "/Math.add", 404, ""),
        ("POST", "/math.add/", 404, ""),
        ("POST", "//math.add", 404, ""),
        ("POST", "/x/math.add", 404, ""),
        ("POST", "/x%2Fmath.add", 404, ""),
        ("GET", "/x/openapi.json", 404, ""),
        ("GET", "/x/", 404, ""),
        ("GET", "/nothing-like-this", 404, ""),
        ("GET", "/reset", 404, ""),
        ("POST", "/reset", 404, ""),
    ] {
        let request = Request::builder().method(method).uri(format!("http://localhost{path}"));
        let request = request.header("content-type", "application/json").body(r#"{"a": 2, "b": 3}"#.to_owned());
        let (found, headers, _) = send(rest(), request.expect("a request")).await;
        let allowed = headers.get("allow").map_or("", |value| value.to_str().expect("a text"));
        assert_eq!((found.as_u16(), allowed), (status, allow), "{method} {path}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{method} {path}");
    }
}

#[tokio::test]
async fn an_encoded_body_is_refused() {
    for (coding, status) in [("gzip", 415), ("identity, gzip", 415), ("Identity", 200)] {
        let request = Request::post("http://localhost/math.add").header("content-type", "application/json");
        let request = request.header("content-encoding", coding).body(r#"{"a": 2, "b": 3}"#.to_owned());
        let (found, headers, _) = send(rest(), request.expect("a request")).await;
        assert_eq!(found.as_u16(), status, "{coding}");
        assert_eq!(headers.contains_key("accept-encoding"), status == 415, "{coding}");
    }
}

#[tokio::test]
async fn a_body_over_either_limit_is_too_large() {
    let call = async |rest: PlainHttp, spaces: usize| {
        let request = Request::post("http://localhost/math.add").header("content-type", "application/json");
        let body = format!(r#"{{"a": 2, "b": 3{}}}"#, " ".repeat(spaces));
        send(rest, request.body(body).expect("a request")).await.0.as_u16()
    };
    // The limit of arguments is 2,000 bytes.
    assert_eq!(call(rest(), 1_980).await, 200);
    assert_eq!(call(rest(), 1_990).await, 413);
    assert_eq!(call(rest().with_max_body_bytes(10_000), 1_990).await, 413);
    assert_eq!(call(rest().with_max_body_bytes(100), 100).await, 413);
}

#[tokio::test]
async fn an_empty_body_has_no_arguments() {
    for body in ["", " \n"] {
        let (status, _, value) = post("nothing", body).await;
        assert_eq!((status.as_u16(), value), (200, json!(null)), "{body:?}");
        let (status, _, value) = post("math.add", body).await;
        assert_eq!(status, 422, "{body:?}");
        assert!(value["detail"].as_str().is_some_and(|text| text.starts_with("invalid arguments:\n")), "{value}");
    }
    // As the schema in the `OpenAPI` document says, the body is an object.
    for (body, got) in [("null", "null"), ("[]", "an array"), ("5", "an integer")] {
        let (status, _, value) = post("nothing", body).await;
        assert_eq!(status, 422, "{body}");
        assert!(value["detail"].as_str().is_some_and(|text| text.ends_with(got)), "{body}: {value}");
    }
}

#[tokio::test]
async fn lists_are_read_with_get_or_head_alone() {
    for path in ["", "openapi.json"] {
        let send_with = async |method: Method| {
            let request = Request::builder().method(method).uri(format!("http://localhost/{path}"));
            send(rest(), request.body(String::new()).expect("a request")).await
        };
        for method in [Method::GET, Method::HEAD] {
            assert_eq!(send_with(method).await.0, 200, "{path}");
        }
        for method in [Method::PUT, Method::OPTIONS, Method::POST] {
            let (status, headers, value) = send_with(method).await;
            assert_eq!((status.as_u16(), &headers["allow"]), (405, &"GET, HEAD".parse().expect("a value")));
            assert!(value["detail"].as_str().expect("a text").ends_with(" with GET"), "{value}");
        }
    }
}

#[tokio::test]
async fn nothing_is_called_by_get_or_by_a_form() {
    for method in [Method::GET, Method::PUT, Method::DELETE, Method::OPTIONS, Method::HEAD] {
        let request = Request::builder().method(&method).uri("http://localhost/math.add").body(String::new());
        let (status, headers, _) = send(rest(), request.expect("a request")).await;
        assert_eq!((status.as_u16(), &headers["allow"]), (405, &"POST".parse().expect("a value")), "{method}");
    }
    for media_type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let request = Request::post("http://localhost/nothing").header("content-type", media_type);
        let (status, _, _) = send(rest(), request.body("{}".to_owned()).expect("a request")).await;
        assert_eq!(status, 415, "{media_type}");
    }
    let request = Request::post("http://localhost/nothing").body("{}".to_owned());
    assert_eq!(send(rest(), request.expect("a request")).await.0, 415);
}

#[tokio::test]
async fn hosts_and_origins_are_checked_before_everything_else() {
    for (name, value) in [("host", "evil.example"), ("origin", "https://evil.example"), ("origin", "null")] {
        for (method, path) in [(Method::GET, ""), (Method::GET, "openapi.json"), (Method::POST, "nothing")] {
            let request =
                Request::builder().method(method).uri(format!("/{path}")).header("content-type", "application/json");
            let request = request.header(name, value).body("{}".to_owned()).expect("a request");
            let (status, headers, _) = send(rest(), request).await;
            assert_eq!(
                (status.as_u16(), &headers["content-type"]),
                (403, &"application/problem+json".parse().expect("a value"))
            );
        }
    }
    let allowed = rest().with_allowed_hosts(["api.example"]).with_allowed_origins(["https://app.example"]);
    let request = Request::post("/nothing").header("host", "api.example").header("origin", "https://app.example");
    let request = request.header("content-type", "application/json").body("{}".to_owned()).expect("a request");
    assert_eq!(send(allowed, request).await.0, 200);
}

#[tokio::test]
async fn the_list_and_the_document_have_what_the_caller_sees() {
    let get = async |path: &str, admin: bool| {
        let request = Request::get(format!("http://localhost/{path}"));
        let request = if admin { request.header("x-admin", "1") } else { request };
        send(rest(), request.body(String::new()).expect("a request")).await.2
    };
    let names = |list: &Value| {
        list["tools"].as_array().expect("tools").iter().map(|tool| tool["name"].clone()).collect::<Vec<_>>()
    };
    let list = get("", false).await;
    assert_eq!(list.as_object().expect("an object").len(), 1);
    assert_eq!(list["tools"][0]["outputSchema"]["type"], "integer", "not wrapped");
    assert!(!names(&list).contains(&json!("reset")));
    assert!(names(&get("", true).await).contains(&json!("reset")));
    let document = get("openapi.json", false).await;
    assert_eq!(document["info"], json!({"title": "test", "version": "1.2.3"}));
    assert_eq!(document["servers"], json!([{"url": "."}]), "the paths begin beside the document");
    let with_texts = PlainHttp::new(builder().title("The test").instructions("Add first.").build().expect("tools"));
    let request = Request::get("http://localhost/openapi.json").body(String::new()).expect("a request");
    let info = send(with_texts, request).await.2["info"].take();
    assert_eq!(info, json!({"title": "The test", "version": "1.2.3", "description": "Add first."}));
    assert!(document["paths"].get("/reset").is_none());
    assert!(get("openapi.json", true).await["paths"].get("/reset").is_some());
    let request =
        Request::post("http://localhost/reset").header("x-admin", "1").header("content-type", "application/json");
    assert_eq!(send(rest(), request.body("{}".to_owned()).expect("a request")).await.0, 200);
}
