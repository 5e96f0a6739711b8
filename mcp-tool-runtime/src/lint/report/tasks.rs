//! Finds tools whose key `task` does not do what it says.

use super::super::{Effect, Finding, Reader, Severity};
use crate::Dispatcher;

impl Dispatcher {
    /// Returns the findings about the tasks of all tools.
    pub(super) fn lint_tasks(&self) -> Vec<Finding> {
        let tools = self.entries().iter().filter(|entry| entry.handler.metadata().task.is_some());
        let tools: Vec<_> = tools.map(crate::dispatcher::ToolEntry::name).collect();
        let finding = |tool: &str, rule, severity, problem: &str, help| Finding {
            reader: Reader::Server,
            tool: Some(tool.to_owned()),
            effect: Effect::OfSeverity,
            rule,
            severity,
            place: String::new(),
            problem: problem.to_owned(),
            help,
            source: "",
            date: "",
        };
        if !self.has_tasks() {
            let problem = "the key `task` has no effect: the builder has no `tasks`";
            let help = "call `tasks` on the builder, or remove `task`";
            return tools.into_iter().map(|tool| finding(tool, "no-tasks", Severity::Advice, problem, help)).collect();
        }
        let has_principal = self.settings().ask.principal.is_some() || self.has_bearer();
        let Some(first) = tools.first().filter(|_| self.has_callers() && !has_principal) else { return Vec::new() };
        let problem = "callers differ, and nothing binds a task to its caller: anybody who knows its id can read it";
        let help =
            "call `principal` on the builder with what identifies the caller, unless `http::Bearer` checks the tokens";
        vec![finding(first, "no-principal", Severity::Lost, problem, help)]
    }
}
