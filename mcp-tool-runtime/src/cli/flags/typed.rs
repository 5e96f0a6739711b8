//! Reads the text of a flag as a value of the JSON types that a schema accepts.

use std::borrow::Cow;

use serde_json::{Number, Value};

use crate::json::reader;
use crate::json::violation::quote_name;
use crate::schema::accepted::Types;

/// Reads a value from the text of a flag.
///
/// A text is JSON where a type other than a string is accepted, and itself where a string is accepted. If both are
/// accepted, JSON comes first, so `"5"` with its quotes is a string, `5` a number, and `05` a string. A text that is neither
/// stays a string: the call then says which type was expected.
pub(crate) fn read(types: Types, text: &str) -> Value {
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

/// Reads the file of `@FILE`. `@@` is the letter `@` at the start of a text.
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

/// Writes a text that [`resolve`] does not take for a file.
pub(super) fn escape(text: String) -> String {
    if text.starts_with('@') { format!("@{text}") } else { text }
}

/// Writes the text from which [`read`] gets the value again.
pub(super) fn write(types: Types, value: &Value) -> String {
    match value {
        Value::String(text) if read(types, text) == *value => text.clone(),
        _ => value.to_string(),
    }
}

/// Reads a number that people write and JSON does not have, such as `+5` or `.5`.
fn number(text: &str) -> Option<Value> {
    let float = || text.parse().ok().and_then(Number::from_f64).map(Value::Number);
    let integer = text.parse::<i64>().map(Value::from);
    if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) { integer.ok().or_else(float) } else { None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
            assert_eq!(read(types, text), expected, "{text}");
        }
    }

    #[test]
    fn a_written_value_is_read_again() {
        let values = [json!("5"), json!("a b"), json!(null), json!("null"), json!(1.5), json!([1]), json!("\"x\"")];
        for value in values {
            assert_eq!(read(Types::ALL, &write(Types::ALL, &value)), value);
        }
    }
}
