//! What rule I3 forgives by the schema alone: aliases before the document is checked, nulls when it was refused.

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
    for branch in schema["allOf"].as_array().into_iter().flatten() {
        drop_nulls(node, branch, root);
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches = schema[keyword].as_array().map_or(&[][..], Vec::as_slice);
        // One branch at the most: what another one requires must stay, and a value is walked through once.
        if let Some(branch) = only_branch(node, branches, root) {
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

/// The branch of a union that a value was meant for: the only one of its type and its tags, or else the only one of
/// those whose required members are all there.
pub(crate) fn only_branch<'s>(node: &Node<'_>, branches: &'s [Value], root: &'s Value) -> Option<&'s Value> {
    let fits = |branch: &&Value| fits(node, resolve(branch, root));
    let is_complete = |branch: &&Value| is_complete(node, resolve(branch, root));
    only(branches.iter().filter(fits)).or_else(|| only(branches.iter().filter(fits).filter(is_complete)))
}

fn only<T>(mut candidates: impl Iterator<Item = T>) -> Option<T> {
    let first = candidates.next()?;
    candidates.next().is_none().then_some(first)
}

/// Whether a value has the type of a branch, and its tags.
fn fits(node: &Node<'_>, branch: &Value) -> bool {
    let kind = match node {
        Node::Null => "null",
        Node::Bool(_) => "boolean",
        Node::Number(_) => "number",
        Node::String(_) => "string",
        Node::Array(_) => "array",
        Node::Object(_) => "object",
    };
    let is_kind = |name: &Value| name == kind || kind == "number" && name == "integer";
    let of_type = match &branch["type"] {
        Value::Array(kinds) => kinds.iter().any(is_kind),
        Value::Null => true,
        name => is_kind(name),
    };
    let properties = branch["properties"].as_object().into_iter().flatten();
    let mut tags = properties.filter_map(|(name, property)| Some((name, property.get("const")?)));
    let tagged = tags.all(|(name, tag)| match (node.get(name), tag) {
        (Some(Node::String(text)), Value::String(tag)) => text == tag,
        (Some(other), tag) => other.to_value() == *tag,
        (None, _) => !matches!(node, Node::Object(_)),
    });
    of_type && tagged
}

/// Whether an object has all members that a branch requires.
fn is_complete(node: &Node<'_>, branch: &Value) -> bool {
    let mut required = branch["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    !matches!(node, Node::Object(_)) || required.all(|name| node.get(name).is_some())
}

/// The schema, or the one that it refers to.
pub(crate) fn resolve<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
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
