//! Turns arguments into the words of a command line.

use serde_json::{Map, Value};

use super::read::{Words, whole_list};
use super::typed;
use super::{Flag, Flags, Items, Kind};
use crate::schema::accepted::Types;

impl Flags {
    /// Writes the words from which [`arguments`](Self::arguments) reads these arguments again: flags, or `--json` where
    /// flags cannot say the same. Returns `None` if the tool has no `--json` and flags are not enough.
    pub(crate) fn write(&self, arguments: &Map<String, Value>) -> Option<Vec<String>> {
        let words = self.write_flags(arguments);
        let says_the_same = words.as_ref().is_some_and(|words| self.read_words(words).as_ref() == Some(arguments));
        if says_the_same {
            return words;
        }
        let json = Value::Object(arguments.clone()).to_string();
        (!self.takes("json")).then(|| vec![format!("--json={json}")])
    }

    fn write_flags(&self, arguments: &Map<String, Value>) -> Option<Vec<String>> {
        let mut words = Vec::new();
        for (name, value) in arguments {
            if self.write_property(std::slice::from_ref(name), value, &mut words).is_none() {
                // An argument that no flag sets.
                if self.others == Types::NONE || self.takes(name) {
                    return None;
                }
                words.push(format!("--{name}={}", typed::write(self.others, value)));
            }
        }
        Some(words)
    }

    /// Writes a property with its own flag, or with the flags of the properties in it.
    fn write_property(&self, path: &[String], value: &Value, words: &mut Vec<String>) -> Option<()> {
        let flag = self.flags.iter().find(|flag| flag.path == path)?;
        let has_flags_inside = |name: &String| {
            let inner: Vec<_> = path.iter().chain([name]).cloned().collect();
            self.flags.iter().any(|flag| flag.path == inner)
        };
        if let Value::Object(properties) = value
            && !properties.is_empty()
            && properties.keys().all(has_flags_inside)
        {
            for (name, value) in properties {
                let inner: Vec<_> = path.iter().chain([name]).cloned().collect();
                self.write_property(&inner, value, words)?;
            }
            return Some(());
        }
        flag.write(value, words)
    }

    /// Reads words as `clap` and [`words`](Self::words) do.
    fn read_words(&self, words: &[String]) -> Option<Map<String, Value>> {
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let mut read = Words::default();
        self.read_rest(&words, &mut read);
        let (arguments, bad) = self.arguments(read);
        bad.is_empty().then_some(arguments)
    }
}

impl Flag {
    fn write(&self, value: &Value, words: &mut Vec<String>) -> Option<()> {
        let flag = &self.name;
        match (&self.kind, value) {
            (Kind::Switch, Value::Bool(true)) => words.push(format!("--{flag}")),
            (Kind::Switch, Value::Bool(false)) => words.push(format!("--{}", self.negation.as_ref()?)),
            (Kind::Switch, _) => return None,
            (Kind::List(items), Value::Array(elements)) => {
                words.extend(elements_of(items, elements, value).into_iter().map(|text| format!("--{flag}={text}")));
            }
            (Kind::Map(values), Value::Object(entries)) => {
                if entries.is_empty()
                    || entries.keys().any(|key| key.contains('=') || key.trim_start().starts_with('{'))
                {
                    words.push(format!("--{flag}={value}"));
                } else {
                    let entries =
                        entries.iter().map(|(key, value)| format!("--{flag}={key}={}", typed::write(*values, value)));
                    words.extend(entries);
                }
            }
            (Kind::Value(types), value) => words.push(format!("--{flag}={}", typed::write(*types, value))),
            _ => words.push(format!("--{flag}={value}")),
        }
        Some(())
    }
}

/// Writes one text for each element, or the whole array as one text where a single element would be read as the array.
fn elements_of(items: &Items, elements: &[Value], whole: &Value) -> Vec<String> {
    let texts: Vec<_> =
        elements.iter().enumerate().map(|(index, element)| typed::write(items.of(index), element)).collect();
    match texts.as_slice() {
        [] => vec![whole.to_string()],
        [one] if whole_list(items, one).is_some() => vec![whole.to_string()],
        _ => texts,
    }
}
