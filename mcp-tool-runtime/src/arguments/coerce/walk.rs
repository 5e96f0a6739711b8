//! Finds the values of a document that can be coerced, with the compiled schema.
//!
//! However many values are coerced, each value is visited once for each schema that describes it.

use std::collections::HashSet;

use super::plan::{Coercions, CompiledSchema};
use super::spelled;
use crate::json::tape::{Replacement, Slot, Tape, View, property_positions, slot_count};
use crate::schema::accepted::Types;
use crate::schema::branch::candidates;

impl Coercions {
    /// Removes each `null` that is sent for an optional property. With `parse_strings`, also replaces each string that spells the expected
    /// value. Returns `true` if the document changed.
    pub(super) fn apply(&self, tape: &mut Tape<'_>, parse_strings: bool) -> bool {
        self.apply_at(Place { schema: 0, depth: 0, texts: 0, parse_strings }, tape)
    }

    /// Coerces a document that is the value at this place of a larger document.
    pub(super) fn apply_at(&self, place: Place, tape: &mut Tape<'_>) -> bool {
        let mut found = Found::default();
        self.visit(place, None, 0, tape, &mut found);
        let Found { mut removed, mut replaced, .. } = found;
        // Two schemas may describe the same value.
        removed.sort_unstable();
        removed.dedup();
        replaced.sort_by_key(|(at, _)| *at);
        replaced.dedup_by_key(|(at, _)| *at);
        let has_changed = !removed.is_empty() || !replaced.is_empty();
        // Removing a property moves no slot, so it comes first.
        for (object, key) in removed {
            tape.remove_property(object, key);
        }
        if !replaced.is_empty() {
            tape.replace_scalars(replaced);
        }
        has_changed
    }

    /// Visits the value at `at` with one schema. `previous` are the schemas that led to this one at the same value.
    fn visit(&self, place: Place, previous: Option<&Visit<'_>>, at: usize, tape: &Tape<'_>, found: &mut Found) {
        let visit = Visit { schema: place.schema, previous };
        if visit.is_repeated() {
            return;
        }
        let schema = &self.schemas[place.schema];
        for schema in &schema.all_of {
            self.visit(place.with(*schema), Some(&visit), at, tape, found);
        }
        for branches in &schema.unions {
            let view = View::of_slots(tape.slots_from(at));
            match candidates(view, branches.iter().map(|(branch, schema)| (branch, *schema))).as_slice() {
                [] => {}
                [only] => {
                    if let Some(schema) = only {
                        self.visit(place.with(*schema), Some(&visit), at, tape, found);
                    }
                }
                several => self.visit_candidates(place, &visit, several, at, tape, found),
            }
        }
        match &tape.slots_from(at)[0] {
            Slot::Object(_)
                if !schema.properties.is_empty()
                    || schema.additional_properties.is_some()
                    || schema.others_may_be_null =>
            {
                self.visit_properties(place, schema, at, tape, found);
            }
            Slot::Array(extent) if !schema.prefix_items.is_empty() || schema.items.is_some() => {
                let mut element = at + 1;
                for index in 0..extent.len {
                    if let Some(schema) = schema.prefix_items.get(index).copied().unwrap_or(schema.items) {
                        self.coerce_child(place.below(schema), element, tape, found);
                    }
                    element += slot_count(tape.slots_from(element));
                }
            }
            _ => {}
        }
    }

    /// Visits the branches that a value may be meant for. A `null` is removed if some branch reads it as absent and no other accepts it.
    fn visit_candidates(
        &self,
        place: Place,
        visit: &Visit<'_>,
        candidates: &[Option<usize>],
        at: usize,
        tape: &Tape<'_>,
        found: &mut Found,
    ) {
        let mut of_all = Found { visited: std::mem::take(&mut found.visited), ..Found::default() };
        for schema in candidates.iter().copied().flatten() {
            // Nested unions lead to one value in many ways, so each schema visits it once.
            if of_all.visited.insert((schema, at)) {
                let place = Place { parse_strings: false, ..place.with(schema) };
                self.visit(place, Some(visit), at, tape, &mut of_all);
            }
        }
        found.visited = of_all.visited;
        found.removed.extend(of_all.removed.into_iter().filter(|null| !of_all.kept.contains(null)));
        found.kept.extend(of_all.kept);
    }

    fn visit_properties(
        &self,
        place: Place,
        schema: &CompiledSchema,
        object: usize,
        tape: &Tape<'_>,
        found: &mut Found,
    ) {
        let slots = tape.slots_from(0);
        for (key, value) in property_positions(slots, object) {
            let Slot::String(name) = &slots[key] else { continue };
            let property = schema.property(name);
            let inner = property.map_or(schema.additional_properties, |property| property.schema);
            let is_absent = property.is_some_and(|property| match &slots[value] {
                Slot::Null => property.null_is_absent,
                Slot::String(text) if place.parse_strings && property.is_optional => self.means_absent(text, inner),
                _ => false,
            });
            if is_absent {
                found.removed.push((object, key));
            } else if matches!(slots[value], Slot::Null) {
                if property.map_or(schema.others_may_be_null, |property| property.null_is_value) {
                    found.kept.insert((object, key));
                }
            } else if let Some(inner) = inner {
                self.coerce_child(place.below(inner), value, tape, found);
            }
        }
    }

    /// Returns `true` if a text means that an optional property is absent. The property's schema must not accept strings.
    fn means_absent(&self, text: &str, schema: Option<usize>) -> bool {
        let accepted = schema.and_then(|schema| self.schemas[schema].accepted.as_ref());
        accepted.is_some_and(|accepted| {
            let text = text.trim();
            !accepted.types.intersects(Types::STRING) && (text.is_empty() || text == "null")
        })
    }

    /// Coerces the value of a property, or an element: visits an array or object, and replaces a string with `parse_strings`.
    fn coerce_child(&self, place: Place, at: usize, tape: &Tape<'_>, found: &mut Found) {
        match &tape.slots_from(at)[0] {
            Slot::Array(_) | Slot::Object(_) => self.visit(place, None, at, tape, found),
            Slot::String(text) if place.parse_strings => {
                if let Some(accepted) = &self.schemas[place.schema].accepted
                    && !accepted.accepts_string(text)
                    && let Some(value) = spelled::parse(text, accepted, place, self)
                {
                    found.replaced.push((at, value));
                }
            }
            _ => {}
        }
    }
}

/// The schema for a value, and what is known about the way to it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) schema: usize,
    /// The number of arrays and objects around the value.
    pub(super) depth: usize,
    /// The number of texts around the value that were parsed as JSON.
    pub(super) texts: usize,
    pub(super) parse_strings: bool,
}

impl Place {
    fn with(self, schema: usize) -> Self {
        Self { schema, ..self }
    }

    fn below(self, schema: usize) -> Self {
        Self { schema, depth: self.depth + 1, ..self }
    }
}

/// What to change in a document.
#[derive(Default)]
struct Found {
    /// The position of the object, and that of the key.
    removed: Vec<(usize, usize)>,
    /// Each `null` that some schema accepts as a value.
    kept: HashSet<(usize, usize)>,
    /// The schemas that were visited as one of several branches, each with the position of the value.
    visited: HashSet<(usize, usize)>,
    replaced: Vec<(usize, Replacement)>,
}

/// A schema that is applied to a value, and the schemas that led to it at the same value.
#[derive(Clone, Copy)]
struct Visit<'v> {
    schema: usize,
    previous: Option<&'v Visit<'v>>,
}

impl Visit<'_> {
    /// Returns `true` if the schema was already applied to this same value. Without this check, the recursion has no end.
    fn is_repeated(&self) -> bool {
        std::iter::successors(self.previous, |visit| visit.previous).any(|visit| visit.schema == self.schema)
    }
}
