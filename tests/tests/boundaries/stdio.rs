//! The input of a server over standard input and output: errors of reading, and what is left of it afterwards.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::task::{Context, Poll};

use mcp_tool_runtime::Output;
use mcp_tool_runtime::stdio::Server;
use serde_json::json;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

use crate::run::{ByHand, serve};
use crate::taking;

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
    println!("ended");
    let mut rest = Vec::new();
    io::stdin().lock().read_to_end(&mut rest).expect("the rest");
    println!("is left: {}", !rest.is_empty());
}

#[test]
fn after_the_end_of_a_server_the_process_can_read_the_rest_of_its_input() {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "stdio::read_the_rest_of_standard_input_in_a_child_process", "--ignored", "--nocapture"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a process");
    let mut input = child.stdin.take().expect("its input");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines().map(|line| line.expect("a line"));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "stop", "_meta": meta } });
    input.write_all(format!("{call}\n").as_bytes()).expect("written");
    assert!(lines.any(|line| line.ends_with("ended")));
    // The thread of the server is still reading, and loses what it gets first: less than half of this.
    input.write_all(&vec![b'x'; 1 << 15]).expect("written");
    drop(input);
    let left = lines.find_map(|line| line.split_once("is left: ").map(|(_, left)| left.to_owned()));
    assert_eq!(left.as_deref(), Some("true"));
    assert!(child.wait().expect("an end").success());
}
