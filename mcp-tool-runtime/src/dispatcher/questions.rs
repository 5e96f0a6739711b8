//! Describes the questions of tools for the description page (feature `ask`).

use std::fmt::Write as _;

use super::Dispatcher;
use super::describe::write_properties;
use crate::mcp;

impl Dispatcher {
    /// Appends the questions that a tool asks its user to its description.
    pub(super) fn write_questions(&self, page: &mut String, tool: &mcp::Tool) {
        let Some(entry) = self.entry(&tool.name) else { return };
        for question in entry.questions.iter().flat_map(|questions| questions.iter()) {
            let spec = &question.spec;
            let need = if spec.is_optional { "optional" } else { "required" };
            let kind = if spec.is_consent { "consent" } else { "answer" };
            let _ = writeln!(page, "\nAsks the user for `{}` ({kind}, {need})", spec.key);
            if !spec.is_consent {
                page.push('\n');
                write_properties(page, question.form.schema(), question.form.schema(), 0);
            }
        }
    }
}
