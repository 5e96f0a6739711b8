//! Runs the calls to tools with `once` that this process has submitted to an engine, and no other calls (feature
//! `tasks`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use super::Dispatcher;
use super::run::new_task_id;
use super::service::TaskService;
use super::worker::StoredCalls;
use crate::tasks::{IfStopped, RunStored, StoredCall, TaskEnd, TaskEngine, TaskMonitor, TaskRunner, WorkerSettings};
use crate::{BoxFuture, call::lock, log};

/// A call to a tool with `once`. It borrows nothing, so that a worker can run it.
pub(super) struct OwnAct {
    pub(super) run: BoxFuture<'static, TaskEnd>,
    pub(super) if_stopped: Option<IfStopped>,
}

/// The calls that are being stored: the id of each task, with the channel through which the worker gets the call.
#[derive(Default)]
pub(super) struct Offers(Mutex<HashMap<String, oneshot::Receiver<OwnAct>>>);

/// The offer of one call to the worker. `take` sends the call. If `take` is not called, but the call is stored, the
/// worker runs the call from its stored form.
pub(super) struct Offer<'o> {
    offers: &'o Offers,
    id: &'o str,
    send: Option<oneshot::Sender<OwnAct>>,
}

impl Offers {
    /// Offers a call that is about to be stored with this id, or returns `None` if another call with the same id is
    /// being stored.
    pub(super) fn open<'o>(&'o self, id: &'o str) -> Option<Offer<'o>> {
        let (send, receive) = oneshot::channel();
        let mut offers = lock(&self.0);
        if offers.contains_key(id) {
            return None;
        }
        offers.insert(id.to_owned(), receive);
        Some(Offer { offers: self, id, send: Some(send) })
    }

    fn close(&self, id: &str) -> Option<oneshot::Receiver<OwnAct>> {
        lock(&self.0).remove(id)
    }
}

impl Offer<'_> {
    pub(super) fn take(mut self, act: OwnAct) {
        if let Some(send) = self.send.take() {
            let _ = send.send(act);
        }
    }
}

impl Drop for Offer<'_> {
    fn drop(&mut self) {
        if self.send.is_some() {
            self.offers.close(self.id);
        }
    }
}

/// Runs the calls to tools with `once` that this process has submitted to its engine.
pub(super) struct OnceRunner {
    pub(super) name: String,
    pub(super) offers: Arc<Offers>,
    stop: Arc<Notify>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

impl OnceRunner {
    pub(super) fn start(dispatcher: &Dispatcher, tasks: &TaskService, engine: &Arc<dyn TaskEngine>) -> Self {
        let (offers, stop) = (Arc::<Offers>::default(), Arc::<Notify>::default());
        let name = format!("once-{}", new_task_id().unwrap_or_else(|| crate::CallId::generate().to_string()));
        let max_attempts = tasks.settings.max_attempts;
        let stored = StoredCalls::new(dispatcher.clone(), max_attempts);
        let runner = TaskRunner::new(OnceCalls { offers: Arc::clone(&offers), stored });
        let settings = WorkerSettings { concurrency: 0, max_attempts, name: Some(name.clone()) };
        let (engine, stopped) = (Arc::clone(engine), Arc::clone(&stop));
        let worker = tokio::spawn(async move {
            let shutdown = Box::pin(async move { stopped.notified().await });
            if let Err(error) = engine.work(runner, settings, shutdown).await {
                log::engine_failed(&error.to_string());
            }
        });
        Self { name, offers, stop, worker: Mutex::new(Some(worker)) }
    }

    /// Stops the worker, and waits for the running calls, but no longer than `at_most`.
    pub(super) async fn finish(&self, at_most: Duration) {
        self.stop.notify_one();
        let worker = lock(&self.worker).take();
        if let Some(worker) = worker {
            let _ = tokio::time::timeout(at_most, worker).await;
        }
    }
}

struct OnceCalls {
    offers: Arc<Offers>,
    /// The runner for calls without an offer, and for calls that an earlier worker has already tried to run. It runs
    /// these calls from their stored form.
    stored: StoredCalls,
}

impl RunStored for OnceCalls {
    fn run<'a>(
        &'a self,
        call: &'a StoredCall,
        attempt: u32,
        monitor: &'a dyn TaskMonitor,
    ) -> BoxFuture<'a, Option<TaskEnd>> {
        Box::pin(async move {
            let offered = self.offers.close(&call.task_id);
            if let (Some(offered), 1) = (offered, attempt)
                && let Ok(OwnAct { run, if_stopped }) = offered.await
            {
                // Check `cancelled` first, so that a call that is cancelled before its first poll does not start.
                return Some(tokio::select! {
                    biased;
                    () = monitor.cancelled() => IfStopped::apply(if_stopped, TaskEnd::Cancelled(None)),
                    end = run => end,
                });
            }
            self.stored.run(call, attempt, monitor).await
        })
    }
}
