//! Ignores a content beside the tag of a unit variant, as any unknown property of an open object.
//!
//! The schema of a unit variant of an adjacently tagged enum has the tag alone, and allows any other property. serde refuses the property
//! that is the content of the other variants, unless it is `null`.

use serde_json::Value;

use super::Located;
use crate::arguments::published::schemas_of;
use crate::json::path::Path;
use crate::json::tape::{Slot, Tape, View, property_positions};
use crate::schema::walk::{keyword, keyword_or_null};

/// Removes the content that serde has refused. Returns `true` if the document changed. `path` leads to the content, or to the object with
/// the tag if the content is before the tag.
pub(crate) fn remove(tape: &mut Tape<'_>, path: &Path, schema: &Value) -> bool {
    let Some(value) = Located::find(tape, path) else { return false };
    let mut parent = path.clone();
    parent.pop();
    let unknown = unknown_beside_tag(tape, &parent, schema);
    if value.key.is_some_and(|key| unknown.contains(&key)) {
        return super::remove(tape, &value);
    }
    let unknown = unknown_beside_tag(tape, path, schema);
    for key in &unknown {
        tape.remove_property(value.at, *key);
    }
    !unknown.is_empty()
}

/// Returns the positions of the keys that the schema of a variant does not have, if the value at `path` is an object with a tag: those that
/// another variant has, or else all of them.
fn unknown_beside_tag(tape: &Tape<'_>, path: &Path, schema: &Value) -> Vec<usize> {
    let Some(Located { at, .. }) = Located::find(tape, path) else { return Vec::new() };
    let object = View::of_slots(tape.slots_from(at));
    let is_given = |(name, value): (&String, &Value)| object.get(name).is_some_and(|tag| tag.to_value() == *value);
    let (own, others): (Vec<_>, Vec<_>) =
        schemas_of(schema, path).into_iter().partition(|schema| tags(schema).all(is_given));
    if own.iter().all(|schema| tags(schema).next().is_none()) {
        return Vec::new();
    }
    let slots = tape.slots_from(0);
    let keys = property_positions(slots, at).filter_map(|(key, _)| match &slots[key] {
        Slot::String(name) if !lists(&own, name) => Some((key, lists(&others, name))),
        _ => None,
    });
    let keys: Vec<_> = keys.collect();
    let is_of_other = keys.iter().any(|(_, of_other)| *of_other);
    keys.into_iter().filter(|(_, of_other)| *of_other == is_of_other).map(|(key, _)| key).collect()
}

/// Returns the properties with a `const`.
fn tags(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    properties(schema).filter_map(|(name, property)| Some((name, keyword(property, "const")?)))
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    keyword_or_null(schema, "properties").as_object().into_iter().flatten()
}

fn lists(schemas: &[&Value], name: &str) -> bool {
    schemas.iter().any(|schema| properties(schema).any(|(own, _)| own == name))
}
