//! Finds the values to coerce: walks the document and its schema together.
//!
//! Within one branch of a union, a value is visited once for each schema that describes it, so the work stays linear in
//! the document.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::Value;

use crate::json::reader;
use crate::json::tape::{Slot, Tape, View, element_positions, property_positions, slot_count};
use crate::schema::accepted::{Accepted, Reader, Types};
use crate::schema::branch::candidates;
use crate::schema::normalise::NullablePlace;
use crate::schema::walk::{keyword, keyword_or_null};

/// What may change in a document. Each variant includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Coercions {
    /// Where the schema accepts an integer and no fraction, `3.0` becomes `3`.
    Floats,
    /// A `null` for an optional property is removed if the schema refuses it.
    Nulls,
    /// A string that the schema refuses is replaced with the value that it spells. For an optional property, a string
    /// that is blank or spells `null` is removed.
    Strings,
}

/// Coerces the values whose slots are in `refused`, and the unions around them. Without `refused`, coerces all values.
/// Returns `true` if the document changed.
///
/// `nullable` has the properties whose `null` stays, although the schema refuses it.
pub(crate) fn apply<'n>(
    schema: &Value,
    nullable: impl IntoIterator<Item = &'n NullablePlace>,
    tape: &mut Tape<'_>,
    coercions: Coercions,
    refused: Option<Vec<Range<usize>>>,
) -> bool {
    let nullable =
        nullable.into_iter().filter_map(|(pointer, _)| schema.pointer(pointer)).map(std::ptr::from_ref).collect();
    let place = Place { schema, depth: 0, texts: 0, coercions };
    apply_at(place, &nullable, tape, &mut Reader::new(schema), refused)
}

/// Coerces a whole document: the one that was sent, or one that was parsed from a string inside it. `place` contains
/// the schema of the document.
fn apply_at<'s>(
    place: Place<'s>,
    nullable: &HashSet<*const Value>,
    tape: &mut Tape<'_>,
    reader: &mut Reader<'s>,
    refused: Option<Vec<Range<usize>>>,
) -> bool {
    let slots = tape.slots_from(0).iter().enumerate();
    let is_changeable = |slot: &Slot<'_>| match slot {
        Slot::Null => place.coercions >= Coercions::Nulls,
        slot => slot.integral_float().is_some(),
    };
    let changeable: Vec<_> = slots.filter(|(_, slot)| is_changeable(slot)).map(|(at, _)| at).collect();
    if changeable.is_empty() && place.coercions < Coercions::Strings {
        return false;
    }
    let mut walk = Walk {
        reader,
        nullable,
        tape,
        changeable,
        refused,
        visited_branches: HashSet::new(),
        visited: HashSet::new(),
        nesting: 0,
        found: Found::default(),
    };
    walk.visit(place, 0);
    let Found { mut removed, mut replaced, .. } = walk.found;
    // Two schemas may describe the same value, which is then found twice.
    removed.sort_unstable();
    removed.dedup();
    replaced.sort_by_key(|(at, _)| *at);
    replaced.dedup_by_key(|(at, _)| *at);
    let has_changed = !removed.is_empty() || !replaced.is_empty();
    // Remove properties first. That moves no slots, so the positions in `replaced` stay valid.
    for (object, key) in removed {
        tape.remove_property(object, key);
    }
    if !replaced.is_empty() {
        tape.replace_scalars(replaced);
    }
    has_changed
}

/// The maximum depth of nested schemas, the same as in the validator. Values further inside are not coerced.
const MAX_NESTING: usize = 1_024;

struct Walk<'s, 'd> {
    reader: &'d mut Reader<'s>,
    /// The properties whose `null` stays. They are not in [`Place`], because each level of the walk has several copies
    /// of a `Place` on the stack.
    nullable: &'d HashSet<*const Value>,
    tape: &'d Tape<'d>,
    /// The positions of the integral floats and, if they may be removed, of the `null`s, in order.
    changeable: Vec<usize>,
    /// The slots of the values that the schema refuses, or `None` for the whole document.
    refused: Option<Vec<Range<usize>>>,
    /// Each schema that was visited as one of several branches, with the position of the value.
    visited_branches: HashSet<(*const Value, usize)>,
    /// Each schema that was visited within the current branch, with the position of the value. Several paths may lead
    /// to the same schema and value, and a schema may refer to itself.
    visited: HashSet<(*const Value, usize)>,
    /// The nesting depth of the schema that is being visited.
    nesting: usize,
    found: Found,
}

impl<'s> Walk<'s, '_> {
    /// Adds to `found` what to change inside the value at `at`, according to the schema of `place`.
    fn visit(&mut self, place: Place<'s>, at: usize) {
        let schema = self.reader.follow(place.schema);
        if self.nesting == MAX_NESTING || !self.visited.insert((schema, at)) {
            return;
        }
        self.nesting += 1;
        for inner in keyword_or_null(schema, "allOf").as_array().into_iter().flatten() {
            self.visit(place.with(inner), at);
        }
        for branches in ["anyOf", "oneOf"].into_iter().filter_map(|union| keyword(schema, union)?.as_array()) {
            let view = View::of_slots(self.tape.slots_from(at));
            // Ignore `refused` inside the union: the branch chosen here may refuse values that `refused` does not list.
            let refused = self.refused.take();
            match candidates(view, branches, self.reader).as_slice() {
                [only] => self.visit(place.with(only), at),
                several => self.visit_candidates(place, several, at),
            }
            self.refused = refused;
        }
        match &self.tape.slots_from(at)[0] {
            Slot::Object(_) => self.visit_properties(place, schema, at),
            Slot::Array(_) => {
                let (prefix, rest) = (keyword_or_null(schema, "prefixItems").as_array(), keyword(schema, "items"));
                for (index, element) in element_positions(self.tape.slots_from(0), at).enumerate() {
                    if let Some(inner) = prefix.and_then(|prefix| prefix.get(index)).or(rest)
                        && self.may_change(place, element)
                    {
                        self.coerce_child(place.below(inner), element);
                    }
                }
            }
            _ => {}
        }
        self.nesting -= 1;
    }

    /// Visits the branches that a value may be meant for, if there are several. A `null` is removed if one branch
    /// treats it as absent and no branch accepts it. A float becomes an integer if no branch accepts fractions there.
    fn visit_candidates(&mut self, place: Place<'s>, candidates: &[&'s Value], at: usize) {
        let outer = std::mem::take(&mut self.found);
        let visited = std::mem::take(&mut self.visited);
        let coercions = place.coercions.min(Coercions::Nulls);
        for &schema in candidates {
            // Visit each schema once per value: nested unions can lead to the same schema in exponentially many ways.
            if self.visited_branches.insert((std::ptr::from_ref(schema), at)) {
                self.visit(Place { coercions, ..place.with(schema) }, at);
            }
        }
        self.visited = visited;
        let Found { removed, kept, replaced, fractions } = std::mem::replace(&mut self.found, outer);
        self.found.removed.extend(removed.into_iter().filter(|null| !kept.contains(null)));
        self.found.kept.extend(kept);
        self.found.replaced.extend(replaced.into_iter().filter(|(float, _)| !fractions.contains(float)));
        self.found.fractions.extend(fractions);
    }

    fn visit_properties(&mut self, place: Place<'s>, schema: &'s Value, object: usize) {
        let properties = keyword_or_null(schema, "properties").as_object();
        let others = keyword(schema, "additionalProperties");
        let required = keyword_or_null(schema, "required").as_array();
        let slots = self.tape.slots_from(0);
        for (key, name, value) in property_positions(slots, object) {
            if !self.may_change(place, value) {
                continue;
            }
            let property = properties.and_then(|properties| properties.get(name));
            let Some(inner) = property.or(others) else { continue };
            let is_optional =
                || property.is_some() && !required.is_some_and(|required| required.iter().any(|other| *other == *name));
            match &slots[value] {
                Slot::Null if self.nullable.contains(&std::ptr::from_ref(inner)) => {}
                // A `null` that one branch of a union accepts stays, even if another branch would treat it as absent.
                Slot::Null if self.reader.read(inner).types.intersects(Types::NULL) => {
                    self.found.kept.insert((object, key));
                }
                Slot::Null if is_optional() => self.found.removed.push((object, key)),
                Slot::String(text) if place.parses_strings() && is_optional() && self.means_absent(text, inner) => {
                    self.found.removed.push((object, key));
                }
                _ => self.coerce_child(place.below(inner), value),
            }
        }
    }

    /// Returns `true` if the value at `at` may be or contain something to coerce. Skipping all other values saves 15%
    /// of the time of a call with an order of 20 items.
    fn may_change(&self, place: Place<'_>, at: usize) -> bool {
        let end = at + slot_count(self.tape.slots_from(at));
        let next = self.changeable.partition_point(|value| *value < at);
        let is_refused = |refused: &Vec<Range<usize>>| refused.iter().any(|it| it.start < end && at < it.end);
        (place.parses_strings() || self.changeable.get(next).is_some_and(|value| *value < end))
            && self.refused.as_ref().is_none_or(is_refused)
    }

    /// Returns `true` if a string stands for an absent property: it is blank or spells `null`, and the schema accepts
    /// no strings.
    fn means_absent(&mut self, text: &str, schema: &'s Value) -> bool {
        matches!(text.trim(), "" | "null") && !self.reader.read(schema).types.intersects(Types::STRING)
    }

    /// Adds to `found` what to change in the value of a property or in an element.
    fn coerce_child(&mut self, place: Place<'s>, at: usize) {
        let slot = &self.tape.slots_from(at)[0];
        if let Some(integer) = slot.integral_float() {
            if self.reader.read(place.schema).types.intersects(Types::FRACTION) {
                self.found.fractions.insert(at);
            } else {
                self.found.replaced.push((at, Tape::new(vec![Slot::Number(integer)])));
            }
            return;
        }
        match slot {
            Slot::Array(_) | Slot::Object(_) => self.visit(place, at),
            Slot::String(text) if place.parses_strings() => {
                let accepted = self.reader.read(place.schema);
                if !accepted.accepts_string(text)
                    && let Some(value) = parse(text, &accepted, place, self.nullable, self.reader)
                {
                    self.found.replaced.push((at, value));
                }
            }
            _ => {}
        }
    }
}

/// The maximum depth of JSON text inside JSON text. The limit bounds the work, because each level is parsed once more.
const MAX_TEXTS: usize = 4;

/// Returns the value that a string spells, if the schema may accept it. If the value is an array or an object, the
/// values inside it are coerced too.
fn parse<'s>(
    text: &str,
    accepted: &Accepted,
    place: Place<'s>,
    nullable: &HashSet<*const Value>,
    reader: &mut Reader<'s>,
) -> Option<Tape<'static>> {
    let text = text.trim();
    if matches!(text, "true" | "True" | "false" | "False") && accepted.types.intersects(Types::BOOLEAN) {
        return Some(Tape::new(vec![Slot::Bool(text.eq_ignore_ascii_case("true"))]));
    }
    let is_document = text.starts_with(['[', '{']);
    let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let may_be_parsed = is_number || is_document && place.texts < MAX_TEXTS;
    if !may_be_parsed {
        return None;
    }
    let mut document = reader::read_text_at_depth(text, place.depth).ok()?;
    if !accepted.accepts(document.root()) {
        return None;
    }
    if is_document {
        apply_at(Place { texts: place.texts + 1, ..place }, nullable, &mut document, reader, None);
    }
    Some(document.into_owned())
}

/// The schema of a value, its depth, and the coercions that are allowed there.
#[derive(Clone, Copy)]
struct Place<'s> {
    schema: &'s Value,
    /// The number of arrays and objects around the value.
    depth: usize,
    /// The number of strings around the value that were parsed as JSON.
    texts: usize,
    coercions: Coercions,
}

impl<'s> Place<'s> {
    fn parses_strings(self) -> bool {
        self.coercions == Coercions::Strings
    }

    fn with(self, schema: &'s Value) -> Self {
        Self { schema, ..self }
    }

    fn below(self, schema: &'s Value) -> Self {
        Self { schema, depth: self.depth + 1, ..self }
    }
}

/// What to change in a document, and what must stay.
#[derive(Default)]
struct Found {
    /// Each property to remove: the positions of its object and of its key.
    removed: Vec<(usize, usize)>,
    /// The same two positions for each property whose `null` some schema accepts as a value.
    kept: HashSet<(usize, usize)>,
    replaced: Vec<(usize, Tape<'static>)>,
    /// The position of each integral float where some schema accepts fractions.
    fractions: HashSet<usize>,
}
