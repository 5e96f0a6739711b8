//! A worker, which claims jobs, runs their calls, and stores how they end.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use mcp_tool_runtime::BoxFuture;
use mcp_tool_runtime::tasks::{StoredCall, TaskEnd, TaskRecord, WorkerSettings};
use tokio::sync::Notify;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep};
use tracing::warn;
use ulid::Ulid;

use crate::engine::{Engine, POLL, answered, failed, result_lost};
use crate::monitor::{Monitor, Signal};
use crate::store::{Beat, BoxError, Held, Store, is_disk_full, is_gone};

/// A function that runs a call. Except in the tests of this package, it is the runner of a dispatcher. It returns
/// `None` to leave the call to other workers.
pub(crate) type Run = Arc<dyn Fn(StoredCall, u32, Arc<Monitor>) -> BoxFuture<'static, Option<TaskEnd>> + Send + Sync>;

/// Runs a worker until `shutdown` is ready and the running tasks have ended. Database errors do not stop the worker.
pub(crate) async fn work<S: Store>(
    engine: &Engine<S>,
    run: Run,
    settings: WorkerSettings,
    shutdown: BoxFuture<'_, ()>,
) {
    let WorkerSettings { concurrency, name, .. } = settings;
    // A worker with a name runs only the calls that are submitted to it directly.
    let (woken, concurrency) =
        if name.is_some() { (&engine.submitted, 0) } else { (&engine.changed, concurrency.max(1)) };
    // Without a name from the settings, choose one that no other worker has. A restarted process becomes a new worker,
    // because it no longer knows what the old worker was doing.
    let name = name.unwrap_or_else(|| format!("mcp-tool-{}", Ulid::generate()));
    let worker = Worker { engine, name, run, concurrency, woken, registered: Notify::new() };
    tokio::select! {
        never = worker.beat() => match never {},
        never = worker.sweep() => match never {},
        never = worker.listen() => match never {},
        () = worker.claim(shutdown) => {}
    }
}

struct Worker<'a, S> {
    engine: &'a Engine<S>,
    name: String,
    run: Run,
    concurrency: usize,
    woken: &'a Notify,
    /// Notified when a beat is stored. The worker claims nothing before that, because SQLite and Postgres refuse claims
    /// from a worker that they do not know.
    registered: Notify,
}

impl<S: Store> Worker<'_, S> {
    /// Keeps renewing the worker's lease, even while the worker shuts down, and puts the jobs of dead workers back in
    /// the queue.
    ///
    /// Another worker counts as dead if its beat has not changed for the time of a lease. This process measures that
    /// time itself, with a monotonic clock, because the clock of the database can be set.
    async fn beat(&self) -> Infallible {
        let lease = self.engine.lease;
        // When this process first saw each beat.
        let mut others: HashMap<Beat, Instant> = HashMap::new();
        let mut last = Instant::now();
        loop {
            let silent = others.iter().filter(|(_, since)| since.elapsed() > lease).map(|(beat, _)| beat.clone());
            let beats = answered(self.engine.store.beat(&self.name, &silent.collect::<Vec<_>>())).await;
            let now = Instant::now();
            // After the database or this process has stalled, other processes may have stalled too, so give them time
            // to beat again.
            let is_steady = now.duration_since(std::mem::replace(&mut last, now)) <= lease / 2;
            match beats {
                Ok(beats) => {
                    self.registered.notify_one();
                    let since = |beat: &Beat| others.get(beat).copied().filter(|_| is_steady).unwrap_or(now);
                    others =
                        beats.into_iter().map(|beat| (since(&beat), beat)).map(|(since, beat)| (beat, since)).collect();
                }
                Err(error) => {
                    warn!(%error, "this process cannot keep its lease in the database of the tasks");
                    others.clear();
                }
            }
            sleep(lease / 4).await;
        }
    }

    async fn listen(&self) -> Infallible {
        if self.concurrency == 0 {
            return std::future::pending().await;
        }
        loop {
            // Ignore a failure: even without notifications, the worker looks for jobs from time to time.
            let _ = self.engine.store.listen(self.woken).await;
            sleep(SECOND).await;
        }
    }

    async fn sweep(&self) -> Infallible {
        loop {
            let pause = match answered(self.engine.store.sweep()).await {
                // There may be more to delete. Let other processes write before the next sweep.
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
        tokio::select! {
            () = self.registered.notified() => {}
            () = &mut shutdown => return,
        }
        let now = Instant::now();
        let mut tasks = Tasks { running: HashMap::new(), runs: JoinSet::new(), retry_at: now, claim_at: now };
        let mut closing = false;
        let mut silent = false;
        loop {
            match self.look(&mut tasks, closing).await {
                Ok(()) => silent = false,
                Err(error) if !silent => {
                    warn!(%error, "a worker cannot claim tasks");
                    silent = true;
                }
                Err(_) => {}
            }
            if closing && tasks.running.is_empty() {
                return;
            }
            tokio::select! {
                () = &mut shutdown, if !closing => closing = true,
                Some(run) = tasks.runs.join_next() => tasks.note(run),
                () = self.woken.notified() => {}
                () = sleep(if tasks.running.is_empty() { SECOND } else { POLL }) => {}
            }
        }
    }

    /// Does one round of work: stores the ends of tasks, claims and starts jobs, tells runs to stop if they are
    /// cancelled or no longer belong to this worker, and stores progress messages.
    ///
    /// Asks the database which jobs this worker holds, rather than remembering its claims. So the worker also starts a
    /// job whose claim was stored although the answer was lost, and never a job whose claim was not stored.
    async fn look(&self, tasks: &mut Tasks, closing: bool) -> Result<(), BoxError> {
        let store = &self.engine.store;
        while let Some(run) = tasks.runs.try_join_next() {
            tasks.note(run);
        }
        self.settle(tasks).await;
        let mut held = answered(store.held(&self.name)).await?;
        let free = self.concurrency.saturating_sub(held.len().max(tasks.running.len()));
        if free > 0
            && !closing
            && tasks.claim_at <= Instant::now()
            && answered(store.claim(&self.name, free)).await? > 0
        {
            held = answered(store.held(&self.name)).await?;
        }
        for (id, Running { repeats, monitor, .. }) in &tasks.running {
            match held.iter().find(|job| job.id == *id && job.repeats == *repeats) {
                Some(Held { unfinished: true, cancelled: false, .. }) => {}
                Some(Held { unfinished: true, cancelled: true, .. }) => monitor.signal(Signal::Cancel),
                _ => monitor.signal(Signal::Stop),
            }
        }
        for job in held {
            if tasks.running.contains_key(&job.id) {
            } else if job.unfinished {
                self.start(job, tasks).await?;
            } else {
                answered(store.end(&self.name, &[(&job.id, None)])).await?;
            }
        }
        self.store_messages(&tasks.running).await
    }

    /// Stores the last messages of all tasks in one transaction, because each transaction waits for the disk.
    async fn store_messages(&self, running: &HashMap<String, Running>) -> Result<(), BoxError> {
        let messages = running.iter().filter_map(|(id, run)| Some((id.as_str(), run.monitor.message().take()?)));
        let messages: Vec<_> = messages.collect();
        if messages.is_empty() {
            return Ok(());
        }
        let stored = answered(self.engine.store.progress(&self.name, &messages)).await;
        if stored.is_err() {
            for (id, message) in messages {
                running[id].monitor.message().get_or_insert(message);
            }
        }
        stored
    }

    async fn start(&self, job: Held, tasks: &mut Tasks) -> Result<(), BoxError> {
        let store = &self.engine.store;
        let Some(record) = answered(store.get(&job.id)).await? else { return Ok(()) };
        let call = match TaskRecord::try_from(record) {
            Ok(record) => record.call,
            Err(error) => {
                warn!(%error, "a task that cannot be read has failed");
                return answered(store.end(&self.name, &[(&job.id, Some(&failed(UNREADABLE)))])).await;
            }
        };
        let attempt = u32::try_from(job.repeats).unwrap_or(u32::MAX).saturating_add(1);
        let monitor = Arc::new(Monitor::new());
        if job.cancelled {
            // The client cancelled the task before this run began, so pass the cancellation on.
            monitor.signal(Signal::Cancel);
        }
        let running = Running {
            repeats: job.repeats,
            monitor: monitor.clone(),
            task_id: call.task_id.clone(),
            done: None,
            failures: 0,
            refusals: 0,
        };
        tasks.running.insert(job.id.clone(), running);
        let run = self.run.clone();
        tasks.runs.spawn(async move {
            let done = tokio::select! {
                end = run(call, attempt, monitor.clone()) => match end.map(|end| serde_json::to_string(&end)) {
                    Some(Ok(json)) => Done::Ended(json),
                    Some(Err(error)) => {
                        warn!(%error, "the end of a task is not JSON");
                        Done::Ended(failed(UNREADABLE))
                    }
                    None => Done::Left,
                },
                () = monitor.signalled(Signal::Stop) => Done::Stopped,
            };
            (job.id, done)
        });
        Ok(())
    }

    /// Stores the ends of the runs, and forgets each run whose end is stored. Gives back the jobs that this worker
    /// cannot run.
    async fn settle(&self, tasks: &mut Tasks) {
        let store = &self.engine.store;
        tasks.running.retain(|_, run| !matches!(run.done, Some(Done::Stopped)));
        let left = tasks.running.iter().filter(|(_, run)| matches!(run.done, Some(Done::Left)));
        for (id, task_id) in left.map(|(id, run)| (id.clone(), run.task_id.clone())).collect::<Vec<_>>() {
            // Give other workers time to claim the job before this worker claims jobs again.
            tasks.claim_at = Instant::now() + SECOND;
            if answered(store.give_back(&self.name, &id)).await.is_ok() {
                tasks.running.remove(&id);
                // Reading the record ends the task if it has waited for too long.
                let _ = self.engine.record(&task_id).await;
            }
        }
        loop {
            let mut bytes = 0;
            let fresh = tasks.running.iter().filter(|(_, run)| run.end().is_some() && run.failures == 0);
            let fresh = fresh.take_while(|(_, run)| {
                let before = bytes;
                bytes += run.end().map_or(0, str::len);
                before == 0 || bytes < MOST_BYTES
            });
            let fresh: Vec<_> = fresh.map(|(id, _)| id.clone()).take(TOGETHER).collect();
            if fresh.is_empty() {
                break;
            }
            if self.store_ends(tasks, &fresh).await.is_err() {
                tasks.retry_at = Instant::now() + FIRST_PAUSE;
            }
        }
        while tasks.retry_at <= Instant::now() {
            // Retry each end separately, since the database may refuse only one of them. Start with the end that has
            // the fewest failed attempts.
            let failed = tasks.running.iter().filter(|(_, run)| run.end().is_some() && run.failures > 0);
            let Some((id, run)) = failed.min_by_key(|(_, run)| run.failures) else { return };
            let (id, pause) = (id.clone(), (FIRST_PAUSE * 2_u32.pow(run.failures.min(5))).min(LONGEST_PAUSE));
            if let Err(error) = self.store_ends(tasks, std::slice::from_ref(&id)).await {
                tasks.retry_at = Instant::now() + pause;
                if pause == LONGEST_PAUSE {
                    self.give_up_long_result(&id, tasks, &error).await;
                }
            }
        }
    }

    /// Stores the ends of the tasks whose jobs have these `ids`, in one transaction, since each transaction waits for
    /// the disk.
    async fn store_ends(&self, tasks: &mut Tasks, ids: &[String]) -> Result<(), BoxError> {
        let ends: Vec<_> = ids.iter().map(|id| (id.as_str(), tasks.running[id].end())).collect();
        let stored = answered(self.engine.store.end(&self.name, &ends)).await;
        match &stored {
            Err(error) if is_gone(error) => warn!(%error, tasks = ids.len(), "the ends of tasks are lost"),
            Err(error) => {
                warn!(%error, tasks = ids.len(), "the ends of tasks cannot be stored yet");
                for id in ids {
                    tasks.running.entry(id.clone()).and_modify(|run| run.failures += 1);
                }
                return stored;
            }
            Ok(()) => self.engine.ended.notify_waiters(),
        }
        tasks.running.retain(|id, _| !ids.contains(id));
        Ok(())
    }

    /// Gives up on a long result if the database keeps refusing it but accepts other statements.
    async fn give_up_long_result(&self, id: &str, tasks: &mut Tasks, error: &BoxError) {
        const LONG: usize = 1 << 20;
        const REFUSALS: u32 = 10;

        let Some(run) = tasks.running.get_mut(id) else { return };
        let bytes = run.end().map_or(0, str::len);
        let message = [(id, "the result cannot be stored yet".to_owned())];
        if bytes > LONG
            && !is_disk_full(error)
            && answered(self.engine.store.progress(&self.name, &message)).await.is_ok()
        {
            run.refusals += 1;
            if run.refusals == REFUSALS {
                warn!(bytes, "the result of a task is too long for the database");
                run.done = Some(Done::Ended(result_lost()));
            }
        }
    }
}

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// The shortest and the longest pause between attempts to store an end.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The maximum number of ends that are stored at once, and their maximum total length in bytes. An end that is stored
/// alone may be longer.
const TOGETHER: usize = 100;
const MOST_BYTES: usize = 1 << 20;

/// The error message for a task whose call cannot be read or whose result cannot be written as JSON. The log says more.
const UNREADABLE: &str = "the server cannot store or read this task";

/// The tasks of a worker, and when the worker may next claim a job or store an end.
struct Tasks {
    /// The tasks that are running, and those whose end is not stored yet, by the ids of their jobs.
    running: HashMap<String, Running>,
    runs: JoinSet<(String, Done)>,
    /// When to try again to store the ends that could not be stored.
    retry_at: Instant,
    /// When the next job may be claimed.
    claim_at: Instant,
}

impl Tasks {
    fn note(&mut self, run: Result<(String, Done), JoinError>) {
        match run {
            Ok((id, done)) => _ = self.running.get_mut(&id).map(|run| run.done = Some(done)),
            // A panic in a tool is caught and becomes the result, so this panic is a bug in this crate. Let it end the
            // worker, so that other workers run the tasks.
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }
}

struct Running {
    task_id: String,
    /// The [`Held::repeats`] of the job when this worker claimed it. A later claim of the job has a larger number.
    repeats: i64,
    monitor: Arc<Monitor>,
    done: Option<Done>,
    /// How many times the end could not be stored, and how many of these times its length was probably the reason.
    failures: u32,
    refusals: u32,
}

impl Running {
    fn end(&self) -> Option<&str> {
        match &self.done {
            Some(Done::Ended(json)) => Some(json),
            _ => None,
        }
    }
}

enum Done {
    /// A `TaskEnd` as JSON.
    Ended(String),
    /// This worker cannot run the task.
    Left,
    /// The task has ended elsewhere, or another worker is running it.
    Stopped,
}
