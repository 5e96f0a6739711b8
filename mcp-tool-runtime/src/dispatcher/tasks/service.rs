//! What a dispatcher with tasks keeps, and how it stores calls in an engine (feature `tasks`).

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard, Semaphore};

use super::once_runner::OnceRunner;
use super::{TaskError, TaskSettings};
use crate::call::catch_panic::sleep;
use crate::tasks::settings::TaskContext;
use crate::tasks::{MemoryTasks, Snapshot, StoredCall, TaskEnd, TaskEngine, TaskEngineError};
use crate::{Tasks, ToolError, log};

/// What a dispatcher knows about tasks. Without `DispatcherBuilder::tasks`, there is no service, but a worker of the
/// dispatcher still uses the context.
pub(in super::super) struct DispatcherTasks {
    pub(super) service: Option<TaskService>,
    pub(super) context: Option<TaskContext>,
}

impl DispatcherTasks {
    pub(in super::super) fn new(settings: TaskSettings) -> Self {
        let TaskSettings { tasks, context } = settings;
        let service = tasks.map(|settings| TaskService {
            memory: MemoryTasks::new(settings.clone()),
            settings,
            turn: Mutex::default(),
            once: OnceLock::new(),
            abandoned: Arc::new(Abandoned { calls: Semaphore::new(1_000), turn: Mutex::default() }),
        });
        Self { service, context }
    }
}

/// The tasks of a dispatcher with their settings, and what is needed to store the tasks in an engine.
pub(super) struct TaskService {
    pub(super) settings: Tasks,
    /// The tasks that are kept in memory. There are none if an engine stores the tasks.
    pub(super) memory: Arc<MemoryTasks>,
    /// A lock that a call holds while it counts an engine's tasks, and then until its own task is stored. This way,
    /// concurrent calls count each other's tasks.
    turn: Mutex<()>,
    abandoned: Arc<Abandoned>,
    /// Runs the calls to tools with `once` that this process has submitted to its engine. Started by the first such
    /// call.
    pub(super) once: OnceLock<OnceRunner>,
}

impl From<TaskEngineError> for TaskError {
    fn from(error: TaskEngineError) -> Self {
        log::engine_failed(&error.to_string());
        Self::Unavailable
    }
}

impl TaskService {
    /// Returns the task with this id from the engine, if it belongs to this principal.
    pub(super) async fn find(
        &self,
        engine: &Arc<dyn TaskEngine>,
        id: &str,
        principal: Option<&str>,
    ) -> Result<Snapshot, TaskError> {
        if !is_task_id(id) {
            return Err(TaskError::Unknown);
        }
        let record = engine.get(id).await?;
        let record = record.filter(|record| record.call.principal.as_deref() == principal);
        let snapshot = record.map(|record| Snapshot::of_record(record, self.settings.poll_every));
        snapshot.ok_or(TaskError::Unknown)
    }

    /// Logs the engine's error, and returns the error for a call that was not stored.
    pub(super) fn unavailable(error: &TaskEngineError) -> ToolError {
        log::engine_failed(&error.to_string());
        ToolError::new("the call could not be recorded; try again later").with_can_retry(true)
    }

    /// Waits until no other call is counting the tasks or storing its own task. Fails if the wait takes too long, as it
    /// does if the engine does not answer.
    async fn turn(&self) -> Result<MutexGuard<'_, ()>, TaskEngineError> {
        let Some(timer) = sleep(Duration::from_secs(5)) else { return Ok(self.turn.lock().await) };
        tokio::select! {
            biased;
            turn = self.turn.lock() => Ok(turn),
            () = timer => Err(TaskEngineError::new("the calls before this one wait for the engine")),
        }
    }

    /// Stores a call, and waits a short time for its end. The outer error means that the call was not stored, as far as
    /// this process knows. The inner error means that a stored call failed or was lost.
    pub(super) async fn submit(
        &self,
        engine: &Arc<dyn TaskEngine>,
        call: StoredCall,
    ) -> Result<Result<Snapshot, TaskError>, ToolError> {
        let (id, created_at, keep_for) = (call.task_id.clone(), call.created_at, call.keep_for);
        let poll_every = self.settings.poll_every;
        let unavailable = |error: TaskEngineError| Self::unavailable(&error);
        let bounds =
            [(self.settings.max_tasks, None), (self.settings.max_tasks_per_principal, call.principal.as_deref())];
        let mut turn = None;
        for (index, (bound, principal)) in bounds.into_iter().enumerate() {
            let Some(bound) = bound.filter(|_| index == 0 || principal.is_some()) else { continue };
            if turn.is_none() {
                turn = Some(self.turn().await.map_err(unavailable)?);
            }
            if engine.unfinished(principal).await.map_err(unavailable)? >= bound {
                return Err(too_many(self.settings.poll_every));
            }
        }
        let mut abandoned = CancelOnDrop(Some((Arc::clone(&self.abandoned), Arc::clone(engine), id.clone())));
        // An engine that returns an error may have stored the call anyway. No client knows the id of such a task, and
        // the client will call again, so `abandoned` cancels the task.
        engine.submit(call).await.map_err(unavailable)?;
        drop(turn);
        let record = engine.wait(&id, self.settings.answer_within).await;
        abandoned.0 = None;
        let snapshot = match record {
            Ok(Some(record)) => Snapshot::of_record(record, poll_every),
            Ok(None) => return Ok(Err(TaskError::Unavailable)),
            // The call is stored, so its task will run. Return the task: if the client got an error, it would call
            // again.
            Err(error) => {
                log::engine_failed(&error.to_string());
                Snapshot { id, created_at, updated_at: created_at, keep_for, poll_every, message: None, end: None }
            }
        };
        Ok(match snapshot.end.as_deref() {
            Some(TaskEnd::Failed(error)) => Err(TaskError::Failed(error.clone())),
            _ => Ok(snapshot),
        })
    }
}

/// Limits how many abandoned calls can wait to be cancelled, and how many of them the engine is asked about at once. A
/// call is abandoned if an engine may have stored it, but no client knows the id of its task.
///
/// Calls are often abandoned because the engine does not answer, and then there are many at once. So the engine is
/// asked about one call at a time.
struct Abandoned {
    /// One permit for each further call that can wait to be cancelled. Without a permit, an abandoned call is not
    /// cancelled.
    calls: Semaphore,
    /// The last pause after a failed request, or zero. The lock is held during a request to the engine, and during the
    /// pause after a failed request.
    turn: Mutex<Duration>,
}

/// A guard whose drop cancels a call in the engine, unless the guard is empty by then. The guard still has the call if
/// the client left before it got the task's id, or if the client gets an error.
struct CancelOnDrop(Option<(Arc<Abandoned>, Arc<dyn TaskEngine>, String)>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let (Some(call), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) else { return };
        runtime.spawn(async move {
            let (abandoned, engine, id) = call;
            let Ok(_remembered) = abandoned.calls.try_acquire() else { return };
            // An engine that did not answer may still store the call later, so it must say twice that it does not have
            // the call.
            let mut absent = 0;
            while absent < 2 {
                let mut turn = abandoned.turn.lock().await;
                let cancelled = async {
                    let is_stored = engine.get(&id).await?.is_some();
                    if is_stored { engine.cancel(&id).await.map(|()| true) } else { Ok(false) }
                };
                let pause = match cancelled.await {
                    Ok(true) => return,
                    Ok(false) => {
                        (*turn, absent) = (Duration::ZERO, absent + 1);
                        Duration::from_secs(10)
                    }
                    Err(error) => {
                        log::engine_failed(&error.to_string());
                        (*turn, absent) = ((*turn * 2).clamp(Duration::from_secs(1), Duration::from_secs(16)), 0);
                        *turn
                    }
                };
                let _turn = (absent == 0).then_some(turn);
                let Some(pause) = sleep(pause) else { return };
                pause.await;
            }
        });
    }
}

pub(super) fn too_many(wait: Duration) -> ToolError {
    // Round up to whole seconds, and to at least one.
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0 || wait.is_zero());
    let text = format!(
        "too many tasks are running, or too many results are kept, so this call was not started; try again in {seconds} s"
    );
    ToolError::limited(text, Duration::from_secs(seconds))
}

/// Returns `true` if a string can be the id of a task. No other string is passed to an engine.
fn is_task_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
