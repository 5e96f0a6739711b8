//! Finds questions that a client cannot show, or that a server should not ask (feature `ask`).

use serde_json::Value;

use super::super::{Client, Effect, Finding, Reader, Severity};
use super::is_api;

/// A question of a tool.
pub(crate) struct LintedQuestion<'q> {
    pub(crate) tool: &'q str,
    pub(crate) key: &'q str,
    pub(crate) schema: &'q Value,
    /// The arguments that the text shows without quotes, and that a model can write as any text.
    pub(crate) unquoted: Vec<&'q str>,
    pub(crate) is_consent: bool,
    /// The tool does not run without an answer.
    pub(crate) is_needed: bool,
    /// Clients of 2025-06-18 can show the form.
    pub(crate) has_legacy_form: bool,
}

impl<'q> LintedQuestion<'q> {
    fn place(&self) -> (&'q str, &'q str) {
        (self.tool, self.key)
    }
}

/// What the builder has set about questions.
#[derive(Clone, Copy)]
pub(crate) struct StateSettings {
    pub(crate) has_own_keys: bool,
    /// The server tells its callers apart, because a rule of visibility or a tool reads what is attached to a request. The
    /// builder does not say who they are.
    pub(crate) needs_principal: bool,
}

/// Words that ask for a secret in the name of a property. The protocol forbids forms for these.
const SECRETS: [&str; 7] = ["password", "passwd", "passphrase", "passcode", "secret", "token", "apikey"];

/// The same for two words in a row.
const SECRET_PAIRS: [(&str, &str); 4] = [("api", "key"), ("private", "key"), ("access", "key"), ("secret", "key")];

/// Returns the findings about all questions.
pub(crate) fn questions(asked: &[LintedQuestion<'_>], clients: &[Client], state: StateSettings) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(first) = asked.first() {
        findings.extend(about_keys(first, state));
        findings.extend(about_principal(first, state));
    }
    for question in asked {
        let names = question.schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name);
        for name in names.filter(|name| is_secret(name)) {
            let problem = format!("the form asks for `{name}`, which looks like a secret");
            let help = "the protocol forbids forms that ask for passwords, keys or tokens";
            findings.push(Finding::of_question(
                Reader::Server,
                question.place(),
                ("asks-for-secret", Severity::Lost),
                problem,
                help,
            ));
        }
        findings.extend(question.unquoted.iter().filter(|_| question.is_consent).map(|name| {
            let problem =
                format!("the question shows `{name}` without quotes, so a model can write on in your sentence");
            let help =
                "write `{name:?}` or \"{name}\", with the name of the argument: then a text cannot pass for yours";
            let rule = ("unquoted-in-consent", Severity::Lost);
            Finding::of_question(Reader::Server, question.place(), rule, problem, help)
        }));
        findings.extend(clients.iter().flat_map(|client| about_client(*client, question)));
    }
    findings
}

fn about_keys(first: &LintedQuestion<'_>, state: StateSettings) -> Option<Finding> {
    if state.has_own_keys {
        return None;
    }
    let problem = "each process signs the state of a question with its own random key";
    let help = "with several replicas, or restarts between two rounds, call `state_keys` on the builder";
    let rule = "random-state-key";
    Some(Finding::of_question(Reader::Server, first.place(), (rule, Severity::Advice), problem.to_owned(), help))
}

/// A layer in front of the server often reads the header `Authorization` and removes it. Then the states of all callers are bound to
/// nobody, and nothing that the server sees shows it.
fn about_principal(first: &LintedQuestion<'_>, state: StateSettings) -> Option<Finding> {
    if !state.needs_principal {
        return None;
    }
    let problem = "callers differ, and only the header `Authorization` binds the state of a question to its caller: if a layer \
                   removes the header, the state of one caller is valid for all";
    let help =
        "call `principal` on the builder with what identifies the caller, unless `http::Bearer` checks the tokens";
    Some(Finding::of_question(
        Reader::Server,
        first.place(),
        ("no-principal", Severity::Lost),
        problem.to_owned(),
        help,
    ))
}

/// Returns what one client does with a question.
fn about_client(client: Client, question: &LintedQuestion<'_>) -> Vec<Finding> {
    let about = |rule, problem: &str, help| {
        Finding::of_question(Reader::Client(client), question.place(), rule, problem.to_owned(), help)
    };
    let may_not_run =
        |rule, problem, help| Finding { effect: Effect::MayNotRun, ..about((rule, Severity::Advice), problem, help) };
    let mut findings = Vec::new();
    match client {
        Client::McpLegacy => {
            if !question.has_legacy_form {
                let severity = if question.is_needed { Severity::Lost } else { Severity::Advice };
                let problem = "a form of protocol version 2025-06-18 has no lists, so its clients cannot be asked";
                findings.push(about(("form-list", severity), problem, "ask for one choice instead of a list"));
            }
            if cfg!(feature = "http") && question.is_needed {
                let problem = "`http::Endpoint` has no sessions, so it cannot ask clients before 2026-07-28";
                let help = "serve these clients with `rmcp::Server` or `stdio::Server`, or take an `Answer<…>`";
                findings.push(may_not_run("cannot-ask", problem, help));
            }
        }
        Client::ClaudeCode if question.is_needed => {
            let problem =
                "without a terminal (`claude -p`, editors) it declares forms, and declines each without showing it";
            let help = "take an `Answer<…>`, or call `disable_questions_for` on the builder";
            let source = "https://github.com/anthropics/claude-code/issues/79174";
            let unseen = may_not_run("declines-unseen", problem, help);
            findings.push(Finding { source, date: "2026-07-19", ..unseen });
        }
        client if is_api(client) && question.is_needed => {
            // Advice, because only the program that calls the model knows whom it can ask. An export without an asker reports more.
            let problem = "a model interface has no forms, so the tool runs only if the program that calls the model asks the user";
            let help =
                "in that program, call `Export::with_asker` or `CallToolRequest::with_asker`; or take an `Answer<…>`";
            findings.push(may_not_run("cannot-ask", problem, help));
        }
        _ => {}
    }
    findings
}

/// Returns `true` for a name such as `api_key`, `apiKey` or `new-password`, but not for `secretary` or `max_tokens`.
fn is_secret(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| SECRETS.contains(&word.as_str()))
        || words.windows(2).any(|pair| SECRET_PAIRS.contains(&(pair[0].as_str(), pair[1].as_str())))
}

/// Splits a name at everything but letters and digits, and before each capital letter after a small one.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for character in name.chars() {
        let starts_word = character.is_uppercase() && after_small;
        if (starts_word || !character.is_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        after_small = character.is_lowercase() || character.is_ascii_digit();
    }
    words
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
