//! Finds the properties of an object schema, including those in its `allOf`, `oneOf` and `anyOf`, and the values to
//! choose from for each property.

use serde_json::{Value, json};

use super::Kind;
use super::arg::shown;
use crate::schema::{is_required, reference};

/// The maximum depth to which references, `allOf`, `oneOf` and `anyOf` are followed. There is a limit because a schema
/// may contain itself.
const MAX_DEPTH: usize = 8;

/// A property of an object, or of one branch of a union of objects.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) schema: Value,
    pub(super) is_required: bool,
}

/// Returns the properties in the order of the schema. If several branches have the same property, their schemas are
/// combined.
pub(super) fn fields(schema: &Value, root: &Value) -> Vec<Field> {
    fields_within(schema, root, MAX_DEPTH)
}

fn fields_within(schema: &Value, root: &Value, left: usize) -> Vec<Field> {
    let Some(left) = left.checked_sub(1) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        add(&mut found, Field { name: name.clone(), schema: property.clone(), is_required: is_required(schema, name) });
    }
    for part in reference::target(schema, root).into_iter().chain(schema["allOf"].as_array().into_iter().flatten()) {
        for field in fields_within(part, root, left) {
            add(&mut found, field);
        }
    }
    for union in ["oneOf", "anyOf"] {
        let branches = schema[union].as_array().map_or(&[][..], Vec::as_slice);
        let branches: Vec<_> = branches.iter().map(|branch| fields_within(branch, root, left)).collect();
        // A property that every branch requires, such as the tag, is required.
        let in_all = |name: &str| branches.iter().all(|fields| fields.iter().any(|f| f.name == name && f.is_required));
        let names: Vec<_> = branches.iter().flatten().map(|field| in_all(&field.name)).collect();
        for (field, is_required) in branches.into_iter().flatten().zip(names) {
            add(&mut found, Field { is_required, ..field });
        }
    }
    found
}

/// Adds a property, or combines its schema with that of a known property of the same name.
fn add(found: &mut Vec<Field>, field: Field) {
    let Some(known) = found.iter_mut().find(|known| known.name == field.name) else {
        found.push(field);
        return;
    };
    known.is_required |= field.is_required;
    if known.schema == field.schema {
        return;
    }
    known.schema = match (choices(&known.schema), choices(&field.schema)) {
        (Some(mut values), Some(more)) => {
            values.extend(more);
            json!({"enum": values})
        }
        _ => json!({"anyOf": [known.schema.take(), field.schema]}),
    };
}

/// Returns the values of an `enum` or a `const`, or `None` if the schema has neither.
pub(super) fn choices(schema: &Value) -> Option<Vec<Value>> {
    schema.get("const").map(|value| vec![value.clone()]).or_else(|| schema["enum"].as_array().cloned())
}

/// Returns the pattern of the strings that a flag takes as its value, or as an element of its list or map.
pub(super) fn pattern(schema: &Value, kind: &Kind, root: &Value) -> Option<String> {
    let schema = reference::follow(schema, root);
    let schema = match kind {
        Kind::List(_) => reference::follow(&schema["items"], root),
        Kind::Map(_) => reference::follow(&schema["additionalProperties"], root),
        _ => schema,
    };
    let branches = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema[keyword].as_array()).flatten();
    let branches = branches.map(|branch| reference::follow(branch, root));
    [schema].into_iter().chain(branches).find_map(|schema| schema["pattern"].as_str()).map(str::to_owned)
}

/// The scalars to choose from, for a value or the elements of a list.
#[derive(Debug, Clone)]
pub(super) struct Choices {
    pub(super) texts: Vec<String>,
    /// `true` if the schema accepts no values other than those that it lists.
    pub(super) are_all: bool,
}

impl Choices {
    pub(super) fn of(schema: &Value, kind: &Kind, root: &Value) -> Self {
        let schema = reference::follow(schema, root);
        let schema = match kind {
            Kind::List(_) => schema.get("items").map_or(schema, |items| reference::follow(items, root)),
            _ => schema,
        };
        let branches = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema[keyword].as_array()).flatten();
        let own = choices(schema);
        let branches: Vec<_> = branches.map(|branch| choices(reference::follow(branch, root))).collect();
        let are_all = own.is_some() || !branches.is_empty() && branches.iter().all(Option::is_some);
        let values = own.iter().chain(branches.iter().flatten()).flatten();
        let scalars = values.filter(|value| !value.is_object() && !value.is_array());
        Self { texts: scalars.map(shown).collect(), are_all }
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.texts.iter().any(|known| known == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_of_a_union_is_one_required_choice() {
        let schema = json!({"oneOf": [
            {"properties": {"kind": {"const": "a"}, "size": {"type": "integer"}}, "required": ["kind", "size"]},
            {"properties": {"kind": {"const": "b"}, "size": {"type": "string"}}, "required": ["kind"]},
        ]});
        let fields = fields(&schema, &schema);
        assert_eq!(fields.len(), 2);
        assert_eq!(fields[0].schema, json!({"enum": ["a", "b"]}));
        assert!(fields[0].is_required && !fields[1].is_required);
        assert_eq!(fields[1].schema, json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}));
    }
}
