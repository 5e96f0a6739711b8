//! Parses a command line and carries it out.

use std::ffi::OsString;
use std::iter;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::command::MAX_COLUMNS;
use super::command_prefix::CommandPrefix;
use super::{Cli, Io, SUCCESS, USAGE, message};

/// On a terminal with fewer columns, the help of a flag is on separate lines.
const NARROW: usize = 50;

impl Cli {
    /// Runs words without the name of the program, which is for usage lines.
    pub(super) async fn run_words(&self, program: CommandPrefix, words: Vec<OsString>, io: &Io) -> u8 {
        // A call needs the flags of one tool. `bench.py startup` measures it beside the flags of 150 tools.
        let is_named = |tool: &str| words.iter().any(|word| word == tool);
        let columns = io.output_width().unwrap_or(MAX_COLUMNS).min(MAX_COLUMNS);
        let command = self.command_with(is_named).term_width(columns).bin_name(program.line());
        // `clap` does so by itself, but not where a flag alone is wider than the terminal.
        let command = if columns < NARROW { command.next_line_help(true) } else { command };
        // An error repeats words of the command line between the colours.
        let is_plain = !words.iter().any(|word| word.to_string_lossy().contains(message::is_control));
        match command.try_get_matches_from(iter::once(OsString::from(&program.name)).chain(words)) {
            Ok(matches) => self.execute_on(&matches, &program, io).await,
            Err(error) => self.report(&error, is_plain, &program.line(), io),
        }
    }

    /// Prints help, the version or a usage error.
    fn report(&self, error: &clap::Error, is_plain: bool, program: &str, io: &Io) -> u8 {
        let text = error.render();
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            // The command has the texts of tools as `message::shown` returns them.
            let text = if io.colors_output() { text.ansi().to_string() } else { text.to_string() };
            return io.write(without_blank_help(&text)).map_or(USAGE, |()| SUCCESS);
        }
        let plain = || message::shown(&text.to_string(), io.error_width().is_some()).into_owned();
        io.tell(&if io.colors_errors() && is_plain { text.ansi().to_string() } else { plain() });
        // A tool whose name was written without `call`.
        if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
            && self.tool(word).is_some()
        {
            io.tell(&format!("\n`{word}` is a tool. To call it: {program} call {word}\n"));
        }
        USAGE
    }

    /// Carries out what the matches ask for.
    pub(super) async fn execute_on(&self, matches: &ArgMatches, program: &CommandPrefix, io: &Io) -> u8 {
        let line = &program.line();
        match matches.subcommand() {
            None | Some(("serve", _)) => self.serve(line, io).await,
            Some(("list", matches)) => self.list(matches, line, io),
            Some(("call", matches)) => self.call(matches, line, io).await,
            Some(("describe", matches)) => self.describe(matches, io),
            Some(("lint", matches)) => self.lint(matches, io),
            Some(("contract", matches)) => self.contract(matches, line, io),
            #[cfg(feature = "export")]
            Some(("export", matches)) => self.export(matches, io),
            Some(("openapi", _)) => self.openapi(io),
            Some(("install", matches)) => self.install(matches, program, io),
            Some(("completions", matches)) => self.complete(matches, program, io),
            Some((other, _)) => message::usage_error(io, &format!("unknown command `{other}`")),
        }
    }
}

/// Removes the blanks that `clap` writes for an option without a description: at the end of its line, or on a separate line.
fn without_blank_help(help: &str) -> String {
    let lines = help.lines().filter(|line| line.is_empty() || !line.trim().is_empty());
    lines.flat_map(|line| [line.trim_end(), "\n"]).collect()
}
