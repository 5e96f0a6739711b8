//! Ignores a content beside the tag of a unit variant, as any unknown property of an open object.
//!
//! The schema of a unit variant of an adjacently tagged enum has the tag alone, and allows any other property. serde refuses the property
//! that is the content of the other variants, unless it is `null`.

use serde_json::Value;

use super::Located;
use crate::arguments::published::{properties, publish, schemas_at, schemas_inside};
use crate::json::path::{Path, Step};
use crate::json::tape::{Slot, Tape, View, element_positions, property_positions};
use crate::schema::walk::keyword;

/// Removes the contents that serde has refused. Returns `true` if the document changed. `path` leads to the content, to the object with the
/// tag if the content is before the tag, or to the value of an untagged enum around them.
pub(crate) fn remove(tape: &mut Tape<'_>, path: &Path, schema: &Value) -> bool {
    let Some(value) = Located::find(tape, path) else { return false };
    if let (Some((object, key)), Some((_, parents))) = (value.property, path.steps().split_last())
        && unknown_beside_tag(tape, object, &schemas_at(schema, parents)).contains(&key)
    {
        tape.remove_property(object, key);
        return true;
    }
    let mut unknown = Vec::new();
    find(tape, value.at, &schemas_at(schema, path.steps()), schema, &mut unknown);
    for (object, key) in &unknown {
        tape.remove_property(*object, *key);
    }
    !unknown.is_empty()
}

/// Finds the contents in a value. Each has the position of its object, and that of its key.
fn find(tape: &Tape<'_>, at: usize, schemas: &[&Value], root: &Value, found: &mut Vec<(usize, usize)>) {
    if schemas.is_empty() {
        return;
    }
    let slots = tape.slots_from(0);
    match &slots[at] {
        Slot::Object(_) => {
            // In the variant of an internally tagged enum, an unknown property may be an alias of a known one.
            let is_of_unit = |schema: &&Value| {
                let tags = tags(schema).count();
                tags > 0 && tags == properties(schema).count()
            };
            let units: Vec<_> = schemas.iter().copied().filter(is_of_unit).collect();
            if !unknown_beside_tag(tape, at, &units).is_empty() {
                found.extend(unknown_beside_tag(tape, at, schemas).into_iter().map(|key| (at, key)));
            }
            for (_, name, value) in property_positions(slots, at) {
                find(tape, value, &schemas_inside(schemas, &Step::Key(name.into()), root), root, found);
            }
        }
        Slot::Array(_) => {
            for (index, element) in element_positions(slots, at).enumerate() {
                find(tape, element, &schemas_inside(schemas, &Step::Index(index), root), root, found);
            }
        }
        _ => {}
    }
}

/// Returns the positions of the keys that the schema of a variant does not have, if the value is an object with a tag: those that another
/// variant has, or else all of them.
fn unknown_beside_tag(tape: &Tape<'_>, at: usize, schemas: &[&Value]) -> Vec<usize> {
    let object = View::of_slots(tape.slots_from(at));
    let is_given = |(name, value): (&String, &Value)| object.get(name).is_some_and(|tag| tag.to_value() == *value);
    let (own, others): (Vec<_>, Vec<_>) = schemas.iter().copied().partition(|schema| tags(schema).all(is_given));
    if own.iter().all(|schema| tags(schema).next().is_none()) {
        return Vec::new();
    }
    let keys = property_positions(tape.slots_from(0), at).filter(|(_, name, _)| !publish(&own, name));
    let keys: Vec<_> = keys.map(|(key, name, _)| (key, publish(&others, name))).collect();
    let is_of_other = keys.iter().any(|(_, of_other)| *of_other);
    keys.into_iter().filter(|(_, of_other)| *of_other == is_of_other).map(|(key, _)| key).collect()
}

/// Returns the properties with a `const`.
fn tags(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    properties(schema).filter_map(|(name, property)| Some((name, keyword(property, "const")?)))
}
