//! What the web page shows of a tool besides its definition.

use super::{Dispatcher, ToolEntry};
use crate::listing::visibility::ToolInfo;

impl Dispatcher {
    /// Returns the tags, scopes and hints of the tool of this name.
    pub(crate) fn tool_info(&self, name: &str) -> Option<&ToolInfo> {
        self.inner.by_name.get(name).map(|index| &*self.inner.listed[*index].info)
    }

    /// Returns the key of each question of a tool to its user, and the schema of its form.
    pub(crate) fn questions_of(&self, name: &str) -> Vec<serde_json::Value> {
        let questions = self.entry(name).into_iter().flat_map(ToolEntry::questions);
        let written = questions.map(|question| {
            let spec = &question.spec;
            serde_json::json!({
                "key": spec.key, "consent": spec.is_consent, "optional": spec.is_optional, "schema": question.form.schema(),
            })
        });
        written.collect()
    }
}
