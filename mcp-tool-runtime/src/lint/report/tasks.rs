//! Finds tools whose key `task` does not do what it says.

use super::super::{Finding, Reader, Severity};
use super::callers::NAME_THE_CALLER;
use crate::Dispatcher;

impl Dispatcher {
    /// Returns the findings about the tasks of all tools.
    pub(super) fn lint_tasks(&self) -> Vec<Finding> {
        let tools = self.entries().iter().filter(|entry| entry.handler.metadata().task.is_some());
        let finding =
            |tool: &str, rule, problem, help| Finding::new(Reader::Server, tool, rule, String::new(), problem, help);
        if !self.has_tasks() {
            let problem = "the key `task` has no effect: the builder has no `tasks`";
            let help = "call `tasks` on the builder, or remove `task`";
            return tools.map(|tool| finding(tool.name(), ("no-tasks", Severity::Advice), problem, help)).collect();
        }
        let problem = "callers differ, and nothing binds a task to its caller: anybody who knows its id can read it";
        let rule = ("no-principal", Severity::Lost);
        let first = tools.take(usize::from(self.lacks_principal()));
        first.map(|tool| finding(tool.name(), rule, problem, NAME_THE_CALLER)).collect()
    }
}
