//! Reads the text of a flag as a value of the JSON types that a schema accepts.

use serde_json::{Number, Value};

use crate::json::reader;
use crate::schema::accepted::Types;

/// Reads a value from the text of a flag.
///
/// A text is JSON where a type other than a string is accepted, and itself where a string is accepted. If both are
/// accepted, JSON comes first, so `"5"` with its quotes is a string and `5` a number. A text that is neither stays a
/// string: the call then says which type was expected.
pub(crate) fn read(types: Types, text: &str) -> Value {
    if types == Types::STRING {
        return text.into();
    }
    let json = reader::read_text(text).map(|document| document.root().to_value()).ok();
    match json.or_else(|| number(text)) {
        Some(value) if types.intersects(Types::of_value(&value)) || !types.intersects(Types::STRING) => value,
        _ => text.into(),
    }
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
