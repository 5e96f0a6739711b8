//! Turns arguments into the words of a command line.

use serde_json::{Map, Value};

use super::read::whole_list;
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
                words.push(format!("--{name}={}", typed::escape(typed::write(self.others, value))));
            }
        }
        Some(words)
    }

    /// Writes a property with its own flag, or with the flags of the properties in it.
    fn write_property(&self, path: &[String], value: &Value, words: &mut Vec<String>) -> Option<()> {
        let flag = self.all.iter().find(|flag| flag.path == path)?;
        let has_flags_inside = |name: &String| {
            let inner: Vec<_> = path.iter().chain([name]).cloned().collect();
            self.all.iter().any(|flag| flag.path == inner)
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

    fn read_words(&self, words: &[String]) -> Option<Map<String, Value>> {
        let read = self.read(words);
        let mut bad = Vec::new();
        let arguments = self.arguments(read, &mut bad);
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
                let texts = elements_of(items, elements, value).into_iter().map(typed::escape);
                words.extend(texts.map(|text| format!("--{flag}={text}")));
            }
            (Kind::Map(values), Value::Object(entries)) => {
                if entries.is_empty()
                    || entries.keys().any(|key| key.contains('=') || key.trim_start().starts_with('{'))
                {
                    words.push(format!("--{flag}={value}"));
                } else {
                    let entries = entries.iter().map(|(key, value)| format!("{key}={}", typed::write(*values, value)));
                    words.extend(entries.map(|text| format!("--{flag}={}", typed::escape(text))));
                }
            }
            (Kind::Value(types), value) => {
                words.push(format!("--{flag}={}", typed::escape(typed::write(*types, value))));
            }
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
