//! Turns the texts of flags into arguments.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::typed;
use super::words::{BadFlag, GIVEN_TWICE, Words};
use super::{Flag, Flags, Items, Kind};
use crate::json::reader;
use crate::schema::accepted::Types;

impl Flags {
    /// Reads the arguments, and adds what is wrong with them to `bad`.
    pub(crate) fn arguments(&self, words: Words, bad: &mut Vec<BadFlag>) -> Map<String, Value> {
        let Words { given, others, bad: unreadable, .. } = words;
        bad.extend(unreadable);
        let mut arguments = Map::new();
        let mut set = |flag: String, path: &[String], value: Result<Value, String>| {
            let inserted = value.and_then(|value| insert(&mut arguments, path, value).map_err(str::to_owned));
            bad.extend(inserted.err().map(|problem| BadFlag { flag, problem }));
        };
        for (index, flag) in self.all.iter().enumerate() {
            let texts = given.iter().filter(|(at, _)| *at == index).map(|(_, text)| typed::resolve(text));
            match texts.collect::<Result<Vec<_>, _>>() {
                Ok(texts) if texts.is_empty() => {}
                texts => set(format!("--{}", flag.name), &flag.path, texts.and_then(|texts| flag.read(&texts))),
            }
        }
        for (name, text) in others {
            let value = match text {
                Some(text) => typed::resolve(&text).map(|text| typed::read(self.others, &text)),
                None => Ok(Value::Bool(true)),
            };
            set(format!("--{name}"), &[name], value);
        }
        arguments
    }

    /// Returns the flag of the deepest property on a path such as `filter.tags[0]`, and the rest of the path.
    pub(crate) fn flag_of<'p>(&self, path: &'p str) -> Option<(String, &'p str)> {
        let deepest = self.all.iter().filter_map(|flag| Some((flag, flag.rest_of(path)?)));
        let (flag, rest) = deepest.min_by_key(|(_, rest)| rest.len())?;
        Some((format!("--{}", flag.name), rest))
    }
}

impl Flag {
    /// Reads the texts of all occurrences of the flag.
    pub(super) fn read(&self, texts: &[Cow<'_, str>]) -> Result<Value, String> {
        match (&self.kind, texts) {
            (Kind::Switch, [text]) => Ok(Value::Bool(text == "true")),
            (Kind::Value(types), [text]) => read_one(*types, text),
            (Kind::Switch | Kind::Value(_), _) => Err(GIVEN_TWICE.to_owned()),
            (Kind::List(items), texts) => {
                let element = |(index, text): (usize, &Cow<'_, str>)| self.read_element(items.of(index), text);
                let elements = || texts.iter().enumerate().map(element).collect();
                let whole = if let [text] = texts { whole_list(items, text) } else { None };
                whole.map_or_else(elements, Ok)
            }
            (Kind::Map(_), [text]) if text.trim_start().starts_with('{') => read_one(Types::OBJECT, text),
            (Kind::Map(values), texts) => {
                let mut entries = Map::new();
                for text in texts {
                    let (key, text) = text.split_once('=').ok_or("expected KEY=VALUE, or one JSON object")?;
                    insert(&mut entries, &[key.to_owned()], read_one(*values, text)?)?;
                }
                Ok(entries.into())
            }
        }
    }

    /// Reads an element of a list. Several elements in one text, such as `1,2`, are a mistake that people make.
    fn read_element(&self, types: Types, text: &str) -> Result<Value, String> {
        let fits = |text: &str| {
            let is_choice = !self.choices.are_all || self.choices.has(text);
            is_choice && types.intersects(Types::of_value(&typed::read(types, text)))
        };
        let parts: Vec<_> = text.split(',').map(str::trim).collect();
        if parts.len() > 1 && !fits(text) && parts.iter().all(|part| fits(part)) {
            let repeated: Vec<_> = parts.iter().take(3).map(|part| format!("--{} {part}", self.name)).collect();
            let more = if parts.len() > 3 { " …" } else { "" };
            return Err(format!("expected one value each time: `{}{more}`", repeated.join(" ")));
        }
        read_one(types, text)
    }

    /// Returns the path of the property, as errors write it.
    pub(super) fn path_of_property(&self) -> String {
        self.path.iter().fold(crate::json::path::Path::default(), |path, name| path.property(name)).to_string()
    }

    /// Returns the rest of a path that goes through the property of this flag.
    fn rest_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix(&self.path_of_property())?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
    }
}

/// Reads one value. JSON that is not complete is reported as such, and not as a string.
fn read_one(types: Types, text: &str) -> Result<Value, String> {
    let must_be_json = text.trim_start().starts_with(['{', '[']) && !types.intersects(Types::STRING);
    if must_be_json && let Err(violation) = reader::read_text(text) {
        return Err(violation.message);
    }
    Ok(typed::read(types, text))
}

/// Returns the array that a single text may be instead of one element. Where an element is an array itself, all elements
/// of the text must be arrays.
fn whole_list(items: &Items, text: &str) -> Option<Value> {
    let Value::Array(elements) = typed::read(Types::ARRAY, text) else { return None };
    let is_list = |element: &Value| element.is_array() || !items.of(0).is_within(Types::ARRAY);
    elements.iter().all(is_list).then_some(Value::Array(elements))
}

/// Inserts a value at a path, or says what is already there.
fn insert(object: &mut Map<String, Value>, path: &[String], value: Value) -> Result<(), &'static str> {
    match path {
        [] => Ok(()),
        [name] if object.contains_key(name) => Err(GIVEN_TWICE),
        [name] => {
            object.insert(name.clone(), value);
            Ok(())
        }
        [name, path @ ..] => match object.entry(name.clone()).or_insert_with(|| Value::Object(Map::new())) {
            Value::Object(inner) => insert(inner, path, value),
            _ => Err("not together with a value of the object around it"),
        },
    }
}
