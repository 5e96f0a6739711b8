//! The settings of tasks: where they are stored, and which parts of a request are stored with them.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::TaskEngine;
use crate::Extensions;

/// Where the tasks of a server live, and for how long. [`DispatcherBuilder::tasks`](crate::DispatcherBuilder::tasks)
/// takes these settings.
///
/// ```
/// use std::time::Duration;
/// use mcp_tool_runtime::{Dispatcher, Tasks};
///
/// let tasks = Tasks::in_memory().answer_within(Duration::from_secs(5)).keep_for(Duration::from_secs(3600));
/// let dispatcher = Dispatcher::builder().tasks(tasks).build()?;
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
#[expect(clippy::struct_field_names, reason = "each is named after its method")]
#[must_use = "pass it to `DispatcherBuilder::tasks`"]
pub struct Tasks {
    pub(crate) engine: Option<Arc<dyn TaskEngine>>,
    pub(crate) answer_within: Duration,
    pub(crate) keep_for: Duration,
    pub(crate) poll_every: Duration,
    pub(crate) max_tasks: Option<usize>,
    pub(crate) max_tasks_per_principal: Option<usize>,
    pub(crate) max_bytes: usize,
    pub(crate) max_attempts: u32,
}

impl Tasks {
    /// Keeps the tasks in this process. They end with the process, so use an engine for work that must survive a
    /// restart.
    ///
    /// At most 1,000 tasks are kept, and at most 100 of one principal. No further task is accepted while all results
    /// together take 64 MiB, or while those of its principal take 16 MiB.
    pub fn in_memory() -> Self {
        Self {
            engine: None,
            answer_within: Duration::from_secs(1),
            keep_for: Duration::from_secs(600),
            poll_every: Duration::from_secs(1),
            max_tasks: Some(1_000),
            max_tasks_per_principal: Some(100),
            max_bytes: 64 << 20,
            max_attempts: 3,
        }
    }

    /// Keeps the tasks in an engine. The tasks run in the [`Worker`](crate::dispatcher::Worker)s of the engine, in this
    /// process or in others.
    pub fn on(engine: impl TaskEngine) -> Self {
        Self { engine: Some(Arc::new(engine)), max_tasks: None, max_tasks_per_principal: None, ..Self::in_memory() }
    }

    /// Sets how long a client waits before its call becomes a task. The default is 1 second.
    ///
    /// In memory, the time starts with the body of the tool. With an engine, it starts when the call is stored. A call
    /// that ends sooner is answered like any other.
    pub fn answer_within(mut self, time: Duration) -> Self {
        self.answer_within = time;
        self
    }

    /// Sets how long a task is kept after its end. The default is 10 minutes, and the minimum 1 second.
    ///
    /// A task in an engine fails if no worker takes it within this time.
    pub fn keep_for(mut self, time: Duration) -> Self {
        self.keep_for = time.max(Duration::from_secs(1));
        self
    }

    /// Sets how often clients are asked to poll. The default is once a second.
    pub fn poll_every(mut self, time: Duration) -> Self {
        self.poll_every = time;
        self
    }

    /// Limits the number of tasks. A further call gets an error, which says when to try again.
    ///
    /// In memory, a task counts until it is dropped, [`keep_for`](Self::keep_for) after its end. With an engine, a task
    /// counts until it ends, and there is no limit by default. Servers that share an engine can exceed the limit by one
    /// task each.
    pub fn max_tasks(mut self, tasks: usize) -> Self {
        self.max_tasks = Some(tasks);
        self
    }

    /// Limits the number of tasks of one [`principal`](crate::DispatcherBuilder::principal), like
    /// [`max_tasks`](Self::max_tasks). Callers without a principal have no such limit.
    pub fn max_tasks_per_principal(mut self, tasks: usize) -> Self {
        self.max_tasks_per_principal = Some(tasks);
        self
    }

    /// Limits the bytes of the results that are kept in memory. Once the results reach the limit, a further call gets
    /// an error, which says when to try again. The default is 64 MiB. For the results of one
    /// [`principal`](crate::DispatcherBuilder::principal), the limit is a quarter of this, so that no caller uses up
    /// everybody's space. A result that is also sent as text counts twice: as value and as text. An engine has no such
    /// limit.
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets the maximum number of times that a task is started. The default is 3.
    ///
    /// A task starts again if its worker has died, and if its tool has `idempotent_hint` or `read_only_hint`.
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = attempts;
        self
    }
}

debug_struct!(Tasks, tasks => has_engine: tasks.engine.is_some(), answer_within: tasks.answer_within, keep_for: tasks.keep_for);

type Save = dyn Fn(&Extensions) -> Result<Option<Value>, serde_json::Error> + Send + Sync;
type Restore = dyn Fn(Value, &mut Extensions) -> Result<(), serde_json::Error> + Send + Sync;

/// The author's two functions for `DispatcherBuilder::task_context`.
#[derive(Clone)]
pub(crate) struct TaskContext {
    pub(crate) save: Arc<Save>,
    pub(crate) restore: Arc<Restore>,
}

impl TaskContext {
    pub(crate) fn new<T: Serialize + DeserializeOwned>(
        save: impl Fn(&Extensions) -> Option<T> + Send + Sync + 'static,
        restore: impl Fn(T, &mut Extensions) + Send + Sync + 'static,
    ) -> Self {
        Self {
            save: Arc::new(move |extensions| save(extensions).map(serde_json::to_value).transpose()),
            restore: Arc::new(move |value, extensions| {
                restore(serde_json::from_value(value)?, extensions);
                Ok(())
            }),
        }
    }
}
