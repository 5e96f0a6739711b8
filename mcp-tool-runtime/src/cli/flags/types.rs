//! The JSON types that a schema accepts, and how a text is read as a value of these types.

use serde_json::{Number, Value};

use crate::json::reader;
use crate::schema::reference;

/// How many references and unions are followed. A schema may contain itself.
const MAX_DEPTH: usize = 16;

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    /// All numbers, integers included.
    pub(crate) const NUMBER: Self = Self(4 | 8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const ANY: Self = Self(127);

    /// Returns the types of the values that a schema accepts.
    pub(crate) fn of(schema: &Value, root: &Value) -> Self {
        Self::within(schema, root, MAX_DEPTH)
    }

    fn within(schema: &Value, root: &Value, left: usize) -> Self {
        let Some(left) = left.checked_sub(1) else { return Self::ANY };
        if *schema == Value::Bool(false) {
            return Self::NONE;
        }
        let mut types = match &schema["type"] {
            Value::String(name) => Self::named(name),
            Value::Array(names) => names.iter().filter_map(Value::as_str).map(Self::named).fold(Self::NONE, Self::or),
            _ => Self::ANY,
        };
        if let Some(value) = schema.get("const") {
            types = types.and(Self::of_value(value));
        }
        if let Some(values) = schema["enum"].as_array() {
            types = types.and(values.iter().map(Self::of_value).fold(Self::NONE, Self::or));
        }
        if let Some(target) = schema["$ref"].as_str().and_then(|target| reference::resolve(root, target)) {
            types = types.and(Self::within(target, root, left));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = schema[keyword].as_array() {
                let all = branches.iter().map(|branch| Self::within(branch, root, left));
                types = types.and(all.fold(Self::NONE, Self::or));
            }
        }
        let parts = schema["allOf"].as_array().into_iter().flatten();
        parts.map(|part| Self::within(part, root, left)).fold(types, Self::and)
    }

    fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::ANY,
        }
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            // `3.0` is an integer too.
            Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => Self::INTEGER,
            Value::Number(_) => Self(8),
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns `true` if a value of one of these types may be accepted.
    pub(super) fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if all of these types are among `other`.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.0 != 0 && self.0 & !other.0 == 0
    }

    /// Reads a value from the text of a flag.
    ///
    /// A text is JSON where a type other than a string is accepted, and itself where a string is accepted. If both are
    /// accepted, JSON comes first, so `"5"` with its quotes is a string and `5` a number. A text that is neither stays a
    /// string: the call then says which type was expected.
    pub(crate) fn read(self, text: &str) -> Value {
        if self == Self::STRING {
            return text.into();
        }
        let json = reader::read_text(text).map(|document| document.root().to_value()).ok();
        match json.or_else(|| number(text)) {
            Some(value) if self.intersects(Self::of_value(&value)) || !self.intersects(Self::STRING) => value,
            _ => text.into(),
        }
    }

    /// Writes the text from which [`read`](Self::read) gets the value again.
    pub(super) fn write(self, value: &Value) -> String {
        match value {
            Value::String(text) if self.read(text) == *value => text.clone(),
            _ => value.to_string(),
        }
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
            (Types::ANY, "[1", json!("[1")),
        ] {
            assert_eq!(types.read(text), expected, "{text}");
        }
    }

    #[test]
    fn a_written_value_is_read_again() {
        let values = [json!("5"), json!("a b"), json!(null), json!("null"), json!(1.5), json!([1]), json!("\"x\"")];
        for value in values {
            assert_eq!(Types::ANY.read(&Types::ANY.write(&value)), value);
        }
    }

    #[test]
    fn the_types_of_a_schema_follow_references_and_unions() {
        let root = json!({"$defs": {"A": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/A"}, {"const": 1}]}}});
        assert_eq!(Types::of(&json!({"type": ["integer", "null"]}), &root), Types::INTEGER.or(Types::NULL));
        assert_eq!(Types::of(&json!({"enum": ["a", "b"]}), &root), Types::STRING);
        assert!(Types::of(&json!({"$ref": "#/$defs/A"}), &root).intersects(Types::STRING));
        assert_eq!(Types::of(&json!({}), &root), Types::ANY);
    }
}
