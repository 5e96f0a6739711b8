//! `lint`: what clients would refuse or lose, as a compiler reports it.

use std::collections::BTreeMap;

use clap::ArgMatches;

use super::{Cli, FAILURE, Io, SUCCESS, message};
use crate::lint::{Client, Effect, Finding, Severity};

/// The values of `--fail-on`.
pub(super) const SEVERITIES: [(&str, Severity); 4] = [
    ("advice", Severity::Advice),
    ("lost", Severity::Lost),
    ("refused", Severity::Refused),
    ("all-refused", Severity::AllRefused),
];

/// Returns the name of a client on the command line.
fn client_name(client: Client) -> &'static str {
    match client {
        Client::McpLegacy => "mcp-legacy",
        Client::ClaudeApi => "claude-api",
        Client::ClaudeCode => "claude-code",
        Client::OpenAi => "openai",
        Client::OpenAiStrict => "openai-strict",
        Client::Gemini => "gemini",
        Client::VsCode => "vscode",
        Client::Cursor => "cursor",
    }
}

/// Returns the values of `--for`.
pub(super) fn client_names() -> impl Iterator<Item = &'static str> {
    Client::ALL.iter().copied().map(client_name)
}

impl Cli {
    pub(super) fn lint(&self, matches: &ArgMatches, io: &Io) -> u8 {
        let names: Vec<_> = matches.get_many::<String>("for").into_iter().flatten().map(String::as_str).collect();
        let is_chosen = |client: &Client| match names.as_slice() {
            // Its limits refuse every optional argument, and few servers use it.
            [] => *client != Client::OpenAiStrict,
            names => names.iter().any(|name| *name == "all" || *name == client_name(*client)),
        };
        let clients: Vec<_> = Client::ALL.iter().copied().filter(is_chosen).collect();
        let least = matches.get_one::<String>("fail-on").map(String::as_str);
        let least = SEVERITIES.into_iter().find_map(|(name, severity)| (Some(name) == least).then_some(severity));
        let findings = by_place(self.dispatcher.lint(&clients));
        let text: String = by_rule(&findings).iter().map(|groups| diagnostic(groups, io)).collect();
        let written = message::print_styled(io, &text);
        if written != SUCCESS {
            return written;
        }
        io.tell(&format!(
            "{} in {} for {}\n",
            message::counted(findings.len(), "finding"),
            message::counted(self.dispatcher.list().len(), "tool"),
            message::counted(clients.len(), "client")
        ));
        let severities = findings.iter().flatten().map(Finding::severity);
        let fails = severities.max().is_some_and(|most| least.is_none_or(|least| most >= least));
        if fails { FAILURE } else { SUCCESS }
    }
}

/// Joins the findings that several clients share: the author has one thing to change.
fn by_place(findings: Vec<Finding>) -> Vec<Vec<Finding>> {
    let mut groups: Vec<Vec<Finding>> = Vec::new();
    let mut known = BTreeMap::new();
    for finding in findings {
        let tool = finding.tool().unwrap_or_default();
        let texts = [tool, finding.place(), finding.rule(), finding.problem(), finding.help()].map(str::to_owned);
        let group = *known.entry((texts, finding.severity())).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

fn key(finding: &Finding) -> (&str, &str, Option<Client>, Severity) {
    (finding.rule(), finding.help(), finding.client(), finding.severity())
}

/// Joins the findings of one rule that the author mends in the same way, in the order of the first of each.
fn by_rule(findings: &[Vec<Finding>]) -> Vec<Vec<&[Finding]>> {
    let mut groups: Vec<Vec<&[Finding]>> = Vec::new();
    for finding in findings {
        let is_same = |group: &Vec<&[Finding]>| {
            group.first().is_some_and(|first| first.iter().map(key).eq(finding.iter().map(key)))
        };
        match groups.iter_mut().find(|group| is_same(group)) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// Writes a finding of one or several clients and places like a message of a compiler.
fn diagnostic(places: &[&[Finding]], io: &Io) -> String {
    let [group @ [finding, ..], ..] = places else { return String::new() };
    let (level, color) = match finding.severity() {
        Severity::Advice => ("note", "36"),
        Severity::Lost => ("warning", "33"),
        Severity::Refused | Severity::AllRefused => ("error", "31"),
    };
    let level = format!("{level}[{}]", finding.rule());
    let level = if io.colors_output() { format!("\x1b[1;{color}m{level}\x1b[0m") } else { level };
    let shown = |text| message::shown(text, io.output_width().is_some());
    let firsts = || places.iter().filter_map(|group| group.first());
    let has_one_problem = firsts().all(|other| other.problem() == finding.problem());
    let title = if has_one_problem { shown(finding.problem()) } else { format!("in {} places", places.len()).into() };
    let mut text = format!("{level}: {title}\n");
    for finding in firsts() {
        let tool = finding.tool().unwrap_or("the list of tools");
        text.extend(["  --> ", &shown(tool), &shown(finding.place())]);
        if !has_one_problem {
            text.extend([": ", &shown(finding.problem())]);
        }
        text.push('\n');
    }
    for finding in *group {
        let client = finding.client().map_or_else(|| "this server".to_owned(), |client| client.to_string());
        let effect = match (finding.effect, finding.severity()) {
            (Effect::MayNotRun, _) => "may be unable to call the tool",
            (_, Severity::Advice) if finding.client().is_none() => "may be affected",
            (_, Severity::Advice) => "may misread it",
            (_, Severity::Lost) => "loses this part",
            (_, Severity::Refused) => "refuses the tool",
            (_, Severity::AllRefused) => "refuses all tools because of it",
        };
        text.extend(["  = ", &client, " ", effect]);
        if !finding.source().is_empty() {
            text.extend([": ", finding.source(), " (", finding.date(), ")"]);
        }
        text.push('\n');
    }
    text + "  = help: " + &shown(finding.help()) + "\n\n"
}
