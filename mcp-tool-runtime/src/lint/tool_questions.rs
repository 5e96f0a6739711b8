//! Reads the questions of tools for the contract file and for lint (feature `ask`).

use std::collections::BTreeMap;

#[cfg(feature = "export")]
use super::Reader;
use super::contract::{PublishedKind, PublishedQuestion};
use super::{LintedQuestion, StateSettings};
use crate::ask::CompiledQuestion;
use crate::dispatcher::ToolEntry;
use crate::lint;
use crate::{Client, Dispatcher, Finding, ProtocolVersion};
#[cfg(feature = "export")]
use crate::{Severity, Vendor};

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
        let asked: Vec<_> = self.entries().iter().flat_map(ToolEntry::linted_questions).collect();
        let settings = &self.settings().ask;
        let mut entries = self.entries().iter();
        let takes_extension = entries.any(|entry| entry.questions.is_some() && !entry.extensions.is_empty());
        let state = StateSettings {
            has_own_keys: settings.has_own_keys,
            needs_principal: settings.principal.is_none() && (takes_extension || self.has_rules()),
        };
        lint::questions(&asked, clients, state)
    }

    /// Returns a finding for each question of these tools that needs an answer, for an export without an asker.
    #[cfg(feature = "export")]
    pub(crate) fn lint_export_without_asker<'t>(
        &self,
        tools: impl Iterator<Item = &'t str>,
        vendor: Vendor,
    ) -> Vec<Finding> {
        let entries = tools.filter_map(|tool| self.entry(tool));
        let needed = entries.flat_map(ToolEntry::linted_questions).filter(|question| question.is_needed);
        let finding = |question: LintedQuestion<'_>| {
            let problem = "the tool needs an answer from the user, and this export has nobody to ask".to_owned();
            let help = "call `with_asker` on the export, or take an `Answer<…>`";
            let rule = ("cannot-ask", Severity::Lost);
            lint::finding_about_question(Reader::Vendor(vendor), &question, rule, problem, help)
        };
        needed.map(finding).collect()
    }
}

impl ToolEntry {
    fn linted_questions(&self) -> impl Iterator<Item = LintedQuestion<'_>> {
        self.questions.iter().flat_map(|questions| questions.iter()).map(|question| LintedQuestion {
            tool: self.name(),
            key: question.spec.key,
            schema: question.form.schema(),
            is_needed: !question.spec.is_optional,
            has_legacy_form: question.form.schema_for(ProtocolVersion::V2025_06_18).is_some(),
        })
    }
}
