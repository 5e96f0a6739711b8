//! Parses a command line, and runs the command that it names.

use std::ffi::{OsStr, OsString};
use std::iter;
use std::path::Path;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::command::{MAX_COLUMNS, typed};
use super::io::expected_one_of;
use super::options::GIVEN_TWICE;
use super::{Cli, Io, SUCCESS, USAGE};
use crate::BoxFuture;
use crate::dispatcher::Access;
use crate::stdio::Server;

/// The minimum width of a terminal on which help puts the description of a flag beside the flag.
const NARROW: usize = 50;

impl Cli {
    /// Runs a command line. `words` does not include the name of the program.
    ///
    /// This future and the future of [`Self::carry_out`] are boxed, so that the commands are compiled once, with this
    /// crate.
    pub(super) fn run_words<'a>(
        &'a self,
        program: CommandPrefix,
        words: Vec<OsString>,
        io: &'a Io,
    ) -> BoxFuture<'a, u8> {
        Box::pin(async move {
            let shown = match self.selected_before(&words) {
                Ok(shown) => shown,
                Err(problem) => return io.usage_error(&problem),
            };
            match shown.parse(&program, &words, |_| false, io) {
                Ok(matches) => self.carry_out(&matches, program, io).await,
                Err(error) => shown.report(&error, &words, &program.line(), io),
            }
        })
    }

    /// Prints the help of a command, or of a tool after `call`.
    pub(super) fn help(&self, words: &[&str], program: &CommandPrefix, io: &Io) -> u8 {
        // A word after the command may be the former name of a tool. Replace it with the current name.
        let tools = words.iter().skip(1).map(|word| self.tool(word).map_or(*word, |tool| &tool.name));
        let words: Vec<_> = words.iter().copied().take(1).chain(tools).collect();
        let all: Vec<_> = words.iter().copied().chain(["-h"]).map(OsString::from).collect();
        match self.parse(program, &all, |tool| words.contains(&&*typed(tool)), io) {
            // Because of `-h`, `clap` returns the help as an `Err`. Parsing succeeds only for an unknown tool: `call`
            // accepts any name, and any words after the name, even `-h`.
            Ok(_) => self.report_unknown(words.last().unwrap_or(&""), io),
            Err(error) => self.report(&error, &all, &program.line(), io),
        }
    }

    /// Parses the words. Only the tools that `has_flags` selects get flags: building the flags of 150 tools for each
    /// call is slow, as `bench.py startup` shows.
    fn parse(
        &self,
        program: &CommandPrefix,
        words: &[OsString],
        has_flags: impl Fn(&str) -> bool,
        io: &Io,
    ) -> Result<ArgMatches, clap::Error> {
        let columns = io.output_width.unwrap_or(MAX_COLUMNS).min(MAX_COLUMNS);
        let command = self.command_with(has_flags).term_width(columns).bin_name(program.line());
        // On a narrow terminal, put the description of each flag below the flag. `clap` fails to do this by itself if
        // any one flag is wider than the terminal.
        let command = if columns < NARROW { command.next_line_help(true) } else { command };
        command.try_get_matches_from(iter::once(&OsString::from(&program.name)).chain(words))
    }

    /// Prints help, the version or a usage error.
    fn report(&self, error: &clap::Error, words: &[OsString], program: &str, io: &Io) -> u8 {
        let text = error.render();
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                // Do not escape the help again: text that comes from tools is already escaped.
                let text = if io.colors.output { text.ansi().to_string() } else { text.to_string() };
                return io.print_styled(&without_blank_help(&text));
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                io.tell(&without_blank_help(&text.to_string()));
                return USAGE;
            }
            _ => {}
        }
        io.error(&problem(error));
        let tool = context(error, ContextKind::InvalidSubcommand).filter(|word| self.tool(word).is_some());
        let help = if let Some(tool) = tool {
            // The user forgot to type `call`.
            format!("`{tool}` is a tool: {program} call {tool}")
        } else {
            let all = self.command_with(|_| false);
            let command = words.iter().find_map(|word| all.find_subcommand(word));
            let command = command.map_or_else(String::new, |command| format!(" {}", command.get_name()));
            format!("{program}{command} --help")
        };
        io.note("help", &help);
        USAGE
    }

    /// Selects the tools, runs the command that the command line names, and returns the exit code.
    pub(super) fn carry_out<'a>(
        &'a self,
        matches: &'a ArgMatches,
        program: CommandPrefix,
        io: &'a Io,
    ) -> BoxFuture<'a, u8> {
        Box::pin(async move {
            let colors = [Some(matches), matches.subcommand().map(|(_, matches)| matches)];
            let color =
                colors.into_iter().flatten().find_map(|matches| matches.try_get_one::<String>("color").ok().flatten());
            let io = &io.with_color(color.map(String::as_str));
            match self.selected(matches) {
                Ok((cli, selection)) => cli.carry_out_selected(matches, &program, &selection, io).await,
                Err(problem) => io.usage_error(&problem),
            }
        })
    }

    /// Runs a command on the selected tools, and returns the exit code. `selection` holds the options that selected the
    /// tools.
    async fn carry_out_selected(
        &self,
        matches: &ArgMatches,
        program: &CommandPrefix,
        selection: &[String],
        io: &Io,
    ) -> u8 {
        let line = &program.line();
        match matches.subcommand() {
            None | Some(("serve", _)) => self.serve(line, io).await,
            Some(("list", matches)) => self.list(matches, line, io),
            Some(("call", matches)) => self.call(matches, program, io).await,
            Some(("help", matches)) => {
                let words = matches.get_many::<String>("words").into_iter().flatten().take(2);
                self.help(&words.map(String::as_str).collect::<Vec<_>>(), program, io)
            }
            Some(("describe", matches)) => self.describe(matches, io),
            #[cfg(feature = "lint")]
            Some(("lint", matches)) => self.lint(matches, io),
            #[cfg(feature = "lint")]
            Some(("contract", matches)) => self.contract(matches, line, io),
            #[cfg(feature = "export")]
            Some(("export", matches)) => self.export(matches, io),
            #[cfg(feature = "tasks")]
            Some(("worker", matches)) => self.work(matches, io).await,
            Some(("openapi", _)) => {
                let document = self.dispatcher.openapi_for(&self.extensions, Access::default());
                io.print_json(&format!("{document:#}\n"))
            }
            Some(("install", matches)) => self.install(matches, program, selection, io).unwrap_or_else(|code| code),
            Some(("uninstall", matches)) => self.uninstall(matches, io).unwrap_or_else(|code| code),
            Some(("package", matches)) => self.package(matches, program, io),
            Some(("completions", matches)) => self.complete(matches, program, io),
            Some((other, _)) => io.usage_error(&format!("unknown command `{other}`")),
        }
    }

    async fn serve(&self, program: &str, io: &Io) -> u8 {
        if let Some(problem) = self.lack(|it| io.variable(&it.name).is_some_and(|value| !value.is_empty())) {
            return io.usage_error(&problem);
        }
        let server = Server::new(self.dispatcher.clone()).with_extensions(self.extensions.clone());
        if io.input_is_terminal && io.output_width.is_some() {
            io.tell(&format!(
                "{program} speaks the Model Context Protocol here, for a client that starts it. Ctrl-C ends it; `{program} --help` lists commands.\n"
            ));
        }
        if self.tools().next().is_none() {
            io.note("warning", "there is no tool to serve");
        }
        let ended = if io.is_process() {
            server.serve_until(interrupted()).await
        } else {
            let mut output = Vec::new();
            let input = io.read_to_end();
            match input {
                Ok(input) => server.serve_on(input.as_slice(), &mut output).await.and_then(|()| io.write(&output)),
                Err(error) => Err(error),
            }
        };
        match ended {
            Ok(()) => SUCCESS,
            Err(error) => io.fail(&format!("the client cannot be reached: {error}")),
        }
    }

    #[cfg(feature = "tasks")]
    async fn work(&self, matches: &ArgMatches, io: &Io) -> u8 {
        let Some(worker) = self.dispatcher.own_worker() else {
            return io.usage_error("the tasks of this server live in the process that serves it");
        };
        let worker = match matches.get_one::<u16>("concurrency") {
            Some(tasks) => worker.concurrency((*tasks).into()),
            None => worker,
        };
        if io.error_width.is_some() {
            io.tell("runs the stored tasks. Ctrl-C ends it.\n");
        }
        match worker.run_until(interrupted()).await {
            Ok(()) => SUCCESS,
            Err(error) => io.fail(&error.to_string()),
        }
    }

    /// Returns the words that the author has set with `with_program`, or else the name of the server.
    pub(super) fn program(&self) -> CommandPrefix {
        self.program.clone().unwrap_or_else(|| CommandPrefix::new(&self.dispatcher.identity().name))
    }

    /// Returns the words that the author has set, or else the words of the process before the matched command. `clap`
    /// does not tell a subcommand which words came before it, so this function searches the words for the command.
    pub(super) fn program_of(&self, matches: &ArgMatches, words: &[String]) -> CommandPrefix {
        if let Some(program) = &self.program {
            return program.clone();
        }
        let [first, rest @ ..] = words else { return self.program() };
        let Some(mut program) = CommandPrefix::of_process(Some(first.as_ref())) else { return self.program() };
        // If no command was given, all words belong to the outer command line.
        let command = matches.subcommand_name();
        program.parent_words = rest.iter().take_while(|word| Some(word.as_str()) != command).cloned().collect();
        program
    }
}

/// Describes a mistake on the command line. Most mistakes get the same wording as the errors of `call`.
fn problem(error: &clap::Error) -> String {
    let get = |kind| context(error, kind).unwrap_or_default();
    let (name, value) = (get(ContextKind::InvalidArg), get(ContextKind::InvalidValue));
    let problem = match error.kind() {
        ErrorKind::InvalidSubcommand => format!("unknown command `{}`", get(ContextKind::InvalidSubcommand)),
        ErrorKind::UnknownArgument if name.starts_with('-') => format!("unknown option `{name}`"),
        ErrorKind::UnknownArgument => format!("unexpected word `{name}`"),
        ErrorKind::InvalidValue if value.is_empty() => format!("{name}: needs a value"),
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(all)) => format!("{name}: {}", expected_one_of(all, &value)),
            _ => format!("{name}: not with `{value}`"),
        },
        ErrorKind::TooManyValues => format!("{name}: takes no value"),
        ErrorKind::MissingRequiredArgument => format!("{name} is missing"),
        ErrorKind::ArgumentConflict => match get(ContextKind::PriorArg) {
            other if other == name => format!("{name}: {GIVEN_TWICE}"),
            other => format!("{name}: not together with {other}"),
        },
        _ => {
            let text = error.render().to_string();
            let line = text.lines().next().unwrap_or_default();
            return line.strip_prefix("error: ").unwrap_or(line).to_owned();
        }
    };
    let meant = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    match meant.into_iter().find_map(|kind| context(error, kind)) {
        Some(meant) => format!("{problem}; did you mean `{meant}`?"),
        None => problem,
    }
}

/// Returns a detail of an error: a word that the user typed, a suggestion, or the bare name of an argument.
fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    let text = match error.get(kind)? {
        ContextValue::String(text) => text,
        // The last suggestion is the best one.
        ContextValue::Strings(texts) => texts.last()?,
        _ => return None,
    };
    Some(match kind {
        ContextKind::InvalidArg | ContextKind::PriorArg => {
            text.split([' ', '=']).next().unwrap_or_default().trim_matches(['<', '>', '[', ']', '.']).to_owned()
        }
        _ => text.clone(),
    })
}

/// Removes what `clap` writes for options without a description: trailing spaces, and lines that contain only spaces.
fn without_blank_help(help: &str) -> String {
    let lines = help.lines().filter(|line| line.is_empty() || !line.trim().is_empty());
    lines.flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// Completes on Ctrl-C, and on Unix also on SIGTERM, which service managers and containers send.
async fn interrupted() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    drop(tokio::signal::ctrl_c().await);
}

/// The words that a user types before the commands of [`Cli`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandPrefix {
    pub(super) name: String,
    /// The words between the name and the commands, such as `--config x tools`, if this command line is embedded in
    /// another one.
    pub(super) parent_words: Vec<String>,
}

impl CommandPrefix {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), parent_words: Vec::new() }
    }

    /// Takes the first word as the name, and the others as the parent words. Returns `None` if there are no words.
    pub(super) fn from_words(mut words: impl Iterator<Item = String>) -> Option<Self> {
        Some(Self { name: words.next()?, parent_words: words.collect() })
    }

    /// Takes the name from `argv[0]`, without the directory and `.exe`.
    pub(super) fn of_process(word: Option<&OsStr>) -> Option<Self> {
        let name = Path::new(word?).file_name()?.to_str()?;
        Some(Self::new(name.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(name)))
    }

    /// Returns the words as a usage line shows them.
    pub(super) fn line(&self) -> String {
        let words = [&self.name].into_iter().chain(&self.parent_words);
        words.map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dispatcher;

    fn program(line: &str) -> String {
        let cli = Cli::new(Dispatcher::builder().build().expect("no tools"));
        let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
        let at = words.iter().rposition(|word| ["list", "describe"].contains(&word.as_str())).unwrap_or(words.len());
        let own = [String::from("x")].into_iter().chain(words[at..].iter().cloned());
        let matches = cli.command().try_get_matches_from(own).expect("valid words");
        cli.program_of(&matches, &words).line()
    }

    #[test]
    fn the_program_is_what_a_user_types_before_our_command() {
        for (line, expected) in [
            ("/usr/bin/app list --json", "app"),
            ("my.app list", "my.app"),
            ("app tools list --json", "app tools"),
            ("app --config x tools describe", "app --config x tools"),
            ("app tools", "app tools"),
            ("app", "app"),
        ] {
            assert_eq!(program(line), expected, "{line}");
        }
    }
}
