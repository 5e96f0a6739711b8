//! Finds questions that a client cannot show, or that a server should not ask.

use super::super::{Client, Effect, Finding, LintRule, Reader, Severity};
use super::{NAME_THE_CALLER, is_api};
use crate::ask::CompiledQuestion;
use crate::schema::{accepted, keys};
use crate::{Dispatcher, ProtocolVersion, mcp};

/// A property probably holds a secret if its name ends with one of these words. The protocol forbids forms that ask for
/// secrets.
const SECRETS: &str = "password passwd passphrase passcode secret token apikey privatekey accesskey secretkey";

struct Asked<'d> {
    tool: &'d mcp::Tool,
    question: &'d CompiledQuestion,
}

impl Dispatcher {
    /// Returns the findings about the questions of all tools.
    pub(super) fn lint_questions(&self, clients: &[Client]) -> Vec<Finding> {
        let mut asked = Vec::new();
        for (entry, tool) in self.entries().iter().zip(self.list_all()) {
            asked.extend(entry.questions().iter().map(|question| Asked { tool, question }));
        }
        let mut findings = asked.first().map_or_else(Vec::new, |first| self.about_state(first));
        for asked in &asked {
            findings.extend(asked.about_server());
            findings.extend(clients.iter().flat_map(|client| asked.about_client(*client)));
        }
        findings
    }

    /// Returns the findings about the state of the questions: how it is signed, and how it is bound to the caller. All
    /// questions share these settings, so each finding names only the first question.
    fn about_state(&self, first: &Asked<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.settings().ask.has_own_keys {
            let problem = "each process signs the state of a question with its own random key";
            let help = "with several replicas, or restarts between two rounds, call `state_keys` on the builder";
            findings.push(first.finding(Reader::Server, ("random-state-key", Severity::Advice), problem, help));
        }
        // A layer in front of the server often reads the header `Authorization` and removes it. Without the header, no
        // state is bound to its caller, and the server cannot notice that.
        if self.lacks_principal() {
            let problem = "callers differ, and only the header `Authorization` binds the state of a question to its caller: if a layer \
                           removes the header, the state of one caller is valid for all";
            findings.push(first.finding(Reader::Server, ("no-principal", Severity::Lost), problem, NAME_THE_CALLER));
        }
        findings
    }
}

impl Asked<'_> {
    fn finding(&self, reader: Reader, rule: LintRule, problem: impl Into<String>, help: &'static str) -> Finding {
        let place = format!("/questions/{}", self.question.spec.key);
        Finding::new(reader, &self.tool.name, rule, place, problem, help)
    }

    fn about_server(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for name in keys(self.question.form.schema(), "properties").filter(|name| is_secret(name)) {
            let problem = format!("the form asks for `{name}`, which looks like a secret");
            let help = "the protocol forbids forms that ask for passwords, keys or tokens";
            findings.push(self.finding(Reader::Server, ("asks-for-secret", Severity::Lost), problem, help));
        }
        // A model can write a sentence only into an argument that accepts any string. A list of values, a format, or a
        // pattern that refuses blanks prevents that.
        let is_text = |name: &&&str| {
            let property = &self.tool.input_schema["properties"][**name];
            let mut reader = accepted::Reader::new(&self.tool.input_schema);
            let refuses_blanks = property["pattern"].as_str().is_some_and(refuses_blanks);
            property.get("format").is_none() && !refuses_blanks && reader.read(property).accepts_any_string()
        };
        let unquoted = self.question.spec.unquoted.iter().filter(|_| self.question.spec.is_consent);
        for name in unquoted.filter(is_text) {
            let problem =
                format!("the question shows `{name}` without quotes, so a model can write on in your sentence");
            let help =
                "write `{name:?}` or \"{name}\", with the name of the argument: then a text cannot pass for yours";
            findings.push(self.finding(Reader::Server, ("unquoted-in-consent", Severity::Lost), problem, help));
        }
        findings
    }

    /// Returns the findings about what one client does with the question.
    fn about_client(&self, client: Client) -> Vec<Finding> {
        let is_needed = !self.question.spec.is_optional;
        let may_not_run = |rule, problem, help| {
            self.finding(Reader::Client(client), (rule, Severity::Advice), problem, help).with_effect(Effect::MayNotRun)
        };
        let mut findings = Vec::new();
        match client {
            Client::McpLegacy => {
                if self.question.form.schema_for(ProtocolVersion::V2025_06_18).is_none() {
                    let severity = if is_needed { Severity::Lost } else { Severity::Advice };
                    let problem = "a form of protocol version 2025-06-18 has no lists, so its clients cannot be asked";
                    let help = "ask for one choice instead of a list";
                    findings.push(self.finding(Reader::Client(client), ("form-list", severity), problem, help));
                }
                if cfg!(feature = "http") && is_needed {
                    let problem = "`http::Endpoint` has no sessions, so it cannot ask clients before 2026-07-28";
                    let help = "serve these clients with `rmcp::Server` or `stdio::Server`, or take an `Answer<…>`";
                    findings.push(may_not_run("cannot-ask", problem, help));
                }
            }
            Client::ClaudeCode if is_needed => {
                let problem =
                    "without a terminal (`claude -p`, editors) it declares forms, and declines each without showing it";
                let help = "take an `Answer<…>`, or call `disable_questions_for` on the builder";
                let finding = may_not_run("declines-unseen", problem, help);
                let source = "https://github.com/anthropics/claude-code/issues/79174";
                findings.push(finding.with_source(source, "2026-07-19"));
            }
            client if is_api(client) && is_needed => {
                // This is only advice, because the program that calls the model may be able to ask the user, and `lint`
                // cannot know that. An export knows whether it has an asker: without one, it reports the question with
                // the severity `Lost`.
                let problem = "a model interface has no forms, so the tool runs only if the program that calls the model asks the user";
                let help = "in that program, call `Export::with_asker` or `CallToolRequest::with_asker`; or take an `Answer<…>`";
                findings.push(may_not_run("cannot-ask", problem, help));
            }
            _ => {}
        }
        findings
    }
}

/// Returns `true` if no text that matches the pattern can have blanks. Returns `false` if this is not certain.
fn refuses_blanks(pattern: &str) -> bool {
    let Some(inner) = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) else { return false };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "(?:)[]{},+*-_".contains(c);
    let without_escapes =
        ["\\d", "\\w", "\\.", "\\-"].iter().fold(inner.to_owned(), |text, escape| text.replace(escape, ""));
    without_escapes.chars().all(is_plain)
}

/// Returns `true` for a name such as `api_key`, `apiKey` or `new-password`, but not for `secretary` or `max_tokens`.
fn is_secret(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    SECRETS.split(' ').any(|secret| letters.ends_with(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_found_by_their_words() {
        for name in ["password", "newPassword", "api_key", "apiKey", "APIKEY", "x-api-key", "auth.token", "secret"] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["secretary", "max_tokens", "key", "keyboard", "name", "", "api"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
