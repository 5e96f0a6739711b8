//! Resolves the aliases that serde hides from the [probe](super::probe): behind `flatten`, in untagged and internally tagged enums, and in
//! maps whose keys cannot be made up.
//!
//! serde reads such a type from a buffer and passes no names to the deserializer. So the type is asked about the document itself, after the
//! schema has refused it. A property is another name of a published one if the type reads the document, but not with both properties:
//! serde refuses a field that is given twice.

use serde_json::Value;

use crate::arguments::coerce::Located;
use crate::arguments::published::{properties, schemas_at};
use crate::json::path::{Path, Step};
use crate::json::reader::read_value;
use crate::json::tape::{Tape, View, property_positions};
use crate::json::violation::Violation;

/// The limit of slots in a document. A larger one is refused without a search.
const MAX_SLOTS: usize = 10_000;

/// The limit of slots that are read again: those of the document, for each pair of a property and a published name.
const MAX_READ_SLOTS: usize = 100_000;

/// The limit of objects in which aliases are looked for.
const MAX_OBJECTS: usize = 100;

/// Replaces aliases in the objects that have violations. Returns `true` if the document changed. `reads` returns `true` if the type reads a
/// document.
pub(crate) fn resolve(
    document: &mut Tape<'_>,
    violations: &[Violation],
    schema: &Value,
    reads: impl Fn(&Tape<'_>) -> bool,
) -> bool {
    if document.slots_from(0).len() > MAX_SLOTS || !reads(document) {
        return false;
    }
    let (mut has_changed, mut slots_left) = (false, MAX_READ_SLOTS);
    for path in objects(document, violations) {
        for alias in names(document, &path) {
            let known = published(schema, &path);
            if known.contains(&&*alias) {
                continue;
            }
            let given = names(document, &path);
            for name in known.into_iter().filter(|name| !given.iter().any(|given| given == name)) {
                let Some(left) = slots_left.checked_sub(document.slots_from(0).len()) else { return has_changed };
                slots_left = left;
                if !reads_both(document, &path, &alias, name, &reads)
                    && let Some(renamed) = renamed(document, &path, &alias, name).filter(&reads)
                {
                    *document = renamed;
                    has_changed = true;
                    break;
                }
            }
        }
    }
    has_changed
}

/// Returns the paths to the objects with violations: those that have a violation themselves, or in a property, and those inside a value with
/// a violation, because a union has none inside its variants.
fn objects(document: &Tape<'_>, violations: &[Violation]) -> Vec<Path> {
    let mut found = Vec::new();
    for violation in violations {
        let mut parent = violation.path.clone();
        parent.pop();
        if !found.contains(&parent) {
            found.push(parent);
        }
        if let Some(value) = Located::find(document, &violation.path) {
            add_objects(View::of_slots(document.slots_from(value.at)), &mut violation.path.clone(), &mut found);
        }
    }
    found
}

fn add_objects(value: View<'_>, path: &mut Path, found: &mut Vec<Path>) {
    if value.is_object() && found.len() < MAX_OBJECTS && !found.contains(path) {
        found.push(path.clone());
    }
    let properties = value.properties().into_iter().flatten().map(|(name, value)| (Step::Key(name.into()), value));
    let elements = value.elements().into_iter().flatten().enumerate().map(|(index, value)| (Step::Index(index), value));
    for (step, value) in properties.chain(elements) {
        path.push(step);
        add_objects(value, path, found);
        path.pop();
    }
}

/// Returns the names that the schema has for the properties of an object.
fn published<'s>(schema: &'s Value, path: &Path) -> Vec<&'s str> {
    schemas_at(schema, path.steps()).into_iter().flat_map(properties).map(|(name, _)| name.as_str()).collect()
}

/// Returns the names of an object's properties.
fn names(document: &Tape<'_>, path: &Path) -> Vec<String> {
    let Some(object) = Located::find(document, path) else { return Vec::new() };
    property_positions(document.slots_from(0), object.at).map(|(_, name, _)| name.to_owned()).collect()
}

fn renamed<'d>(document: &Tape<'d>, path: &Path, alias: &str, name: &str) -> Option<Tape<'d>> {
    let (_, key) = Located::find(document, &path.property(alias))?.property?;
    let mut document = document.clone();
    document.rename(key, name.to_owned());
    Some(document)
}

/// Returns `true` if the type reads the property under both names at once.
fn reads_both(document: &Tape<'_>, path: &Path, alias: &str, name: &str, reads: impl Fn(&Tape<'_>) -> bool) -> bool {
    let mut both = document.root().to_value();
    let pointer = path.to_pointer(usize::MAX);
    if let Some(object) = both.pointer_mut(&pointer) {
        object[name] = object[alias].clone();
    }
    read_value(&both).is_ok_and(|document| reads(&document))
}
