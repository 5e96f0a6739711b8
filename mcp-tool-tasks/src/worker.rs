//! A worker: claims jobs, runs their calls, and stores how they end.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcp_tool_runtime::BoxFuture;
use mcp_tool_runtime::tasks::{StoredCall, TaskEnd, TaskMonitor, TaskRecord};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep};
use tracing::warn;
use ulid::Ulid;

use crate::engine::{self, Engine, POLL, answered};
use crate::store::{self, BoxError, Held, Outcome, Store};

/// Runs a call: the runner of a dispatcher, but for the tests of this package.
pub(crate) type Run = Arc<dyn Fn(StoredCall, u32, Arc<Monitor>) -> BoxFuture<'static, TaskEnd> + Send + Sync>;

/// Works until `shutdown` is ready and the running tasks have ended. No error of the database ends it.
pub(crate) async fn work<S: Store>(engine: &Engine<S>, run: Run, concurrency: usize, shutdown: BoxFuture<'_, ()>) {
    // Another incarnation of this process is another worker: it does not know what this one was doing.
    let name = format!("mcp-tool-{}", Ulid::generate());
    let worker = Worker { engine, name, run, concurrency: concurrency.max(1) };
    tokio::select! {
        never = worker.beat() => match never {},
        never = worker.sweep() => match never {},
        () = worker.claim(shutdown) => {}
    }
}

struct Worker<'a, S> {
    engine: &'a Engine<S>,
    name: String,
    run: Run,
    concurrency: usize,
}

impl<S: Store> Worker<'_, S> {
    /// Keeps the lease, also while the worker shuts down, and queues the jobs of dead workers again.
    async fn beat(&self) -> Infallible {
        let lease = self.engine.lease;
        // While the database does not answer, no worker can keep its lease. So a worker that beats again gives the others the same time.
        let mut steady_since: Option<Instant> = None;
        loop {
            let takes_over = steady_since.is_some_and(|since| since.elapsed() > lease);
            match answered(self.engine.store.beat(&self.name, lease, takes_over)).await {
                Ok(true) => _ = steady_since.get_or_insert_with(Instant::now),
                // This process or the database was suspended, perhaps with other workers, or the clock of the database was set.
                Ok(false) => steady_since = Some(Instant::now()),
                Err(error) => {
                    warn!(%error, "a worker cannot keep its lease");
                    steady_since = None;
                }
            }
            sleep(lease / 4).await;
        }
    }

    async fn sweep(&self) -> Infallible {
        loop {
            let pause = match answered(self.engine.store.sweep()).await {
                // Others want to write as well.
                Ok(true) => Duration::from_millis(20),
                Ok(false) => MINUTE,
                Err(error) => {
                    warn!(%error, "expired tasks cannot be deleted");
                    MINUTE
                }
            };
            sleep(pause).await;
        }
    }

    async fn claim(&self, mut shutdown: BoxFuture<'_, ()>) {
        let mut running = HashMap::new();
        let mut runs = JoinSet::new();
        let mut closing = false;
        let mut silent = false;
        loop {
            while let Some(run) = runs.try_join_next() {
                forget(&mut running, run);
            }
            match self.look(&mut running, &mut runs, closing).await {
                Ok(()) => silent = false,
                Err(error) if !silent => {
                    warn!(%error, "a worker cannot claim tasks");
                    silent = true;
                }
                Err(_) => {}
            }
            if closing && running.is_empty() {
                return;
            }
            tokio::select! {
                () = &mut shutdown, if !closing => closing = true,
                Some(run) = runs.join_next() => forget(&mut running, run),
                () = self.engine.changed.notified() => {}
                () = sleep(POLL) => {}
            }
        }
    }

    /// Claims jobs, and compares what this worker holds with what it runs.
    ///
    /// The database says what it holds, and nothing else: so a claim whose answer was lost is found as well.
    async fn look(
        &self,
        running: &mut HashMap<String, Running>,
        runs: &mut JoinSet<String>,
        closing: bool,
    ) -> Result<(), BoxError> {
        let store = &self.engine.store;
        if running.len() < self.concurrency && !closing {
            answered(store.claim(&self.name, self.concurrency)).await?;
        }
        let held = answered(store.held(&self.name)).await?;
        for (id, Running { repeats, monitor }) in &*running {
            match held.iter().find(|job| job.id == *id && job.repeats == *repeats) {
                Some(Held { unfinished: true, cancelled: false, .. }) => {}
                Some(Held { unfinished: true, cancelled: true, .. }) => monitor.signal(Signal::Cancel),
                _ => monitor.signal(Signal::Stop),
            }
        }
        for job in held {
            if running.contains_key(&job.id) {
            } else if job.unfinished {
                self.start(job, running, runs).await?;
            } else {
                answered(store.end(&self.name, &job.id, None)).await?;
            }
        }
        store_messages(store, running).await
    }

    async fn start(
        &self,
        job: Held,
        running: &mut HashMap<String, Running>,
        runs: &mut JoinSet<String>,
    ) -> Result<(), BoxError> {
        let Some(record) = answered(self.engine.store.get(&job.id)).await? else { return Ok(()) };
        let call = match TaskRecord::try_from(record) {
            Ok(record) => record.call,
            Err(error) => {
                warn!(%error, "a task that cannot be read has failed");
                return answered(self.engine.store.end(&self.name, &job.id, Some(&failed(HOUR)))).await;
            }
        };
        if job.cancelled {
            // Its worker died before it could stop the task.
            let outcome = engine::outcome(&TaskEnd::Cancelled(None), &call)?;
            return answered(self.engine.store.end(&self.name, &job.id, Some(&outcome))).await;
        }
        let attempt = u32::try_from(job.repeats).unwrap_or(u32::MAX).saturating_add(1);
        let monitor = Arc::new(Monitor::new());
        running.insert(job.id.clone(), Running { repeats: job.repeats, monitor: monitor.clone() });
        let (engine, name, run) = (self.engine.clone(), self.name.clone(), self.run.clone());
        runs.spawn(async move {
            let end = tokio::select! {
                end = run(call.clone(), attempt, monitor.clone()) => end,
                () = monitor.signalled(Signal::Stop) => return job.id,
            };
            match engine::outcome(&end, &call) {
                Ok(outcome) => {
                    store_end(&engine, &name, &job.id, outcome, call.keep_for).await;
                    engine.ended.notify_waiters();
                }
                Err(error) => warn!(%error, "the end of a task is not JSON"),
            }
            job.id
        });
        Ok(())
    }
}

const MINUTE: Duration = Duration::from_mins(1);

/// How long a task is kept that does not say so.
const HOUR: Duration = Duration::from_hours(1);

/// Stores the end of a task, however long the database does not answer.
async fn store_end<S: Store>(engine: &Engine<S>, worker: &str, id: &str, mut outcome: Outcome, keep_for: Duration) {
    const LONGEST_PAUSE: Duration = Duration::from_secs(2);
    /// A result of more bytes is given up if the database refuses it so often, although it takes another statement each time.
    const LONG: usize = 1 << 20;
    const REFUSALS: u32 = 10;

    let mut pause = Duration::from_millis(100);
    let mut refusals = 0;
    while let Err(error) = answered(engine.store.end(worker, id, Some(&outcome))).await {
        warn!(%error, "the end of a task cannot be stored");
        let is_refusable = outcome.json.len() > LONG && pause == LONGEST_PAUSE && !is_disk_full(&error);
        let message = [(id, "the result cannot be stored yet".to_owned())];
        if is_refusable && answered(engine.store.progress(&message)).await.is_ok() {
            refusals += 1;
            if refusals == REFUSALS {
                warn!(bytes = outcome.json.len(), "the result of a task is too long for the database");
                outcome = failed(keep_for);
            }
        }
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// A full disk may have room for a short statement, and later for a result.
fn is_disk_full(error: &BoxError) -> bool {
    let text = error.to_string();
    ["No space left", "disk is full"].into_iter().any(|full| text.contains(full))
}

/// The end of a task whose call or result is lost: a JSON-RPC error. The log says more.
fn failed(keep_for: Duration) -> Outcome {
    let json = r#"{"failed":{"code":-32603,"message":"the server cannot store or read this task"}}"#.to_owned();
    Outcome { json, keep_for: store::millis(keep_for) }
}

fn forget(running: &mut HashMap<String, Running>, run: Result<String, JoinError>) {
    match run {
        Ok(id) => _ = running.remove(&id),
        // A panic of a tool is its result. Another one is a mistake of this crate: without the worker, its tasks run elsewhere.
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Stores the last message of each task, all at once: each transaction waits for the disk.
async fn store_messages<S: Store>(store: &S, running: &HashMap<String, Running>) -> Result<(), BoxError> {
    let messages = running.iter().filter_map(|(id, run)| Some((id.as_str(), run.monitor.message().take()?)));
    let messages: Vec<_> = messages.collect();
    if messages.is_empty() {
        return Ok(());
    }
    let stored = answered(store.progress(&messages)).await;
    if stored.is_err() {
        for (id, message) in messages {
            running[id].monitor.message().get_or_insert(message);
        }
    }
    stored
}

struct Running {
    /// Tells this claim of the job from a later one.
    repeats: i64,
    monitor: Arc<Monitor>,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Signal {
    Run,
    /// The client asked.
    Cancel,
    /// The task has ended elsewhere, or runs there.
    Stop,
}

/// Connects a running task with the database.
pub(crate) struct Monitor {
    signal: watch::Sender<Signal>,
    /// The last message, until it is stored.
    message: Mutex<Option<String>>,
}

impl Monitor {
    fn new() -> Self {
        Self { signal: watch::Sender::new(Signal::Run), message: Mutex::default() }
    }

    fn signal(&self, signal: Signal) {
        self.signal.send_if_modified(|current| {
            let later = signal > *current;
            if later {
                *current = signal;
            }
            later
        });
    }

    async fn signalled(&self, signal: Signal) {
        let _ = self.signal.subscribe().wait_for(|current| *current == signal).await;
    }

    fn message(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.message.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TaskMonitor for Monitor {
    fn progress(&self, message: String) {
        // Postgres stores no NUL in a text.
        *self.message() = Some(message.replace('\0', "\u{fffd}"));
    }

    /// Is not ready when the run must stop without an end: the worker drops it then.
    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.signalled(Signal::Cancel))
    }
}
