//! Ctrl-C during a call, in a process of its own.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use mcp_tool_runtime::{CallContext, mcp_tool, tools};

use super::cli;

/// What the child writes when the tool runs, and when it knows of the cancellation.
const STARTED: &str = "the tool has started";
const CANCELLED: &str = "the tool was cancelled";

struct Cancelled;

impl Drop for Cancelled {
    fn drop(&mut self) {
        eprintln!("{CANCELLED}");
    }
}

/// Wait for a cancellation.
#[mcp_tool]
async fn wait() {
    let _cancelled = Cancelled;
    eprintln!("{STARTED}");
    std::future::pending::<()>().await;
}

/// Wait for a cancellation on a thread.
#[mcp_tool(blocking)]
fn wait_on_a_thread(#[mcp_tool(context)] cx: &CallContext) {
    eprintln!("{STARTED}");
    while !cx.is_cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
    eprintln!("{CANCELLED}");
}

#[test]
#[ignore = "run by another test"]
fn call_a_tool_in_a_child_process() {
    let tool = std::env::var("TOOL").expect("the other test");
    let cli = cli(tools![wait, wait_on_a_thread]);
    let matches = cli.command().try_get_matches_from(["weather", "call", &tool]).expect("valid words");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    assert_eq!(runtime.block_on(cli.execute(&matches)), ExitCode::from(130));
    // The runtime is dropped here, and waits for the thread of the tool.
}

#[cfg(unix)]
#[test]
fn ctrl_c_cancels_the_tool_and_the_exit_code_is_130() {
    for tool in ["wait", "wait_on_a_thread"] {
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "cli::interruption::call_a_tool_in_a_child_process", "--ignored", "--nocapture"])
            .env("TOOL", tool)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let mut errors = BufReader::new(child.stderr.take().expect("its errors"));
        let mut line = String::new();
        while !line.contains(STARTED) {
            line.clear();
            assert_ne!(errors.read_line(&mut line).expect("a line"), 0, "{tool} does not start");
        }
        let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("a signal");
        assert!(signal.success(), "{signal}");
        let mut rest = String::new();
        errors.read_to_string(&mut rest).expect("text");
        assert!(rest.contains(CANCELLED) && rest.contains("error: interrupted"), "{tool}: {rest}");
        assert!(child.wait().expect("an end").success(), "{tool}: not 130");
    }
}
