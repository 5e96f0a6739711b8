//! Changes of one keyword, each with the breaks that it is reported as.

use serde_json::{Value, json};

use super::super::canonical;
use super::super::comparison::{breaks, compare};
use super::super::report::Side;

/// Returns the breaks of a change of the arguments, from one published schema to another.
fn found(then: &Value, now: &Value) -> Vec<String> {
    breaks(Side::Arguments, &canonical::schema(then), &canonical::schema(now))
}

/// Checks that each change is no break, and that the change back is one.
fn assert_wider(changes: &[(Value, Value)]) {
    for (then, now) in changes {
        assert_eq!(found(then, now), [""; 0], "{then} became {now}");
        assert_ne!(found(now, then), [""; 0], "{now} became {then}");
    }
}

#[test]
fn a_list_of_constants_beside_an_enum_does_not_replace_it() {
    for own in [json!({ "enum": ["a"] }), json!({ "const": "a" })] {
        let mut both = own.clone();
        both["anyOf"] = json!([{ "const": "a" }, { "const": "b" }]);
        assert_eq!(found(&both, &own), [""; 0], "{own}");
    }
}

#[test]
fn a_branch_with_more_than_constants_is_not_one_of_a_list() {
    for more in [json!({ "minLength": 3 }), json!({ "type": "integer" })] {
        let mut branch = json!({ "const": "b" });
        branch.as_object_mut().expect("a schema").extend(more.as_object().cloned().expect("a schema"));
        let now = json!({ "anyOf": [{ "const": "a" }, branch] });
        assert_eq!(found(&json!({ "enum": ["a"] }), &now), [""; 0], "{now}");
        assert_ne!(found(&json!({ "enum": ["a", "b"] }), &now), [""; 0], "{now}");
    }
}

#[test]
fn an_argument_that_is_gone_is_a_break_whether_it_was_required_or_not() {
    let now = json!({ "type": "object", "properties": {} });
    for required in [json!([]), json!(["a"])] {
        let then = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": required });
        assert_eq!(found(&then, &now), [", argument `a`: it was taken, and would be ignored now"], "{required}");
        // The strict comparison is about values alone, and both schemas accept the same ones.
        let [then, now] = [&then, &now].map(canonical::schema);
        assert_eq!(compare(Side::Arguments, &then, &now, true), [""; 0], "{required}");
    }
}

#[test]
fn the_properties_of_an_object_that_became_a_string_are_not_reported_one_by_one() {
    let then = json!({ "properties": { "v": { "type": "object", "properties": { "a": {} } } } });
    let now = json!({ "properties": { "v": { "type": "string" } } });
    assert_eq!(found(&then, &now), [", argument `v`: `type` was \"object\" and is \"string\""]);
}

#[test]
fn an_argument_that_is_gone_from_one_variant_is_a_break() {
    let variants = |first: Value| {
        let variant = |tag: &str, mut properties: Value| {
            properties["kind"] = json!({ "const": tag });
            json!({ "type": "object", "properties": properties, "required": ["kind"] })
        };
        json!({ "anyOf": [variant("first", first), variant("second", json!({}))] })
    };
    let then = variants(json!({ "size": { "type": "integer" } }));
    assert_eq!(found(&then, &variants(json!({}))), [", argument `size`: it was taken, and would be ignored now"]);
    assert_eq!(found(&variants(json!({})), &then), [""; 0]);
}

#[test]
fn an_argument_that_no_value_fits_any_more_is_refused() {
    let then = json!({ "properties": { "a": { "type": "string" } } });
    let now = json!({ "properties": { "a": false } });
    assert_eq!(found(&then, &now), [", argument `a`: it was accepted and is refused now"]);
}

#[test]
fn a_part_that_did_not_change_is_no_break_even_if_it_cannot_be_compared() {
    let schema = |other: &str| {
        json!({ "properties": {
            "same": { "type": "object", "unevaluatedProperties": { "type": "string" } },
            "other": { "type": other }
        } })
    };
    assert_wider(&[(schema("integer"), schema("number"))]);
}

#[test]
fn two_hundred_nested_schemas_are_compared_and_one_more_is_a_break() {
    let nested = |depth: usize, leaf: Value| (0..depth).fold(leaf, |inner, _| json!({ "items": inner }));
    let breaks = |depth| {
        let [then, now] = [json!({ "type": "integer" }), json!({ "type": "number" })].map(|leaf| nested(depth, leaf));
        found(&then, &now)
    };
    assert_eq!(breaks(200), [""; 0]);
    let deeper = breaks(201);
    assert!(deeper.len() == 1 && deeper[0].contains("`schema` cannot be compared"), "{deeper:?}");
}

#[test]
fn definitions_that_refer_twice_to_the_next_one_are_compared_in_bounded_steps() {
    let chain = |most: u64| {
        let next = |number: usize| json!({ "$ref": format!("#/$defs/d{number}") });
        let mut definitions: serde_json::Map<_, _> = (0..40)
            .map(|number| (format!("d{number}"), json!({ "allOf": [next(number + 1), next(number + 1)] })))
            .collect();
        definitions.insert("d40".to_owned(), json!({ "maximum": most }));
        json!({ "$ref": "#/$defs/d0", "$defs": definitions })
    };
    assert_wider(&[(chain(5), chain(9))]);
}

#[test]
fn the_strictest_of_several_bounds_counts_in_any_order() {
    for order in [[1, 5], [5, 1]] {
        let both = json!({ "type": "integer", "minimum": order[0], "allOf": [{ "minimum": order[1] }] });
        assert_wider(&[(both, json!({ "type": "integer", "minimum": 4 }))]);
    }
}

#[test]
fn a_bound_and_its_exclusive_form_differ_in_the_bound_itself() {
    assert_wider(&[
        (json!({ "exclusiveMinimum": 2 }), json!({ "minimum": 2 })),
        (json!({ "exclusiveMaximum": 2 }), json!({ "maximum": 2 })),
        (json!({ "type": "integer", "exclusiveMinimum": 2 }), json!({ "type": "number", "exclusiveMinimum": 2 })),
        (json!({ "type": "integer", "exclusiveMaximum": 2 }), json!({ "type": "number", "exclusiveMaximum": 2 })),
    ]);
}

#[test]
fn a_large_integer_is_not_compared_with_a_float_that_it_would_be_rounded_to() {
    // As a float, the integer is 9007199254740996.
    let then = json!({ "minimum": 9_007_199_254_740_995_u64 });
    let now = json!({ "minimum": 9_007_199_254_740_996.0 });
    assert_ne!(found(&then, &now), [""; 0]);
    assert_eq!(found(&then, &json!({ "minimum": 9_007_199_254_740_995_u64, "title": "v" })), [""; 0]);
    assert_eq!(found(&then, &json!({ "minimum": 9_007_199_254_740_994_u64 })), [""; 0]);
}

#[test]
fn objects_with_other_properties_are_other_constants() {
    let variants =
        json!({ "oneOf": [{ "const": { "a": 1 } }, { "const": { "a": 1, "b": 2 } }, { "const": { "a": 2 } }] });
    let then = json!({ "const": { "a": 1 } });
    // Not in the canonical form, which is an `enum`.
    assert_eq!(breaks(Side::Arguments, &then, &variants), [""; 0]);
}

#[test]
fn a_variant_that_no_value_fits_is_no_second_one() {
    let text = json!({ "type": "string" });
    assert_wider(&[(json!({ "type": "string", "minLength": 1 }), json!({ "oneOf": [text, false] }))]);
}

/// An object whose property `tag`, inside this many objects, has one value.
fn tagged(depth: usize, tag: &str) -> Value {
    (0..=depth).fold(
        json!({ "const": tag }),
        |inner, _| json!({ "type": "object", "properties": { "tag": inner }, "required": ["tag"] }),
    )
}

#[test]
fn variants_are_told_apart_by_tags_inside_a_few_objects() {
    let variants = |depth: usize| json!({ "oneOf": [tagged(depth, "a"), tagged(depth, "b")] });
    for depth in 0..4 {
        assert_eq!(found(&tagged(depth, "a"), &variants(depth)), [""; 0], "{depth}");
    }
    // Too deep to be looked at: the same work would not end for a recursive schema.
    assert_ne!(found(&tagged(4, "a"), &variants(4)), [""; 0]);
}

#[test]
fn variants_are_told_apart_by_a_tag_that_only_one_requires() {
    let first = tagged(0, "a");
    let second = json!({ "type": "object", "properties": { "tag": { "const": "b" } } });
    for then in [&first, &second] {
        assert_eq!(found(then, &json!({ "oneOf": [first, second] })), [""; 0], "{then}");
    }
    assert_ne!(found(&json!({ "type": "object" }), &json!({ "oneOf": [first, second] })), [""; 0]);
}

#[test]
fn a_schema_with_not_takes_less_unless_it_excludes_other_values() {
    let excluded = json!({ "type": "integer", "not": { "type": "string" } });
    assert_eq!(found(&json!({ "type": "integer" }), &excluded), [""; 0]);
    assert_ne!(found(&json!({}), &json!({ "not": { "type": "string" } })), [""; 0]);
    // Both schemas accept all strings.
    let tag = |tag: &str| json!({ "properties": { "tag": { "const": tag } }, "required": ["tag"] });
    let mut now = tag("a");
    now["not"] = tag("b");
    assert_ne!(found(&tag("a"), &now), [""; 0]);
}

#[test]
fn a_type_of_three_kinds_fits_three_variants() {
    let all = json!({ "type": ["string", "integer", "null"] });
    let variants = |kinds: &[&str]| {
        let variants: Vec<_> = kinds.iter().map(|kind| json!({ "type": kind })).collect();
        json!({ "anyOf": variants })
    };
    assert_eq!(found(&all, &variants(&["null", "integer", "string"])), [""; 0]);
    assert_ne!(found(&all, &variants(&["null", "boolean", "string"])), [""; 0]);
}

#[test]
fn the_length_of_each_constant_is_compared_with_a_new_limit() {
    let then = json!({ "enum": ["é", "abc"] });
    for (limit, breaks) in [
        (json!({ "minLength": 1 }), false),
        (json!({ "minLength": 2 }), true),
        (json!({ "maxLength": 3 }), false),
        (json!({ "maxLength": 2 }), true),
    ] {
        assert_eq!(!found(&then, &limit).is_empty(), breaks, "{limit}");
    }
}

#[test]
fn elements_that_an_array_cannot_have_are_not_compared() {
    let (integer, text) = (json!({ "type": "integer" }), json!({ "type": "string" }));
    let array = |prefix: &[&Value], rest: &[(&str, Value)]| {
        let mut schema = json!({ "type": "array", "prefixItems": prefix });
        schema
            .as_object_mut()
            .expect("a schema")
            .extend(rest.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        schema
    };
    let at_most = |length: usize| ("maxItems", json!(length));
    for (then, now, breaks) in [
        (json!({ "type": "array" }), array(&[&integer], &[]), true),
        (array(&[&integer], &[at_most(1)]), array(&[&integer, &text], &[]), false),
        (array(&[&integer], &[at_most(2)]), array(&[&integer, &text], &[]), true),
        (array(&[&integer], &[at_most(1)]), array(&[&text, &text], &[]), true),
        (array(&[&integer, &text], &[at_most(2)]), array(&[&integer, &text], &[("items", json!(false))]), false),
        (array(&[&integer, &text], &[at_most(3)]), array(&[&integer, &text], &[("items", json!(false))]), true),
    ] {
        assert_eq!(!found(&then, &now).is_empty(), breaks, "{then} became {now}");
    }
}

#[test]
fn a_new_schema_of_a_property_is_a_break_if_clients_knew_the_property() {
    let now = json!({ "properties": { "a": { "type": "string" }, "b": {} } });
    let integer = json!({ "properties": { "a": { "type": "integer" } } });
    for (then, breaks) in [
        (json!({}), false),
        (json!({ "properties": { "b": {} } }), false),
        (integer.clone(), true),
        (json!({ "properties": { "a": {} } }), true),
        (json!({ "required": ["a"] }), true),
        (json!({ "anyOf": [integer, { "properties": { "b": { "type": "integer" } } }] }), true),
    ] {
        assert_eq!(!found(&then, &now).is_empty(), breaks, "{then}");
    }
}

#[test]
fn a_list_of_overlapping_types_accepts_the_values_of_each() {
    assert_wider(&[(json!({ "type": "integer" }), json!({ "type": ["integer", "number"] }))]);
}
