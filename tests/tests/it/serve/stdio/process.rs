//! The stdio server as a process, and when the process ends.

use std::io::{BufRead as _, Write as _};
use std::process::{Command, Stdio};

use mcp_tool_runtime::stdio::Server;

use crate::wire::{self, MODERN, sum};

#[test]
#[ignore = "run by another test"]
fn serve_standard_streams_in_a_child_process() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let asked_to_end = async {
        match std::env::var("ENDS_BY") {
            Ok(by) if by == "request" => Ok::<_, std::io::Error>(()),
            _ => std::future::pending().await,
        }
    };
    runtime.block_on(Server::new(wire::dispatcher()).serve_until(asked_to_end)).expect("no error");
    // The runtime is dropped inside the test because its shutdown waits for blocking threads.
}

/// The input stays open during the whole test.
#[test]
fn the_process_ends_with_the_server_while_the_input_is_open() {
    let process = |ends_by: &str| {
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args([
            "--exact",
            "serve::stdio::process::serve_standard_streams_in_a_child_process",
            "--ignored",
            "--nocapture",
        ]);
        command.env("ENDS_BY", ends_by).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().expect("a process")
    };
    let mut child = process("request");
    let input = child.stdin.take().expect("its input");
    assert!(child.wait().expect("an end").success());
    drop(input);

    let mut child = process("closed output");
    let mut input = child.stdin.take().expect("its input");
    let mut output = std::io::BufReader::new(child.stdout.take().expect("its output"));
    let line = format!("{}\n", sum(MODERN));
    input.write_all(line.as_bytes()).expect("written");
    let mut answer = String::new();
    while !answer.starts_with('{') {
        answer.clear();
        assert_ne!(output.read_line(&mut answer).expect("a line"), 0, "no answer");
    }
    drop(output);
    // The response to this request is never read.
    input.write_all(line.as_bytes()).expect("written");
    child.wait().expect("an end");
    drop(input);
}
