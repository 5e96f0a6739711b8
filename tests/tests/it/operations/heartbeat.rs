//! Calls whose tools report nothing for a while.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{
    CallContext, CallToolRequest, Dispatcher, Tasks, json, mcp_tool, mcp_tools, serde_json, stdio, tools,
};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::time::sleep;
use tower::ServiceExt as _;

use crate::run::{built, faults};
use crate::wait::within_a_minute;

/// Work for ten seconds, and say nothing.
#[mcp_tool(heartbeat = "3s")]
async fn silent() {
    sleep(Duration::from_secs(10)).await;
}

/// Work, and report some of it.
#[mcp_tool(heartbeat = "3s")]
async fn half(#[mcp_tool(context)] cx: &CallContext) {
    sleep(Duration::from_secs(4)).await;
    cx.progress(0.0, 2.0, "begun");
    sleep(Duration::from_secs(2)).await;
    cx.progress(1.0, 2.0, "half");
    sleep(Duration::from_secs(7)).await;
    cx.progress(2.0, 2.0, "done");
    sleep(Duration::from_secs(4)).await;
}

/// Work without a heartbeat of its own.
#[mcp_tool]
async fn plain() {
    sleep(Duration::from_secs(10)).await;
}

fn dispatcher() -> Dispatcher {
    built(Dispatcher::builder().tools(tools![silent, half, plain]))
}

/// Returns the reports of a call, with the seconds after which each came.
async fn reports(dispatcher: &Dispatcher, tool: &str) -> Vec<(u64, f64, Option<f64>, String)> {
    let (started, seen) = (tokio::time::Instant::now(), Arc::<Mutex<Vec<_>>>::default());
    let sink = Arc::clone(&seen);
    let request = CallToolRequest::new(tool, json!({})).with_progress(move |report| {
        let message = report.message.clone().unwrap_or_default();
        let after = started.elapsed().as_secs();
        sink.lock().expect("no panic").push((after, report.done, report.total, message));
    });
    dispatcher.call(request).await.expect("a response");
    std::mem::take(&mut *seen.lock().expect("no panic"))
}

#[tokio::test(start_paused = true)]
async fn a_silent_call_says_that_it_still_runs_and_no_value_reaches_a_total() {
    let dispatcher = dispatcher();
    let still = |seconds: u64| format!("still running, {seconds} s");
    assert_eq!(
        reports(&dispatcher, "silent").await,
        [(3, 0.0, None, still(3)), (6, 0.001, None, still(6)), (9, 0.002, None, still(9))]
    );
    let seen = reports(&dispatcher, "half").await;
    assert_eq!(
        seen,
        [
            (3, 0.0, None, still(3)),
            // What the tool says is never lost.
            (4, 0.001, Some(2.0), "begun".to_owned()),
            (6, 1.0, Some(2.0), "half".to_owned()),
            (9, 1.001, Some(2.0), still(9)),
            (12, 1.002, Some(2.0), still(12)),
            (13, 2.0, Some(2.0), "done".to_owned()),
            (16, 2.001, None, still(16)),
        ]
    );
    assert!(
        seen.iter()
            .filter(|report| report.3.starts_with("still"))
            .all(|report| report.2.is_none_or(|total| report.1 < total))
    );
    assert!(seen.windows(2).all(|pair| pair[0].1 < pair[1].1));
    assert!(reports(&dispatcher, "plain").await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_builder_and_a_block_set_it_for_all_and_a_call_that_waits_for_a_permit_reports_too() {
    struct Shelf;

    #[mcp_tools(heartbeat = "4s")]
    impl Shelf {
        /// Look.
        #[mcp_tool]
        async fn look(&self) {
            sleep(Duration::from_secs(10)).await;
        }
    }

    let builder = Dispatcher::builder().tools(tools![plain, silent]).service(Shelf).max_concurrency(1);
    let dispatcher = built(builder.heartbeat(Duration::from_secs(5)));
    let times =
        |reports: Vec<(u64, f64, Option<f64>, String)>| reports.iter().map(|report| report.0).collect::<Vec<_>>();
    assert_eq!(times(reports(&dispatcher, "plain").await), [5]);
    assert_eq!(times(reports(&dispatcher, "look").await), [4, 8]);
    let (first, second) = tokio::join!(reports(&dispatcher, "plain"), reports(&dispatcher, "look"));
    assert_eq!((times(first), times(second)), (vec![5], vec![4, 8, 12, 16]));
    let zero = faults(Dispatcher::builder().heartbeat(Duration::ZERO));
    assert_eq!(zero, ["`heartbeat` of zero would never pause; write a longer time"]);
}

fn call(id: u32, tool: &str, token: Option<&str>) -> Value {
    let mut params = json!({"name": tool});
    if let Some(token) = token {
        params["_meta"] = json!({"progressToken": token});
    }
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

#[tokio::test(start_paused = true)]
async fn over_stdio_only_a_call_with_a_token_reports() {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(far);
    tokio::spawn(stdio::Server::new(dispatcher()).serve_on(input, output));
    let (answers, mut requests) = tokio::io::split(near);
    let mut answers = BufReader::new(answers).lines();
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}});
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let mut lines = Vec::new();
    for (message, answers_of_it) in [(first, 1), (call(1, "silent", Some("mine")), 4), (call(2, "silent", None), 1)] {
        requests.write_all(format!("{message}\n").as_bytes()).await.expect("a write");
        for _ in 0..answers_of_it {
            let line = within_a_minute(answers.next_line()).await.expect("a line").expect("a message");
            lines.push(serde_json::from_str::<Value>(&line).expect("JSON"));
        }
    }
    let progress = |line: &Value| (line["params"]["progressToken"].clone(), line["params"]["message"].clone());
    let expected = [3, 6, 9].map(|seconds| (json!("mine"), json!(format!("still running, {seconds} s"))));
    assert_eq!(lines[1..4].iter().map(progress).collect::<Vec<_>>(), expected);
    assert_eq!((&lines[4]["id"], &lines[5]["id"]), (&json!(1), &json!(2)));
}

#[tokio::test(start_paused = true)]
async fn over_http_only_a_call_with_a_token_is_a_stream_of_reports() {
    let endpoint = Endpoint::new(dispatcher());
    for (token, reports) in [(Some("mine"), 3), (None, 0)] {
        let request = Request::post("http://localhost/")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(Body::from(call(1, "silent", token).to_string()))
            .expect("a request");
        let response = endpoint.clone().oneshot(request).await.expect("a response");
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        let text = String::from_utf8_lossy(&body);
        assert_eq!(text.matches("still running").count(), reports, "{text}");
        assert!(text.contains(r#""isError":false"#), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_status_of_a_task_is_what_its_tool_says() {
    /// Work as a task.
    #[mcp_tool(task, heartbeat = "2s")]
    async fn long(#[mcp_tool(context)] cx: &CallContext) {
        cx.progress(1.0, 2.0, "half");
        sleep(Duration::from_secs(20)).await;
    }

    let dispatcher = built(Dispatcher::builder().tools(tools![long]).tasks(Tasks::in_memory()));
    let protocol = mcp_tool_runtime::protocol::Protocol::new(dispatcher);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
    });
    let send = async |method: &str, mut params: Value| -> Value {
        params["_meta"] = meta.clone();
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        serde_json::from_slice(&protocol.answer(message.as_bytes()).await.expect("an answer")).expect("JSON")
    };
    let created = send("tools/call", json!({"name": "long"})).await;
    sleep(Duration::from_secs(10)).await;
    let task = send("tasks/get", json!({"taskId": created["result"]["taskId"]})).await;
    assert_eq!(task["result"]["statusMessage"], "half", "{task}");
}
