//! Finds the words that a user types before the commands of this crate, such as `app` or `app tools`.

use std::ffi::OsStr;
use std::path::Path;

use clap::ArgMatches;

use super::Cli;

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

    /// Takes the first word as the name. Returns `None` if there are no words.
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

impl Cli {
    /// Returns the program that the author has set, or else the name of the server.
    pub(super) fn program(&self) -> CommandPrefix {
        self.program.clone().unwrap_or_else(|| CommandPrefix::new(&self.dispatcher.identity().name))
    }

    /// Returns the program that the author has set, or else the words of the process before the matched command. `clap`
    /// does not tell a subcommand how its parent was called, so we search for them.
    pub(super) fn program_of(&self, matches: &ArgMatches, words: &[String]) -> CommandPrefix {
        if let Some(program) = &self.program {
            return program.clone();
        }
        let [first, rest @ ..] = words else { return self.program() };
        let Some(mut program) = CommandPrefix::of_process(Some(first.as_ref())) else { return self.program() };
        // The parent may use the same word itself, like the first `list` in `app list list --json`. Take the first
        // occurrence after which the words parse to the same matches.
        let parses = |at: &usize| {
            let words = [program.name.as_str()].into_iter().chain(rest[*at..].iter().map(String::as_str));
            let command = self.command_with(|tool| rest.iter().any(|word| word == tool));
            command.try_get_matches_from(words).is_ok_and(|parsed| parsed == *matches)
        };
        // Without a command, all words belong to the parent.
        let starts = (0..=rest.len()).filter(|at| rest.get(*at).map(String::as_str) == matches.subcommand_name());
        if let Some(start) = starts.clone().find(parses).or_else(|| starts.clone().next()) {
            program.parent_words = rest[..start].to_vec();
        }
        program
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

    #[test]
    fn a_parent_command_of_the_same_name_is_skipped() {
        assert_eq!(program("app list list --json"), "app list");
    }
}
