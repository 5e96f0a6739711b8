//! A worker in its own process.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mcp_tool_runtime::{CallContext, Dispatcher, mcp_tool, tools};

use tracing::field::Field;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::database::{open, signal, wait_until};

/// Doubles a number, after some time.
#[mcp_tool(idempotent_hint)]
async fn double(number: i64, seconds: f64, log: String, #[mcp_tool(context)] cx: &CallContext) -> i64 {
    note(&log, &format!("start {number}"));
    cx.progress(0.0, 1.0, "half\0of it".to_owned());
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
    note(&log, &format!("end {number}"));
    2 * number
}

/// Reports how many runs have started, after two seconds.
#[mcp_tool(idempotent_hint)]
async fn report(log: String, #[mcp_tool(context)] cx: &CallContext) {
    note(&log, "start report");
    let run = std::fs::read_to_string(&log).unwrap().lines().count();
    tokio::time::sleep(Duration::from_secs(2)).await;
    cx.progress(0.0, 1.0, format!("run {run}"));
    tokio::time::sleep(Duration::from_mins(1)).await;
}

/// Pays, which nobody wants twice.
#[mcp_tool]
async fn pay(seconds: f64, log: String) -> String {
    note(&log, "start pay");
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
    "paid".to_owned()
}

/// Always fails.
#[mcp_tool]
async fn fail() -> Result<i64, String> {
    Err("there is no paper".to_owned())
}

/// Returns a long text.
#[mcp_tool]
async fn long(length: usize) -> String {
    "x".repeat(length)
}

/// Writes the time.
#[mcp_tool]
async fn stamp(log: String) {
    note(&log, &SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros().to_string());
}

pub(crate) fn note(log: &str, line: &str) {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
    std::io::Write::write_all(&mut file, format!("{line}\n").as_bytes()).unwrap();
}

pub(crate) fn dispatcher() -> Dispatcher {
    Dispatcher::builder().tools(tools![double, report, pay, fail, long, stamp]).build().unwrap()
}

/// Not a test: what a worker process runs.
#[test]
#[ignore = "started by the tests"]
fn process() {
    let Ok(url) = std::env::var("WORKER_DATABASE") else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        tracing::subscriber::set_global_default(Warnings(std::env::var("WORKER_WARNINGS").unwrap())).unwrap();
        let engine = open(&url).await.unwrap();
        // Its parent closes the pipe, even when it panics.
        let (close, closed) = tokio::sync::oneshot::channel::<()>();
        std::thread::spawn(move || {
            let _ = std::io::Read::read(&mut std::io::stdin(), &mut [0]);
            close.send(())
        });
        let other_version = std::env::var_os("WORKER_WITHOUT_TOOLS").map(|_| Dispatcher::builder().build().unwrap());
        other_version.unwrap_or_else(dispatcher).worker(engine).run_until(closed).await.unwrap();
    });
}

/// Writes warnings to the file at this path.
struct Warnings(String);

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn event(&self, event: &Event<'_>) {
        let mut texts = Vec::new();
        event.record(&mut |_: &Field, value: &dyn std::fmt::Debug| texts.push(format!("{value:?}")));
        note(&self.0, &texts.join(" "));
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

pub(crate) struct WorkerProcess {
    child: Child,
    pub(crate) warnings: Log,
}

impl WorkerProcess {
    pub(crate) fn start(url: &str) -> Self {
        Self::spawn(Command::new(std::env::current_exe().unwrap()).env("WORKER_DATABASE", url))
    }

    /// Starts a worker of a version that lacks all tools.
    pub(crate) fn without_tools(url: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        Self::spawn(command.env("WORKER_DATABASE", url).env("WORKER_WITHOUT_TOOLS", ""))
    }

    fn spawn(command: &mut Command) -> Self {
        let warnings = Log::new();
        command.args(["--exact", "worker::process", "--ignored", "--nocapture"]).env("WORKER_WARNINGS", &warnings.0);
        Self { child: command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap(), warnings }
    }

    /// Returns the processor time that the process has used.
    pub(crate) fn time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // User and system time are the 14th and the 15th word, in hundredths of a second.
        let words = stat.rsplit(") ").next().unwrap().split(' ').skip(11).take(2);
        Duration::from_millis(words.map(|word| 10 * word.parse::<u64>().unwrap()).sum())
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Kills the process, which cannot prevent it.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks the process to end when its tasks have ended.
    pub(crate) fn close(&mut self) {
        drop(self.child.stdin.take());
    }

    pub(crate) fn wait(&mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the tools of all processes have written.
pub(crate) struct Log(pub(crate) PathBuf);

impl Log {
    pub(crate) fn new() -> Self {
        Self(std::env::temp_dir().join(format!("mcp-tool-tasks-{}.log", ulid::Ulid::generate())))
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        std::fs::read_to_string(&self.0).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    pub(crate) fn count(&self, line: &str) -> usize {
        self.lines().iter().filter(|other| *other == line).count()
    }

    pub(crate) fn wait_for(&self, line: &str, times: usize) {
        wait_until(line, || self.count(line) >= times);
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
