//! Builds the `clap` command of the server, with a subcommand of `call` for each tool.

use std::collections::BTreeSet;

use clap::builder::{PossibleValuesParser, Resettable};
use clap::{Arg, ArgAction, Command, arg, value_parser};
use clap_complete::Shell;

use super::Cli;
use super::flags::{AnyText, Flags, any_words};
use super::install::clients::CLIENTS;
use super::io::{counted, escaped};
use super::options::{COLORS, options};
use crate::{Dispatcher, mcp};

/// The maximum width of help, in columns. Longer lines are hard to read.
pub(super) const MAX_COLUMNS: usize = 100;

impl Cli {
    /// Builds the `clap` command of the server. Only the tools that `has_flags` selects get their flags, which are
    /// needed for help, for completion and for embedding. The other tools accept any words.
    pub(super) fn command_with(&self, has_flags: impl Fn(&str) -> bool) -> Command {
        let tools: Vec<_> = self.tools().map(|(_, tool)| tool).collect();
        let server = self.dispatcher.identity();
        let command = Command::new(server.name.clone())
            .version(server.version.clone())
            .about(format!("Serves {} to AI agents, or calls one of them.", counted(tools.len(), "tool")))
            .after_help(format!(
                "Without a command, the server speaks the Model Context Protocol over standard input and output.{}",
                self.help_of_variables(),
            ))
            .max_term_width(MAX_COLUMNS)
            .disable_help_subcommand(true)
            .arg(color())
            .args(self.selection_args());
        // Accept any name here, so that an unknown name gets our error message and not that of `clap`.
        let names = || AnyText::of(tools.iter().map(|tool| tool.name.clone()));
        let tags: BTreeSet<_> = self.tools().flat_map(|(info, _)| info.tags().iter().cloned()).collect();
        #[cfg_attr(not(feature = "tasks"), expect(unused_mut))]
        let mut commands = vec![
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
            uninstall(),
            package(),
            #[cfg(feature = "export")]
            super::export::command(),
            Command::new("openapi").about("Print the OpenAPI document of the tools over plain HTTP, as JSON"),
            Command::new("completions")
                .about("Print a completion script")
                .after_help("In ~/.bashrc, for example: source <(PROGRAM completions bash)")
                .arg(arg!(shell: <SHELL>).value_parser(value_parser!(Shell))),
        ];
        #[cfg(feature = "tasks")]
        commands.extend(self.dispatcher.own_worker().map(|_| worker()));
        let words = commands.iter().map(Command::get_name).chain(tools.iter().map(|tool| tool.name.as_str()));
        let help = Command::new("help").about("Print help").arg(known(
            arg!(words: [COMMAND]... "The command, and the tool of `call`").num_args(0..),
            AnyText::of(words.map(str::to_owned)),
        ));
        // `call` already has `--color`.
        let with_color = |command: Command| if command.get_name() == "call" { command } else { command.arg(color()) };
        let with_selection = |command: Command| match command.get_name() {
            "serve" => command.args(self.selection_args()),
            // The entry that `install` writes repeats a selection from the command line, but not a selection from
            // environment variables. So `install` does not read the variables.
            "install" => command.args(self.selection_args().map(|arg| arg.env(Resettable::Reset))),
            _ => command,
        };
        command.subcommands(commands.into_iter().chain([help]).map(with_color).map(with_selection))
    }
}

/// Sets the values that completion offers for an argument. Help does not list them.
fn known(arg: Arg, values: AnyText) -> Arg {
    arg.value_parser(values).hide_possible_values(true)
}

pub(super) fn color() -> Arg {
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
        // Otherwise, `clap` would report an unknown tool as an unknown subcommand.
        .allow_external_subcommands(true);
    let tool = |definition: &&mcp::Tool| tool(definition, has_flags(&definition.name), dispatcher);
    call.subcommands(tools.iter().map(tool))
}

/// Returns what a user types for the name of a tool. A name that looks like an option goes after `--`.
pub(super) fn typed(name: &str) -> String {
    if name.starts_with('-') { format!("-- {name}") } else { name.to_owned() }
}

fn tool(tool: &mcp::Tool, has_flags: bool, dispatcher: &Dispatcher) -> Command {
    // `clap` prints escape sequences in text unchanged, so escape the description.
    let description = escaped(tool.description.as_deref().unwrap_or_default(), true);
    let command = Command::new(typed(&tool.name)).about(first_line(&description).to_owned()).disable_help_flag(true);
    if !has_flags {
        return command.arg(any_words().trailing_var_arg(true));
    }
    let flags = Flags::new(&tool.input_schema);
    let help = Arg::new("help").short('h').help("Print help").action(ArgAction::Help);
    let help = if flags.takes("help") { help } else { help.long("help") };
    let required = flags.required().fold(String::new(), |usage, flag| usage + " " + &flag);
    // Scripts can pass these options to every tool. Help shows only those that matter to this tool.
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

pub(super) fn first_line(description: &str) -> &str {
    description.lines().next().unwrap_or_default().trim()
}

fn install() -> Command {
    Command::new("install")
        .about("Print the entry for the configuration of a client, or write it there")
        .args(clients())
        .arg(arg!(--write "Write the entry into the file of the client, and keep a copy of the file"))
        .arg(
            arg!(--url <URL> "The URL of the server over HTTP, instead of this program")
                .conflicts_with_all(["env", "words"]),
        )
        .arg(arg!(--env <"NAME=VALUE">... "An environment variable for the server; may be repeated"))
        .arg(force())
        .arg(arg!(words: [WORD]... "What the client puts on the command line of the server").num_args(0..).last(true))
}

fn uninstall() -> Command {
    Command::new("uninstall").about("Take the entry out of the configuration of a client").args(clients()).arg(force())
}

fn force() -> Arg {
    arg!(--force "Change the entry even if it starts another program")
}

/// Returns the arguments that choose clients, and the argument that names the entry.
fn clients() -> [Arg; 3] {
    let clients = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.name.as_str()));
    [
        arg!(client: [CLIENT]... "The clients").value_parser(clients).required_unless_present("all"),
        arg!(--all "All clients that have a configuration on this computer").conflicts_with("client"),
        arg!(--name <NAME> "The name of the server in the client"),
    ]
}

fn package() -> Command {
    let server_json = Command::new("server-json")
        .about("Print the entry of the official registry")
        .arg(arg!(--name <NAME> "The name in the registry, such as com.example/weather [default: from the repository]"))
        .arg(arg!(--mcpb <URL> "The URL of a bundle, for an entry that downloads it").requires("sha256"))
        .arg(arg!(--sha256 <HEX> "The hash of the bundle").requires("mcpb"));
    Command::new("package")
        .about("Print the documents with which registries and clients install the server")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(server_json)
        .subcommand(Command::new("mcpb").about("Print the manifest of a bundle"))
}

#[cfg(feature = "tasks")]
fn worker() -> Command {
    Command::new("worker").about("Run the tasks that the server has stored, until Ctrl-C or SIGTERM").arg(
        arg!(--concurrency <TASKS> "How many tasks run at once [default: 10]")
            .value_parser(value_parser!(u16).range(1..)),
    )
}
