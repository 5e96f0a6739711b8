//! What a dispatcher says about the questions of its tools (feature `ask`).

use std::fmt::Write as _;

use super::Dispatcher;
use super::describe::write_properties;
use crate::checks::lint::{self, LintedQuestion, is_api};
use crate::{Client, Finding, mcp};

impl Dispatcher {
    /// Writes what a tool asks its user.
    pub(super) fn write_questions(&self, page: &mut String, tool: &mcp::Tool) {
        let Some(index) = self.inner.by_name.get(&*tool.name) else { return };
        for question in self.inner.entries[*index].questions.iter().flat_map(|questions| questions.iter()) {
            let spec = &question.spec;
            let need = if spec.decides { "optional" } else { "required" };
            let kind = if spec.is_consent { "consent" } else { "answer" };
            let _ = writeln!(page, "\nAsks the user for `{}` ({kind}, {need})", spec.key);
            if !spec.is_consent {
                page.push('\n');
                write_properties(page, question.form.schema(), question.form.schema(), 0);
            }
        }
    }

    /// Returns the findings about the questions of all tools.
    pub(super) fn lint_questions(&self, clients: &[Client]) -> Vec<Finding> {
        let mut asked = Vec::new();
        for entry in &self.inner.entries {
            let questions = entry.questions.iter().flat_map(|questions| questions.iter());
            asked.extend(questions.map(|question| LintedQuestion {
                tool: entry.name(),
                key: question.spec.key,
                schema: question.form.schema(),
                is_needed: !question.spec.decides,
            }));
        }
        let apis: Vec<_> = clients.iter().copied().filter(|client| is_api(*client)).collect();
        lint::questions(&asked, &apis, self.settings().ask.has_own_keys)
    }
}
