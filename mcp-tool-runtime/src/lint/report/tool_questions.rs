//! Reads the questions of tools for the contract file and for lint (feature `ask`).

use std::collections::BTreeMap;

use super::super::contract::{PublishedKind, PublishedQuestion};
use super::super::{Client, Finding};
use super::questions::{self, LintedQuestion, StateSettings};
use crate::ask::CompiledQuestion;
use crate::dispatcher::ToolEntry;
use crate::mcp::Tool;
use crate::schema::accepted::Reader;
use crate::{Dispatcher, ProtocolVersion};

impl Dispatcher {
    /// Returns the questions of a tool for the contract file.
    pub(crate) fn published_questions(&self, tool: &str) -> BTreeMap<String, PublishedQuestion> {
        let entry = self.entry(tool);
        let questions = entry.and_then(|entry| entry.questions.as_deref()).unwrap_or_default();
        let published = |question: &CompiledQuestion| PublishedQuestion {
            kind: if question.spec.is_consent { PublishedKind::Consent } else { PublishedKind::Answer },
            required: !question.spec.is_optional,
            schema: question.form.schema().clone(),
        };
        questions.iter().map(|question| (question.spec.key.to_owned(), published(question))).collect()
    }

    /// Returns the findings about the questions of all tools.
    pub(super) fn lint_questions(&self, clients: &[Client]) -> Vec<Finding> {
        let tools = self.entries().iter().zip(self.list());
        let asked: Vec<_> = tools.flat_map(|(entry, tool)| entry.linted_questions(tool)).collect();
        let settings = &self.settings().ask;
        let state = StateSettings {
            has_own_keys: settings.has_own_keys,
            needs_principal: settings.principal.is_none() && self.has_callers() && !self.has_bearer(),
        };
        questions::questions(&asked, clients, state)
    }

    /// Returns `true` if the server tells its callers apart.
    pub(super) fn has_callers(&self) -> bool {
        self.has_rules() || self.entries().iter().any(|entry| entry.depends_on_caller)
    }

    /// Returns `true` if a tool or a rule reads the claims of `http::Bearer`, which are a principal.
    pub(super) fn has_bearer(&self) -> bool {
        let claims = std::any::type_name::<crate::call::claims::Claims>();
        let mut needs = self.entries().iter().flat_map(|entry| entry.extensions);
        self.reads_scopes_of(claims) || needs.any(|need| (need.type_name)() == claims)
    }
}

impl ToolEntry {
    fn linted_questions<'e>(&'e self, tool: &'e Tool) -> impl Iterator<Item = LintedQuestion<'e>> {
        // A model cannot write just any text where values or a format are expected.
        let is_text = |name: &&str| {
            let property = &tool.input_schema["properties"][name];
            property.get("format").is_none() && Reader::new(&tool.input_schema).read(property).accepts_any_string()
        };
        self.questions.iter().flat_map(|questions| questions.iter()).map(move |question| LintedQuestion {
            tool: self.name(),
            key: question.spec.key,
            schema: question.form.schema(),
            unquoted: question.spec.unquoted.iter().copied().filter(is_text).collect(),
            is_consent: question.spec.is_consent,
            is_needed: !question.spec.is_optional,
            has_legacy_form: question.form.schema_for(ProtocolVersion::V2025_06_18).is_some(),
        })
    }
}
