//! Coerces values that the schema or the author's type refuses (rule I3).
//!
//! Many models send `null` for an argument that they mean to omit, so `null` is removed from optional properties. With
//! `lax(true)`, a string is replaced with the number, boolean, array or object that it spells: some models send `"3"`
//! for `3`, and JSON text for an object. A blank string and `"null"` are removed too, like `null`.
//!
//! [`walk`] finds these values by the types in the schema, and by the strings if the schema lists them. A value that
//! fits those types and strings is never changed, even if a constraint such as `pattern` refuses it. There is one
//! exception: a float such as `3.0` becomes an integer where the schema accepts no fractions.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::{Map, Value};

use crate::json::path::{Path, Step};
use crate::json::reader;
use crate::json::tape::{Slot, Tape, element_positions, property_positions, slot_count};
use crate::json::violation::Violation;
use crate::schema::normalise::NullablePlace;

mod walk;

pub(crate) use walk::{Coercions, apply};

/// Replaces arguments that were sent as JSON text with the object that the text spells.
pub(crate) fn parse_arguments(tape: &mut Tape<'_>) {
    if let Slot::String(text) = &tape.slots_from(0)[0]
        && let Ok(document) = reader::read_text(text.trim())
        && document.root().is_object()
    {
        *tape = document.into_owned();
    }
}

/// The maximum number of rounds that change only values with violations and the unions around them. One round is not
/// always enough, because a coerced value may have further violations inside.
const MAX_ROUNDS: usize = 4;

/// Coerces a document until `check` finds no violations, or nothing is left to coerce.
///
/// Only values with violations and the unions around them are changed, so that a valid value keeps its meaning. If that
/// takes too many rounds, because `check` lists only some violations at a time, a last round coerces values anywhere.
///
/// # Errors
///
/// The violations that are left.
pub(crate) fn coerce_refused<'d>(
    schema: &Value,
    nullable: &[NullablePlace],
    document: &mut Tape<'d>,
    lax: bool,
    check: impl Fn(&Tape<'d>) -> Vec<Violation>,
) -> Result<(), Vec<Violation>> {
    let coercions = if lax { Coercions::Strings } else { Coercions::Nulls };
    let mut violations = check(document);
    for round in 0..=MAX_ROUNDS {
        if violations.is_empty() {
            return Ok(());
        }
        let slots = |violation: &Violation| slots_at(document, &violation.path);
        let refused = (round < MAX_ROUNDS).then(|| violations.iter().map(slots).collect());
        if !apply(schema, nullable, document, coercions, refused) {
            break;
        }
        violations = check(document);
    }
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

/// Returns the range of slots that the value at `path` takes. If the value is missing, the range contains only the
/// first slot of the innermost array or object around it.
pub(super) fn slots_at(tape: &Tape<'_>, path: &Path) -> Range<usize> {
    let (slots, mut at) = (tape.slots_from(0), 0);
    for step in path.steps() {
        let inner = match step {
            Step::Key(name) => property_positions(slots, at).find(|(_, text, _)| *text == &**name).map(|(.., at)| at),
            Step::Index(index) => element_positions(slots, at).nth(*index),
        };
        let Some(inner) = inner else { return at..at + 1 };
        at = inner;
    }
    at..at + slot_count(tape.slots_from(at))
}

/// Removes optional properties whose `null` the schema refuses. If there are any at `path` or inside it, removes only
/// those; otherwise, removes all of them in the document. Returns `true` if the document changed.
pub(crate) fn remove_nulls(schema: &Value, document: &mut Cow<'_, Tape<'_>>, path: Option<&Path>) -> bool {
    if !document.slots_from(0).contains(&Slot::Null) {
        return false;
    }
    let document = document.to_mut();
    let at_path = path.map(|path| vec![slots_at(document, path)]);
    at_path.is_some_and(|refused| apply(schema, &[], document, Coercions::Nulls, Some(refused)))
        || apply(schema, &[], document, Coercions::Nulls, None)
}

/// Returns `given` without the optional properties whose `null` the schema refuses.
pub(crate) fn without_nulls(schema: &Value, given: Value) -> Value {
    let read = reader::read_value(&given).ok();
    let coerced =
        read.and_then(|mut tape| apply(schema, &[], &mut tape, Coercions::Nulls, None).then(|| tape.root().to_value()));
    coerced.unwrap_or(given)
}

/// Cleans the published examples, both of whole calls and of single arguments: removes each `null` that means absence.
/// serde writes such a `null` for `None`.
pub(crate) fn remove_nulls_of_examples(schema: &mut Value) {
    let original = schema.clone();
    let clean = |given| without_nulls(&original, given);
    for example in schema.get_mut("examples").and_then(Value::as_array_mut).into_iter().flatten() {
        *example = clean(example.take());
    }
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        let Some(property) = property.as_object_mut() else { continue };
        let Some(Value::Array(examples)) = property.get_mut("examples") else { continue };
        let cleaned = |example| clean(Map::from_iter([(name.clone(), example)]).into()).get_mut(name).map(Value::take);
        *examples = std::mem::take(examples).into_iter().filter_map(cleaned).collect();
        if examples.is_empty() {
            property.shift_remove("examples");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Applies the coercions of a schema. Returns whether something changed, and the document.
    fn applied(schema: &Value, value: &Value, parse_strings: bool) -> (bool, Value) {
        let mut tape = reader::read_value(value).expect("a document");
        let coercions = if parse_strings { Coercions::Strings } else { Coercions::Nulls };
        let has_changed = apply(schema, &[], &mut tape, coercions, None);
        (has_changed, tape.root().to_value())
    }

    #[test]
    fn a_change_is_reported_whether_a_value_is_removed_or_replaced() {
        let schema = json!({ "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } } });
        assert_eq!(applied(&schema, &json!({ "a": null }), true), (true, json!({})));
        assert_eq!(applied(&schema, &json!({ "a": "1" }), true), (true, json!({ "a": 1 })));
        assert_eq!(applied(&schema, &json!({ "a": "1", "b": null }), true), (true, json!({ "a": 1 })));
        assert_eq!(applied(&schema, &json!({ "a": 1 }), true), (false, json!({ "a": 1 })));
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
        // Each string is the JSON of a list that contains the next string. The innermost list is empty.
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
        let mut definitions: Map<_, _> = (0..60).map(|at| (format!("d{at}"), link(at))).collect();
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
        // The branches visit `c` only to remove the `null` inside it. The string is parsed when `c` is visited again,
        // outside the union.
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
