//! Finds questions that a client cannot show, or that a server should not ask (feature `ask`).

use serde_json::Value;

use super::{Client, Effect, Finding, Reader, Severity};

/// A question of a tool.
pub(crate) struct LintedQuestion<'q> {
    pub(crate) tool: &'q str,
    pub(crate) key: &'q str,
    pub(crate) schema: &'q Value,
    /// The tool does not run without an answer.
    pub(crate) is_needed: bool,
}

/// Words in the name of a property that ask for a secret. The protocol forbids forms for these.
const SECRETS: [&str; 8] = ["password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "private_key"];

/// Returns the findings about all questions. `apis` are the clients that call the tools without a protocol.
pub(crate) fn questions(asked: &[LintedQuestion<'_>], apis: &[Client], has_own_keys: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let finding = |reader, question: &LintedQuestion<'_>, rule, severity, problem, help| Finding {
        reader,
        tool: Some(question.tool.to_owned()),
        effect: Effect::OfSeverity,
        rule,
        severity,
        place: format!("/questions/{}", question.key),
        problem,
        help,
        source: "",
        date: "",
    };
    if let Some(first) = asked.first().filter(|_| !has_own_keys) {
        let problem = "each process signs the state of a question with its own random key".to_owned();
        let help = "with several replicas, or restarts between two rounds, call `state_keys` on the builder";
        findings.push(finding(Reader::Server, first, "random-state-key", Severity::Advice, problem, help));
    }
    for question in asked {
        let names = question.schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name);
        for name in names {
            let normalised = name.to_lowercase().replace(['-', ' '], "_");
            if SECRETS.iter().any(|secret| normalised.contains(secret)) {
                let problem = format!("the form asks for `{name}`, which looks like a secret");
                let help = "the protocol forbids forms that ask for passwords, keys or tokens";
                findings.push(finding(Reader::Server, question, "asks-for-secret", Severity::Lost, problem, help));
            }
        }
        for client in apis.iter().filter(|_| question.is_needed) {
            let problem = "a model interface has no forms, so the tool never runs".to_owned();
            let help = "answer with `CallToolRequest::with_asker`, or take an `Answer<…>`";
            findings.push(finding(Reader::Client(*client), question, "cannot-ask", Severity::Lost, problem, help));
        }
    }
    findings
}
