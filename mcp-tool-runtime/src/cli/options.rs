//! The options of `call`. They are read before the name of the tool, and after it where no parameter has their name.

use std::time::Duration;

use clap::{Arg, ArgAction, ValueHint};

use super::command::COLORS;
use super::flags::{AnyText, BadFlag};
use super::message;
use super::output::FORMATS;

/// An option, as the reader of a command line and the help need it.
#[derive(Debug)]
pub(super) struct CallOption {
    pub(super) name: &'static str,
    short: Option<char>,
    /// The name of the value in help. A switch has none.
    value_name: &'static str,
    help: &'static str,
}

const OPTIONS: [CallOption; 10] = [
    option("output", "FORMAT", "How to print the answer [default: text on a terminal, else json]"),
    option("save", "DIR", "Save images, audio and files in this directory"),
    option("json", "JSON", "All arguments as one JSON object; `@FILE` reads a file, and `-` the input"),
    option("timeout", "TIME", "Stop the call after this time, such as 30s or 500ms"),
    option("color", "WHEN", "When to use colours [default: auto]"),
    switch("dry-run", None, "Print the arguments as JSON instead of calling the tool"),
    switch("all", None, "Follow the pages to the end, and print one list"),
    switch("debug", None, "Show what an error hides from models"),
    switch("quiet", Some('q'), "Show no progress"),
    switch("yes", Some('y'), "Agree when the tool asks for consent"),
];

const fn option(name: &'static str, value_name: &'static str, help: &'static str) -> CallOption {
    CallOption { name, short: None, value_name, help }
}

const fn switch(name: &'static str, short: Option<char>, help: &'static str) -> CallOption {
    CallOption { name, short, value_name: "", help }
}

impl CallOption {
    /// Finds the option of a name after `--`.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        let name = name.replace('_', "-");
        OPTIONS.iter().find(|option| option.name == name)
    }

    /// Finds the option of a word such as `-y`.
    pub(super) fn find_short(word: &str) -> Option<&'static Self> {
        let letter = word.strip_prefix('-')?;
        OPTIONS.iter().find(|option| option.short.is_some_and(|short| letter.chars().eq([short])))
    }

    pub(super) fn takes_value(&self) -> bool {
        !self.value_name.is_empty()
    }

    fn choices(&self) -> &'static [&'static str] {
        match self.name {
            "output" => &FORMATS,
            "color" => &COLORS,
            _ => &[],
        }
    }

    fn arg(&self) -> Arg {
        let id = format!("--{}", self.name);
        let arg = Arg::new(id.clone()).long(self.name).help(self.help);
        let arg = match self.short {
            Some(short) => arg.short(short),
            None => arg,
        };
        if !self.takes_value() {
            return arg.action(ArgAction::SetTrue).overrides_with(id);
        }
        // What is wrong with the value is reported with all other mistakes.
        arg.action(ArgAction::Append)
            .value_name(self.value_name)
            .value_parser(AnyText::of(self.choices().iter().copied()))
            .value_hint(if self.name == "save" { ValueHint::DirPath } else { ValueHint::Unknown })
    }
}

/// Returns the options for `clap`.
pub(super) fn args() -> impl Iterator<Item = (&'static CallOption, Arg)> {
    OPTIONS.iter().map(|option| (option, option.arg()))
}

/// The options that were given.
#[derive(Debug, Default)]
pub(super) struct Options(Vec<(&'static CallOption, String)>);

impl Options {
    pub(super) fn push(&mut self, option: &'static CallOption, text: Option<String>) {
        self.0.push((option, text.unwrap_or_default()));
    }

    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns the value of an option.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(option, _)| option.name == name).map(|(_, text)| &**text)
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        self.text(name).is_some()
    }

    pub(super) fn timeout(&self) -> Option<Duration> {
        self.text("timeout").and_then(duration)
    }

    /// Returns what is wrong with the values.
    pub(super) fn check(&self) -> Vec<BadFlag> {
        let bad = self.0.iter().enumerate().filter_map(|(index, (option, text))| {
            let is_repeated = self.0[..index].iter().any(|(other, _)| other.name == option.name);
            let problem = match option.name {
                _ if option.takes_value() && is_repeated => "given more than once".to_owned(),
                _ if !option.choices().is_empty() && !option.choices().contains(&text.as_str()) => {
                    message::expected_one_of(option.choices(), text)
                }
                "timeout" if duration(text).is_none() => {
                    format!("expected a duration such as 30s or 500ms, got \"{text}\"")
                }
                _ => return None,
            };
            Some(BadFlag { flag: format!("--{}", option.name), problem })
        });
        bad.collect()
    }
}

/// Reads a duration such as `1.5s`.
fn duration(text: &str) -> Option<Duration> {
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
