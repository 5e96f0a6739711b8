//! HTTP over sockets: progress as events, clients that hang up or read slowly, and a server that goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::HeaderMap;
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{CallContext, ProtocolVersion, mcp_tool, tools};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::carry::{self, MODERN, assert_sound, endpoint, eventually, headers, post, request, send, still_serves, sum};
use crate::run::{built, exact};

fn with_token(version: ProtocolVersion, name: &str, arguments: &Value) -> Value {
    request(version, "tools/call", json!({"name": name, "arguments": arguments, "_meta": {"progressToken": "t-1"}}))
}

#[tokio::test]
async fn section_6_progress_comes_as_events_before_the_result() {
    let endpoint = endpoint();
    for version in ProtocolVersion::ALL {
        for waits in [false, true] {
            let answer = post(&endpoint, version, &with_token(version, "halves", &json!({"waits": waits}))).await;
            assert_eq!(answer.status, 200);
            assert_eq!(
                (&answer.headers["x-accel-buffering"], &answer.headers["cache-control"]),
                (&http::HeaderValue::from_static("no"), &http::HeaderValue::from_static("no-cache"),)
            );
            let events = answer.events();
            for event in &events {
                assert_sound(version, "tools/call", event);
            }
            let report =
                |params: Value| json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
            let half = json!({"progressToken": "t-1", "progress": 1.0, "total": 2.0, "message": "half"});
            let all = json!({"progressToken": "t-1", "progress": 2.0, "total": 2.0});
            assert_eq!(events[..2], [report(half), report(all)]);
            assert_eq!((events.len(), &events[2]["id"]), (3, &json!(7)));
        }
    }
}

#[tokio::test]
async fn who_does_not_ask_for_reports_or_takes_no_events_gets_a_document() {
    let endpoint = endpoint();
    let silent = request(MODERN, "tools/call", json!({"name": "halves", "arguments": {"waits": true}}));
    assert_eq!(post(&endpoint, MODERN, &silent).await.message()["result"]["structuredContent"], "done");
    // A token that is none, and a tool without reports.
    let mut odd = with_token(MODERN, "halves", &json!({}));
    odd["params"]["_meta"]["progressToken"] = json!([1]);
    assert!(post(&endpoint, MODERN, &odd).await.message().get("result").is_some());
    let quiet = with_token(MODERN, "add", &json!({"a": 2, "b": 3}));
    assert_eq!(post(&endpoint, MODERN, &quiet).await.message()["result"]["structuredContent"], 5);

    let message = with_token(MODERN, "halves", &json!({"waits": true}));
    let mut json_only: HeaderMap = headers(MODERN, &message);
    json_only.insert("accept", "application/json".parse().expect("a header"));
    assert_eq!(send(&endpoint, json_only, message.to_string()).await.message()["id"], 7);
    let endpoint = endpoint.with_event_streams(false);
    assert_eq!(post(&endpoint, MODERN, &message).await.message()["id"], 7);
}

#[tokio::test]
async fn an_event_is_one_line_of_data_whatever_a_tool_writes() {
    let endpoint = Endpoint::new(built(exact().tool(carry::spread(true)).tools(tools![carry::add])));
    let events = post(&endpoint, MODERN, &with_token(MODERN, "spread", &json!({}))).await.events();
    assert_eq!(events[0]["params"]["message"], "two\nlines");
    assert_eq!(events[1]["result"]["structuredContent"], json!({"a": [1, 2]}));
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn an_error_after_reports_ends_the_stream() {
    /// Report, then fail.
    #[mcp_tool]
    async fn fails(#[mcp_tool(context)] cx: &CallContext) -> String {
        cx.progress(1.0, None, None);
        tokio::time::sleep(Duration::from_millis(5)).await;
        panic!("a secret")
    }

    let endpoint = Endpoint::new(built(exact().tools(tools![fails, carry::add])));
    let events = post(&endpoint, MODERN, &with_token(MODERN, "fails", &json!({}))).await.events();
    assert_eq!((events.len(), &events[1]["result"]["isError"]), (2, &json!(true)));
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn a_tool_that_keeps_its_context_does_not_hold_the_stream_open() {
    #[derive(Default)]
    struct Kept(std::sync::Mutex<Option<CallContext>>);

    /// Report, and keep the handle.
    #[mcp_tool]
    async fn keep(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] kept: &Kept) -> u8 {
        *kept.0.lock().expect("a place") = Some(cx.clone());
        cx.progress(1.0, None, None);
        tokio::time::sleep(Duration::from_millis(5)).await;
        1
    }

    let endpoint = Endpoint::new(built(exact().tools(tools![keep]).state(Kept::default())));
    let message = with_token(MODERN, "keep", &json!({}));
    let answer = post(&endpoint, MODERN, &message);
    let answer = tokio::time::timeout(Duration::from_secs(5), answer).await.expect("an end");
    assert_eq!(answer.events().len(), 2);
}

/// How many calls run, and how many were dropped.
#[derive(Default)]
struct Seen {
    begun: AtomicUsize,
    dropped: AtomicUsize,
}

struct Dropped<'a>(&'a Seen);

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// Wait for ever.
#[mcp_tool]
async fn wait(reports: bool, #[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] seen: &Seen) {
    let _dropped = Dropped(seen);
    seen.begun.fetch_add(1, Ordering::SeqCst);
    if reports {
        cx.progress(1.0, None, None);
    }
    std::future::pending::<()>().await;
}

/// Report as fast as can be.
#[mcp_tool]
async fn flood(reports: u32, #[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] seen: &Seen) -> u32 {
    for report in 0..reports {
        cx.progress(report.into(), None, "x".repeat(1_000));
        tokio::task::yield_now().await;
    }
    seen.begun.fetch_add(1, Ordering::SeqCst);
    reports
}

/// A server of axum's on a port of its own; it ends with the test.
async fn bound() -> (std::net::SocketAddr, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    let dispatcher = built(exact().tools(tools![wait, flood, carry::add]).state(Arc::clone(&seen)));
    let app = axum::Router::new().route_service("/mcp", Endpoint::new(dispatcher));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, seen)
}

fn written(message: &Value, close: bool) -> String {
    let mut headers = headers(MODERN, message);
    headers.insert("connection", if close { "close" } else { "keep-alive" }.parse().expect("a header"));
    let body = message.to_string();
    let lines = headers.iter().map(|(name, value)| format!("{name}: {}\r\n", value.to_str().expect("a value")));
    format!("POST /mcp HTTP/1.1\r\n{}content-length: {}\r\n\r\n{body}", lines.collect::<String>(), body.len())
}

async fn socket_still_serves(address: std::net::SocketAddr) {
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    socket.write_all(written(&sum(MODERN), true).as_bytes()).await.expect("written");
    let mut text = String::new();
    socket.read_to_string(&mut text).await.expect("an answer");
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.contains(r#""structuredContent":5"#), "{text}");
}

#[tokio::test]
async fn section_6_a_client_that_hangs_up_cancels_its_call() {
    let (address, seen) = bound().await;
    for (round, reports) in [(1, false), (2, true)] {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        let message = with_token(MODERN, "wait", &json!({"reports": reports}));
        socket.write_all(written(&message, false).as_bytes()).await.expect("written");
        if reports {
            let mut begun = [0; 15];
            socket.read_exact(&mut begun).await.expect("the head");
            assert_eq!(&begun, b"HTTP/1.1 200 OK");
        }
        eventually("begun", || seen.begun.load(Ordering::SeqCst) == round).await;
        assert_eq!(seen.dropped.load(Ordering::SeqCst), round - 1);
        drop(socket);
        eventually("dropped", || seen.dropped.load(Ordering::SeqCst) == round).await;
        socket_still_serves(address).await;
    }
}

#[tokio::test]
async fn a_client_that_reads_slowly_holds_up_nobody_and_gets_its_result() {
    let (address, seen) = bound().await;
    let mut slow = TcpStream::connect(address).await.expect("a connection");
    let message = with_token(MODERN, "flood", &json!({"reports": 20_000}));
    slow.write_all(written(&message, true).as_bytes()).await.expect("written");
    // The call ends though nobody reads; most of its 20 MB of reports were dropped.
    eventually("ended", || seen.begun.load(Ordering::SeqCst) == 1).await;
    socket_still_serves(address).await;
    let mut text = String::new();
    slow.read_to_string(&mut text).await.expect("a stream");
    assert!(text.contains(r#""structuredContent":20000"#), "{}", text.len());
    assert!(text.len() < 16_000_000, "reports are not kept for who does not read: {}", text.len());
}

#[tokio::test]
async fn half_a_request_and_none_at_all_leave_the_server_serving() {
    let (address, _) = bound().await;
    let whole = written(&sum(MODERN), false);
    for part in [&whole[..10], &whole[..whole.len() - 10], "", "nonsense\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"] {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        socket.write_all(part.as_bytes()).await.expect("written");
        drop(socket);
        socket_still_serves(address).await;
    }
}
