//! The tests of all engines.

use std::time::{Duration, Instant, SystemTime};

use mcp_tool_runtime::tasks::{StoredCall, TaskEngine, TaskRecord, TaskState};
use serde_json::{Value, json};

use crate::database::{Database, LEASE, open, open_queue, wait_until};
use crate::once::{
    a_failure_is_tried_again, an_act_of_a_killed_server_is_not_done_again, calls_over_two_servers_are_one_act,
};
use crate::worker::{Log, WorkerProcess, dispatcher};

/// Makes a test of each function for each database.
macro_rules! for_each_database {
    ($($name:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(super::Database::sqlite()).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                let Some(database) = super::Database::postgres() else { return };
                super::$name(database).await;
            })*
        }
        mod redis {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                let Some(database) = super::Database::redis() else { return };
                super::$name(database).await;
            })*
        }
    };
}

for_each_database! {
    a_call_is_run_by_another_process
    a_failed_call_ends
    a_task_that_waits_is_cancelled_at_once
    a_task_that_runs_is_cancelled
    progress_is_seen_while_a_task_runs
    wait_returns_in_time
    unfinished_tasks_are_counted_by_principal
    an_ended_task_expires
    what_has_expired_is_deleted
    an_unknown_id_is_no_task
    a_task_is_submitted_once
    queues_are_apart
    a_task_of_a_killed_worker_runs_again
    a_task_that_must_not_be_repeated_ends
    a_cancelled_task_of_a_killed_worker_does_not_run_again
    a_dead_worker_is_noticed_though_the_clock_was_set_back
    a_living_worker_keeps_its_tasks_when_the_clock_is_set
    a_worker_leaves_what_it_cannot_run_to_others
    a_worker_that_starts_while_a_task_waits_claims_it_without_a_warning
    a_task_that_no_worker_takes_ends
    an_idle_worker_is_woken
    a_suspended_worker_does_not_end_a_task_twice
    a_suspended_worker_does_not_report_for_another
    a_closing_worker_keeps_its_tasks
    a_worker_claims_no_more_than_it_runs
    a_worker_may_run_everything
    a_task_that_cannot_be_read_fails
    a_database_is_down_for_ten_seconds
    processes_create_the_tables_together
    calls_over_two_servers_are_one_act
    a_failure_is_tried_again
    an_act_of_a_killed_server_is_not_done_again
}

pub(crate) struct Call {
    pub(crate) id: String,
    json: Value,
}

/// A call as a server stores it.
pub(crate) fn call(tool: &str, arguments: &Value) -> Call {
    let id = format!("{:032x}", u128::from(ulid::Ulid::generate()));
    let json = json!({
        "task_id": id, "tool": tool, "arguments": arguments, "protocol_version": "2026-07-28", "call_id": format!("call-{id}"),
        "principal": null, "context": null, "created_at": SystemTime::now(), "keep_for": Duration::from_mins(10),
    });
    Call { id, json }
}

pub(crate) fn double(number: i64, seconds: f64, log: &Log) -> Call {
    call("double", &json!({ "number": number, "seconds": seconds, "log": log.0 }))
}

impl Call {
    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        self.json[key] = value;
        self
    }

    pub(crate) fn stored(&self) -> StoredCall {
        serde_json::from_value(self.json.clone()).unwrap()
    }

    pub(crate) async fn submit(&self, engine: &impl TaskEngine) {
        engine.submit(self.stored()).await.unwrap();
    }

    /// The end, as JSON: `null` if there is none in time.
    pub(crate) async fn end(&self, engine: &impl TaskEngine, at_most: Duration) -> Value {
        end(&engine.wait(&self.id, at_most).await.unwrap().expect("the task is there"))
    }
}

fn end(record: &TaskRecord) -> Value {
    match &record.state {
        TaskState::Ended(end) => serde_json::to_value(end).unwrap(),
        _ => Value::Null,
    }
}

pub(crate) const SOON: Duration = Duration::from_secs(30);

async fn a_call_is_run_by_another_process(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let call = double(21, 0.1, &log);
    call.submit(&engine).await;
    let record = open(&database.url).await.unwrap().get(&call.id).await.unwrap().unwrap();
    assert_eq!(record.call, call.stored());
    assert!(matches!(record.state, TaskState::Working(None)));

    let _worker = WorkerProcess::start(&database.url);
    let end = call.end(&engine, SOON).await;
    assert_eq!(end["completed"]["structuredContent"], 42, "{end}");
    assert_eq!(log.count("start 21"), 1);
}

async fn a_failed_call_ends(database: Database) {
    let engine = open(&database.url).await.unwrap();
    let _worker = WorkerProcess::start(&database.url);
    let call = call("fail", &json!({}));
    call.submit(&engine).await;
    let end = call.end(&engine, SOON).await;
    assert_eq!(end["completed"]["isError"], true, "{end}");
}

async fn a_task_that_waits_is_cancelled_at_once(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let (first, second) = (double(1, 0.0, &log), double(2, 0.0, &log));
    first.submit(&engine).await;
    second.submit(&engine).await;
    engine.cancel(&first.id).await.unwrap();
    assert_eq!(first.end(&engine, Duration::ZERO).await, json!({ "cancelled": null }));
    if !database.url.starts_with("redis") {
        // A worker would claim the job instead of another.
        assert_eq!(database.counts().await[1], 1);
    }

    let _worker = WorkerProcess::start(&database.url);
    assert_eq!(second.end(&engine, SOON).await["completed"]["structuredContent"], 4);
    assert_eq!(log.count("start 1"), 0);
    // A task that has ended stays as it is.
    engine.cancel(&second.id).await.unwrap();
    assert!(second.end(&engine, Duration::ZERO).await["completed"].is_object());
}

async fn a_task_that_runs_is_cancelled(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let _worker = WorkerProcess::start(&database.url);
    let call = double(1, 60.0, &log);
    call.submit(&engine).await;
    log.wait_for("start 1", 1);
    engine.cancel(&call.id).await.unwrap();
    assert_eq!(call.end(&engine, SOON).await, json!({ "cancelled": null }));
    assert_eq!(log.count("end 1"), 0);
}

async fn progress_is_seen_while_a_task_runs(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let _worker = WorkerProcess::start(&database.url);
    let call = double(1, 60.0, &log);
    call.submit(&engine).await;
    let start = Instant::now();
    loop {
        let record = engine.get(&call.id).await.unwrap().unwrap();
        match record.state {
            TaskState::Working(Some(message)) => break assert_eq!(message, "half\u{fffd}of it"),
            _ => assert!(start.elapsed() < SOON),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn wait_returns_in_time(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let call = double(1, 1.0, &log);
    call.submit(&engine).await;
    let start = Instant::now();
    assert_eq!(call.end(&engine, Duration::from_millis(300)).await, Value::Null);
    let waited = start.elapsed();
    assert!((Duration::from_millis(300)..Duration::from_secs(3)).contains(&waited), "{waited:?}");
}

async fn unfinished_tasks_are_counted_by_principal(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let calls = [Some("ann"), Some("ann"), Some("bob"), None]
        .map(|principal| double(1, 0.0, &log).with("principal", json!(principal)));
    for call in &calls {
        call.submit(&engine).await;
    }
    assert_eq!(engine.unfinished(Some("ann")).await.unwrap(), 2);
    assert_eq!(engine.unfinished(Some("eve")).await.unwrap(), 0);
    assert_eq!(engine.unfinished(None).await.unwrap(), 4);
    engine.cancel(&calls[0].id).await.unwrap();
    assert_eq!(engine.unfinished(Some("ann")).await.unwrap(), 1);
    let _worker = WorkerProcess::start(&database.url);
    for call in &calls {
        call.end(&engine, SOON).await;
    }
    assert_eq!(engine.unfinished(None).await.unwrap(), 0);
}

async fn an_ended_task_expires(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let _worker = WorkerProcess::start(&database.url);
    let call = double(1, 1.5, &log).with("keep_for", json!(Duration::from_millis(500)));
    call.submit(&engine).await;
    log.wait_for("start 1", 1);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(engine.get(&call.id).await.unwrap().is_some(), "the time starts with the end");
    log.wait_for("end 1", 1);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(engine.get(&call.id).await.unwrap().is_none());
}

async fn what_has_expired_is_deleted(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let idle = WorkerProcess::start(&database.url);
    let expired = double(1, 0.0, &log).with("keep_for", json!(Duration::from_millis(100)));
    expired.submit(&engine).await;
    log.wait_for("end 1", 1);
    while engine.unfinished(None).await.unwrap() > 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    idle.signal("STOP");
    let other = WorkerProcess::start(&database.url);
    let kept = double(2, 0.0, &log);
    kept.submit(&engine).await;
    assert!(kept.end(&engine, SOON).await.is_object());
    other.kill();

    database.move_workers(-200_000).await;
    let new = WorkerProcess::start(&database.url);
    let start = Instant::now();
    // In SQL, the job of the kept task still names its worker.
    let expected = if database.url.starts_with("redis") { [1, 0, 1] } else { [1, 1, 2] };
    while database.counts().await != expected {
        assert!(start.elapsed() < SOON, "tasks, jobs, workers: {:?}", database.counts().await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    new.kill();
    assert!(kept.end(&engine, SOON).await.is_object());
    // A worker that was away for so long is a worker again.
    idle.signal("CONT");
    let next = double(3, 0.0, &log);
    next.submit(&engine).await;
    assert!(next.end(&engine, SOON).await.is_object());
}

async fn an_unknown_id_is_no_task(database: Database) {
    let engine = open(&database.url).await.unwrap();
    for id in ["", "x", "00000000000000000000000000000000", "'; DROP TABLE mcp_tool_tasks"] {
        assert!(engine.get(id).await.unwrap().is_none());
        assert!(engine.wait(id, SOON).await.unwrap().is_none());
        engine.cancel(id).await.unwrap();
    }
}

async fn a_task_is_submitted_once(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let call = double(1, 0.0, &log);
    call.submit(&engine).await;
    engine.submit(call.stored()).await.unwrap_err();
    assert_eq!(engine.unfinished(None).await.unwrap(), 1);
}

async fn queues_are_apart(database: Database) {
    let other = open_queue(&database.url, "other").await.unwrap();
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let (ours, theirs) = (double(1, 0.0, &log), double(2, 0.0, &log));
    ours.submit(&engine).await;
    theirs.submit(&other).await;
    assert!(engine.get(&theirs.id).await.unwrap().is_none());
    let _worker = WorkerProcess::start(&database.url);
    assert!(ours.end(&engine, SOON).await.is_object());
    assert_eq!(theirs.end(&other, Duration::from_millis(500)).await, Value::Null);
    assert_eq!(log.count("start 2"), 0);
}

async fn a_task_of_a_killed_worker_runs_again(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let first = WorkerProcess::start(&database.url);
    let call = double(1, 1.5, &log);
    call.submit(&engine).await;
    log.wait_for("start 1", 1);
    first.kill();
    let start = Instant::now();
    let _second = WorkerProcess::start(&database.url);
    log.wait_for("start 1", 2);
    // One lease: the new worker gives the others the time to beat. A quarter of one, until it beats again. The rest is for slow machines.
    let waited = start.elapsed();
    eprintln!("ran again after {waited:?}");
    assert!(waited < LEASE * 4, "{waited:?}");
    assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], 2);
}

async fn a_task_that_must_not_be_repeated_ends(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let first = WorkerProcess::start(&database.url);
    let call = call("pay", &json!({ "seconds": 60.0, "log": log.0 }));
    call.submit(&engine).await;
    log.wait_for("start pay", 1);
    first.kill();
    let _second = WorkerProcess::start(&database.url);
    let end = call.end(&engine, SOON).await;
    assert_eq!(end["completed"]["isError"], true, "{end}");
    let text = end["completed"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("the outcome of `pay` is not known"), "{text}");
    assert_eq!(log.count("start pay"), 1);
}

async fn a_cancelled_task_of_a_killed_worker_does_not_run_again(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let first = WorkerProcess::start(&database.url);
    let call = double(1, 60.0, &log);
    call.submit(&engine).await;
    log.wait_for("start 1", 1);
    first.kill();
    engine.cancel(&call.id).await.unwrap();
    let _second = WorkerProcess::start(&database.url);
    assert_eq!(call.end(&engine, SOON).await, json!({ "cancelled": null }));
    assert_eq!(log.count("start 1"), 1);
}

async fn a_dead_worker_is_noticed_though_the_clock_was_set_back(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let first = WorkerProcess::start(&database.url);
    let call = double(1, 0.5, &log);
    call.submit(&engine).await;
    log.wait_for("start 1", 1);
    first.kill();
    // It beat while the clock was two hours ahead.
    database.move_workers(7_200).await;
    let _second = WorkerProcess::start(&database.url);
    assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], 2);
}

async fn a_living_worker_keeps_its_tasks_when_the_clock_is_set(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let first = WorkerProcess::start(&database.url);
    let call = call("pay", &json!({ "seconds": 8.0, "log": log.0 }));
    call.submit(&engine).await;
    log.wait_for("start pay", 1);
    let second = WorkerProcess::start(&database.url);
    // They have beaten for a lease, and would take over the tasks of dead workers.
    tokio::time::sleep(LEASE + LEASE / 2).await;
    for seconds in [-3_600, 7_200, -3_600] {
        database.move_workers(seconds).await;
        tokio::time::sleep(LEASE / 4).await;
    }
    assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], "paid");
    assert_eq!(log.count("start pay"), 1);
    drop((first, second));
}

async fn a_worker_leaves_what_it_cannot_run_to_others(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let _old = WorkerProcess::without_tools(&database.url);
    let calls: Vec<_> = (0..12).map(|_| call("pay", &json!({ "seconds": 0.1, "log": log.0 }))).collect();
    for call in &calls {
        call.submit(&engine).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(engine.unfinished(None).await.unwrap(), 12);
    let _new = WorkerProcess::start(&database.url);
    for call in &calls {
        // Not "the outcome is not known": this is the first attempt.
        assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], "paid");
    }
    assert_eq!(log.count("start pay"), 12);
}

async fn a_worker_that_starts_while_a_task_waits_claims_it_without_a_warning(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    for _ in 0..8 {
        let call = double(1, 0.0, &log);
        call.submit(&engine).await;
        let worker = WorkerProcess::start(&database.url);
        assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], 2);
        assert_eq!(worker.warnings.lines(), [""; 0]);
    }
}

async fn a_task_that_no_worker_takes_ends(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    for worker in [None, Some(WorkerProcess::without_tools(&database.url))] {
        let call = double(1, 0.0, &log).with("keep_for", json!(Duration::from_secs(2)));
        call.submit(&engine).await;
        assert_eq!(call.end(&engine, Duration::from_secs(1)).await, Value::Null);
        let end = call.end(&engine, SOON).await;
        assert_eq!(end["failed"]["message"], "no worker that can run this task took it within 2 s", "{end}");
        assert_eq!(engine.unfinished(None).await.unwrap(), 0);
        drop(worker);
    }
}

async fn an_idle_worker_is_woken(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let _worker = WorkerProcess::start(&database.url);
    let waited = latencies(&engine, &log, 9).await;
    // It would look once a second.
    assert!(waited[4] < Duration::from_millis(250), "{waited:?}");
}

/// Returns the times from the submission of tasks to their starts in another process, in order.
pub(crate) async fn latencies(engine: &impl TaskEngine, log: &Log, count: usize) -> Vec<Duration> {
    let mut waited = Vec::new();
    for index in 0..=count {
        let call = call("stamp", &json!({ "log": log.0 }));
        let before = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        call.submit(engine).await;
        wait_until("the task starts", || log.lines().len() > index);
        let start = Duration::from_micros(log.lines()[index].parse().unwrap());
        waited.push(start.saturating_sub(before));
        // The worker is idle again.
        tokio::time::sleep(Duration::from_millis(30 + 7 * (index as u64 % 10))).await;
    }
    // The process has to start before the first one.
    waited.remove(0);
    waited.sort();
    waited
}

async fn a_suspended_worker_does_not_end_a_task_twice(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let suspended = WorkerProcess::start(&database.url);
    let (quick, slow) = (double(1, 1.0, &log), double(2, 12.0, &log));
    quick.submit(&engine).await;
    slow.submit(&engine).await;
    log.wait_for("start 1", 1);
    log.wait_for("start 2", 1);
    // Not while it stores their progress: whoever is suspended in a transaction of SQLite locks out the others.
    tokio::time::sleep(Duration::from_millis(300)).await;
    suspended.signal("STOP");
    let _other = WorkerProcess::start(&database.url);
    log.wait_for("start 1", 2);
    log.wait_for("start 2", 2);
    let first = quick.end(&engine, SOON).await;
    assert_eq!(first["completed"]["structuredContent"], 2, "{first}");
    let before = engine.get(&quick.id).await.unwrap().unwrap().updated_at;

    suspended.signal("CONT");
    tokio::time::sleep(LEASE * 2).await;
    // Its own run of the quick task has ended now, and changed nothing. It has stopped the slow one, which the other worker runs.
    let record = engine.get(&quick.id).await.unwrap().unwrap();
    assert_eq!((end(&record), record.updated_at), (first, before));
    assert_eq!(slow.end(&engine, Duration::from_secs(30)).await["completed"]["structuredContent"], 4);
    tokio::time::sleep(LEASE * 3).await;
    assert_eq!((log.count("start 2"), log.count("end 2")), (2, 1));
}

async fn a_suspended_worker_does_not_report_for_another(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let suspended = WorkerProcess::start(&database.url);
    let call = call("report", &json!({ "log": log.0 }));
    call.submit(&engine).await;
    log.wait_for("start report", 1);
    // Not in a transaction, nor after it has reported.
    tokio::time::sleep(Duration::from_millis(300)).await;
    suspended.signal("STOP");
    let _other = WorkerProcess::start(&database.url);
    log.wait_for("start report", 2);
    let message = async || match engine.get(&call.id).await.unwrap().unwrap().state {
        TaskState::Working(message) => message,
        other => panic!("{other:?}"),
    };
    let start = Instant::now();
    while message().await.is_none() {
        assert!(start.elapsed() < SOON);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(message().await.as_deref(), Some("run 2"));

    // Its tool reports at once.
    suspended.signal("CONT");
    tokio::time::sleep(LEASE).await;
    assert_eq!(message().await.as_deref(), Some("run 2"));
}

async fn a_closing_worker_keeps_its_tasks(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let mut closing = WorkerProcess::start(&database.url);
    // Longer than the lease.
    let (running, waiting) = (double(1, 7.0, &log), double(2, 0.0, &log));
    running.submit(&engine).await;
    log.wait_for("start 1", 1);
    closing.close();
    let _other = WorkerProcess::start(&database.url);
    tokio::time::sleep(Duration::from_secs(1)).await;
    waiting.submit(&engine).await;
    assert!(waiting.end(&engine, SOON).await.is_object());
    assert_eq!(running.end(&engine, SOON).await["completed"]["structuredContent"], 2);
    closing.wait();
    assert_eq!(log.count("start 1"), 1);
}

async fn a_worker_claims_no_more_than_it_runs(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let calls: Vec<_> = (0..5).map(|number| double(number, 0.6, &log)).collect();
    for call in &calls {
        call.submit(&engine).await;
    }
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = tokio::spawn(dispatcher().worker(engine.clone()).concurrency(2).run_until(stopped));
    for call in &calls {
        assert!(call.end(&engine, SOON).await.is_object());
    }
    stop.send(()).unwrap();
    worker.await.unwrap().unwrap();
    let mut running = 0;
    for line in log.lines() {
        running += if line.starts_with("start") { 1 } else { -1 };
        assert!((0..=2).contains(&running), "{:?}", log.lines());
    }
}

async fn a_worker_may_run_everything(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let call = double(1, 0.0, &log);
    call.submit(&engine).await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = tokio::spawn(dispatcher().worker(engine.clone()).concurrency(usize::MAX).run_until(stopped));
    assert!(call.end(&engine, SOON).await.is_object());
    stop.send(()).unwrap();
    worker.await.unwrap().unwrap();
}

async fn a_task_that_cannot_be_read_fails(database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let calls = [1, 2].map(|number| double(number, 0.0, &log));
    calls[0].submit(&engine).await;
    database.damage_calls().await;
    calls[1].submit(&engine).await;
    engine.get(&calls[0].id).await.unwrap_err();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = tokio::spawn(dispatcher().worker(engine.clone()).concurrency(1).run_until(stopped));
    assert_eq!(calls[1].end(&engine, SOON).await["completed"]["structuredContent"], 4);
    let start = Instant::now();
    while engine.unfinished(None).await.unwrap() > 0 {
        assert!(start.elapsed() < SOON);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    stop.send(()).unwrap();
    worker.await.unwrap().unwrap();
}

async fn a_database_is_down_for_ten_seconds(mut database: Database) {
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let workers = [WorkerProcess::start(&database.url), WorkerProcess::start(&database.url)];
    // Half of them end while the database is down, and half of them later.
    let seconds = |number| if number < 4 { 4.0 } else { 13.0 };
    let running: Vec<_> = (0..8).map(|number| double(number, seconds(number), &log)).collect();
    for call in &running {
        call.submit(&engine).await;
    }
    (0..8).for_each(|number| log.wait_for(&format!("start {number}"), 1));
    database.stop();
    let stopped = Instant::now();
    let refused = double(100, 0.0, &log);
    engine.submit(refused.stored()).await.unwrap_err();
    assert!(stopped.elapsed() < Duration::from_secs(9), "{:?}", stopped.elapsed());
    tokio::time::sleep(Duration::from_secs(10).saturating_sub(stopped.elapsed())).await;
    // They went on.
    (0..4).for_each(|number| assert_eq!(log.count(&format!("end {number}")), 1));
    database.start();

    for (number, call) in (0..).zip(&running) {
        assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], 2 * number);
    }
    let next = double(200, 0.0, &log);
    next.submit(&engine).await;
    assert!(next.end(&engine, SOON).await.is_object());
    assert!(engine.get(&refused.id).await.unwrap().is_none(), "there is no half task");
    (0..8).for_each(|number| assert_eq!(log.count(&format!("start {number}")), 1));
    drop(workers);
}

async fn processes_create_the_tables_together(database: Database) {
    let log = Log::new();
    let mut workers = [(); 4].map(|()| WorkerProcess::start(&database.url));
    let engine = open(&database.url).await.unwrap();
    let calls: Vec<_> = (0..20).map(|number| double(number, 0.0, &log)).collect();
    for call in &calls {
        call.submit(&engine).await;
    }
    for call in &calls {
        assert!(call.end(&engine, SOON).await.is_object());
    }
    (0..20).for_each(|number| assert_eq!(log.count(&format!("start {number}")), 1));
    for worker in &mut workers {
        worker.close();
        worker.wait();
    }
}
