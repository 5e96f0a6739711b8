//! The parts of tasks that every build has. Without the feature `tasks`, no dispatcher has any, and each call ends with its result.

use serde_json::value::RawValue;

use super::Dispatcher;
use super::run::PreparedCall;
use crate::tasks::context::TaskContext;
use crate::tasks::{Snapshot, Tasks};
use crate::tool::metadata::TaskUse;
use crate::{CallToolResponse, DispatchError, ProtocolVersion};

/// The settings of a builder.
#[derive(Default)]
pub(super) struct TaskSettings {
    pub(super) tasks: Option<Tasks>,
    pub(super) context: Option<TaskContext>,
}

/// The answer to a call that may become a task.
pub(crate) enum TaskAnswer {
    /// The call has ended.
    Ended(CallToolResponse),
    /// The call is a task. It may have ended with a result already.
    Task(Snapshot),
}

impl TaskAnswer {
    pub(super) fn task_id(&self) -> Option<&str> {
        match self {
            Self::Task(snapshot) => Some(&snapshot.id),
            Self::Ended(..) => None,
        }
    }
}

/// Why a request about a task has no result.
pub(crate) enum TaskError {
    /// The call is refused like any other.
    Dispatch(DispatchError),
    /// The call has failed in a worker, with this JSON-RPC error.
    Failed(Box<RawValue>),
    /// There is no such task for the caller.
    Unknown,
    /// The engine does not answer. The log says why.
    Unavailable,
}

impl From<DispatchError> for TaskError {
    fn from(error: DispatchError) -> Self {
        Self::Dispatch(error)
    }
}

impl PreparedCall<'_, '_> {
    /// Returns how the tool uses tasks, if it does and if the dispatcher has tasks.
    pub(crate) fn task_use(&self) -> Option<TaskUse> {
        self.target.entry.task
    }

    pub(crate) fn version(&self) -> ProtocolVersion {
        self.cx.protocol_version
    }
}

impl Dispatcher {
    /// Returns `true` if a call of the tool may become a task.
    pub(crate) fn has_task(&self, name: &str) -> bool {
        self.inner.by_name.get(name).is_some_and(|index| self.inner.entries[*index].task.is_some())
    }
}
