//! The options of `call`, and the mistakes in options and flags.

use std::sync::LazyLock;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction};

use super::flags::arg::AnyText;
use super::io::expected_one_of;

/// The values of `--color`.
pub(super) const COLORS: [&str; 3] = ["auto", "always", "never"];
/// The values of `--output`.
const FORMATS: [&str; 3] = ["text", "json", "mcp"];
pub(super) const GIVEN_TWICE: &str = "given more than once";

/// A mistake in a flag or an option.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadFlag {
    /// The flag or word that is wrong. If an argument has no flag, this is the path of the argument.
    pub(super) flag: String,
    pub(super) problem: String,
}

impl BadFlag {
    pub(super) fn new(flag: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { flag: flag.into(), problem: problem.into() }
    }
}

/// The options of `call`. They are accepted before the name of the tool, and also after it, unless a parameter has the
/// same name as the option. Their ids begin with `--`.
static OPTIONS: LazyLock<[Arg; 9]> = LazyLock::new(|| {
    let option = |id: &'static str, value: &'static str, help: &'static str| {
        // Accept any text here. `check` reports a bad value together with all other mistakes.
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

/// Lists the options of `call`, each with its long name, without the `--`.
pub(super) fn options() -> impl Iterator<Item = (&'static str, &'static Arg)> {
    OPTIONS.iter().map(|arg| (arg.get_long().unwrap_or_default(), arg))
}

/// Finds an option by its long name, without the `--`. In `name`, `_` means `-`.
pub(super) fn find_option(name: &str) -> Option<&'static Arg> {
    let name = name.replace('_', "-");
    options().find(|(long, _)| *long == name).map(|(_, arg)| arg)
}

/// Finds an option by its short form, such as `-y`.
pub(super) fn find_short_option(word: &str) -> Option<&'static Arg> {
    let letter = word.strip_prefix('-')?;
    OPTIONS.iter().find(|arg| arg.get_short().is_some_and(|short| letter.chars().eq([short])))
}

/// The options of `call` that a command line contains, each with its value. The value of a switch is empty.
#[derive(Debug, Default)]
pub(super) struct Options(Vec<(&'static Arg, String)>);

impl Options {
    pub(super) fn push(&mut self, option: &'static Arg, text: Option<String>) {
        self.0.push((option, text.unwrap_or_default()));
    }

    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns the value of an option, or `None` if the option was not given.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(option, _)| option.get_long() == Some(name)).map(|(_, text)| &**text)
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        self.text(name).is_some()
    }

    /// Returns the mistakes in the options: an option that takes a value and is given more than once, or a value that
    /// the option does not accept.
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
