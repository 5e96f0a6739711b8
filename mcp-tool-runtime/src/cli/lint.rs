//! `lint` and `contract`: report what clients would refuse or lose, and which changes break clients.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command, ValueHint, arg};

use super::io::{counted, escaped};
use super::{Cli, FAILURE, Io, SUCCESS};
use crate::contract;
use crate::lint::{Client, Effect, Finding, Severity};

/// The default path of the contract file, as in the documentation of [`contract`].
const LOCK_FILE: &str = "tools.lock.json";

const SEVERITIES: [Severity; 4] = [Severity::Advice, Severity::Lost, Severity::Refused, Severity::AllRefused];

pub(super) fn lint_command() -> Command {
    let clients = PossibleValuesParser::new(Client::ALL.iter().map(|client| client.names().1).chain(["all"]));
    let severities = PossibleValuesParser::new(SEVERITIES.map(|severity| severity.to_string()));
    Command::new("lint")
        .about("Find what clients would refuse or lose")
        .arg(arg!(--for <CLIENT>... "Only this client [default: all but openai-strict]").value_parser(clients))
        .arg(
            arg!(--"fail-on" <SEVERITY> "The least severe finding that makes the exit code 1")
                .default_value("lost")
                .value_parser(severities),
        )
}

pub(super) fn contract_command() -> Command {
    Command::new("contract")
        .about("Check that no change of the tools breaks a client")
        .arg(arg!(--write "Write the file instead of checking it"))
        .arg(arg!(file: [FILE] "The contract").default_value(LOCK_FILE).value_hint(ValueHint::FilePath))
}

impl Cli {
    pub(super) fn lint(&self, matches: &ArgMatches, io: &Io) -> u8 {
        let names: Vec<_> = matches.get_many::<String>("for").into_iter().flatten().map(String::as_str).collect();
        let is_chosen = |client: &Client| match names.as_slice() {
            // Leave out OpenAI's strict mode by default: it allows no optional arguments, and few servers use it.
            [] => *client != Client::OpenAiStrict,
            names => names.iter().any(|name| *name == "all" || *name == client.names().1),
        };
        let clients: Vec<_> = Client::ALL.iter().copied().filter(is_chosen).collect();
        let least = matches.get_one::<String>("fail-on");
        let least = SEVERITIES.into_iter().find(|severity| least.is_some_and(|least| severity.to_string() == *least));
        let findings = self.dispatcher.lint(&clients);
        // If several clients have the same problem with a tool, there is only one thing to fix, so show the problem
        // once. Show the findings of a rule together.
        let of_place = |one: &'_ Finding| {
            let texts = [one.tool.as_deref().unwrap_or_default(), &one.place, one.rule, &one.problem, one.help];
            (texts.map(str::to_owned), one.severity)
        };
        let places = group(&findings, of_place);
        let key = |one: &&Finding| (one.rule, one.client(), one.severity);
        let rules = group(&places, |place| place.iter().map(key).collect::<Vec<_>>());
        let text: String = rules.iter().map(|places| diagnostic(places, io)).collect();
        let written = io.print_styled(&text);
        if written != SUCCESS {
            return written;
        }
        io.tell(&format!(
            "{} in {} for {}\n",
            counted(places.len(), "finding"),
            counted(self.dispatcher.list_all().len(), "tool"),
            counted(clients.len(), "client")
        ));
        let severities = findings.iter().map(|finding| finding.severity);
        let fails = severities.max().is_some_and(|most| least.is_none_or(|least| most >= least));
        if fails { FAILURE } else { SUCCESS }
    }

    pub(super) fn contract(&self, matches: &ArgMatches, program: &str, io: &Io) -> u8 {
        let file = matches.get_one::<String>("file").map_or(LOCK_FILE, String::as_str);
        let writes = matches.get_flag("write");
        let path = contract::resolve_path(file.as_ref());
        let done =
            if writes { contract::write(&self.dispatcher, &path) } else { contract::compare(&self.dispatcher, &path) };
        let shown = path.display();
        let Err(error) = done else {
            io.tell(&if writes {
                format!("wrote {shown}\n")
            } else {
                format!("the tools keep the contract `{shown}`\n")
            });
            return SUCCESS;
        };
        if error.errors().is_empty() {
            io.error(&error.to_string());
        } else {
            let breaks: String = error.errors().iter().flat_map(|line| [line.as_str(), "\n"]).collect();
            let written = io.print(&breaks);
            if written != SUCCESS {
                return written;
            }
            io.error(&format!("the tools break the contract `{shown}`"));
        }
        if !writes {
            io.note("help", &format!("to write the contract: {program} contract --write {file}"));
        }
        FAILURE
    }
}

/// Groups elements by key, in order of first appearance.
fn group<'t, T, K: Ord>(all: &'t [T], key: impl Fn(&'t T) -> K) -> Vec<Vec<&'t T>> {
    let mut groups: Vec<Vec<&T>> = Vec::new();
    let mut known = BTreeMap::new();
    for one in all {
        let group = *known.entry(key(one)).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

/// Writes the findings of one rule in the style of a compiler error.
fn diagnostic(places: &[&Vec<&Finding>], io: &Io) -> String {
    let Some(group_of_clients) = places.first() else { return String::new() };
    let Some(finding) = group_of_clients.first() else { return String::new() };
    let (color, effect) = match finding.severity {
        Severity::Advice => ("36", "may misread it"),
        Severity::Lost => ("33", "loses this part"),
        Severity::Refused => ("31", "refuses the tool"),
        Severity::AllRefused => ("31", "refuses all tools because of it"),
    };
    let rule = format!("{}[{}]", finding.severity, finding.rule);
    let rule = if io.colors.output { format!("\x1b[1;{color}m{rule}\x1b[0m") } else { rule };
    let shown = |text| escaped(text, io.output_width.is_some());
    let firsts: Vec<&Finding> = places.iter().filter_map(|group| group.first().copied()).collect();
    let has_one_problem = firsts.iter().all(|other| other.problem == finding.problem);
    let title = if has_one_problem { shown(&finding.problem) } else { format!("in {} places", places.len()).into() };
    let mut text = format!("{rule}: {title}\n");
    // Some rules need one fix for arguments and another for results. So group the findings by fix, and print each fix
    // once.
    for same_help in group(&firsts, |finding| finding.help) {
        for finding in &same_help {
            let tool = finding.tool.as_deref().unwrap_or("the list of tools");
            text.extend(["  --> ", &shown(tool), &shown(&finding.place)]);
            if !has_one_problem {
                text.extend([": ", &shown(&finding.problem)]);
            }
            text.push('\n');
        }
        let help = same_help.first().map_or("", |finding| finding.help);
        text.extend(["  = help: ", &shown(help), "\n"]);
    }
    for finding in *group_of_clients {
        let client = finding.client().map_or_else(|| "this server".to_owned(), |client| client.to_string());
        let effect = match (finding.effect, finding.severity) {
            (Effect::MayNotRun, _) => "may be unable to call the tool",
            (_, Severity::Advice) if finding.client().is_none() => "may be affected",
            (_, Severity::Lost) if finding.client().is_none() => "cannot rely on this part",
            _ => effect,
        };
        text.extend(["  = ", &client, " ", effect]);
        if !finding.source.is_empty() {
            text.extend([": ", finding.source, " (", finding.date, ")"]);
        }
        text.push('\n');
    }
    text + "\n"
}
