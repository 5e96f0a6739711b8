//! The part of the task support that does not depend on the feature `tasks`. Without the feature, no dispatcher has
//! tasks, and each call ends with its result.

#[cfg(feature = "tasks")]
pub(super) mod once;
#[cfg(feature = "tasks")]
mod once_runner;
#[cfg(feature = "tasks")]
mod replay;
#[cfg(feature = "tasks")]
mod run;
#[cfg(feature = "tasks")]
mod service;
#[cfg(feature = "tasks")]
mod worker;

use serde_json::value::RawValue;

use super::run::PreparedCall;
use super::{Dispatcher, DispatcherBuilder};
#[cfg(feature = "tasks")]
pub(super) use service::DispatcherTasks;
#[cfg(feature = "tasks")]
pub use worker::Worker;

use crate::tasks::settings::TaskContext;
use crate::tasks::{Snapshot, Tasks};
use crate::tool::metadata::TaskUse;
use crate::{CallToolResponse, DispatchError, Extensions, ProtocolVersion};

/// The task settings of a builder.
#[derive(Default)]
pub(super) struct TaskSettings {
    pub(super) tasks: Option<Tasks>,
    pub(super) context: Option<TaskContext>,
}

#[cfg(feature = "tasks")]
impl DispatcherBuilder {
    /// Lets calls to tools with the key `task` outlast their request (feature `tasks`). Without this setting, the key
    /// has no effect.
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, Tasks};
    ///
    /// let dispatcher = Dispatcher::builder().tasks(Tasks::in_memory()).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn tasks(mut self, tasks: Tasks) -> Self {
        self.setting("tasks");
        self.task_settings.tasks = Some(tasks);
        self
    }

    /// Sets how the [`Extensions`] that a tool needs are saved when an engine stores a call, and restored when the call
    /// runs (feature `tasks`).
    ///
    /// A worker has neither the HTTP request nor the extensions that were attached to it. Before the tool runs, the
    /// worker passes what `save` returned to `restore`. Tasks in memory keep all extensions. There can be only one
    /// `task_context`: if tools read several values, save them in one struct.
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, Extensions};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Clone, Serialize, Deserialize)]
    /// struct User { id: String }
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .task_context(
    ///         |extensions| extensions.get::<User>().cloned(),
    ///         |user: User, extensions| extensions.insert(user),
    ///     )
    ///     .build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn task_context<T: serde::Serialize + serde::de::DeserializeOwned>(
        mut self,
        save: impl Fn(&Extensions) -> Option<T> + Send + Sync + 'static,
        restore: impl Fn(T, &mut Extensions) + Send + Sync + 'static,
    ) -> Self {
        self.setting("task_context");
        if self.task_settings.context.replace(TaskContext::new(save, restore)).is_some() {
            self.errors.push("`task_context` is set twice; save all that the tools read in one struct".to_owned());
        }
        self
    }
}

/// The answer to a call that may become a task.
pub(crate) enum TaskAnswer {
    /// The call has ended.
    Ended(CallToolResponse),
    /// The call is a task. It may have ended with a result already.
    Task(Snapshot),
}

/// The reason why a call that may become a task, or a request about a task, has no result.
pub(crate) enum TaskError {
    /// The request is refused with this error, as it would be without tasks.
    Dispatch(DispatchError),
    /// The call has failed in a worker, with this JSON-RPC error.
    Failed(Box<RawValue>),
    /// The caller has no task with this id.
    Unknown,
    /// The engine returned an error, which is in the log.
    Unavailable,
}

impl From<DispatchError> for TaskError {
    fn from(error: DispatchError) -> Self {
        Self::Dispatch(error)
    }
}

impl PreparedCall<'_, '_> {
    /// Returns how the tool uses tasks, or `None` if the tool or the dispatcher has no tasks.
    pub(crate) fn task_use(&self) -> Option<TaskUse> {
        self.target.entry.metadata.task
    }

    pub(crate) fn version(&self) -> ProtocolVersion {
        self.cx.protocol_version
    }
}

impl Dispatcher {
    /// Returns `true` if a call to the tool with this name may become a task.
    pub(crate) fn has_task(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.metadata.task.is_some())
    }
}

#[cfg(not(feature = "tasks"))]
#[expect(clippy::unused_self, clippy::unused_async, reason = "the signatures are those with the feature")]
impl Dispatcher {
    pub(crate) fn has_tasks(&self) -> bool {
        false
    }

    pub(crate) async fn run_as_task(&self, mut call: PreparedCall<'_, '_>) -> Result<TaskAnswer, TaskError> {
        Ok(TaskAnswer::Ended(self.run(&mut call).await?))
    }

    pub(crate) async fn find_task(&self, _: &str, _: &Extensions) -> Result<Snapshot, TaskError> {
        Err(TaskError::Unknown)
    }

    pub(crate) async fn cancel_task(&self, _: &str, _: &Extensions) -> Result<(), TaskError> {
        Err(TaskError::Unknown)
    }

    pub(crate) async fn finish_tasks(&self, _: std::time::Duration) {}
}
