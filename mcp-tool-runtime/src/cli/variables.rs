//! The environment variables that a server reads, declared once for help, `serve`, `install` and `package`, and the
//! options with which an operator chooses what is served.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::builder::FalseyValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::command::color;
use super::flags::arg::AnyText;
use super::{Cli, Io};
use crate::ToolInfo;
use crate::operations::Selection;

/// An environment variable that the server reads. It is required unless [`optional`](Self::optional) says otherwise.
///
/// ```
/// use mcp_tool_runtime::{Dispatcher, cli::{Cli, Io, Variable}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcp_tool_runtime::BuildError> {
/// let cli = Cli::new(Dispatcher::builder().build()?).variables([
///     Variable::secret("WEATHER_TOKEN").described("A key from weather.example/keys"),
///     Variable::new("WEATHER_UNITS").optional(),
/// ]);
/// let io = Io::captured("").with_variables([("WEATHER_UNITS", "metric")]);
/// cli.run_with(["serve"], &io).await;
/// assert!(io.errors().contains("WEATHER_TOKEN: A key from weather.example/keys"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "variables are declared with `Cli::variables`"]
pub struct Variable {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) is_required: bool,
    pub(super) is_secret: bool,
}

impl Variable {
    /// Declares a required variable with this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), description: None, is_required: true, is_secret: false }
    }

    /// Declares a variable whose value must stay secret, such as a token. Clients hide it.
    pub fn secret(name: impl Into<String>) -> Self {
        Self { is_secret: true, ..Self::new(name) }
    }

    /// Says what the variable is for, and where people get its value.
    pub fn described(self, description: impl Into<String>) -> Self {
        Self { description: Some(description.into()), ..self }
    }

    /// Lets the server run without the variable. In your server, treat an empty value as missing, because a client that
    /// has installed the server from a bundle passes an empty value if the user leaves the field empty.
    pub fn optional(self) -> Self {
        Self { is_required: false, ..self }
    }

    /// Returns a line of help: the name of the variable, whether it is optional, and what it is for.
    pub(super) fn line(&self) -> String {
        let Self { name, description, is_required, .. } = self;
        let optional = if *is_required { "" } else { " (optional)" };
        description.as_ref().map_or_else(|| format!("{name}{optional}"), |text| format!("{name}{optional}: {text}"))
    }

    /// Asks for a value on the terminal. Returns `None` without a terminal, for an empty answer, and for a secret that
    /// the terminal cannot hide.
    pub(super) fn ask(&self, io: &Io) -> Option<String> {
        // `read_secret` can hide the user's input only on Unix.
        if !io.can_ask() || (self.is_secret && !cfg!(unix)) {
            return None;
        }
        io.tell(&format!("{}\n> ", self.line()));
        let answer = if self.is_secret { io.read_secret() } else { io.read_line() };
        answer.filter(|answer| !answer.is_empty())
    }
}

impl Cli {
    /// Declares the environment variables that the server reads.
    ///
    /// `--help` lists them. `serve` does not start without the required ones, and names all that are missing. `install`
    /// asks the user for them, and the documents of `package` tell registries and clients about them.
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, cli::{Cli, Variable}};
    ///
    /// let cli = Cli::new(Dispatcher::builder().build()?)
    ///     .variables([Variable::secret("WEATHER_TOKEN").described("A key from weather.example/keys")]);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn variables(mut self, variables: impl IntoIterator<Item = Variable>) -> Self {
        self.variables.extend(variables);
        self
    }

    /// Returns an error that lists the required variables without a value, if there are any.
    pub(super) fn lack(&self, has_value: impl Fn(&Variable) -> bool) -> Option<String> {
        let lacking = self.variables.iter().filter(|variable| variable.is_required && !has_value(variable));
        let lines = lacking.fold(String::new(), |lines, variable| lines + "\n  " + &variable.line());
        (!lines.is_empty()).then(|| format!("these environment variables need a value:{lines}"))
    }

    /// Returns the section of the help about variables.
    pub(super) fn help_of_variables(&self) -> String {
        let lines = self.variables.iter().fold(String::new(), |lines, variable| lines + "\n  " + &variable.line());
        if lines.is_empty() { lines } else { format!("\n\nEnvironment variables of the server:{lines}") }
    }

    /// Returns the options that select tools, with the names and tags of the tools for completion.
    pub(super) fn selection_args(&self) -> [Arg; 4] {
        let name = &self.dispatcher.identity().name;
        let prefix: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
        let arg = |id: &'static str, help: &'static str| {
            let variable = format!("{prefix}_{}", id.to_ascii_uppercase().replace('-', "_"));
            Arg::new(id).long(id).help(help).env(variable).hide_env_values(true)
        };
        let list = |id, value: &'static str, help, values| {
            let arg = arg(id, help).value_name(value).value_parser(values).hide_possible_values(true);
            arg.action(ArgAction::Append).value_delimiter(',')
        };
        let infos = || self.tools().map(|(info, _)| info);
        let names = || AnyText::of(infos().map(|info| info.name().to_owned()));
        let tags = AnyText::of(infos().flat_map(ToolInfo::tags).cloned().collect::<BTreeSet<_>>());
        let read_only = arg("read-only", "Serve only the tools that declare that they change nothing");
        [
            // A typo in the value of the environment variable must not expose more tools, so every value except
            // "false", "0" and the like turns the option on.
            read_only.action(ArgAction::SetTrue).value_parser(FalseyValueParser::new()),
            list("tags", "TAGS", "Serve only the tools with one of these tags, separated by commas", tags),
            list("only", "NAMES", "Serve only these tools", names()),
            list("without", "NAMES", "Do not serve these tools", names()),
        ]
    }

    /// Returns this command line with only the tools that the environment variables and the options before the command
    /// select, so that help lists no other tools.
    pub(super) fn selected_before(&self, words: &[OsString]) -> Result<Self, String> {
        let command = Command::new("").no_binary_name(true).disable_help_flag(true).disable_version_flag(true);
        let command = command.args(self.selection_args()).arg(color());
        // Read only the options before the command, up to the first mistake. The caller parses all words again, and
        // reports mistakes then.
        let matches = command.allow_external_subcommands(true).ignore_errors(true).try_get_matches_from(words);
        Ok(match matches {
            Ok(matches) => self.selected(&matches)?.0,
            Err(_) => self.clone(),
        })
    }

    /// Returns this command line with only the tools that the operator selects. Also returns the options of the
    /// selection, as `install` writes them into an entry.
    pub(super) fn selected(&self, matches: &ArgMatches) -> Result<(Self, Vec<String>), String> {
        let (command, inner) = matches.subcommand().unzip();
        let given = Given { matches: [inner, Some(matches)], reads_variables: !command.is_some_and(is_of_author) };
        let (selection, words) = given.selection()?;
        let dispatcher = self.dispatcher.selected(&selection).map_err(|error| error.to_string())?;
        Ok((Self { dispatcher, ..self.clone() }, words))
    }
}

/// Returns `true` for a command about the tools as their author wrote them, rather than as an operator serves them.
fn is_of_author(command: &str) -> bool {
    ["contract", "install", "lint", "package", "uninstall"].contains(&command)
}

/// The options on a command line that select tools. An option of the inner command replaces the same option of the
/// outer command, and both replace the environment variable.
struct Given<'m> {
    matches: [Option<&'m ArgMatches>; 2],
    reads_variables: bool,
}

impl<'m> Given<'m> {
    /// Returns the matches that have an option, and where the option came from.
    fn find(&self, id: &str) -> Option<(&'m ArgMatches, ValueSource)> {
        let from = |source: ValueSource| {
            let mut matches = self.matches.into_iter().flatten();
            // Most commands do not define these options, and in a debug build, `value_source` panics for an option that
            // is not defined.
            let has =
                |matches: &&ArgMatches| matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(source);
            matches.find(has).map(|matches| (matches, source))
        };
        let variable = || from(ValueSource::EnvVariable).filter(|_| self.reads_variables);
        from(ValueSource::CommandLine).or_else(variable)
    }

    /// Returns the values of an option, if it has any.
    fn list(&self, id: &str) -> Result<Option<Vec<String>>, String> {
        let Some((matches, source)) = self.find(id) else { return Ok(None) };
        let texts = matches.get_many::<String>(id).into_iter().flatten();
        let names: Vec<_> = texts.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect();
        // `--only "$TOOLS"` must not serve everything if `TOOLS` is empty. An empty environment variable such as
        // `WEATHER_ONLY`, however, counts as not set.
        if names.is_empty() && source == ValueSource::CommandLine {
            return Err(format!("--{id}: needs a value"));
        }
        Ok(Some(names).filter(|names| !names.is_empty()))
    }

    /// Returns the selection, and its options as a user would write them.
    fn selection(&self) -> Result<(Selection, Vec<String>), String> {
        let (mut selection, mut words) = (Selection::new(), Vec::new());
        if self.find("read-only").is_some_and(|(matches, _)| matches.get_flag("read-only")) {
            words.push("--read-only".to_owned());
            selection = selection.read_only();
        }
        for id in ["tags", "only", "without"] {
            let Some(names) = self.list(id)? else { continue };
            words.push(format!("--{id}={}", names.join(",")));
            selection = match id {
                "tags" => selection.tags(names),
                "only" => selection.only(names),
                _ => selection.without(names),
            };
        }
        Ok((selection, words))
    }
}
