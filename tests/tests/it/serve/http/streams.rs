//! Progress as an event stream, and HTTP clients over sockets that hang up, read slowly or send half a request.

use std::sync::Arc;

use http::HeaderMap;
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{CallContext, ProtocolVersion, mcp_tool, tools};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::run::{built, exact, pause};
use crate::wait::{RunningCalls, within_a_minute};
use crate::wire::{self, MODERN, assert_sound, endpoint, headers, post, request, send, still_serves, sum};

fn with_token(version: ProtocolVersion, name: &str, arguments: &Value) -> Value {
    request(version, "tools/call", json!({"name": name, "arguments": arguments, "_meta": {"progressToken": "t-1"}}))
}

#[tokio::test]
async fn section_6_progress_is_sent_as_events_before_the_result() {
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
async fn without_a_progress_token_or_event_streams_the_answer_is_one_document() {
    let endpoint = endpoint();
    let silent = request(MODERN, "tools/call", json!({"name": "halves", "arguments": {"waits": true}}));
    assert_eq!(post(&endpoint, MODERN, &silent).await.message()["result"]["structuredContent"], "done");
    // Invalid tokens, a token that every report would repeat, and a tool that reports nothing.
    for token in [json!([1]), json!("t".repeat(2_000))] {
        let mut invalid = with_token(MODERN, "halves", &json!({}));
        invalid["params"]["_meta"]["progressToken"] = token;
        assert!(post(&endpoint, MODERN, &invalid).await.message().get("result").is_some());
    }
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
async fn an_event_is_one_line_even_if_a_tool_returns_line_breaks() {
    let endpoint = Endpoint::new(built(exact().tool(wire::spread(true)).tools(tools![wire::add])));
    let events = post(&endpoint, MODERN, &with_token(MODERN, "spread", &json!({}))).await.events();
    assert_eq!(events[0]["params"]["message"], "two\nlines");
    assert_eq!(events[1]["result"]["structuredContent"], json!({"a": [1, 2]}));
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn an_error_after_progress_ends_the_stream() {
    /// Report, then fail.
    #[mcp_tool]
    async fn fails(#[mcp_tool(context)] cx: &CallContext) -> String {
        cx.progress(1.0, None, None);
        pause().await;
        panic!("a secret")
    }

    let endpoint = Endpoint::new(built(exact().tools(tools![fails, wire::add])));
    let events = post(&endpoint, MODERN, &with_token(MODERN, "fails", &json!({}))).await.events();
    assert_eq!((events.len(), &events[1]["result"]["isError"]), (2, &json!(true)));
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn a_tool_that_keeps_its_context_does_not_keep_the_stream_open() {
    #[derive(Default)]
    struct SavedContext(std::sync::Mutex<Option<CallContext>>);

    /// Report, and keep the context.
    #[mcp_tool]
    async fn keep(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] saved: &SavedContext) -> u8 {
        *saved.0.lock().expect("a lock") = Some(cx.clone());
        cx.progress(1.0, None, None);
        pause().await;
        1
    }

    let endpoint = Endpoint::new(built(exact().tools(tools![keep]).state(SavedContext::default())));
    let message = with_token(MODERN, "keep", &json!({}));
    let answer = post(&endpoint, MODERN, &message);
    let answer = within_a_minute(answer).await;
    assert_eq!(answer.events().len(), 2);
}

/// Wait for ever, after a report if that is asked for.
#[mcp_tool]
async fn wait(reports: bool, #[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] calls: &RunningCalls) {
    let _running = calls.start();
    if reports {
        cx.progress(1.0, None, None);
    }
    std::future::pending::<()>().await;
}

/// Report progress as fast as possible.
#[mcp_tool]
async fn flood(reports: u32, #[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] calls: &RunningCalls) -> u32 {
    let _running = calls.start();
    for report in 0..reports {
        cx.progress(report, None, "x".repeat(1_000));
        tokio::task::yield_now().await;
    }
    reports
}

/// Starts an axum server on a free port, and returns the counts of the calls of `wait` and `flood`. It ends with the test.
async fn start_server() -> (std::net::SocketAddr, Arc<RunningCalls>) {
    let calls = Arc::new(RunningCalls::default());
    let dispatcher = built(exact().tools(tools![wait, flood, wire::add]).state(Arc::clone(&calls)));
    let app = axum::Router::new().route_service("/mcp", Endpoint::new(dispatcher));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, calls)
}

/// The bytes of an HTTP request.
fn http_request(message: &Value, close: bool) -> String {
    let mut headers = headers(MODERN, message);
    headers.insert("connection", if close { "close" } else { "keep-alive" }.parse().expect("a header"));
    let body = message.to_string();
    let lines = headers.iter().map(|(name, value)| format!("{name}: {}\r\n", value.to_str().expect("a value")));
    format!("POST /mcp HTTP/1.1\r\n{}content-length: {}\r\n\r\n{body}", lines.collect::<String>(), body.len())
}

async fn socket_still_serves(address: std::net::SocketAddr) {
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    socket.write_all(http_request(&sum(MODERN), true).as_bytes()).await.expect("a write");
    let mut text = String::new();
    socket.read_to_string(&mut text).await.expect("an answer");
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.contains(r#""structuredContent":5"#), "{text}");
}

/// A client that writes its whole request before it reads would otherwise find a closed connection, and no answer.
#[tokio::test]
async fn a_client_that_sends_a_long_body_reads_the_refusal() {
    let (address, _) = start_server().await;
    for length in [5, 15] {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        let message = with_token(MODERN, "wait", &json!({"text": "x".repeat(length << 20)}));
        socket.write_all(http_request(&message, true).as_bytes()).await.expect("a write");
        let mut text = String::new();
        socket.read_to_string(&mut text).await.expect("an answer");
        assert!(text.starts_with("HTTP/1.1 413 ") && text.contains("the body has more than 4194304 bytes"), "{text}");
    }
}

#[tokio::test]
async fn section_6_closing_the_connection_cancels_the_call() {
    let (address, calls) = start_server().await;
    for (round, reports) in [(1, false), (2, true)] {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        let message = with_token(MODERN, "wait", &json!({"reports": reports}));
        socket.write_all(http_request(&message, false).as_bytes()).await.expect("a write");
        if reports {
            let mut head = [0; 15];
            socket.read_exact(&mut head).await.expect("the status line");
            assert_eq!(&head, b"HTTP/1.1 200 OK");
        }
        calls.wait_until(|counts| counts.started == round && counts.running == 1).await;
        drop(socket);
        calls.wait_for(0).await;
        socket_still_serves(address).await;
    }
}

#[tokio::test]
async fn a_slow_reader_gets_its_result_and_blocks_nobody_else() {
    let (address, calls) = start_server().await;
    let mut slow = TcpStream::connect(address).await.expect("a connection");
    let message = with_token(MODERN, "flood", &json!({"reports": 20_000}));
    slow.write_all(http_request(&message, true).as_bytes()).await.expect("a write");
    // The call ends although nobody reads. Most of its 20 MB of reports are dropped.
    calls.wait_until(|counts| counts.started == 1 && counts.running == 0).await;
    socket_still_serves(address).await;
    let mut text = String::new();
    slow.read_to_string(&mut text).await.expect("a stream");
    assert!(text.contains(r#""structuredContent":20000"#), "{}", text.len());
    assert!(text.len() < 16_000_000, "reports must not pile up for a slow reader: {}", text.len());
}

#[tokio::test]
async fn a_connection_that_closes_early_does_not_harm_the_server() {
    let (address, _) = start_server().await;
    let whole = http_request(&sum(MODERN), false);
    for part in [&whole[..10], &whole[..whole.len() - 10], "", "nonsense\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"] {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        socket.write_all(part.as_bytes()).await.expect("a write");
        drop(socket);
        socket_still_serves(address).await;
    }
}
