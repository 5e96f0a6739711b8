//! Reads arguments from the values of flags.

use std::borrow::Cow;

use mcp_tool_schema::Schema;
use serde_json::{Map, Number, Value, json};

use super::words::Words;
use super::{Flag, Flags, Items, Kind};
use crate::cli::options::{BadFlag, GIVEN_TWICE};
use crate::json::path::Path;
use crate::json::reader;
use crate::json::violation::quote_name;
use crate::schema::accepted::Types;

impl Flags {
    /// Reads the arguments from the words of a call, and adds the mistakes to `bad`.
    pub(crate) fn arguments(&self, words: Words, bad: &mut Vec<BadFlag>) -> Map<String, Value> {
        let Words { given, others, bad: unreadable, .. } = words;
        bad.extend(unreadable);
        let mut arguments = Map::new();
        let mut set = |flag: String, path: &[String], value: Result<Value, String>| {
            let inserted = value.and_then(|value| insert(&mut arguments, path, value).map_err(str::to_owned));
            bad.extend(inserted.err().map(|problem| BadFlag { flag, problem }));
        };
        for (index, flag) in self.all.iter().enumerate() {
            let texts = given.iter().filter(|(at, _)| *at == index).map(|(_, text)| resolve(text));
            match texts.collect::<Result<Vec<_>, _>>() {
                Ok(texts) if texts.is_empty() => {}
                texts => set(format!("--{}", flag.name), &flag.path, texts.and_then(|texts| flag.read(&texts))),
            }
        }
        for (name, text) in others {
            let value = match text {
                Some(text) => resolve(&text).map(|text| read_value(self.others, &text)),
                None => Ok(Value::Bool(true)),
            };
            set(format!("--{name}"), &[name], value);
        }
        arguments
    }

    /// Returns the flag whose property is deepest on a path such as `filter.tags[0]`, and the rest of the path.
    pub(crate) fn flag_of<'p>(&self, path: &'p str) -> Option<(String, &'p str)> {
        let deepest = self.all.iter().filter_map(|flag| Some((flag, flag.rest_of(path)?)));
        let (flag, rest) = deepest.min_by_key(|(_, rest)| rest.len())?;
        Some((format!("--{}", flag.name), rest))
    }
}

impl Flag {
    /// Reads all values that were given for the flag.
    pub(super) fn read(&self, texts: &[Cow<'_, str>]) -> Result<Value, String> {
        match (&self.kind, texts) {
            (Kind::Switch, [text]) => Ok(Value::Bool(text == "true")),
            (Kind::Value(types), [text]) => self.read_one(*types, text),
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
                    insert(&mut entries, &[key.to_owned()], self.read_one(*values, text)?)?;
                }
                Ok(entries.into())
            }
        }
    }

    /// Reads an element of a list. If the text is several elements with commas between them, the error says to repeat
    /// the flag.
    fn read_element(&self, types: Types, text: &str) -> Result<Value, String> {
        let fits = |text: &str| {
            let is_choice = !self.choices.are_all || self.choices.has(text);
            is_choice && types.intersects(Types::of_value(&read_value(types, text)))
        };
        let parts: Vec<_> = text.split(',').map(str::trim).collect();
        if parts.len() > 1 && !fits(text) && parts.iter().all(|part| fits(part)) {
            let repeated: Vec<_> = parts.iter().take(3).map(|part| format!("--{} {part}", self.name)).collect();
            let more = if parts.len() > 3 { " …" } else { "" };
            return Err(format!("expected one value each time: `{}{more}`", repeated.join(" ")));
        }
        self.read_one(types, text)
    }

    /// Reads one value. If a number such as `12.50` would lose digits, and the schema has a pattern for such texts, as
    /// that of a `Decimal` has, the value is the text.
    fn read_one(&self, types: Types, text: &str) -> Result<Value, String> {
        let (value, written) = (read_one(types, text)?, text.trim());
        let loses_digits = |number: &Number| types.intersects(Types::STRING) && number.to_string() != written;
        let pattern = self.pattern.as_ref().filter(|_| value.as_number().is_some_and(loses_digits));
        let compiled = pattern.and_then(|pattern| Schema::compile(&json!({ "pattern": pattern })).ok());
        let text = Value::from(written);
        Ok(if compiled.is_some_and(|pattern| pattern.check(&text).is_ok()) { text } else { value })
    }

    /// Returns the part of a path after this flag's property, or `None` if the path does not lead to or through the
    /// property.
    fn rest_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        // Write the path of the property as errors do, because `path` comes from an error.
        let own = self.path.iter().fold(Path::default(), |path, name| path.property(name)).to_string();
        let rest = path.strip_prefix(&own)?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
    }
}

/// Reads one value. If strings are not accepted, reports a broken JSON object or array instead of passing it on as a
/// string.
fn read_one(types: Types, text: &str) -> Result<Value, String> {
    let must_be_json = text.trim_start().starts_with(['{', '[']) && !types.intersects(Types::STRING);
    if must_be_json && let Err(violation) = reader::read_text(text) {
        return Err(violation.message);
    }
    Ok(read_value(types, text))
}

/// Reads `text` as the whole array. Returns `None` if it is not a JSON array, or if an element that must be an array
/// is not one.
fn whole_list(items: &Items, text: &str) -> Option<Value> {
    let Value::Array(elements) = read_value(Types::ARRAY, text) else { return None };
    let may_be_whole =
        |(index, element): (usize, &Value)| element.is_array() || !items.of(index).is_within(Types::ARRAY);
    elements.iter().enumerate().all(may_be_whole).then_some(Value::Array(elements))
}

/// Inserts a value at a path. Fails if something else is already there.
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

/// Reads a value from the text of a flag.
///
/// If only strings are accepted, the text is the value. If no strings are accepted, the text is JSON, or a number such
/// as `+5`. Text that is neither becomes a string, so that the call reports the expected type. If strings and other
/// types are accepted, JSON of an accepted type wins: `5` is a number, and `"5"` in quotes and `05` are strings. See
/// [`Flag::read_one`] for the exception.
pub(crate) fn read_value(types: Types, text: &str) -> Value {
    if types == Types::STRING {
        return text.into();
    }
    let json = reader::read_text(text).map(|document| document.root().to_value()).ok();
    let accepts_text = types.intersects(Types::STRING);
    match json.or_else(|| number(text).filter(|_| !accepts_text)) {
        Some(value) if types.intersects(Types::of_value(&value)) || !accepts_text => value,
        _ => text.into(),
    }
}

/// Reads the file that `@FILE` names. Any other text is the value itself, where `@@` at the start stands for a single
/// `@`.
pub(crate) fn resolve(text: &str) -> Result<Cow<'_, str>, String> {
    match text.strip_prefix('@') {
        Some(path) if !path.starts_with('@') => std::fs::read_to_string(path).map(Cow::Owned).map_err(|error| {
            format!(
                "the file {} cannot be read: {error}; for a text that starts with `@`, write `@@`",
                quote_name(path)
            )
        }),
        escaped => Ok(Cow::Borrowed(escaped.unwrap_or(text))),
    }
}

/// Reads numbers that are not JSON, such as `+5` or `.5`.
fn number(text: &str) -> Option<Value> {
    let float = || text.parse().ok().and_then(Number::from_f64).map(Value::Number);
    let integer = text.parse::<i64>().map(Value::from);
    if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) { integer.ok().or_else(float) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_by_the_types_that_are_accepted() {
        let maybe = Types::STRING.or(Types::NULL);
        let mixed = Types::STRING.or(Types::INTEGER);
        for (types, text, expected) in [
            (Types::STRING, "5", json!("5")),
            (Types::STRING, "\"5\"", json!("\"5\"")),
            (Types::INTEGER, "5", json!(5)),
            (Types::INTEGER, "+5", json!(5)),
            (Types::NUMBER, ".5", json!(0.5)),
            (Types::NUMBER.or(Types::STRING), ".5", json!(".5")),
            (Types::ALL, "007", json!("007")),
            (Types::NUMBER, "inf", json!("inf")),
            (Types::INTEGER, "five", json!("five")),
            (maybe, "null", json!(null)),
            (maybe, "5", json!("5")),
            (mixed, "5", json!(5)),
            (mixed, "\"5\"", json!("5")),
            (mixed, "true", json!("true")),
            (Types::OBJECT, r#"{"a": 1}"#, json!({"a": 1})),
            (Types::OBJECT, r#"{"a": 1, "a": 2}"#, json!(r#"{"a": 1, "a": 2}"#)),
            (Types::ALL, "[1", json!("[1")),
        ] {
            assert_eq!(read_value(types, text), expected, "{text}");
        }
    }
}
