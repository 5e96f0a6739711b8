//! Makes the commands and their options from the definitions of the tools.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, Command, arg, value_parser};
use clap_complete::Shell;

use super::Cli;
use super::flags::{AnyText, BadFlag, Flags, GIVEN_TWICE, any_words};
use super::install::CLIENTS;
use super::io::{counted, escaped, expected_one_of};
use super::output::FORMATS;
use crate::{Dispatcher, mcp};

/// Lines longer than this are hard to read.
pub(super) const MAX_COLUMNS: usize = 100;
/// The values of `--color`.
const COLORS: [&str; 3] = ["auto", "always", "never"];

impl Cli {
    /// Builds the command. Help, completion and embedding need the flags of tools. A call does not, so only the tools
    /// that `has_flags` selects get theirs, and the others accept any words.
    pub(super) fn command_with(&self, has_flags: impl Fn(&str) -> bool) -> Command {
        let tools: Vec<_> = self.tools().map(|(_, tool)| tool).collect();
        let server = self.dispatcher.identity();
        let command = Command::new(server.name.clone())
            .version(server.version.clone())
            .about(format!("Serves {} to AI agents, or calls one of them.", counted(tools.len(), "tool")))
            .after_help(
                "Without a command, the server speaks the Model Context Protocol over standard input and output.",
            )
            .max_term_width(MAX_COLUMNS)
            .disable_help_subcommand(true)
            .arg(color());
        // Accept any name here, so that our own error reports an unknown one.
        let names = || AnyText::of(tools.iter().map(|tool| tool.name.clone()));
        let tags: BTreeSet<_> = self.tools().flat_map(|(info, _)| info.tags().iter().cloned()).collect();
        let commands = [
            Command::new("serve").about("Serve the Model Context Protocol over standard input and output"),
            list(names(), AnyText::of(tags)),
            call(&tools, has_flags, &self.dispatcher),
            Command::new("describe")
                .about("Write a page about all tools, or about one, in Markdown")
                .arg(known(arg!(tool: [NAME] "Only this tool"), names())),
            #[cfg(feature = "lint")]
            super::lint::lint_command(),
            #[cfg(feature = "lint")]
            super::lint::contract_command(),
            install(),
            #[cfg(feature = "export")]
            super::export::command(),
            Command::new("openapi").about("Print the OpenAPI document of the tools over plain HTTP, as JSON"),
            Command::new("completions")
                .about("Print a completion script")
                .after_help("In ~/.bashrc, for example: source <(PROGRAM completions bash)")
                .arg(arg!(shell: <SHELL>).value_parser(value_parser!(Shell))),
        ];
        #[cfg(feature = "tasks")]
        let worker = self.dispatcher.own_worker().map(|_| worker());
        #[cfg(not(feature = "tasks"))]
        let worker = None;
        let commands: Vec<_> = commands.into_iter().chain(worker).collect();
        let words = commands.iter().map(Command::get_name).chain(tools.iter().map(|tool| tool.name.as_str()));
        let help = Command::new("help").about("Print help").arg(
            arg!(words: [COMMAND]... "The command, and the tool of `call`")
                .num_args(0..)
                .value_parser(AnyText::of(words.map(str::to_owned)))
                .hide_possible_values(true),
        );
        // `call` already has this option.
        let with_color = |command: Command| if command.get_name() == "call" { command } else { command.arg(color()) };
        command.subcommands(commands.into_iter().chain([help]).map(with_color))
    }
}

/// Completes these values without listing them in help.
fn known(arg: Arg, values: AnyText) -> Arg {
    arg.value_parser(values).hide_possible_values(true)
}

fn color() -> Arg {
    arg!(--color <WHEN> "When to use colors [default: auto]").value_parser(PossibleValuesParser::new(COLORS))
}

fn list(names: AnyText, tags: AnyText) -> Command {
    Command::new("list")
        .about("List the tools")
        .arg(arg!(text: [TEXT] "Only tools with this text in their name, title or description"))
        .arg(arg!(--json "Print the definitions as JSON"))
        .arg(
            known(arg!(--schema <NAME> "Print the schemas of one tool as JSON"), names)
                .conflicts_with_all(["json", "bytes", "tag", "text"]),
        )
        .arg(known(
            arg!(--tag <TAG>... "Only tools with this tag; may be repeated, then any of the tags is enough"),
            tags,
        ))
        .arg(arg!(--bytes "Show how many bytes each definition takes"))
}

fn call(tools: &[&mcp::Tool], has_flags: impl Fn(&str) -> bool, dispatcher: &Dispatcher) -> Command {
    let call = Command::new("call")
        .about("Call a tool")
        .after_help("`call NAME --help` lists the parameters of a tool. These options are also read after NAME.")
        .args(options().map(|(_, arg)| arg.clone()))
        .subcommand_value_name("NAME")
        .subcommand_help_heading("Tools")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        // Otherwise `clap` would call an unknown tool an unknown subcommand.
        .allow_external_subcommands(true);
    let tool = |definition: &&mcp::Tool| tool(definition, has_flags(&definition.name), dispatcher);
    call.subcommands(tools.iter().map(tool))
}

fn tool(tool: &mcp::Tool, has_flags: bool, dispatcher: &Dispatcher) -> Command {
    // `clap` prints escape sequences in a text as they are.
    let description = escaped(tool.description.as_deref().unwrap_or_default(), true);
    let command = Command::new(tool.name.clone()).about(first_line(&description).to_owned()).disable_help_flag(true);
    if !has_flags {
        return command.arg(any_words().trailing_var_arg(true));
    }
    let flags = Flags::new(&tool.input_schema);
    let help = Arg::new("help").short('h').help("Print help").action(ArgAction::Help);
    let help = if flags.takes("help") { help } else { help.long("help") };
    let required = flags.required().fold(String::new(), |usage, flag| usage + " " + &flag);
    // Scripts can pass these options to every tool. Help shows only those that matter to this one.
    let options = options().filter(|(name, _)| !flags.takes(name)).map(|(name, arg)| {
        let is_shown = match name {
            "json" => !flags.is_empty(),
            "yes" => dispatcher.asks(&tool.name),
            "all" => dispatcher.cursor_of(&tool.name).is_some(),
            _ => false,
        };
        arg.clone().hide(!is_shown)
    });
    let command = command
        .before_help(description.into_owned())
        .help_template(format!("{{before-help}}{{usage-heading}} {{usage}}{required}\n\n{{all-args}}{{after-help}}"))
        .arg(help)
        .args(options)
        .next_help_heading("Parameters");
    flags.add_to(command, &tool.input_schema)
}

/// Returns the first line of a description.
pub(super) fn first_line(description: &str) -> &str {
    description.lines().next().unwrap_or_default().trim()
}

fn install() -> Command {
    let clients = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.name));
    Command::new("install")
        .about("Print the entry for the configuration of a client")
        .arg(arg!(client: <CLIENT>).value_parser(clients))
        .arg(arg!(--name <NAME> "The name of the server in the client"))
        .arg(arg!(--env <"NAME=VALUE">... "An environment variable for the server; may be repeated"))
        .arg(arg!(words: [WORD]... "What the client puts on the command line of the server").num_args(0..).last(true))
}

#[cfg(feature = "tasks")]
fn worker() -> Command {
    Command::new("worker").about("Run the tasks that the server has stored, until Ctrl-C or SIGTERM").arg(
        arg!(--concurrency <TASKS> "How many tasks run at once [default: 10]")
            .value_parser(value_parser!(u16).range(1..)),
    )
}

/// The options of `call`. They are read before the name of the tool, and after it unless a parameter has the same name.
/// Their ids begin with `--`.
static OPTIONS: LazyLock<[Arg; 9]> = LazyLock::new(|| {
    let option = |id: &'static str, value: &'static str, help: &'static str| {
        // Any text is accepted here. `check` reports a bad value together with all other mistakes.
        let arg = Arg::new(id).long(&id[2..]).help(help).value_name(value).action(ArgAction::Append);
        arg.value_parser(AnyText::of([""; 0]))
    };
    let switch = |id: &'static str, help: &'static str| {
        Arg::new(id).long(&id[2..]).help(help).action(ArgAction::SetTrue).overrides_with(id)
    };
    [
        option("--output", "FORMAT", "How to print the answer [default: text on a terminal, else json]")
            .value_parser(AnyText::of(FORMATS)),
        option("--json", "JSON", "All arguments as one JSON object; `@FILE` reads a file, and `-` the input"),
        option("--timeout", "TIME", "Stop the call after this time, such as 30s or 500ms"),
        option("--color", "WHEN", "When to use colors [default: auto]").value_parser(AnyText::of(COLORS)),
        switch("--dry-run", "Print the arguments as JSON instead of calling the tool"),
        switch("--all", "Follow the pages to the end, and print one list"),
        switch("--debug", "Show what an error hides from models"),
        switch("--quiet", "Show no progress").short('q'),
        switch("--yes", "Agree when the tool asks for consent").short('y'),
    ]
});

/// Lists the options with their names.
fn options() -> impl Iterator<Item = (&'static str, &'static Arg)> {
    OPTIONS.iter().map(|arg| (arg.get_long().unwrap_or_default(), arg))
}

/// Finds an option by its name after `--`.
pub(super) fn find_option(name: &str) -> Option<&'static Arg> {
    let name = name.replace('_', "-");
    options().find(|(long, _)| *long == name).map(|(_, arg)| arg)
}

/// Finds an option by its short form, such as `-y`.
pub(super) fn find_short_option(word: &str) -> Option<&'static Arg> {
    let letter = word.strip_prefix('-')?;
    OPTIONS.iter().find(|arg| arg.get_short().is_some_and(|short| letter.chars().eq([short])))
}

/// The options on a command line.
#[derive(Debug, Default)]
pub(super) struct Options(Vec<(&'static Arg, String)>);

impl Options {
    pub(super) fn push(&mut self, option: &'static Arg, text: Option<String>) {
        self.0.push((option, text.unwrap_or_default()));
    }

    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns the value of an option.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(option, _)| option.get_long() == Some(name)).map(|(_, text)| &**text)
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        self.text(name).is_some()
    }

    /// Returns the options with bad values.
    pub(super) fn check(&self) -> Vec<BadFlag> {
        let bad = self.0.iter().enumerate().filter_map(|(index, (option, text))| {
            let is_repeated = self.0[..index].iter().any(|(other, _)| other.get_id() == option.get_id());
            let values = option.get_possible_values();
            let choices: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
            let takes_value = option.get_action().takes_values();
            let problem = if takes_value && is_repeated {
                GIVEN_TWICE.to_owned()
            } else if takes_value && !choices.is_empty() && !choices.contains(&text.as_str()) {
                expected_one_of(&choices, text)
            } else if option.get_long() == Some("timeout") && duration(text).is_none() {
                format!("expected a duration such as 30s or 500ms, got \"{text}\"")
            } else {
                return None;
            };
            Some(BadFlag::new(option.get_id().as_str(), problem))
        });
        bad.collect()
    }
}

/// Reads a duration such as `1.5s`.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[number.len()..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()
}
