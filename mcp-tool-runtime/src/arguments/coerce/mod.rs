//! Coerces values that the schema or the type refused (rule I3).
//!
//! A `null` is removed: many models send it for an argument that they mean to omit. With `lax(true)`, a string is
//! replaced by the number, boolean, array or object that it spells: some models send `"3"` for `3`, and JSON text for an
//! object.
//!
//! [`apply_to_refused`] changes only values that violations name. A union that is refused, contains such a value or lacks a property may change as a
//! whole: the branch that the value is probably meant for decides. If the schema still refuses the document, [`apply`] changes values anywhere.
//!
//! Both find the values with the schema: `schema::accepted` is what a schema accepts, [`walk`] visits a
//! document, [`spelled`] parses a string. They look only at the types in the schema. A value of the right type may still be refused, by
//! a constraint such as `pattern` or by the Rust type: [`coerce`] then coerces the values at the violations.

use std::ops::Range;

use serde_json::Value;

use super::published::is_published;
use crate::json::path::{Path, Step};
use crate::json::reader;
use crate::json::tape::{Item, Slot, Tape, element_positions, property_positions, slot_count};
use crate::json::violation::{MAX_FOUND, Violation};

pub(crate) mod examples;
mod spelled;
pub(crate) mod unit_content;
mod walk;

use walk::apply_to_refused;
pub(crate) use walk::{Coercions, apply};

/// Replaces arguments that were sent as JSON text by the object that the text spells.
pub(crate) fn parse_arguments(tape: &mut Tape<'_>) {
    if let Slot::String(text) = &tape.slots_from(0)[0]
        && let Ok(document) = reader::read_text(text.trim())
        && document.root().is_object()
    {
        *tape = document.into_owned();
    }
}

/// The limit of rounds against a schema. JSON text may contain further JSON text, so one round is not always enough.
pub(crate) const SCHEMA_ROUNDS: usize = 4;

/// The limit of rounds against a type, which reports one violation at a time.
pub(crate) const TYPE_ROUNDS: usize = 32;

/// Coerces the values at the violations where possible. Returns `true` if the document changed.
///
/// With a `schema`, this removes a `null` only from a property that the schema publishes. The client chooses the keys of a
/// map, so a `null` in a map is a value.
pub(crate) fn coerce(
    tape: &mut Tape<'_>,
    violations: &[Violation],
    parse_strings: bool,
    schema: Option<&Value>,
) -> bool {
    let mut changed = false;
    for violation in violations.iter().filter(|violation| !violation.is_unknown_property) {
        let Some(value) = Located::find(tape, &violation.path) else { continue };
        match &tape.slots_from(value.at)[0] {
            Slot::Null if schema.is_none_or(|schema| is_published(schema, &violation.path)) => {
                if let Some((object, key)) = value.property {
                    tape.remove_property(object, key);
                    changed = true;
                }
            }
            Slot::String(text) if parse_strings => {
                // The JSON of `null` or of a string is text, and no value that the text spells.
                if let Ok(document) = reader::read_text_at_depth(text.trim(), violation.path.steps().len())
                    && !matches!(document.root().item(), Item::Null | Item::String(_))
                {
                    let document = document.into_owned();
                    tape.replace_scalars(vec![(value.at, document)]);
                    changed = true;
                }
            }
            _ => {}
        }
    }
    changed
}

/// Coerces a document that `check` refuses: first the values that the violations name, and if that is not enough, values anywhere.
///
/// # Errors
///
/// The violations that are left after the first step. If there are too many for it, those that are left once values anywhere are coerced. Then a
/// violation may be about a value that was valid as it was sent.
pub(crate) fn coerce_refused<'d>(
    schema: &Value,
    document: &mut Tape<'d>,
    lax: bool,
    mut check: impl FnMut(&mut Tape<'d>) -> Vec<Violation>,
) -> Result<(), Vec<Violation>> {
    let refused = check(document);
    let mut coerced = document.clone();
    let to_refused = |document: &mut Tape<'d>, refused: &[Violation]| apply_to_refused(schema, document, lax, refused);
    let (left, is_final) = in_rounds(&mut coerced, refused, to_refused, &mut check);
    if left.is_empty() {
        *document = coerced;
        return Ok(());
    }
    // Violations are large, so no more of them are kept than are needed.
    let left = (is_final && left.len() < MAX_FOUND).then_some(left);
    apply(schema, document, Coercions::of_refused(lax));
    let refused = check(document);
    let left = left.unwrap_or_else(|| refused.clone());
    let at_refused = |document: &mut Tape<'d>, refused: &[Violation]| coerce(document, refused, lax, Some(schema));
    let (refused, _) = in_rounds(document, refused, at_refused, &mut check);
    if refused.is_empty() { Ok(()) } else { Err(left) }
}

/// Changes and checks a document, for at most [`SCHEMA_ROUNDS`] rounds, because a change may uncover further violations. Returns those that are left,
/// and `true` if there are none or the last change changed nothing.
fn in_rounds<'d>(
    document: &mut Tape<'d>,
    mut violations: Vec<Violation>,
    change: impl Fn(&mut Tape<'d>, &[Violation]) -> bool,
    check: &mut impl FnMut(&mut Tape<'d>) -> Vec<Violation>,
) -> (Vec<Violation>, bool) {
    for _ in 0..SCHEMA_ROUNDS {
        if violations.is_empty() || !change(document, &violations) {
            return (violations, true);
        }
        violations.clear();
        violations = check(document);
    }
    (violations, false)
}

/// A value found by its path. Positions are indices of slots.
pub(crate) struct Located {
    pub(crate) at: usize,
    /// The positions of the object and of the key, if the value is a property.
    pub(crate) property: Option<(usize, usize)>,
}

impl Located {
    pub(crate) fn find(tape: &Tape<'_>, path: &Path) -> Option<Self> {
        path.steps().iter().try_fold(Self { at: 0, property: None }, |outer, step| outer.inside(tape, step))
    }

    /// Returns the slots of the value, or of the head of the innermost array or object around it if the value is missing.
    fn slots(tape: &Tape<'_>, path: &Path) -> Range<usize> {
        let mut found = Self { at: 0, property: None };
        for step in path.steps() {
            let Some(inner) = found.inside(tape, step) else { return found.at..found.at + 1 };
            found = inner;
        }
        found.at..found.at + slot_count(tape.slots_from(found.at))
    }

    fn inside(&self, tape: &Tape<'_>, step: &Step) -> Option<Self> {
        let slots = tape.slots_from(0);
        match step {
            Step::Key(name) => {
                let (key, _, at) = property_positions(slots, self.at).find(|(_, text, _)| *text == &**name)?;
                Some(Self { at, property: Some((self.at, key)) })
            }
            Step::Index(index) => Some(Self { at: element_positions(slots, self.at).nth(*index)?, property: None }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Coerces the value at a path. Returns whether something changed, and the document.
    fn coerced(value: &Value, path: Path, schema: Option<&Value>) -> (bool, Value) {
        let mut tape = reader::read_value(value).expect("a document");
        let has_changed = coerce(&mut tape, &[Violation::new(path, "refused")], true, schema);
        (has_changed, tape.root().to_value())
    }

    fn index(index: usize) -> Path {
        let mut path = Path::default().property("list");
        path.push(Step::Index(index));
        path
    }

    #[test]
    fn a_refused_null_is_removed_from_a_published_property() {
        let sent = json!({ "a": null, "b": null });
        let schema = json!({ "properties": { "a": {} }, "additionalProperties": {} });
        let path = |name| Path::default().property(name);
        assert_eq!(coerced(&sent, path("a"), None), (true, json!({ "b": null })));
        assert_eq!(coerced(&sent, path("a"), Some(&schema)), (true, json!({ "b": null })));
        // A key of a map is the caller's own.
        assert_eq!(coerced(&sent, path("b"), Some(&schema)), (false, sent.clone()));
        assert_eq!(coerced(&sent, path("c"), None), (false, sent.clone()));
    }

    #[test]
    fn an_element_is_replaced_but_never_removed() {
        let sent = json!({ "list": [null, "2"] });
        assert_eq!(coerced(&sent, index(0), None), (false, sent.clone()));
        assert_eq!(coerced(&sent, index(1), None), (true, json!({ "list": [null, 2] })));
        assert_eq!(coerced(&sent, index(2), None), (false, sent.clone()));
    }

    /// Applies the coercions of a schema. Returns whether something changed, and the document.
    fn applied(schema: &Value, value: &Value, parse_strings: bool) -> (bool, Value) {
        let mut tape = reader::read_value(value).expect("a document");
        let has_changed = apply(schema, &mut tape, Coercions::of_refused(parse_strings));
        (has_changed, tape.root().to_value())
    }

    #[test]
    fn a_change_is_reported_whether_a_value_is_removed_or_replaced() {
        let schema = json!({ "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } } });
        assert_eq!(applied(&schema, &json!({ "a": null }), true), (true, json!({})));
        assert_eq!(applied(&schema, &json!({ "a": "1" }), true), (true, json!({ "a": 1 })));
        assert_eq!(applied(&schema, &json!({ "a": "1", "b": null }), true), (true, json!({ "a": 1 })));
        assert_eq!(applied(&schema, &json!({ "a": 1 }), true), (false, json!({ "a": 1 })));
        // A tool that is lax is first read strictly.
        assert_eq!(applied(&schema, &json!({ "a": "1", "b": null }), false), (true, json!({ "a": "1" })));
    }

    #[test]
    fn elements_are_coerced_by_their_own_schema() {
        let list = |schema: Value| json!({ "properties": { "l": schema } });
        let integer = json!({ "type": "integer" });
        for (schema, sent, expected) in [
            (json!({ "prefixItems": [integer] }), json!(["1", "2"]), json!([1, "2"])),
            (json!({ "prefixItems": [true], "items": integer }), json!(["1", "2"]), json!(["1", 2])),
            (json!({ "items": integer }), json!(["1", "2"]), json!([1, 2])),
        ] {
            assert_eq!(applied(&list(schema), &json!({ "l": sent }), true).1, json!({ "l": expected }));
        }
    }

    #[test]
    fn a_text_is_replaced_only_by_a_value_that_the_schema_accepts() {
        let schema = |property: Value| json!({ "properties": { "a": property }, "required": ["a"] });
        for (property, sent) in [
            (json!({ "type": "array" }), r#"{"a": 1}"#),
            (json!({ "type": "object" }), "[1]"),
            (json!({ "type": ["integer", "null"] }), "null"),
            (json!({ "type": "integer" }), "true"),
        ] {
            let sent = json!({ "a": sent });
            assert_eq!(applied(&schema(property), &sent, true), (false, sent.clone()));
        }
    }

    #[test]
    fn json_texts_inside_json_texts_are_parsed_to_a_depth_of_four() {
        let schema = json!({
            "properties": { "a": { "$ref": "#/$defs/list" } },
            "$defs": { "list": { "type": "array", "items": { "$ref": "#/$defs/list" } } },
        });
        let nested = |texts: usize| (0..texts).fold("[]".to_owned(), |inner, _| json!([inner]).to_string());
        let depth = |mut value: &Value| {
            let mut lists = 0;
            while let Some(inner) = value.get(0) {
                (value, lists) = (inner, lists + 1);
            }
            (lists, value.is_string())
        };
        // Each text is a list with one text, and the innermost list is empty.
        let parsed = |texts| depth(&applied(&schema, &json!({ "a": nested(texts) }), true).1["a"]);
        assert_eq!(parsed(3), (3, false));
        assert_eq!(parsed(9), (4, true));
    }

    #[test]
    fn a_value_that_a_schema_describes_in_two_ways_is_visited_once() {
        let node = json!({ "$ref": "#/$defs/node" });
        let schema = json!({
            "properties": { "c": node },
            "$defs": { "node": {
                "properties": { "c": node, "x": { "type": "integer" } },
                "allOf": [{ "properties": { "c": node } }],
            } },
        });
        let nested = |inner: Value| (0..100).fold(inner, |inner, _| json!({ "c": inner }));
        assert_eq!(applied(&schema, &nested(json!({ "x": null })), false), (true, nested(json!({}))));
    }

    #[test]
    fn deep_values_and_long_chains_do_not_overflow_the_stack() {
        let link = |at: usize| json!({ "allOf": [{ "$ref": format!("#/$defs/d{}", at + 1) }] });
        let mut definitions: serde_json::Map<_, _> = (0..60).map(|at| (format!("d{at}"), link(at))).collect();
        definitions
            .insert("d60".to_owned(), json!({ "type": ["array", "integer"], "items": { "$ref": "#/$defs/d0" } }));
        let schema = json!({ "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": definitions });
        let nested = |depth: usize| (0..depth).fold(json!(3.0), |inner, _| json!([inner]));
        let thread = std::thread::Builder::new().stack_size(3 << 19);
        let thread = thread.spawn(move || applied(&schema, &json!({ "a": nested(118) }), false)).expect("a thread");
        let (has_changed, _) = thread.join().expect("no panic");
        assert!(!has_changed);
    }

    #[test]
    fn a_value_is_coerced_as_a_property_even_if_a_branch_has_visited_it() {
        let property = json!({ "c": { "$ref": "#/$defs/t" } });
        let schema = json!({
            "properties": property,
            "anyOf": [{ "properties": property }, { "properties": { "c": { "$ref": "#/$defs/t" }, "d": {} } }],
            "$defs": { "t": { "properties": { "x": { "type": "integer" }, "y": { "type": "integer" } } } },
        });
        // The `null` leads the branches to `c`, where they replace no string.
        let (sent, expected) = (json!({ "c": { "x": "1", "y": null } }), json!({ "c": { "x": 1 } }));
        assert_eq!(applied(&schema, &sent, true), (true, expected));
    }

    #[test]
    fn a_schema_that_applies_itself_to_the_same_value_is_visited_once() {
        let schema = json!({
            "allOf": [{ "$ref": "#" }], "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
        });
        assert_eq!(applied(&schema, &json!({ "a": "1", "b": null }), true), (true, json!({ "a": 1 })));
    }
}
