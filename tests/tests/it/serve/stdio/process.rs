//! The stdio server as a process: what reaches the client, and when the process ends.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use mcp_tool_runtime::stdio::Server;
use mcp_tool_runtime::{Tasks, mcp_tool, tools};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::run::{built, exact};
use crate::wire::{self, MODERN, request};

/// Print to standard output in every way.
#[cfg(unix)]
#[mcp_tool]
async fn print() -> &'static str {
    use std::os::fd::AsFd as _;

    println!(r#"{{"jsonrpc":"2.0","id":1,"result":"forged"}}"#);
    print!("glued to the next answer");
    // As a C library does.
    let descriptor = std::io::stdout().as_fd().try_clone_to_owned().expect("a descriptor");
    std::fs::File::from(descriptor).write_all(b"written\n").expect("written");
    assert!(Command::new("echo").arg("from a child").status().expect("a child").success());
    "printed"
}

/// Print on another thread.
#[mcp_tool(blocking)]
fn print_blocking() -> &'static str {
    println!("blocked");
    "printed"
}

/// Never return.
#[mcp_tool]
async fn hang() {
    eprintln!("hangs");
    std::future::pending::<()>().await;
}

static RELEASED: Notify = Notify::const_new();

/// Wait until the guard is dropped.
#[mcp_tool(task)]
async fn wait_for_the_guard() {
    RELEASED.notified().await;
    eprintln!("released");
}

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        RELEASED.notify_one();
    }
}

/// Return more than a pipe can hold.
#[mcp_tool]
async fn long() -> String {
    eprintln!("returns");
    "x".repeat(1 << 20)
}

#[test]
#[ignore = "run by another test"]
fn serve_standard_streams_in_a_child_process() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    #[cfg(unix)]
    let printing = tools![print];
    #[cfg(not(unix))]
    let printing = tools![];
    let tools = tools![print_blocking, hang, wait_for_the_guard, long, wire::add];
    let server = Server::new(built(exact().tools(printing).tools(tools).tasks(Tasks::in_memory())));
    let ended = runtime.block_on(async {
        match std::env::var("ENDS_BY").as_deref() {
            Ok("request") => server.serve_until(std::future::ready(())).await,
            Ok("guard") => {
                let guard = Guard;
                let shutdown = async move {
                    let _guard = guard;
                    std::future::pending::<()>().await;
                };
                server.serve_until(shutdown).await
            }
            Ok("drop") => tokio::time::timeout(Duration::from_secs(1), server.serve()).await.unwrap_or(Ok(())),
            _ => server.serve().await,
        }
    });
    ended.expect("no error");
    // The runtime is dropped inside the test because its shutdown waits for blocking threads.
}

struct Process {
    child: Child,
    input: ChildStdin,
    /// `None` once the client has closed it.
    output: Option<Lines<BufReader<ChildStdout>>>,
}

impl Process {
    fn start(ends_by: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args([
            "--exact",
            "serve::stdio::process::serve_standard_streams_in_a_child_process",
            "--ignored",
            "--nocapture",
        ]);
        command.env("ENDS_BY", ends_by).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let input = child.stdin.take().expect("its input");
        let output = Some(BufReader::new(child.stdout.take().expect("its output")).lines());
        Self { child, input, output }
    }

    fn call(&mut self, name: &str) {
        let arguments = if name == "add" { json!({ "a": 2, "b": 3 }) } else { json!({}) };
        let mut call = request(MODERN, "tools/call", json!({ "name": name, "arguments": arguments }));
        call["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
        self.input.write_all(format!("{call}\n").as_bytes()).expect("written");
    }

    /// Returns the next line with a message.
    fn answer(&mut self) -> String {
        let lines = self.output.as_mut().expect("it is open").map(|line| line.expect("a line"));
        lines.into_iter().find(|line| line.contains("jsonrpc")).expect("an answer")
    }

    /// Waits until the process writes this line to standard error.
    fn says(&mut self, expected: &str) {
        let mut lines = BufReader::new(self.child.stderr.take().expect("its errors")).lines();
        assert!(lines.any(|line| line.expect("a line") == expected), "it ended");
        std::thread::spawn(move || lines.for_each(drop));
    }

    /// Waits until the process ends. Its input stays open.
    fn ends_within(mut self, seconds: u64) -> ExitStatus {
        let end = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.child.kill().expect("killed");
        panic!("it still runs after {seconds} seconds");
    }
}

#[cfg(unix)]
#[test]
fn s1_nothing_that_a_tool_prints_reaches_the_client() {
    let mut process = Process::start("the end of the input");
    let mut output = String::new();
    for name in ["print", "print_blocking", "print"] {
        process.call(name);
        output += &(process.answer() + "\n");
    }
    let Process { mut child, input, output: rest } = process;
    drop(input);
    rest.into_iter().flatten().for_each(|line| output += &(line.expect("a line") + "\n"));
    // The test in the other process writes its name before it serves.
    for answer in output[output.find('{').expect("an answer")..].lines() {
        let answer: Value = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
        assert_eq!(answer["result"]["structuredContent"], "printed", "{answer}");
    }
    let errors = std::io::read_to_string(child.stderr.take().expect("its errors")).expect("a text");
    for printed in ["forged", "glued to the next answer", "written\n", "from a child\n", "blocked\n"] {
        assert!(errors.contains(printed), "{printed}: {errors}");
    }
    assert!(child.wait().expect("an end").success());
}

#[test]
fn s4_the_process_ends_when_it_is_asked_to_while_the_input_is_open() {
    assert!(Process::start("request").ends_within(60).success());
}

#[test]
fn s4_the_process_ends_at_the_next_answer_after_the_output_is_closed() {
    let mut process = Process::start("a closed output");
    process.call("add");
    process.answer();
    process.output = None;
    process.call("add");
    process.ends_within(60);
}

#[cfg(unix)]
#[test]
fn s4_a_closed_output_ends_running_calls_at_once() {
    for closes_input in [false, true] {
        let mut process = Process::start("a closed output");
        process.call("hang");
        process.says("hangs");
        process.output = None;
        if closes_input {
            process.input =
                Command::new("true").stdin(Stdio::piped()).spawn().expect("a process").stdin.expect("a pipe");
        }
        process.ends_within(5);
    }
}

#[test]
fn s4_the_process_can_end_while_nobody_reads_the_output() {
    let mut process = Process::start("drop");
    process.call("long");
    process.says("returns");
    assert!(process.ends_within(5).success());
}

#[test]
fn shutdown_is_dropped_before_the_tasks_end() {
    let mut process = Process::start("guard");
    process.call("wait_for_the_guard");
    assert!(process.answer().contains("taskId"));
    let Process { mut child, input, .. } = process;
    drop(input);
    let mut errors = BufReader::new(child.stderr.take().expect("its errors")).lines();
    assert!(errors.any(|line| line.expect("a line") == "released"), "the task was cancelled");
    assert!(child.wait().expect("a status").success());
}
