//! What is forgiven where the exact reading found a fault, and only there.
//!
//! A `null` that is refused stands for something left out (rule I3). With `lax(true)` a text that is refused is read as
//! the number, the boolean, the array or the object that it spells: some models send `"3"` for `3`, and a JSON text for
//! an object.

use serde_json::Value;

use super::lenient;
use crate::document::path::{Path, Step};
use crate::document::reader;
use crate::document::tape::{Item, Slot, Tape, View, property_positions};
use crate::document::violation::Violation;

/// How often the faults of what was read are looked at again: a text may hold further texts.
pub(crate) const ROUNDS: usize = 4;

/// How often a type is asked again, which tells one fault at a time.
pub(crate) const ROUNDS_OF_A_TYPE: usize = 32;

/// Mends what can be mended at the faults; whether anything was. A `null` is taken out where the schema, if there is
/// one, knows a property: what stands in a map by a name of the caller's was not left out.
pub(crate) fn forgive(tape: &mut Tape<'_>, faults: &[Violation], texts: bool, schema: Option<&Value>) -> bool {
    let mut forgiven = false;
    for fault in faults.iter().filter(|fault| !fault.is_unknown_property) {
        let Some(place) = Place::find(tape, &fault.path) else { continue };
        match &tape.slots_from(place.at)[0] {
            Slot::Null if schema.is_some_and(|schema| !lenient::is_property(schema, &fault.path)) => {}
            Slot::Null => forgiven |= leave_out(tape, &place),
            Slot::String(_) if texts => forgiven |= read_text(tape, &place),
            _ => {}
        }
    }
    forgiven
}

/// Where a value stands in a document.
struct Place {
    at: usize,
    /// The arrays and objects around it, outermost first.
    above: Vec<usize>,
    /// The place of its key, when it is the member of an object.
    key: Option<usize>,
}

impl Place {
    fn find(tape: &Tape<'_>, path: &Path) -> Option<Self> {
        let slots = tape.slots_from(0);
        let mut place = Self { at: 0, above: Vec::new(), key: None };
        for step in path.steps() {
            let (key, value) = match (&slots[place.at], step) {
                (Slot::Object(_), Step::Key(name)) => {
                    let named = |key: usize| matches!(&slots[key], Slot::String(text) if text == name);
                    let (key, value) = property_positions(slots, place.at).find(|(key, _)| named(*key))?;
                    (Some(key), value)
                }
                (Slot::Array(_), Step::Index(index)) => (None, element(slots, place.at, *index)?),
                _ => return None,
            };
            place.above.push(place.at);
            (place.key, place.at) = (key, value);
        }
        Some(place)
    }
}

/// The place of an element of an array.
fn element(slots: &[Slot<'_>], array: usize, index: usize) -> Option<usize> {
    let Slot::Array(extent) = &slots[array] else { return None };
    let size = |at: usize| match &slots[at] {
        Slot::Array(extent) | Slot::Object(extent) => 1 + extent.span,
        _ => 1,
    };
    (index < extent.len).then(|| (0..index).fold(array + 1, |at, _| at + size(at)))
}

/// Takes a member out of its object.
fn leave_out(tape: &mut Tape<'_>, place: &Place) -> bool {
    let (Some(key), Some(object)) = (place.key, place.above.last()) else { return false };
    tape.remove_property(*object, key);
    true
}

/// Puts what a text spells in its place, unless that is a text again, or nothing.
fn read_text(tape: &mut Tape<'_>, place: &Place) -> bool {
    let Slot::String(text) = &tape.slots_from(place.at)[0] else { return false };
    let Ok(document) = reader::read_text_at_depth(text.trim(), place.above.len()) else { return false };
    if matches!(View::item(document.root()), Item::Null | Item::String(_)) {
        return false;
    }
    let document = document.into_owned();
    tape.replace(place.at, document, &place.above);
    true
}
