//! Takes the place of `tasks` without the feature.

use super::Dispatcher;
use super::run::PreparedCall;
use super::task_answer::{TaskAnswer, TaskError, TaskSettings};
use crate::Extensions;
use crate::tasks::Snapshot;

pub(super) struct DispatcherTasks;

impl DispatcherTasks {
    pub(super) fn new(_: TaskSettings) -> Self {
        Self
    }
}

#[expect(clippy::unused_self, clippy::unused_async, reason = "the signatures are those of `tasks`")]
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
