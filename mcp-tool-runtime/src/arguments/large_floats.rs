//! Refuses floats that are too large to be exact, for the few schemas for which it matters whether they are integers.
//!
//! `1e20` is an integer in JSON Schema. Here it is not, because floats beyond 2^53 stand for several integers (rule I3). A schema that accepts
//! fewer values than we would only because of that has a `oneOf`, a `not` or an `if` about integers: of `integer` and `number`, for example,
//! `oneOf` accepts `1e20` here, and refuses it elsewhere. Integers beyond 64 bits may be refused (rule T17), so such a schema refuses all
//! of these floats.

use serde_json::Value;

use crate::document::number::Numeral;
use crate::document::path::{Path, Step};
use crate::document::tape::View;
use crate::document::violation::Violation;
use crate::schema::{reference, walk};

/// Returns `true` if a schema may accept a value because a number in it is not an integer.
pub(crate) fn matter_to(schema: &Value) -> bool {
    let mut found = false;
    walk::visit(schema, &mut |subschema| {
        found |= ["not", "if"]
            .iter()
            .any(|keyword| walk::keyword(subschema, keyword).is_some_and(|inner| is_about_integers(inner, schema)));
        let union = walk::keyword(subschema, "oneOf").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        found |= !is_tagged(union) && union.iter().any(|branch| is_about_integers(branch, schema));
    });
    found
}

/// Returns `true` if a subschema, at any depth, is about integers. The target of a reference is.
fn is_about_integers(schema: &Value, root: &Value) -> bool {
    let mut found = false;
    walk::visit(schema, &mut |subschema| {
        let has_type = match walk::keyword(subschema, "type") {
            Some(Value::Array(names)) => names.iter().any(|name| name == "integer"),
            name => name.is_some_and(|name| name == "integer"),
        };
        let target = walk::keyword(subschema, "$ref").and_then(Value::as_str);
        // One reference deep: further ones are taken for such.
        found |= has_type
            || target.is_some_and(|target| {
                reference::resolve(root, target).is_none_or(|target| {
                    let text = target.to_string();
                    text.contains("\"integer\"") || text.contains("\"$ref\"")
                })
            });
    });
    found
}

/// Returns `true` if a value matches one branch at most, whatever its numbers are: the branches require different constants, or are objects
/// with one required property each, as serde writes enums.
fn is_tagged(branches: &[Value]) -> bool {
    let required = |branch: &Value| {
        let names = walk::keyword(branch, "required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let constant = |branch: &Value, name: &str| {
        let property = walk::keyword(branch, "properties").and_then(|properties| properties.get(name));
        property.is_some_and(|property| walk::keyword(property, "const").is_some())
    };
    let Some((first, _)) = branches.split_first() else { return true };
    let has_tag = required(first)
        .iter()
        .any(|name| branches.iter().all(|branch| required(branch).contains(name) && constant(branch, name)));
    let is_variant = |branch: &Value| {
        let is_text = walk::keyword(branch, "type").is_some_and(|name| name == "string");
        let is_closed = walk::keyword(branch, "additionalProperties").is_some_and(|others| others == false);
        is_text || (is_closed && required(branch).len() == 1)
    };
    has_tag || branches.iter().all(is_variant)
}

/// Returns a violation if a document has such a float.
pub(crate) fn violation(document: View<'_>) -> Option<Violation> {
    find(document).map(|mut path| {
        path.reverse();
        Violation::new(path, "expected a number below 2^53, or an integer of 64 bits without an exponent or a point")
    })
}

/// Returns the path to such a float, innermost step first. The depth of a document is limited, so the recursion is.
fn find(value: View<'_>) -> Option<Path> {
    if let Some(number @ Numeral::Float(_)) = value.number() {
        return (number.is_whole() && number.integer().is_none()).then(Path::default);
    }
    let inside = |step: Step, value: View<'_>| {
        find(value).map(|mut path| {
            path.push(step);
            path
        })
    };
    let mut elements = value.elements().into_iter().flatten().enumerate();
    let mut properties = value.properties().into_iter().flatten();
    elements
        .find_map(|(index, element)| inside(Step::Index(index), element))
        .or_else(|| properties.find_map(|(name, value)| inside(Step::Key(name.to_owned()), value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_is_found_if_it_may_accept_a_value_because_a_number_is_no_integer() {
        let integer = json!({ "type": "integer" });
        let nested = json!({ "type": "object", "properties": { "a": { "type": ["integer", "null"] } } });
        for schema in [
            json!({ "properties": { "a": { "oneOf": [integer, { "type": "number", "minimum": 2 }] } } }),
            json!({ "oneOf": [nested, {}] }),
            json!({ "not": integer }),
            json!({ "if": nested }),
            json!({ "oneOf": [{ "$ref": "#/$defs/N" }, { "type": "number" }], "$defs": { "N": integer } }),
        ] {
            assert!(matter_to(&schema), "{schema}");
        }
        let variant = |name: &str| json!({ "type": "object", "properties": { name: integer }, "required": [name], "additionalProperties": false });
        let tagged = |tag: &str| json!({ "type": "object", "properties": { "kind": { "const": tag }, "n": integer }, "required": ["kind", "n"] });
        for schema in [
            json!({ "properties": { "a": integer }, "anyOf": [integer, { "type": "number" }] }),
            json!({ "oneOf": [variant("a"), variant("b"), { "type": "string", "enum": ["c"] }] }),
            json!({ "oneOf": [tagged("a"), tagged("b")] }),
            json!({ "oneOf": [{ "type": "string" }, { "type": "number" }], "not": { "type": "null" } }),
        ] {
            assert!(!matter_to(&schema), "{schema}");
        }
    }
}
