//! The input of a server over standard input and output: errors of reading, and what is left of it afterwards.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::task::{Context, Poll};

use mcp_tool_runtime::stdio::Server;
use mcp_tool_runtime::{Output, mcp_tool, tools};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWriteExt as _, ReadBuf};
use tokio::sync::Notify;

use crate::one_argument::taking;
use crate::run::{self, ByHand, serve};

/// Wait until a test notifies all calls.
#[mcp_tool]
async fn wait_for_the_end(#[mcp_tool(state)] ended: &Notify) {
    ended.notified().await;
}

/// An input that gives these parts and errors, and then ends.
struct Input(VecDeque<io::Result<&'static str>>);

impl AsyncRead for Input {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let part = self.get_mut().0.pop_front().unwrap_or(Ok(""));
        Poll::Ready(part.map(|part| into.put_slice(part.as_bytes())))
    }
}

#[tokio::test]
async fn an_interrupted_read_is_repeated_and_another_error_ends_the_server() {
    let parts = [
        Ok(r#"{"jsonrpc": "2.0", "id": 1, "#),
        Err(io::ErrorKind::Interrupted.into()),
        Ok("\"method\": \"ping\"}\n"),
        Err(io::ErrorKind::ConnectionReset.into()),
    ];
    let mut output = Vec::new();
    let ended = Server::new(taking(&json!(true))).serve_on(Input(parts.into()), &mut output).await;
    assert_eq!(ended.expect_err("an error").kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(String::from_utf8_lossy(&output), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
}

#[tokio::test]
async fn only_a_cancellation_ends_the_call_that_it_names() {
    let ended = Arc::new(Notify::new());
    let dispatcher = run::built(run::exact().state(Arc::clone(&ended)).tools(tools![wait_for_the_end]));
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    tokio::spawn(Server::new(dispatcher).serve_on(input, output));
    let (answers, mut requests) = tokio::io::split(ours);
    let mut answers = tokio::io::BufReader::new(answers).lines();
    let mut next = async || {
        let line = answers.next_line().await.expect("the server writes");
        line.map(|line| serde_json::from_str::<Value>(&line).expect("JSON")["id"].clone())
    };
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = |id: u32| {
        let params = json!({ "name": "wait_for_the_end", "_meta": meta });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    };
    let notification =
        |method: &str, id: u32| json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": id } });
    let ping = json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" });
    let (other, cancelled) = (notification("notifications/other", 1), notification("notifications/cancelled", 2));
    for message in [call(1), call(2), other, cancelled, ping] {
        requests.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }
    assert_eq!(next().await, Some(json!("ping")));
    ended.notify_one();
    requests.shutdown().await.expect("the end of the input");
    assert_eq!((next().await, next().await), (Some(json!(1)), None));
}

#[tokio::test]
#[ignore = "run by another test"]
async fn serve_standard_input_in_a_child_process() {
    mcp_tool_runtime::stdio::serve(taking(&json!(true))).await.expect("no error");
}

#[test]
fn messages_on_standard_input_are_answered_once_each_until_it_ends() {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args([
        "--exact",
        "serve::stdio::standard_input::serve_standard_input_in_a_child_process",
        "--ignored",
        "--nocapture",
    ]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a process");
    let mut input = child.stdin.take().expect("its input");
    // Both are in one chunk.
    let ping = |id: u32| format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }));
    input.write_all((ping(1) + &ping(2)).as_bytes()).expect("written");
    drop(input);
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines().map(|line| line.expect("a line"));
    // The test in the other process writes its name before it serves, without a line break.
    let answers: Vec<_> = lines.by_ref().filter(|line| line.contains("jsonrpc")).collect();
    assert!(answers[0].ends_with(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), "{answers:?}");
    assert_eq!(answers[1..], [r#"{"jsonrpc":"2.0","id":2,"result":{}}"#]);
    assert!(child.wait().expect("an end").success());
}

#[test]
#[ignore = "run by another test"]
fn read_the_rest_of_standard_input_in_a_child_process() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let stop = Arc::new(Notify::new());
    let tool = {
        let stop = Arc::clone(&stop);
        ByHand::any("stop", move |_, _| {
            stop.notify_one();
            Output::value(true)
        })
    };
    let server = Server::new(serve(vec![Box::new(tool)]));
    runtime.block_on(server.serve_until(stop.notified())).expect("no error");
    eprintln!("ended");
    let mut rest = Vec::new();
    io::stdin().lock().read_to_end(&mut rest).expect("the rest");
    eprintln!("is left: {}", !rest.is_empty());
}

#[test]
fn after_the_end_of_a_server_the_process_can_read_the_rest_of_its_input() {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args([
        "--exact",
        "serve::stdio::standard_input::read_the_rest_of_standard_input_in_a_child_process",
        "--ignored",
        "--nocapture",
    ]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    let mut input = child.stdin.take().expect("its input");
    let mut lines = BufReader::new(child.stderr.take().expect("its errors")).lines().map(|line| line.expect("a line"));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "stop", "_meta": meta } });
    input.write_all(format!("{call}\n").as_bytes()).expect("written");
    assert!(lines.any(|line| line == "ended"));
    // The thread of the server is still reading, and loses what it gets first: less than half of this.
    input.write_all(&vec![b'x'; 1 << 15]).expect("written");
    drop(input);
    let left = lines.find_map(|line| line.strip_prefix("is left: ").map(str::to_owned));
    assert_eq!(left.as_deref(), Some("true"));
    assert!(child.wait().expect("an end").success());
}
