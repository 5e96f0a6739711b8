//! Describes flags to `clap`, for help and completion.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Command, ValueHint};
use serde_json::{Value, json};

use super::{Flag, Flags, Kind, references_in};
use crate::cli::describe;
use crate::cli::io::escaped;
use crate::json::violation::quote_name;
use crate::schema::accepted::Types;
use crate::schema::reference;

impl Flags {
    /// Adds the flags to the command of a tool. `root` is the tool's input schema.
    pub(crate) fn add_to(&self, mut command: Command, root: &Value) -> Command {
        for flag in &self.all {
            command = command.arg(flag.to_arg(root, self));
            if let Some(negation) = &flag.negation {
                command = command.arg(flag.to_negation(negation));
            }
        }
        let names: Vec<_> = self.without_flag.iter().map(|name| quote_name(name)).collect();
        let only_json = match names.as_slice() {
            [] => String::new(),
            names => format!("Only `--json` sets {}.\n", names.join(" and ")),
        };
        let others = "`call --help` lists the other options, such as `--output` and `--timeout`.";
        command.after_help(only_json + others).arg(any_words())
    }
}

/// Returns an argument that collects all words from the first unknown word on. Otherwise, `clap` would report the
/// unknown word and no other mistake.
pub(crate) fn any_words() -> Arg {
    Arg::new("words").num_args(0..).allow_hyphen_values(true).hide(true)
}

impl Flag {
    /// Returns the placeholder that help shows for the flag's value, such as the type of the value. Empty for a switch.
    pub(super) fn value_name(&self) -> &'static str {
        match &self.kind {
            Kind::Switch => "",
            Kind::Value(types) => self.name_of(*types),
            Kind::List(items) => self.name_of(items.rest),
            Kind::Map(_) => "KEY=VALUE",
        }
    }

    fn name_of(&self, types: Types) -> &'static str {
        if types == Types::STRING {
            return match self.schema["format"].as_str() {
                Some("date") => "DATE",
                Some("date-time") => "TIME",
                Some("email") => "EMAIL",
                Some("uri") => "URI",
                Some("uuid") => "UUID",
                _ => "TEXT",
            };
        }
        [(Types::BOOLEAN, "BOOLEAN"), (Types::INTEGER, "INTEGER"), (Types::NUMBER, "NUMBER")]
            .into_iter()
            .find_map(|(all, name)| types.is_within(all).then_some(name))
            .unwrap_or(if types.intersects(Types::OBJECT) || types.intersects(Types::ARRAY) { "JSON" } else { "VALUE" })
    }

    fn to_arg(&self, root: &Value, flags: &Flags) -> Arg {
        let id = format!("--{}", self.name);
        let arg = Arg::new(id).long(self.name.clone()).help(self.help(root, flags));
        if self.kind == Kind::Switch {
            return arg.action(ArgAction::SetTrue);
        }
        let choices = self.choices.texts.iter().map(|text| escaped(text, true).into_owned());
        let hint = match self.name.rsplit(['.', '-']).next() {
            _ if self.value_name() == "URI" => ValueHint::Url,
            Some("path" | "paths" | "file" | "files") => ValueHint::AnyPath,
            Some("dir" | "directory" | "folder") => ValueHint::DirPath,
            _ => ValueHint::Unknown,
        };
        // The description of an enum with documented variants already lists them, so `clap` need not.
        let describes_choices = self.description(root).is_some_and(|description| {
            self.choices.texts.iter().all(|text| description.contains(&format!("`{text}`")))
        });
        // Use `Append` for single values too. Otherwise, `clap` would stop at a second value without reporting other
        // mistakes.
        arg.action(ArgAction::Append)
            .value_name(self.value_name())
            .value_parser(AnyText::of(choices))
            .hide_possible_values(!self.choices.are_all || describes_choices)
            .value_hint(hint)
            .allow_negative_numbers(true)
    }

    fn to_negation(&self, negation: &str) -> Arg {
        Arg::new(format!("--{negation}"))
            .long(negation.to_owned())
            .action(ArgAction::SetTrue)
            // Nobody needs to turn off a switch that is off by default.
            .hide(self.schema.get("default") == Some(&Value::Bool(false)))
            .help(format!("Set `{}` to false", self.path.join(".")))
    }

    /// Returns the help of the flag: its description, and details such as its type, its default and whether it is
    /// required.
    fn help(&self, root: &Value, flags: &Flags) -> String {
        let description = self.description(root);
        let mut details = Vec::new();
        if self.is_required {
            details.push("required".to_owned());
        }
        let kind = describe::kind(&self.schema, root);
        let is_plain =
            ["array", "boolean", "integer", "number", "object", "string", "anything"].contains(&kind.as_str());
        let has_inner =
            flags.all.iter().any(|flag| flag.path.len() > self.path.len() && flag.path.starts_with(&self.path));
        if has_inner {
            details.push(format!("JSON, or the flags `--{}.…`", self.name));
        } else if let Some(other) = self.same_form(flags) {
            details.push(format!("JSON of the same form as {other}"));
        } else if self.kind != Kind::Switch && !(is_plain || self.choices.are_all && !self.choices.texts.is_empty()) {
            details.push(kind);
        }
        if matches!(self.kind, Kind::List(_) | Kind::Map(_)) {
            details.push("may be repeated".to_owned());
        }
        // Everybody expects these defaults, so do not mention them.
        let is_worth_saying =
            |default: &&Value| **default != json!(false) && **default != json!([]) && **default != json!({});
        if let Some(default) = self.schema.get("default").filter(is_worth_saying) {
            details.push(format!("default: {}", shown(default)));
        }
        if let Some(example) = self.schema["examples"].as_array().and_then(|examples| examples.first()) {
            details.push(format!("example: {}", shown(example)));
        }
        let details = (!details.is_empty()).then(|| format!("[{}]", details.join("; ")));
        let help: Vec<_> = description.map(str::to_owned).into_iter().chain(details).collect();
        // `clap` prints escape sequences in text unchanged, so escape the help.
        escaped(&help.join(" "), true).into_owned()
    }

    fn description<'s>(&'s self, root: &'s Value) -> Option<&'s str> {
        let target = reference::follow(&self.schema, root);
        self.schema["description"].as_str().or_else(|| target["description"].as_str())
    }

    /// If this flag or its elements have the same type as an outer flag or its elements, returns the name of the outer
    /// flag. If they have the type of the whole input schema, returns `all arguments`. Such a recursive type gets no
    /// deeper flags.
    fn same_form(&self, flags: &Flags) -> Option<String> {
        let of = |schema: &Value| [references_in(schema), references_in(&schema["items"])].concat();
        let own = of(&self.schema);
        if own.iter().any(|reference| reference == "#") {
            return Some("all arguments".to_owned());
        }
        let outer =
            flags.all.iter().filter(|flag| flag.path.len() < self.path.len() && self.path.starts_with(&flag.path));
        let same = outer.into_iter().find(|flag| of(&flag.schema).iter().any(|reference| own.contains(reference)));
        same.map(|flag| format!("`--{}`", flag.name))
    }
}

/// Returns a value as a user would type it: a string without quotes, and any other value as JSON.
pub(crate) fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A parser that offers values for help and completion, but accepts any text, so that the call can report all mistakes
/// at once.
#[derive(Debug, Clone)]
pub(crate) struct AnyText(Vec<PossibleValue>);

impl AnyText {
    pub(crate) fn of(values: impl IntoIterator<Item = impl Into<PossibleValue>>) -> Self {
        Self(values.into_iter().map(Into::into).collect())
    }
}

impl TypedValueParser for AnyText {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        if self.0.is_empty() { None } else { Some(Box::new(self.0.iter().cloned())) }
    }
}
