//! Turns arguments into the words of a command line.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::typed;
use super::{Flag, Flags, Kind};
use crate::schema::accepted::Types;

impl Flags {
    /// Writes the flags from which [`arguments`](Self::arguments) reads these arguments again. Returns `None` where flags cannot say
    /// the same.
    pub(crate) fn write(&self, arguments: &Map<String, Value>) -> Option<Vec<String>> {
        let words = self.write_flags(arguments)?;
        let mut bad = Vec::new();
        let read = self.arguments(self.read(&words), &mut bad);
        (bad.is_empty() && read == *arguments).then_some(words)
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
        let find = |path: &[String]| self.all.iter().find(|flag| flag.path == path);
        let flag = find(path)?;
        let inner = |name: &String| [path, std::slice::from_ref(name)].concat();
        match value {
            Value::Object(all) if !all.is_empty() && all.keys().all(|name| find(&inner(name)).is_some()) => {
                all.iter().try_for_each(|(name, value)| self.write_property(&inner(name), value, words))
            }
            _ => flag.write(value).map(|own| words.extend(own)),
        }
    }
}

impl Flag {
    /// Writes the flag once for each element of a value, or once with the whole value as JSON where the elements are read as something
    /// else.
    fn write(&self, value: &Value) -> Option<Vec<String>> {
        let texts: Vec<Cow<'_, str>> = match (&self.kind, value) {
            (Kind::Switch, _) => {
                let name = if value.as_bool()? { &self.name } else { self.negation.as_ref()? };
                return Some(vec![format!("--{name}")]);
            }
            (Kind::List(items), Value::Array(elements)) => {
                let elements = elements.iter().enumerate();
                elements.map(|(index, element)| typed::write(items.of(index), element).into()).collect()
            }
            (Kind::Map(values), Value::Object(entries)) => {
                entries.iter().map(|(key, value)| format!("{key}={}", typed::write(*values, value)).into()).collect()
            }
            (Kind::Value(types), value) => vec![typed::write(*types, value).into()],
            _ => Vec::new(),
        };
        let says_the_same = !texts.is_empty() && self.read(&texts).as_ref() == Ok(value);
        let texts = if says_the_same { texts } else { vec![value.to_string().into()] };
        Some(texts.into_iter().map(|text| format!("--{}={}", self.name, typed::escape(text.into_owned()))).collect())
    }
}
