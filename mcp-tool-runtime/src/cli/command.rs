//! Makes the commands from the definitions of the tools.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use clap_complete::Shell;

use super::flags::Flags;
use super::install::CLIENTS;
use super::lint::{self, SEVERITIES};
use super::output::FORMATS;
use super::{Cli, message};
use crate::mcp;

/// Wider help is hard to read.
pub(super) const MAX_COLUMNS: usize = 100;
/// The file of the contract, as in the documentation of [`contract`](crate::contract).
pub(super) const LOCK_FILE: &str = "tools.lock.json";

impl Cli {
    /// Returns `true` if a tool asks its user.
    fn asks(&self, tool: &str) -> bool {
        self.dispatcher.asks(tool)
    }

    /// Makes the command. Only the tools that `has_flags` selects get their flags.
    pub(super) fn command_with(&self, has_flags: impl Fn(&str) -> bool) -> Command {
        let tools: Vec<_> = self.tools().map(|(_, tool)| tool).collect();
        let server = self.dispatcher.identity();
        let command = Command::new(server.name.clone())
            .version(server.version.clone())
            .about(format!("Serves {} to AI agents, or calls one of them.", message::counted(tools.len(), "tool")))
            .after_help(
                "Without a command, the server speaks the Model Context Protocol over standard input and output.",
            )
            .max_term_width(MAX_COLUMNS)
            .disable_help_subcommand(true);
        command.subcommands([
            Command::new("serve").about("Serve the Model Context Protocol over standard input and output"),
            list(),
            call(&tools, has_flags, |tool| self.asks(tool)),
            Command::new("describe")
                .about("Write a page about all tools, or about one, in Markdown")
                .arg(Arg::new("tool").value_name("NAME").help("Only this tool")),
            lint(),
            contract(),
            install(),
            #[cfg(feature = "export")]
            super::export::command(),
            Command::new("openapi").about("Print the OpenAPI document of the tools over plain HTTP, as JSON"),
            Command::new("completions")
                .about("Print a completion script")
                .after_help("In ~/.bashrc, for example: source <(PROGRAM completions bash)")
                .arg(Arg::new("shell").required(true).value_name("SHELL").value_parser(value_parser!(Shell))),
        ])
    }
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help)
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    flag(name, help).action(ArgAction::SetTrue)
}

fn list() -> Command {
    Command::new("list")
        .about("List the tools")
        .arg(switch("json", "Print the definitions as JSON"))
        .arg(
            flag("schema", "Print the schemas of one tool as JSON")
                .value_name("NAME")
                .conflicts_with_all(["json", "bytes", "tag"]),
        )
        .arg(
            flag("tag", "Only tools with this tag; may be repeated, then any of the tags is enough")
                .value_name("TAG")
                .action(ArgAction::Append),
        )
        .arg(switch("bytes", "Show how many bytes each definition takes"))
}

fn call(tools: &[&mcp::Tool], has_flags: impl Fn(&str) -> bool, asks: impl Fn(&str) -> bool) -> Command {
    let output = flag("output", "How to print the answer [default: text on a terminal, else json]")
        .value_name("FORMAT")
        .value_parser(PossibleValuesParser::new(FORMATS));
    let call = Command::new("call")
        .about("Call a tool")
        .after_help("`call NAME --help` lists the parameters of a tool.")
        .arg(output)
        .arg(
            flag("save", "Save images, audio and files in this directory")
                .value_name("DIR")
                .value_hint(ValueHint::DirPath),
        )
        .arg(json())
        .arg(switch("debug", "Show what an error hides from models"))
        .arg(switch("quiet", "Show no progress").short('q'))
        .arg(yes())
        .arg(all())
        .subcommand_value_name("NAME")
        .subcommand_help_heading("Tools")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        // Without this, `clap` would report an unknown tool as an unknown subcommand.
        .allow_external_subcommands(true);
    let tool = |definition: &&mcp::Tool| tool(definition, has_flags(&definition.name), asks(&definition.name));
    call.subcommands(tools.iter().map(tool))
}

/// The flag `--yes`, which answers a question for consent. It is accepted before and after the name of the tool.
fn yes() -> Arg {
    switch("yes", "Agree when the tool asks for consent").short('y')
}

/// The flag `--all`, which follows the pages. It is accepted before and after the name of the tool.
fn all() -> Arg {
    switch("all", "Follow the pages to the end, and print one list")
}

/// The flag `--json`, which takes all arguments as one object.
fn json() -> Arg {
    flag("json", "All arguments as one JSON object, or `-` to read it from the input").value_name("JSON")
}

fn tool(tool: &mcp::Tool, has_flags: bool, asks: bool) -> Command {
    // `clap` keeps escape sequences and prints them with its own.
    let description = message::shown(tool.description.as_deref().unwrap_or_default(), true);
    let command = Command::new(tool.name.clone()).about(first_line(&description).to_owned());
    if !has_flags {
        return command;
    }
    let flags = Flags::new(&tool.input_schema);
    let help = Arg::new("help").short('h').help("Print help").action(ArgAction::Help);
    let help = if flags.takes("help") { help } else { help.long("help") };
    let required = flags.required().fold(String::new(), |usage, flag| usage + " " + &flag);
    let command = command
        .before_help(description.into_owned())
        .help_template(format!("{{before-help}}{{usage-heading}} {{usage}}{required}\n\n{{all-args}}{{after-help}}"))
        .disable_help_flag(true)
        .arg(help)
        // A tool without parameters also accepts `--json`, so that a script can pass it to every tool. Help does not show it there.
        .args((!flags.takes("json")).then(|| json().hide(flags.is_empty())))
        // Likewise, a tool without questions also accepts `--yes`.
        .args((!flags.takes("yes")).then(|| yes().hide(!asks)))
        .args((!flags.takes("all")).then(|| all().hide(!flags.takes("cursor"))))
        .next_help_heading("Parameters");
    flags.add_to(command, &tool.input_schema)
}

/// Returns the first line of a description.
pub(super) fn first_line(description: &str) -> &str {
    description.lines().next().unwrap_or_default().trim()
}

fn lint() -> Command {
    let clients = lint::client_names().chain(["all"]);
    Command::new("lint")
        .about("Find what clients would refuse or lose")
        .arg(
            flag("for", "Only this client [default: all but openai-strict]")
                .value_name("CLIENT")
                .action(ArgAction::Append)
                .value_parser(PossibleValuesParser::new(clients)),
        )
        .arg(
            flag("fail-on", "The least severe finding that makes the exit code 1")
                .value_name("SEVERITY")
                .default_value("lost")
                .value_parser(PossibleValuesParser::new(SEVERITIES.map(|(name, _)| name))),
        )
}

fn contract() -> Command {
    Command::new("contract")
        .about("Check that no change of the tools breaks a client")
        .arg(switch("write", "Write the file instead of checking it"))
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .help("The contract")
                .default_value(LOCK_FILE)
                .value_hint(ValueHint::FilePath),
        )
}

fn install() -> Command {
    Command::new("install")
        .about("Print the entry for the configuration of a client")
        .arg(
            Arg::new("client")
                .required(true)
                .value_name("CLIENT")
                .value_parser(PossibleValuesParser::new(CLIENTS.iter().map(|client| client.name))),
        )
        .arg(flag("name", "The name of the server in the client").value_name("NAME"))
        .arg(
            flag("env", "An environment variable for the server; may be repeated")
                .value_name("NAME=VALUE")
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("words")
                .value_name("WORD")
                .help("What the client puts on the command line of the server")
                .num_args(0..)
                .last(true),
        )
}
