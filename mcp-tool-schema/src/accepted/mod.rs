//! Computes which types and which strings a schema may accept, according to `type`, `enum`, `const`, `$ref`, `allOf`,
//! `anyOf` and `oneOf`.
//!
//! [`Types`] is a set of JSON types, and [`Accepted`] has the types and the strings that one schema accepts. Both may
//! include values that the schema refuses, but always include all that it accepts.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::reference::{follow, target};
use super::walk::{keyword, keyword_or_null};
use crate::json::tape::{Item, View};

mod types;

pub use types::Types;

/// The maximum depth to which `$ref`, `allOf`, `anyOf` and `oneOf` are followed. A schema at a greater depth is assumed
/// to accept anything.
const MAX_DEPTH: usize = 64;

/// The types and the strings that a schema may accept. Keywords that are not read here may refuse some of these values.
///
/// ```
/// use mcp_tool_schema::accepted::Reader;
///
/// let schema = serde_json::json!({ "enum": ["a", 1] });
/// let accepted = Reader::new(&schema).read(&schema);
/// assert!(accepted.accepts_string("a") && !accepted.accepts_string("b"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    /// The types of the accepted values.
    pub types: Types,
    /// The only accepted strings, if the schema lists them.
    strings: Option<Vec<Box<str>>>,
}

impl Accepted {
    const ANYTHING: Self = Self::of_types(Types::ALL);
    const NOTHING: Self = Self::of_types(Types::NONE);

    const fn of_types(types: Types) -> Self {
        Self { types, strings: None }
    }

    /// Returns `true` if the value may be accepted. A string is judged by its text, any other value by its type.
    pub fn accepts(&self, view: View<'_>) -> bool {
        match view.item() {
            Item::String(text) => self.accepts_string(&text),
            _ => Types::of_view(view).intersects(self.types),
        }
    }

    /// Returns `true` if a string may be accepted.
    pub fn accepts_string(&self, text: &str) -> bool {
        let is_listed = |texts: &Vec<Box<str>>| texts.iter().any(|known| **known == *text);
        self.types.intersects(Types::STRING) && self.strings.as_ref().is_none_or(is_listed)
    }

    /// Returns `true` if the schema may accept strings and does not list them.
    pub fn accepts_any_string(&self) -> bool {
        self.types.intersects(Types::STRING) && self.strings.is_none()
    }

    fn of_value(value: &Value) -> Self {
        Self { types: Types::of_value(value), strings: value.as_str().map(|text| vec![text.into()]) }
    }

    fn or(self, other: Self) -> Self {
        let strings = match (self.strings, other.strings) {
            (Some(mut texts), Some(more)) => {
                texts.extend(more);
                Some(texts)
            }
            (Some(texts), None) if !other.types.intersects(Types::STRING) => Some(texts),
            (None, Some(texts)) if !self.types.intersects(Types::STRING) => Some(texts),
            _ => None,
        };
        Self { types: self.types.or(other.types), strings }
    }

    fn and(self, other: Self) -> Self {
        let mut types = self.types.and(other.types);
        let strings = match (self.strings, other.strings) {
            (None, strings) | (strings, None) => strings,
            (Some(mut texts), Some(others)) => {
                texts.retain(|text| others.contains(text));
                Some(texts)
            }
        };
        let strings = strings.filter(|_| types.intersects(Types::STRING));
        if strings.as_ref().is_some_and(Vec::is_empty) {
            types = types.without(Types::STRING);
        }
        Self { types, strings: strings.filter(|texts| !texts.is_empty()) }
    }

    fn any_of(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::NOTHING, Self::or)
    }
}

/// Reads the subschemas of one root schema, and computes what they may accept.
///
/// ```
/// use mcp_tool_schema::accepted::{Reader, Types};
///
/// let root = serde_json::json!({ "items": { "$ref": "#/$defs/id" }, "$defs": { "id": { "type": "string" } } });
/// assert_eq!(Reader::new(&root).read(&root["items"]).types, Types::STRING);
/// ```
pub struct Reader<'s> {
    root: &'s Value,
    /// What each schema accepts. The key is the address of the schema. While a schema is being read, it counts as
    /// accepting anything, so that recursion ends.
    known: HashMap<*const Value, Accepted>,
    depth: usize,
}

impl<'s> Reader<'s> {
    /// Creates a reader for the subschemas of a root schema.
    pub fn new(root: &'s Value) -> Self {
        Self { root, known: HashMap::new(), depth: 0 }
    }

    /// Returns the schema that a chain of `$ref`s leads to, or the schema itself if it has no `$ref` that can be
    /// resolved.
    pub fn follow(&self, schema: &'s Value) -> &'s Value {
        follow(schema, self.root)
    }

    /// Computes what a subschema may accept.
    pub fn read(&mut self, schema: &'s Value) -> Accepted {
        if is_never(schema) {
            return Accepted::NOTHING;
        }
        if !schema.is_object() || self.depth == MAX_DEPTH {
            return Accepted::ANYTHING;
        }
        if let Some(known) = self.known.get(&std::ptr::from_ref(schema)) {
            return known.clone();
        }
        self.known.insert(schema, Accepted::ANYTHING);
        self.depth += 1;
        let accepted = self.read_keywords(schema);
        self.depth -= 1;
        self.known.insert(schema, accepted.clone());
        accepted
    }

    fn read_keywords(&mut self, schema: &'s Value) -> Accepted {
        let mut accepted = Accepted::of_types(Types::of_keyword(keyword(schema, "type")));
        if let Some(values) = keyword_or_null(schema, "enum").as_array() {
            accepted = accepted.and(Accepted::any_of(values.iter().map(Accepted::of_value)));
        }
        if let Some(value) = keyword(schema, "const") {
            accepted = accepted.and(Accepted::of_value(value));
        }
        for part in target(schema, self.root)
            .into_iter()
            .chain(keyword_or_null(schema, "allOf").as_array().into_iter().flatten())
        {
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

/// Returns `true` if no two of the schemas accept the same value. `false` means only that no simple proof was found.
///
/// ```
/// use mcp_tool_schema::accepted::are_disjoint;
/// use serde_json::{Value, json};
///
/// assert!(are_disjoint(&[json!({ "type": "string" }), json!({ "type": "null" })], &Value::Null));
/// ```
pub fn are_disjoint(schemas: &[Value], root: &Value) -> bool {
    // The depth to which the properties of two objects are compared.
    const DEPTH: usize = 4;
    schemas.iter().enumerate().all(|(at, one)| schemas[..at].iter().all(|other| is_disjoint(one, other, root, DEPTH)))
}

fn is_disjoint(one: &Value, other: &Value, root: &Value, depth: usize) -> bool {
    let mut reader = Reader::new(root);
    let both = reader.read(one).and(reader.read(other)).types;
    if both != Types::OBJECT || depth == 0 {
        return both == Types::NONE || has_other_values(one, other);
    }
    // If one of the schemas requires a property, every object that both schemas accept has it. So it is enough if the
    // schemas of that property are disjoint.
    let required = [one, other].into_iter().flat_map(|schema| [schema, follow(schema, root)]);
    let mut required = required.filter_map(|schema| keyword(schema, "required")?.as_array()).flatten();
    required.any(|name| {
        let [one, other] =
            [one, other].map(|schema| name.as_str().map_or(&Value::Bool(true), |name| property(schema, name, root)));
        is_disjoint(one, other, root, depth - 1)
    })
}

/// Returns `true` if both schemas list their values and have none in common. Returns `false` if a list contains a
/// float, an array or an object, because equal values of these types may be written in different ways.
fn has_other_values(one: &Value, other: &Value) -> bool {
    let values = |schema: &Value| match keyword(schema, "const") {
        Some(value) => Some(vec![value.clone()]),
        None => keyword(schema, "enum")?.as_array().cloned(),
    };
    let (one, other) = (values(one), values(other));
    one.zip(other).is_some_and(|(one, other)| {
        one.iter().chain(&other).all(has_one_form) && !one.iter().any(|value| other.contains(value))
    })
}

/// Returns the schema of a property: the one in `properties`, or else the one in `additionalProperties` if the object's
/// schema has no `patternProperties`. If there is neither, returns `true`, the schema that accepts anything.
fn property<'s>(schema: &'s Value, name: &str, root: &'s Value) -> &'s Value {
    let described = |schema: &'s Value| keyword(schema, "properties")?.as_object()?.get(name);
    let target = follow(schema, root);
    let rest = || keyword(target, "additionalProperties").filter(|_| keyword(target, "patternProperties").is_none());
    described(schema).or_else(|| described(target)).or_else(rest).unwrap_or(&Value::Bool(true))
}

/// Returns `false` for a value that may equal another value although `==` says otherwise: `1.0` equals `1`, even inside
/// an array or an object.
fn has_one_form(value: &Value) -> bool {
    !value.is_f64() && !value.is_array() && !value.is_object()
}

/// Returns `true` for the schemas `false` and `{"not": {}}`, which accept nothing.
///
/// ```
/// assert!(mcp_tool_schema::accepted::is_never(&serde_json::json!({ "not": {} })));
/// ```
pub fn is_never(schema: &Value) -> bool {
    *schema == false || schema.as_object().is_some_and(|all| all.len() == 1 && schema["not"] == json!({}))
}

/// Returns `true` for the schemas `true` and `{}`, which accept anything.
///
/// ```
/// assert!(mcp_tool_schema::accepted::is_anything(&serde_json::json!({})));
/// ```
pub fn is_anything(schema: &Value) -> bool {
    *schema == true || schema.as_object().is_some_and(serde_json::Map::is_empty)
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
            assert!(accepted(&schema).types.intersects(Types::NULL), "{schema}");
        }
        for schema in [
            json!({"type": "integer"}),
            json!({"enum": [1, "null"]}),
            json!({"type": ["integer", "null"], "enum": [1]}),
            json!({"allOf": [{"type": ["integer", "null"]}, {"type": "integer"}]}),
            json!({"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [{"const": 1}, {"type": "boolean"}]}}}),
            json!(false),
        ] {
            assert!(!accepted(&schema).types.intersects(Types::NULL), "{schema}");
        }
    }

    #[test]
    fn strings_are_any_some_or_none() {
        let some = accepted(&json!({"anyOf": [{"enum": ["a", 1]}, {"const": "b"}, {"type": "boolean"}]}));
        assert!(some.accepts_string("a") && some.accepts_string("b") && !some.accepts_string("c"));
        assert!(some.types.intersects(Types::STRING));
        assert!(accepted(&json!({"type": ["string", "integer"], "pattern": "x"})).accepts_string("c"));
        assert!(!accepted(&json!({"type": "integer"})).types.intersects(Types::STRING));
        assert!(!accepted(&json!({"enum": ["a"], "type": "integer"})).types.intersects(Types::STRING));
    }

    #[test]
    fn a_schema_that_contains_itself_can_be_read() {
        let schema = json!({"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/again"}],
            "$defs": {"again": {"allOf": [{"$ref": "#/$defs/again"}, {"type": "array"}]}}});
        let accepted = accepted(&schema);
        assert!(!accepted.types.intersects(Types::STRING) && !accepted.types.intersects(Types::BOOLEAN));
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
                assert_eq!(accepted.accepts(document.root()), expected, "{name} {value}");
            }
        }
    }

    #[test]
    fn the_types_of_a_schema_follow_references_and_unions() {
        let root = json!({"$defs": {"A": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/A"}, {"const": 1}]}}});
        assert_eq!(Types::of(&json!({"type": ["integer", "null"]}), &root), Types::INTEGER.or(Types::NULL));
        assert_eq!(Types::of(&json!({"enum": ["a", "b"]}), &root), Types::STRING);
        assert!(Types::of(&json!({"$ref": "#/$defs/A"}), &root).intersects(Types::STRING));
        assert_eq!(Types::of(&json!({}), &root), Types::ALL);
    }

    #[test]
    fn a_large_float_may_be_an_integer_and_a_number() {
        for (value, integer, fraction) in
            [(json!(3.0), true, false), (json!(1e20), true, true), (json!(0.5), false, true)]
        {
            let types = Types::of_value(&value);
            assert_eq!(
                (types.intersects(Types::INTEGER), types.intersects(Types::FRACTION)),
                (integer, fraction),
                "{value}"
            );
            let document = crate::json::reader::read_value(&value).expect("a document");
            assert_eq!(Types::of_view(document.root()), types, "{value}");
        }
    }

    #[test]
    fn a_schema_that_accepts_nothing_has_no_types() {
        for schema in [json!(false), json!({"not": {}}), json!({"anyOf": [false]}), json!({"allOf": [{}, {"not": {}}]})]
        {
            assert_eq!(Types::of(&schema, &schema), Types::NONE, "{schema}");
        }
    }

    #[test]
    fn the_branches_of_enums_are_disjoint() {
        let tagged =
            |tag: &str| json!({ "type": "object", "properties": { "kind": { "const": tag } }, "required": ["kind"] });
        let external = |name: &str| json!({ "type": "object", "properties": { name: {} }, "required": [name], "additionalProperties": false });
        let root = json!({ "$defs": { "A": tagged("a") } });
        assert!(are_disjoint(&[json!({ "$ref": "#/$defs/A" }), tagged("b"), json!({ "type": "string" })], &root));
        assert!(are_disjoint(&[external("a"), external("b"), json!({ "enum": ["c"] , "type": "string" })], &root));
        assert!(are_disjoint(&[json!({ "const": 1 }), json!({ "const": "1" })], &root));
    }

    #[test]
    fn what_may_overlap_is_not_disjoint() {
        for (one, other) in [
            (json!({ "type": "integer" }), json!({ "type": "number" })),
            (json!({ "const": 1 }), json!({ "const": 1.0 })),
            (json!({ "type": "string" }), json!({ "type": "string", "minLength": 3 })),
            (json!({}), json!({ "type": "string" })),
            (
                json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] }),
                json!({ "type": "object", "properties": { "b": {} }, "required": ["b"] }),
            ),
        ] {
            assert!(!are_disjoint(&[one.clone(), other.clone()], &json!({})), "{one} {other}");
        }
    }
}
