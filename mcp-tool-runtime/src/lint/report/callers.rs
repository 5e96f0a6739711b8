//! Says whether the server knows who its callers are, and finds tasks that are bound to no caller or have no effect.

use crate::Dispatcher;
use crate::call::claims::Claims;
use crate::lint::{Finding, Reader, Severity};

/// The help of findings about servers that do not know who their callers are.
pub(super) const NAME_THE_CALLER: &str =
    "call `principal` on the builder with what identifies the caller, unless `http::Bearer` checks the tokens";

impl Dispatcher {
    /// Returns `true` if a rule of visibility or a tool reads what is attached to a request, and the builder does not say who the caller
    /// is. The claims of `http::Bearer` are a principal.
    pub(super) fn lacks_principal(&self) -> bool {
        let has_callers = self.has_rules() || self.entries().iter().any(|entry| entry.metadata.depends_on_caller());
        let claims = std::any::type_name::<Claims>();
        let mut needs = self.entries().iter().flat_map(|entry| entry.metadata.extensions);
        let has_bearer = self.reads_scopes_of(claims) || needs.any(|need| (need.type_name)() == claims);
        has_callers && !has_bearer && self.settings().ask.principal.is_none()
    }

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
