//! Sorts the words of a call into flags of parameters, options of `call`, and mistakes.

use std::collections::HashMap;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::{Flag, Flags, Kind};
use crate::cli::options::{BadFlag, Options, find_option, find_short_option};
use crate::json::violation::{quote_name, suggest};
use crate::schema::accepted::Types;

/// The words of a call, sorted into flags, options and mistakes.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// The index of each flag that was given, and its text. The text of a switch is `true` or `false`.
    pub(crate) given: Vec<(usize, String)>,
    /// The arguments that the schema does not name, each with its text if it has one.
    pub(crate) others: Vec<(String, Option<String>)>,
    pub(crate) bad: Vec<BadFlag>,
    pub(crate) options: Options,
    pub(crate) asks_for_help: bool,
}

/// Returns the words of a call from what `clap` has matched. On our own command line, `clap` does not parse the words
/// after the name of a tool, so that every mistake is found. On an embedding command line, `clap` has already matched
/// the flags.
pub(crate) fn words_of(matches: &ArgMatches) -> Vec<String> {
    // For `clap`, a tool after `--` is an external subcommand. Its words have no index, but they are already in order.
    if let Ok(Some(texts)) = matches.try_get_raw("") {
        return texts.map(|text| text.to_string_lossy().into_owned()).collect();
    }
    let mut words = Vec::new();
    for id in matches.ids().map(clap::Id::as_str) {
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let is_switch = matches.try_get_one::<bool>(id).is_ok();
        let texts = matches.get_raw(id).into_iter().flatten().map(|text| text.to_string_lossy());
        for (index, text) in matches.indices_of(id).into_iter().flatten().zip(texts) {
            let word = match id.strip_prefix("--") {
                None => text.into_owned(),
                Some(_) if is_switch => id.to_owned(),
                Some(_) => format!("{id}={text}"),
            };
            words.push((index, word));
        }
    }
    words.sort_by_key(|(index, _)| *index);
    words.into_iter().map(|(_, word)| word).collect()
}

impl Flags {
    /// Sorts the words of a call into flags, options and mistakes.
    pub(crate) fn read(&self, all: &[String]) -> Words {
        let mut words = Words::default();
        // Maps the index of each flag to the name under which the user first gave it.
        let mut names = HashMap::new();
        let mut rest = all.iter().map(String::as_str).peekable();
        while let Some(word) = rest.next() {
            if let Some(option) = find_short_option(word) {
                words.options.push(option, None);
                continue;
            }
            if word == "-h" || word == "--help" && !self.takes("help") {
                words.asks_for_help = true;
                continue;
            }
            let Some(flag) = word.strip_prefix("--").filter(|flag| !flag.is_empty()) else {
                words.bad.push(BadFlag::new(quote_name(word), "expected a flag"));
                continue;
            };
            let (name, text) = flag.split_once('=').map_or((flag, None), |(name, text)| (name, Some(text)));
            let flag = self.find(name);
            // A parameter hides the option of the same name.
            let option = find_option(name).filter(|_| flag.is_none());
            let is_switch = flag.is_some_and(|(index, _)| self.all[index].kind == Kind::Switch)
                || option.is_some_and(|option| !option.get_action().takes_values());
            // Take a `true` or `false` after a switch as its value, so that the error is about the switch and not about
            // a stray word.
            let is_value = |next: &&str| if is_switch { ["true", "false"].contains(next) } else { !is_flag(next) };
            let text = text.or_else(|| rest.next_if(is_value)).map(str::to_owned);
            let mut bad = |problem: &str| words.bad.push(BadFlag::new(format!("--{name}"), problem));
            match (flag, option, text) {
                (Some((index, _)), _, Some(_)) if is_switch => bad(&self.all[index].how_to_switch()),
                (_, Some(_), Some(_)) if is_switch => bad("takes no value"),
                (Some(_), _, None) | (_, Some(_), None) if !is_switch => {
                    match rest.next_if(|next| next.starts_with('-') && !next.starts_with("--")) {
                        Some(next) => bad(&format!("needs a value; if `{next}` is the value, write `--{name}={next}`")),
                        None => bad("needs a value"),
                    }
                }
                (Some((index, is_negation)), _, text) => {
                    let first = *names.entry(index).or_insert(name);
                    if self.find_own(first).is_some() != self.find_own(name).is_some() {
                        bad(&format!("the same argument as `--{first}`; give one of them"));
                        continue;
                    }
                    words.given.push((index, text.unwrap_or_else(|| (!is_negation).to_string())));
                }
                (_, Some(option), text) => words.options.push(option, text),
                (_, _, text) if self.others != Types::NONE => words.others.push((name.to_owned(), text)),
                _ => bad(&self.unknown(name)),
            }
        }
        words
    }

    /// Returns the index of the flag `name`, and `true` if `name` is the flag's negation. In `name`, `_` means `-`,
    /// unless a flag has exactly this name. The name may be an alias or a former name of the parameter.
    pub(super) fn find(&self, name: &str) -> Option<(usize, bool)> {
        let dashed = name.replace('_', "-");
        let other = || self.other_names.iter().find(|(other, _)| *other == dashed).map(|(_, index)| (*index, false));
        self.find_own(name).or_else(other)
    }

    /// Like [`find`](Self::find), but without aliases and former names.
    fn find_own(&self, name: &str) -> Option<(usize, bool)> {
        let exact = |name: &str| {
            self.all.iter().enumerate().find_map(|(index, flag)| {
                let is_negation = flag.negation.as_deref() == Some(name);
                (flag.name == name || is_negation).then_some((index, is_negation))
            })
        };
        exact(name).or_else(|| exact(&name.replace('_', "-")))
    }

    /// Returns the problem with an unknown flag, and what to write instead if that is known.
    fn unknown(&self, name: &str) -> String {
        if self.without_flag.iter().any(|other| other == name) {
            return format!("not a flag; set {} with `--json`", quote_name(name));
        }
        let known = self.all.iter().flat_map(|flag| [Some(&flag.name), flag.negation.as_ref()]).flatten();
        // Suggest a flag only if what the user typed is closer to this flag than to its opposite.
        let is_meant = |known: &&str| {
            let contrary = contrary(known);
            suggest(name, [&*contrary, known].into_iter()) == Some(*known)
        };
        match suggest(name, known.map(String::as_str)).filter(is_meant) {
            Some(known) => format!("not known; did you mean `--{known}`?"),
            None => "not known".to_owned(),
        }
    }
}

impl Flag {
    /// Says that a switch takes no value, and how to write it.
    fn how_to_switch(&self) -> String {
        let off = self.negation.iter().map(|negation| format!(", and `--{negation}` means false"));
        let off: String = off.collect();
        format!("takes no value: `--{}` means true{off}", self.name)
    }
}

/// Returns `true` if a word is a flag. A word that begins with `-` is a flag unless it is a number or `-` itself. Any
/// other value that begins with `-` must be given after `=`.
fn is_flag(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| !rest.is_empty() && rest.parse::<f64>().is_err() || rest.starts_with(char::is_alphabetic))
}

/// Turns `verbose` into `no-verbose`, and back.
pub(super) fn contrary(name: &str) -> String {
    let (object, property) = name.split_at(name.rfind('.').map_or(0, |dot| dot + 1));
    match property.strip_prefix("no-") {
        Some(property) => format!("{object}{property}"),
        None => format!("{object}no-{property}"),
    }
}
