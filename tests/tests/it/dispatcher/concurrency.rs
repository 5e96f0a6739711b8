//! Many concurrent calls, a limit on them, and dropped calls.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, mcp_tool, mcp_tools, tools};
use serde_json::json;
use tokio::task::JoinSet;

use crate::run::{self, built, faults, polled};
use crate::wait::{RunningCalls, within_a_minute};

/// Tools that return, wait, fail, panic, time out and block.
struct Family(Arc<RunningCalls>);

#[mcp_tools]
impl Family {
    /// Return.
    #[mcp_tool]
    async fn answer(&self) -> u8 {
        let _running = self.0.start();
        run::pause().await;
        7
    }

    /// Wait, then return.
    #[mcp_tool]
    async fn wait(&self) -> u8 {
        let _running = self.0.start();
        tokio::time::sleep(Duration::from_millis(3)).await;
        7
    }

    /// Fail.
    #[mcp_tool]
    async fn fail(&self) -> Result<u8, String> {
        let _running = self.0.start();
        run::pause().await;
        Err("no".to_owned())
    }

    /// Panic.
    #[mcp_tool]
    async fn crash(&self) -> u8 {
        let _running = self.0.start();
        run::pause().await;
        panic!("as asked")
    }

    /// Time out, before or after it gets a permit.
    #[mcp_tool(timeout = "200ms")]
    async fn stall(&self) -> u8 {
        let _running = self.0.start();
        tokio::time::sleep(Duration::from_secs(3600)).await;
        7
    }

    /// Return from a blocking function.
    #[mcp_tool(blocking)]
    fn block(&self) -> u8 {
        let _running = self.0.start();
        7
    }
}

/// A dispatcher with thirty tools, `meet`, and eight permits; and the counts of the calls of the thirty.
fn crowd() -> (Dispatcher, Arc<RunningCalls>) {
    let counts = Arc::new(RunningCalls::default());
    let builder =
        ["ant_", "bee_", "cat_", "dog_", "elk_"].into_iter().fold(Dispatcher::builder(), |builder, prefix| {
            builder.service_with_prefix(prefix, Family(Arc::clone(&counts)))
        });
    let builder = builder.tools(tools![meet]).state(tokio::sync::Barrier::new(8)).max_concurrency(8);
    (built(builder), counts)
}

/// Makes eight calls that end only when all of them run: all eight permits are still there.
async fn assert_all_permits_are_free(dispatcher: &Dispatcher) {
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let dispatcher = dispatcher.clone();
        calls.spawn(async move { dispatcher.call(CallToolRequest::new("meet", json!({}))).await });
    }
    let responses = within_a_minute(calls.join_all()).await;
    assert!(responses.into_iter().all(|response| response.is_ok_and(|response| response.is_success())));
}

/// Wait for seven other calls.
#[mcp_tool]
async fn meet(#[mcp_tool(state)] barrier: &tokio::sync::Barrier) {
    barrier.wait().await;
}

#[tokio::test(start_paused = true)]
async fn a_thousand_concurrent_calls_are_all_answered_and_no_permit_is_lost() {
    let (dispatcher, counts) = crowd();
    let names: Vec<_> = dispatcher.list()[..30].iter().map(|tool| tool.name.clone()).collect();

    let mut calls = JoinSet::new();
    let mut given_up = JoinSet::new();
    for index in 0..1_000 {
        let name = names[index % names.len()].clone();
        let (handle, request) = (dispatcher.clone(), CallToolRequest::new(name.clone(), json!({})));
        calls.spawn(async move { (name, handle.call(request).await) });
        if index % 10 == 0 {
            // The callers of these give up, some before and some after their call gets a permit.
            let (handle, request) = (dispatcher.clone(), CallToolRequest::new("elk_stall", json!({})));
            let patience = Duration::from_millis(u64::try_from(index).unwrap_or_default() / 5);
            given_up.spawn(async move { tokio::time::timeout(patience, handle.call(request)).await.is_err() });
        }
    }
    let answers = calls.join_all().await;
    assert_eq!(answers.len(), 1_000);
    let mut ids = HashSet::new();
    let mut retried = HashSet::new();
    for (name, response) in answers {
        let response = response.unwrap_or_else(|error| panic!("{name}: {error}"));
        let id = response.call_id().to_string();
        let message = response.error().map(|error| error.message().to_owned());
        let expected = match name.split_once('_').map(|(_, kind)| kind) {
            Some("fail") => Some("no".to_owned()),
            Some("crash") => Some(format!("internal error in tool `{name}` (call_id {id})")),
            Some("stall") => Some(format!("tool `{name}` timed out after 200 ms")),
            _ => None,
        };
        assert_eq!(message, expected, "{name}");
        retried
            .extend(response.error().filter(|_| name.ends_with("stall")).map(mcp_tool_runtime::ToolError::can_retry));
        assert!(ids.insert(id), "a call id twice");
    }
    assert_eq!(retried.len(), 2, "some time out while waiting, some while running");
    assert!(given_up.join_all().await.into_iter().all(|dropped| dropped));
    assert_eq!((counts.counts().running, counts.counts().most), (0, 8));
    assert_all_permits_are_free(&dispatcher).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_threads_share_the_permits() {
    let (dispatcher, counts) = crowd();
    let mut calls = JoinSet::new();
    for index in 0..1_000 {
        let name = ["ant_answer", "bee_fail", "cat_crash", "dog_block"][index % 4];
        let (handle, request) = (dispatcher.clone(), CallToolRequest::new(name, json!({})));
        let call = calls.spawn(async move { handle.call(request).await.is_ok() });
        if index % 7 == 0 {
            call.abort();
        }
    }
    while let Some(answered) = calls.join_next().await {
        assert!(answered.unwrap_or(true));
    }
    assert_all_permits_are_free(&dispatcher).await;
    let most = counts.counts().most;
    assert!((1..=8).contains(&most), "{most}");
}

#[tokio::test(start_paused = true)]
async fn waiting_calls_run_in_the_order_in_which_they_were_made() {
    /// Append the number to the list.
    #[mcp_tool]
    async fn note(number: u32, #[mcp_tool(state)] list: &Mutex<Vec<u32>>) {
        tokio::time::sleep(Duration::from_millis(u64::from(100 - number))).await;
        list.lock().expect("a list").push(number);
    }

    let list = Arc::new(Mutex::new(Vec::<u32>::new()));
    let dispatcher = built(Dispatcher::builder().tools(tools![note]).state(Arc::clone(&list)).max_concurrency(1));
    let mut calls = JoinSet::new();
    let mut given_up = None;
    for number in 0..20_u32 {
        let (handle, request) = (dispatcher.clone(), CallToolRequest::new("note", json!({"number": number})));
        let call = calls.spawn(async move { handle.call(request).await.is_ok() });
        given_up = given_up.or((number == 10).then_some(call));
    }
    tokio::time::sleep(Duration::from_millis(150)).await;
    given_up.expect("the tenth call").abort();
    while calls.join_next().await.is_some() {}
    let expected: Vec<_> = (0..20).filter(|number| *number != 10).collect();
    assert_eq!(*list.lock().expect("a list"), expected);
}

#[test]
fn a_max_concurrency_of_zero_is_a_build_error() {
    assert_eq!(
        faults(Dispatcher::builder().max_concurrency(0)),
        ["`max_concurrency(0)` lets no call run; write 1 or more"]
    );
}

/// A file that is renamed to its target when it is complete, and removed when it is dropped before.
struct Draft {
    path: PathBuf,
    complete: bool,
}

impl Draft {
    fn new(target: &Path) -> Self {
        let path = target.with_extension("part");
        std::fs::write(&path, "").expect("a file");
        Self { path, complete: false }
    }

    fn append(&self, line: usize) {
        use std::io::Write as _;

        let mut file = std::fs::OpenOptions::new().append(true).open(&self.path).expect("a file");
        writeln!(file, "line {line}").expect("a line");
    }

    fn finish(mut self, target: &Path) {
        std::fs::rename(&self.path, target).expect("a file");
        self.complete = true;
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.complete {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

static WENT_ON: AtomicBool = AtomicBool::new(false);

/// Write a file line by line.
#[mcp_tool]
async fn write(path: &Path, lines: usize) -> usize {
    let draft = Draft::new(path);
    for line in 0..lines {
        draft.append(line);
        run::pause().await;
        if line >= 3 && lines == 10 {
            WENT_ON.store(true, Ordering::SeqCst);
        }
    }
    draft.finish(path);
    lines
}

#[test]
fn section_6_a_dropped_call_stops_at_its_await_and_runs_its_destructors() {
    let folder = std::env::temp_dir().join(format!("mcp-tool-tests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (target, part) = (folder.join("report.txt"), folder.join("report.part"));
    let dispatcher = built(Dispatcher::builder().tools(tools![write]).max_concurrency(1));
    let request = |lines: usize| CallToolRequest::new("write", json!({"path": target, "lines": lines}));

    let mut call = Box::pin(dispatcher.call(request(10)));
    let mut next = Box::pin(dispatcher.call(request(2)));
    for lines in 1..=3 {
        assert!(polled(call.as_mut()).is_none() && polled(next.as_mut()).is_none());
        let written = std::fs::read_to_string(&part).expect("the call runs and the next one waits");
        assert_eq!(written.lines().count(), lines);
    }
    drop(call);
    assert!(!part.exists() && !target.exists(), "the destructors ran");
    assert!(!WENT_ON.load(Ordering::SeqCst), "the call did not go on");

    let response = loop {
        if let Some(response) = polled(next.as_mut()) {
            break response.expect("a response");
        }
    };
    assert_eq!(response.deserialize::<usize>().ok(), Some(2), "the permit was free");
    assert_eq!(std::fs::read_to_string(&target).expect("a file"), "line 0\nline 1\n");
    assert!(!part.exists());
    std::fs::remove_dir_all(&folder).expect("a folder");
}

#[derive(Default)]
struct Counted;

impl Wake for Counted {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn section_6_a_wait_for_the_cancellation_that_is_dropped_leaves_no_waker() {
    /// Wait many times.
    #[mcp_tool]
    async fn wait(#[mcp_tool(context)] cx: &CallContext) -> usize {
        let waker = Arc::new(Counted);
        let task = Waker::from(Arc::clone(&waker));
        for _ in 0..1_000 {
            let mut wait = std::pin::pin!(cx.cancelled());
            assert!(wait.as_mut().poll(&mut Context::from_waker(&task)).is_pending());
            // Each wait may belong to another task.
            let other = Waker::from(Arc::clone(&waker));
            assert!(wait.as_mut().poll(&mut Context::from_waker(&other)).is_pending());
        }
        drop(task);
        Arc::strong_count(&waker)
    }
    assert_eq!(run::value(&run::serve(tools![wait]), "wait", json!({})), 1);
}
