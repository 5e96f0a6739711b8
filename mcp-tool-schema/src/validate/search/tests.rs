use serde_json::{Value, json};

use crate::Validator;
use crate::json::reader;
use crate::json::violation::MAX_FOUND;

/// Returns the violations of a document, each as `path: message`.
fn found(schema: &Value, value: &Value) -> Vec<String> {
    let compiled = Validator::compile_linear(schema).expect("a schema");
    let document = reader::read_value(value).expect("a document");
    let violations = compiled.violations(document.root(), schema);
    violations.iter().map(|found| format!("{}: {}", found.path, found.message)).collect()
}

/// Returns the violations of a value in each situation that once changed the search: alone, in a large document, and
/// next to a union that refers to a definition.
fn found_anywhere(schema: &Value, value: &Value) -> Vec<String> {
    let union = json!({ "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/u" }] });
    let beside = json!({ "properties": { "v": schema, "other": union }, "$defs": { "u": { "type": "integer" } } });
    let alone = json!({ "properties": { "v": schema } });
    let expected = found(&alone, &json!({ "v": value }));
    assert_eq!(found(&beside, &json!({ "v": value, "other": 1 })), expected, "{schema} beside a union");
    assert_eq!(found(&alone, &json!({ "v": value, "more": vec![1; 600] })), expected, "{schema} in a large document");
    expected
}

#[test]
fn the_misspelling_of_a_required_property_is_named_in_an_open_object() {
    let required = json!({ "properties": { "limit": {}, "limits": {} }, "required": ["limit"] });
    for (value, expected) in [
        (json!({ "limitt": 1 }), "v.limit: required, but missing; is `limitt` a misspelling of it?"),
        (json!({ "colour": 1 }), "v.limit: required, but missing"),
        // A property that is in the schema is not a misspelling.
        (json!({ "limits": 1 }), "v.limit: required, but missing"),
    ] {
        assert_eq!(found_anywhere(&required, &value), [expected], "{value}");
    }
    assert_eq!(found_anywhere(&json!({ "required": ["a"] }), &json!({ "b": 1 })), ["v.a: required, but missing"]);
}

#[test]
fn only_what_is_refused_is_reported_and_all_of_it() {
    let holds = json!([{ "type": "integer" }, { "type": "string" }]);
    for (schema, value, expected) in [
        // The union holds.
        (json!({ "anyOf": holds, "minimum": 5 }), json!(3), vec!["v: expected 5 or more"]),
        (json!({ "oneOf": holds, "maxLength": 1 }), json!("ab"), vec!["v: expected at most 1 character"]),
        (
            json!({ "anyOf": [{ "type": "object" }, { "type": "array" }], "required": ["a"], "minProperties": 2 }),
            json!({}),
            vec!["v: expected at least 2 properties", "v.a: required, but missing"],
        ),
        // The union does not hold, and neither does what is next to it.
        (
            json!({ "anyOf": [{ "required": ["a"] }, { "required": ["a", "b"] }], "maxProperties": 0 }),
            json!({ "c": 1 }),
            vec!["v: expected at most 0 properties", "v.a: required, but missing"],
        ),
        (
            json!({ "allOf": [{ "properties": { "a": { "type": "integer" } } }, { "required": ["b"] }] }),
            json!({ "a": "x" }),
            vec!["v.a: expected an integer, got a string", "v.b: required, but missing"],
        ),
        (json!({ "items": { "type": "integer" } }), json!([1, "a"]), vec!["v[1]: expected an integer, got a string"]),
        // Two subschemas refuse the same value for the same reason.
        (
            json!({ "allOf": [{ "required": ["x"] }, { "minProperties": 1 }, { "required": ["x"] }] }),
            json!({}),
            vec!["v.x: required, but missing", "v: expected at least 1 property"],
        ),
        // One mistake gives one violation.
        (json!({ "minimum": 5, "type": "integer" }), json!(1.5), vec!["v: expected an integer, got a number"]),
        (
            json!({ "allOf": [{ "minimum": 5 }, { "type": "integer" }, { "enum": [7, 8] }] }),
            json!(1.5),
            vec!["v: expected one of 7, 8, got another number"],
        ),
    ] {
        assert_eq!(found_anywhere(&schema, &value), expected, "{schema}");
    }
}

#[test]
fn each_keyword_has_its_own_message() {
    let integer = json!({ "type": "integer" });
    for (schema, value, messages) in [
        (json!({ "uniqueItems": true }), json!([1, 1]), vec!["v: expected no duplicate elements"]),
        (
            json!({ "contains": integer }),
            json!(["x"]),
            vec!["v: expected at least 1 element of this form: an integer; found 0"],
        ),
        (
            json!({ "contains": integer, "minContains": 2 }),
            json!(["x", 1]),
            vec!["v: expected at least 2 elements of this form: an integer; found 1"],
        ),
        (
            json!({ "contains": { "minimum": 5 }, "maxContains": 1 }),
            json!([5, 6, 1]),
            vec!["v: expected at most 1 element that `contains` accepts, found 2"],
        ),
        (json!({ "not": { "const": 5 } }), json!(5), vec!["v: expected anything but 5"]),
        (
            json!({ "not": { "type": "integer", "minimum": 5 } }),
            json!(5),
            vec!["v: expected a value that the schema does not exclude"],
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, integer, { "type": "number" }] }),
            json!(5),
            vec!["v: expected exactly one of the published forms, but several match: an integer and a number"],
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "minimum": 1 }, { "maximum": 9 }] }),
            json!(5),
            vec!["v: expected exactly one of the published forms, but several match: number 2 and number 3"],
        ),
        (
            json!({ "prefixItems": [{}], "unevaluatedItems": false }),
            json!([1, 2]),
            vec!["v[1]: no value is allowed here"],
        ),
        (json!({ "unevaluatedItems": integer }), json!([1, "a"]), vec!["v[1]: expected an integer, got a string"]),
        (json!({ "prefixItems": [{}], "items": false }), json!([1, 2]), vec!["v: expected at most 1 element"]),
        (
            json!({ "allOf": [{ "properties": { "limit": {} } }], "unevaluatedProperties": false }),
            json!({ "limit": 1, "limitt": 2 }),
            vec!["v.limitt: not known; did you mean `limit`?"],
        ),
        (
            json!({ "unevaluatedProperties": integer }),
            json!({ "a": "x" }),
            vec!["v.a: expected an integer, got a string"],
        ),
        (json!({ "minProperties": 2 }), json!({}), vec!["v: expected at least 2 properties"]),
        (
            json!({ "dependentRequired": { "b": ["c"], "d": ["e"] } }),
            json!({ "b": 1 }),
            vec!["v.c: required, but missing (because `b` is given)"],
        ),
        (
            json!({ "dependentSchemas": { "b": { "required": ["c"] }, "d": { "required": ["e"] } } }),
            json!({ "b": 1 }),
            vec!["v.c: required, but missing (because `b` is given)"],
        ),
    ] {
        assert_eq!(found_anywhere(&schema, &value), messages, "{schema}");
    }
}

#[test]
fn a_value_that_is_not_the_constant_of_a_branch_excludes_it_at_the_top_and_one_step_below() {
    let value = json!({ "t": { "u": 3 } });
    let at = |depth: usize, schema: Value| {
        ["u", "t"][2 - depth..].iter().fold(schema, |schema, name| json!({ "properties": { *name: schema } }))
    };
    let is_excluded = |branch: Value| {
        // Unless the first branch is excluded, it is the nearest, because no property is missing.
        let found = found(&json!({ "anyOf": [branch, { "required": ["x"] }] }), &value);
        assert_eq!(found.len(), 1, "{found:?}");
        found == ["x: required, but missing"]
    };
    let (one, several) = (json!({ "enum": [1] }), json!({ "enum": [1, 2] }));
    for (schema, excludes) in
        [(json!({ "const": 1 }), [true, true, false]), (one, [true, true, false]), (several, [true, false, false])]
    {
        for (depth, expected) in excludes.into_iter().enumerate() {
            assert_eq!(is_excluded(at(depth, schema.clone())), expected, "{schema} at depth {depth}");
        }
    }
}

#[test]
fn a_branch_with_all_properties_is_nearer_than_one_with_fewer_errors() {
    let least = json!({ "minimum": 5 });
    let branches = json!([{ "required": ["x"] }, { "properties": { "t": least, "u": least } }]);
    let found = found(&json!({ "anyOf": branches }), &json!({ "t": 1, "u": 1 }));
    assert_eq!(found, ["t: expected 5 or more", "u: expected 5 or more"]);
}

#[test]
fn the_errors_beyond_the_limit_count_for_the_choice_of_a_branch() {
    let any = json!({ "propertyNames": { "pattern": "^[a-z]+$" } });
    let long = json!({ "propertyNames": { "maxLength": 2 } });
    let value: Value = (0..400).map(|n| (n.to_string(), json!(0))).collect();
    for branches in [json!([any, long]), json!([long, any])] {
        let found = found(&json!({ "anyOf": branches }), &value);
        assert_eq!(found.len(), MAX_FOUND);
        assert!(found[0].ends_with("the name is not allowed: expected at most 2 characters"), "{}", found[0]);
    }
    let items = |from: usize| {
        let names = (from..50).map(|n| format!("r{n}")).collect::<Vec<_>>();
        json!({ "type": "array", "items": { "required": names } })
    };
    let found = found(&json!({ "anyOf": [items(0), items(1), items(0)] }), &json!(vec![json!({}); 490]));
    assert_eq!((found.len(), &*found[0]), (MAX_FOUND, "[0].r1: required, but missing"));
}

#[test]
fn no_more_violations_are_found_than_the_limit() {
    let names: Vec<_> = (0..500).map(|n| format!("r{n}")).collect();
    let of_names: Value = (0..400).map(|n| (n.to_string(), json!(0))).collect();
    for (schema, value) in [
        (json!({ "required": names }), json!({})),
        (json!({ "items": { "required": names } }), json!([{}, {}])),
        (json!({ "items": { "type": "integer" } }), json!(vec!["a"; 400])),
        (json!({ "additionalProperties": false }), of_names.clone()),
        (json!({ "unevaluatedProperties": false }), of_names.clone()),
        (json!({ "unevaluatedItems": false }), json!(vec![1; 400])),
        (json!({ "propertyNames": { "pattern": "^[a-z]+$" } }), of_names),
        (json!({ "items": { "anyOf": vec![json!({ "required": ["x"] }); 160] } }), json!(vec![json!({}); 490])),
    ] {
        assert_eq!(found(&schema, &value).len(), MAX_FOUND, "{schema}");
    }
}

#[test]
fn a_branch_that_takes_too_long_to_measure_is_listed_with_the_others() {
    let mut definitions = json!({ "d40": { "required": ["x"] } });
    for at in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
        definitions[format!("d{at}")] = json!({ "allOf": [next, next] });
    }
    let union = json!({ "anyOf": [{ "$ref": "#/$defs/d0" }, { "type": "null" }] });
    let schema = json!({ "properties": { "a": union, "b": { "type": "null" } }, "$defs": definitions });
    let found = found(&schema, &json!({ "a": {}, "b": 1 }));
    assert_eq!(found, ["a: expected another form or null, got an object", "b: expected null, got an integer"]);
}
