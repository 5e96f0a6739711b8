//! What rule I3 forgives, done to the document before it is checked.

use serde_json::Value;

use super::fault::Fault;
use super::node::Node;
use crate::path::{Path, quoted};
use crate::schema::reference;

/// Another name that a top-level argument is accepted under, and the name that is published.
pub(crate) type Alias = (&'static str, &'static str);

/// Gives each aliased argument its published name. Both names at once are a fault.
pub(crate) fn rename(root: &mut Node<'_>, aliases: &[Alias]) -> Vec<Fault> {
    let Node::Object(members) = root else { return Vec::new() };
    let mut faults = Vec::new();
    for (alias, name) in aliases {
        let Some(at) = members.iter().position(|(key, _)| key == alias) else { continue };
        if members.iter().any(|(key, _)| key == name) {
            let text = format!("the same argument as {}; give one of them", quoted(name));
            faults.push(Fault::new(Path::default().member(alias), text));
            // Told once; the schema would call it unknown as well.
            members.remove(at);
        } else {
            members[at].0 = (*name).into();
        }
    }
    faults
}

/// Takes out each `null` that stands for an optional property left out, at every depth.
pub(crate) fn drop_nulls(node: &mut Node<'_>, schema: &Value, root: &Value) {
    let schema = resolve(schema, root);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for branch in schema[keyword].as_array().into_iter().flatten() {
            drop_nulls(node, branch, root);
        }
    }
    match node {
        Node::Object(members) => {
            members.retain(|(key, value)| *value != Node::Null || !is_optional(schema, key, root));
            for (key, value) in members {
                let property = &schema["properties"][key.as_ref()];
                let property = if property.is_null() { &schema["additionalProperties"] } else { property };
                drop_nulls(value, property, root);
            }
        }
        Node::Array(elements) => {
            let leading = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
            for (index, value) in elements.iter_mut().enumerate() {
                drop_nulls(value, leading.get(index).unwrap_or(&schema["items"]), root);
            }
        }
        _ => {}
    }
}

/// The schema, or the one that it refers to.
fn resolve<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let mut here = schema;
    for _ in 0..MOST_HOPS {
        match here["$ref"].as_str().and_then(|to| reference::resolve(root, to)) {
            Some(next) => here = next,
            None => break,
        }
    }
    here
}

/// References that lead to references are rare; a circle of them has no end.
const MOST_HOPS: usize = 16;

/// Whether the schema knows the property, does not require it and has no `null` for it.
fn is_optional(schema: &Value, key: &str, root: &Value) -> bool {
    let Some(property) = schema["properties"].get(key) else { return false };
    let required = schema["required"].as_array().is_some_and(|names| names.iter().any(|name| name == key));
    !required && !admits_null(resolve(property, root))
}

/// A schema that says nothing of types admits everything; there `null` is a value like any other only when required.
fn admits_null(schema: &Value) -> bool {
    match &schema["type"] {
        Value::String(kind) => kind == "null",
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "null"),
        _ => false,
    }
}
