//! Which types of JSON values a schema accepts, as far as `type`, `enum`, `const` and combinations of schemas say it.

use std::collections::HashMap;

use serde_json::Value;

use crate::json::number::Numeral;
use crate::json::tape::Item;
use crate::schema::reference::follow;
use crate::schema::walk::{keyword, keyword_or_null};

/// The values that a schema accepts. Other keywords may refuse some of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Accepted {
    /// The types other than strings, as bits.
    types: u8,
    strings: Strings,
}

/// The strings that a schema accepts.
#[derive(Debug, Clone, PartialEq)]
enum Strings {
    Any,
    Only(Vec<Box<str>>),
}

const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const INTEGER: u8 = 4;
/// A number with a fraction.
const FRACTION: u8 = 8;
const ARRAY: u8 = 16;
const OBJECT: u8 = 32;

impl Accepted {
    const ANYTHING: Self = Self { types: NULL | BOOLEAN | INTEGER | FRACTION | ARRAY | OBJECT, strings: Strings::Any };
    const NOTHING: Self = Self { types: 0, strings: Strings::Only(Vec::new()) };

    pub(super) fn accepts_null(&self) -> bool {
        self.types & NULL != 0
    }

    pub(super) fn accepts_boolean(&self) -> bool {
        self.types & BOOLEAN != 0
    }

    pub(super) fn accepts_number(&self, number: Numeral) -> bool {
        let number_type = if number.integer().is_some() { INTEGER } else { FRACTION };
        self.types & number_type != 0
    }

    /// Returns `true` if the value may be accepted: a string by its text, any other value by its type.
    pub(super) fn accepts(&self, item: &Item<'_>) -> bool {
        match item {
            Item::Null => self.accepts_null(),
            Item::Bool(_) => self.accepts_boolean(),
            Item::Number(number) => self.accepts_number(*number),
            Item::String(text) => self.accepts_string(text),
            Item::Array(_) => self.types & ARRAY != 0,
            Item::Object(_) => self.types & OBJECT != 0,
        }
    }

    pub(super) fn accepts_string(&self, text: &str) -> bool {
        match &self.strings {
            Strings::Any => true,
            Strings::Only(texts) => texts.iter().any(|known| **known == *text),
        }
    }

    pub(super) fn accepts_any_string(&self) -> bool {
        self.strings == Strings::Any
    }

    pub(super) fn accepts_no_string(&self) -> bool {
        matches!(&self.strings, Strings::Only(texts) if texts.is_empty())
    }

    fn of_type(name: &str) -> Self {
        let types = match name {
            "null" => NULL,
            "boolean" => BOOLEAN,
            "integer" => INTEGER,
            "number" => INTEGER | FRACTION,
            "array" => ARRAY,
            "object" => OBJECT,
            "string" => return Self { types: 0, strings: Strings::Any },
            _ => return Self::ANYTHING,
        };
        Self { types, ..Self::NOTHING }
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::of_type("null"),
            Value::Bool(_) => Self::of_type("boolean"),
            Value::Number(number) if Numeral::from(number).integer().is_some() => Self::of_type("integer"),
            Value::Number(_) => Self { types: FRACTION, ..Self::NOTHING },
            Value::String(text) => Self { types: 0, strings: Strings::Only(vec![text.as_str().into()]) },
            Value::Array(_) => Self::of_type("array"),
            Value::Object(_) => Self::of_type("object"),
        }
    }

    fn or(mut self, other: Self) -> Self {
        self.types |= other.types;
        self.strings = match (self.strings, other.strings) {
            (Strings::Only(mut texts), Strings::Only(more)) => {
                texts.extend(more);
                Strings::Only(texts)
            }
            _ => Strings::Any,
        };
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.types &= other.types;
        self.strings = match (self.strings, other.strings) {
            (Strings::Any, strings) | (strings, Strings::Any) => strings,
            (Strings::Only(mut texts), Strings::Only(others)) => {
                texts.retain(|text| others.contains(text));
                Strings::Only(texts)
            }
        };
        self
    }

    fn any_of(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::NOTHING, Self::or)
    }
}

/// Computes what the subschemas of one root schema accept.
pub(super) struct Reader<'s> {
    root: &'s Value,
    /// What each schema accepts, by its address. While a schema is read, it counts as accepting anything, which ends a
    /// recursion.
    known: HashMap<*const Value, Accepted>,
}

impl<'s> Reader<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        Self { root, known: HashMap::new() }
    }

    pub(super) fn read(&mut self, schema: &'s Value) -> Accepted {
        let schema = follow(schema, self.root);
        match schema {
            Value::Bool(false) => return Accepted::NOTHING,
            Value::Object(_) => {}
            _ => return Accepted::ANYTHING,
        }
        if let Some(known) = self.known.get(&std::ptr::from_ref(schema)) {
            return known.clone();
        }
        self.known.insert(schema, Accepted::ANYTHING);
        let accepted = self.read_keywords(schema);
        self.known.insert(schema, accepted.clone());
        accepted
    }

    fn read_keywords(&mut self, schema: &'s Value) -> Accepted {
        let mut accepted = match keyword_or_null(schema, "type") {
            Value::String(name) => Accepted::of_type(name),
            Value::Array(names) => Accepted::any_of(names.iter().filter_map(Value::as_str).map(Accepted::of_type)),
            _ => Accepted::ANYTHING,
        };
        if let Some(values) = keyword_or_null(schema, "enum").as_array() {
            accepted = accepted.and(Accepted::any_of(values.iter().map(Accepted::of_value)));
        }
        if let Some(value) = keyword(schema, "const") {
            accepted = accepted.and(Accepted::of_value(value));
        }
        for part in keyword_or_null(schema, "allOf").as_array().into_iter().flatten() {
            accepted = accepted.and(self.read(part));
        }
        for name in ["anyOf", "oneOf"] {
            if let Some(branches) = keyword_or_null(schema, name).as_array() {
                let branches = branches.iter().map(|branch| self.read(branch));
                accepted = accepted.and(Accepted::any_of(branches));
            }
        }
        accepted
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn accepted(schema: &Value) -> Accepted {
        Reader::new(schema).read(schema)
    }

    #[test]
    fn null_is_found_in_types_values_references_and_combinations() {
        for schema in [
            json!({"type": "null"}),
            json!({"type": ["integer", "null"]}),
            json!({"enum": [1, null]}),
            json!({"const": null}),
            json!({"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/n"}], "$defs": {"n": {"enum": ["a", null]}}}),
            json!({"allOf": [{"oneOf": [{"type": "null"}, {"type": "string"}]}, {}]}),
            json!({}),
            json!(true),
        ] {
            assert!(accepted(&schema).accepts_null(), "{schema}");
        }
        for schema in [
            json!({"type": "integer"}),
            json!({"enum": [1, "null"]}),
            json!({"type": ["integer", "null"], "enum": [1]}),
            json!({"allOf": [{"type": ["integer", "null"]}, {"type": "integer"}]}),
            json!({"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [{"const": 1}, {"type": "boolean"}]}}}),
            json!(false),
        ] {
            assert!(!accepted(&schema).accepts_null(), "{schema}");
        }
    }

    #[test]
    fn strings_are_any_some_or_none() {
        let some = accepted(&json!({"anyOf": [{"enum": ["a", 1]}, {"const": "b"}, {"type": "boolean"}]}));
        assert!(some.accepts_string("a") && some.accepts_string("b") && !some.accepts_string("c"));
        assert!(!some.accepts_no_string());
        assert!(accepted(&json!({"type": ["string", "integer"], "pattern": "x"})).accepts_string("c"));
        assert!(accepted(&json!({"type": "integer"})).accepts_no_string());
        assert!(accepted(&json!({"enum": ["a"], "type": "integer"})).accepts_no_string());
    }

    #[test]
    fn a_schema_that_contains_itself_can_be_read() {
        let schema = json!({"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/again"}],
            "$defs": {"again": {"allOf": [{"$ref": "#/$defs/again"}, {"type": "array"}]}}});
        let accepted = accepted(&schema);
        assert!(accepted.accepts_no_string() && !accepted.accepts_boolean());
    }

    #[test]
    fn a_value_is_accepted_by_its_type_or_its_text() {
        let values = [json!(null), json!(true), json!(1), json!(1.5), json!("a"), json!([1]), json!({ "a": 1 })];
        let types = ["null", "boolean", "integer", "number", "string", "array", "object"];
        for (at, name) in types.into_iter().enumerate() {
            let accepted = accepted(&json!({ "type": name }));
            for (other, value) in values.iter().enumerate() {
                let document = crate::json::reader::read_value(value).expect("a document");
                let expected = at == other || (name == "number" && value.is_i64());
                assert_eq!(accepted.accepts(&document.root().item()), expected, "{name} {value}");
            }
        }
    }
}
