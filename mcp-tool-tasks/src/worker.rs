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
use crate::store::{BoxError, Held, Store};

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
        let mut steady_since = None;
        loop {
            let steady = steady_since.is_some_and(|since: Instant| since.elapsed() > lease);
            match answered(self.engine.store.beat(&self.name, steady.then_some(lease))).await {
                Ok(()) => steady_since = steady_since.or_else(|| Some(Instant::now())),
                Err(error) => {
                    warn!(%error, "a worker cannot keep its lease");
                    steady_since = None;
                }
            }
            let before = Instant::now();
            sleep(lease / 4).await;
            if before.elapsed() > lease {
                // This process was suspended, and perhaps its whole machine with other workers.
                steady_since = None;
            }
        }
    }

    async fn sweep(&self) -> Infallible {
        loop {
            if let Err(error) = answered(self.engine.store.sweep()).await {
                warn!(%error, "expired tasks cannot be deleted");
            }
            sleep(Duration::from_mins(1)).await;
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
            if closing && running.is_empty() {
                return;
            }
            match self.look(&mut running, &mut runs, closing).await {
                Ok(()) => silent = false,
                Err(error) if !silent => {
                    warn!(%error, "a worker cannot claim tasks");
                    silent = true;
                }
                Err(_) => {}
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
        let free = self.concurrency.saturating_sub(running.len());
        if free > 0 && !closing {
            answered(store.claim(&self.name, free)).await?;
        }
        let held = answered(store.held(&self.name)).await?;
        for (id, Running { repeats, monitor }) in &*running {
            match held.iter().find(|job| job.id == *id && job.repeats == *repeats) {
                Some(Held { unfinished: true, cancelled: false, .. }) => {}
                Some(Held { unfinished: true, cancelled: true, .. }) => monitor.signal(Signal::Cancel),
                _ => monitor.signal(Signal::Stop),
            }
        }
        store_messages(store, running).await?;
        for job in held {
            if running.contains_key(&job.id) || closing {
            } else if job.unfinished {
                self.start(job, running, runs).await?;
            } else {
                answered(store.end(&self.name, &job.id, None)).await?;
            }
        }
        Ok(())
    }

    async fn start(
        &self,
        job: Held,
        running: &mut HashMap<String, Running>,
        runs: &mut JoinSet<String>,
    ) -> Result<(), BoxError> {
        let Some(record) = answered(self.engine.store.get(&job.id)).await? else { return Ok(()) };
        let call = TaskRecord::try_from(record)?.call;
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
                    let mut pause = Duration::from_millis(100);
                    while let Err(error) = answered(engine.store.end(&name, &job.id, Some(&outcome))).await {
                        warn!(%error, "the end of a task cannot be stored");
                        sleep(pause).await;
                        pause = (pause * 2).min(Duration::from_secs(2));
                    }
                    engine.ended.notify_waiters();
                }
                Err(error) => warn!(%error, "the end of a task is not JSON"),
            }
            job.id
        });
        Ok(())
    }
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
        *self.message() = Some(message);
    }

    /// Is not ready when the run must stop without an end: the worker drops it then.
    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.signalled(Signal::Cancel))
    }
}
