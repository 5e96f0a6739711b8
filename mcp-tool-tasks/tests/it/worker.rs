//! A worker in its own process.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mcp_tool_runtime::{CallContext, Dispatcher, mcp_tool, tools};

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
    Dispatcher::builder().tools(tools![double, pay, fail, long, stamp]).build().unwrap()
}

/// Not a test: what a worker process runs.
#[test]
#[ignore = "started by the tests"]
fn process() {
    let Ok(url) = std::env::var("WORKER_DATABASE") else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
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

pub(crate) struct WorkerProcess(Child);

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
        command.args(["--exact", "worker::process", "--ignored", "--nocapture"]);
        Self(command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap())
    }

    /// Returns the processor time that the process has used.
    pub(crate) fn time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        // User and system time are the 14th and the 15th word, in hundredths of a second.
        let words = stat.rsplit(") ").next().unwrap().split(' ').skip(11).take(2);
        Duration::from_millis(words.map(|word| 10 * word.parse::<u64>().unwrap()).sum())
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(&self.0, name);
    }

    /// Kills the process, which cannot prevent it.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Asks the process to end when its tasks have ended.
    pub(crate) fn close(&mut self) {
        drop(self.0.stdin.take());
    }

    pub(crate) fn wait(&mut self) {
        assert!(self.0.wait().unwrap().success());
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
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
