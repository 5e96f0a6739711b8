//! The questions of a tool in the contract file. Without the feature `ask` no tool has any.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::canonical;
use super::rules::{self, Side};
use crate::ask::CompiledQuestion;
use crate::dispatcher::ToolEntry;

/// A question to the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    kind: Kind,
    /// The tool does not run without an answer.
    required: bool,
    /// The schema of the form.
    pub(super) schema: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Consent,
    Answer,
}

impl Question {
    /// Protocol version 2025-06-18 has no lists in forms.
    fn has_list(&self) -> bool {
        let properties = self.schema["properties"].as_object();
        properties.is_some_and(|properties| properties.values().any(|property| property["type"] == "array"))
    }

    /// Returns what a client loses when this question becomes `now`.
    fn breaks(&self, now: &Self) -> Vec<String> {
        let mut found = match (self.kind, now.kind) {
            (Kind::Consent, Kind::Answer) => vec![": it was a consent, and asks for something else now".to_owned()],
            (Kind::Answer, Kind::Consent) => vec![": it is a consent now".to_owned()],
            (Kind::Consent, Kind::Consent) => Vec::new(),
            (Kind::Answer, Kind::Answer) => rules::breaks(Side::Answer, &self.schema, &now.schema),
        };
        if self.kind == now.kind && now.has_list() && !self.has_list() {
            found.push(": clients of 2025-06-18 cannot show its form any more, because of a list".to_owned());
        }
        if now.required && !self.required {
            found.push(": the tool could do without an answer, and needs one now".to_owned());
        }
        found
    }
}

/// Returns the questions of a tool.
pub(super) fn of(tool: &ToolEntry) -> BTreeMap<String, Question> {
    let published = |question: &CompiledQuestion| Question {
        kind: if question.spec.is_consent { Kind::Consent } else { Kind::Answer },
        required: !question.spec.is_optional,
        schema: canonical::schema(question.form.schema()),
    };
    tool.questions().iter().map(|question| (question.spec.key.to_owned(), published(question))).collect()
}

/// Returns what breaks when the questions of a tool change. `arguments` is the schema of its arguments before.
pub(super) fn breaks(
    then: &BTreeMap<String, Question>,
    now: &BTreeMap<String, Question>,
    arguments: &Value,
) -> Vec<String> {
    let mut found = Vec::new();
    for (key, question) in now {
        let texts = match then.get(key) {
            Some(known) => known.breaks(question),
            None if arguments["properties"].get(key).is_some() => {
                vec![": it was an argument, and the user is asked for it now".to_owned()]
            }
            None if question.required => vec![": it is new, and the tool needs an answer".to_owned()],
            None => vec![": it is new".to_owned()],
        };
        found.extend(texts.into_iter().map(|text| format!(", question `{key}`{text}")));
    }
    found
}
