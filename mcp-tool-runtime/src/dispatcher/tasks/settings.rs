//! The settings of tasks (feature `tasks`).

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::DispatcherBuilder;
use crate::tasks::settings::TaskContext;
use crate::{Extensions, Tasks};

impl DispatcherBuilder {
    /// Lets calls of tools with the key `task` outlast their request (feature `tasks`). Without it, the key has no effect.
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

    /// Saves what the tools need of the [`Extensions`] when a call is stored in an engine (feature `tasks`).
    ///
    /// A worker has neither the HTTP request nor the extensions that were attached to it. It passes what `save` returned to `restore`,
    /// before the tool runs. In memory, tasks keep all extensions.
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
    pub fn task_context<T: Serialize + DeserializeOwned>(
        mut self,
        save: impl Fn(&Extensions) -> Option<T> + Send + Sync + 'static,
        restore: impl Fn(T, &mut Extensions) + Send + Sync + 'static,
    ) -> Self {
        self.setting("task_context");
        self.task_settings.context = Some(TaskContext::new(save, restore));
        self
    }
}
