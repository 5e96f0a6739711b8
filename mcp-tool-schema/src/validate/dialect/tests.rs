use serde_json::json;

use super::*;

#[test]
fn what_is_not_supported_is_named() {
    let latest = "https://json-schema.org/draft/2020-12/schema";
    for (schema, expected) in [
        (json!({ "$schema": latest, "not": { "$schema": format!("{latest}#") } }), None),
        (json!({ "$schema": "http://json-schema.org/draft-07/schema#" }), None),
        (json!({ "$schema": "https://json-schema.org/draft/2019-09/schema" }), Some("`$schema` is")),
        (json!({ "$schema": "json-schema.org/draft-07/schema" }), Some("`$schema` is")),
        (json!({ "$schema": "https://example.com/schema" }), Some("`$schema` is")),
        (json!({ "$schema": "" }), Some("`$schema` is")),
        (json!({ "not": { "$schema": "http://json-schema.org/draft-07/schema" } }), Some("another `$schema`")),
        (json!({ "$id": "urn:a", "$ref": "#/$defs/a", "$defs": { "a": {} } }), None),
        (json!({ "$id": "urn:a", "$ref": "urn:a#/$defs/a", "$defs": { "a": {} } }), Some("leads to an `$id`")),
        (json!({ "not": { "$id": "urn:a" } }), None),
        (json!({ "not": { "$id": "urn:a" }, "items": { "$ref": "#" } }), Some("an `$id` below the root")),
        (json!({ "not": { "$id": "urn:a" }, "items": { "$dynamicRef": "#" } }), Some("an `$id` below the root")),
        (json!({ "not": { "$id": "urn:a" }, "items": { "$ref": "urn:a" } }), Some("leads to an `$id`")),
        (json!({ "items": { "$ref": "urn:elsewhere" } }), None),
        (json!({ "not": { "$id": "#a" }, "items": { "$ref": "#a" } }), None),
        (json!({ "const": { "$schema": "x", "$id": "a", "$ref": "b" } }), None),
    ] {
        let found = unsupported(&schema);
        let is_expected = match (&found, expected) {
            (Some(found), Some(expected)) => found.contains(expected),
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(is_expected, "{schema}: {found:?}");
    }
}

#[test]
fn each_keyword_has_a_value_of_its_own_form() {
    let schema = "a schema: an object or a boolean";
    let schemas = "a list of schemas that is not empty";
    let named = "an object whose values are schemas";
    let number = "a number";
    let count = "an integer of 0 or more";
    let anchor = "a name that starts with a letter or `_`, made of letters, digits, `-`, `_` and `.`";
    for (keywords, words, right, wrong) in [
        (
            "additionalProperties propertyNames items contains not if then else unevaluatedProperties unevaluatedItems contentSchema",
            schema,
            json!([true, false, {}]),
            json!([null, 1, "a", [], [true]]),
        ),
        ("allOf anyOf oneOf prefixItems", schemas, json!([[true], [{}, {}]]), json!([[], {}, [1], [true, "a"], true])),
        (
            "properties patternProperties definitions $defs dependentSchemas",
            named,
            json!([{}, { "a": true, "b": {} }]),
            json!([true, [], { "a": true, "b": 1 }]),
        ),
        (
            "dependencies",
            "an object whose values are schemas or lists of names",
            json!([{ "a": true, "b": ["a", "b"], "c": [] }]),
            json!([true, { "a": ["a", "a"] }, { "a": 1 }, { "a": [1] }]),
        ),
        (
            "type",
            "a type, such as \"string\", or a list of different types",
            json!(["null", "boolean", "integer", "number", "string", "array", "object", ["null", "string"]]),
            json!(["text", 1, ["null", "null"], [], ["null", 1], {}]),
        ),
        ("enum examples", "an array", json!([[], [1]]), json!([{}, 1])),
        ("minimum maximum exclusiveMinimum exclusiveMaximum", number, json!([0, -1.5]), json!(["1", true])),
        ("multipleOf", "a number above 0", json!([0.5, 1]), json!([0, -1, "1"])),
        (
            "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
            count,
            json!([0, 1, 2.0]),
            json!([-1, 0.5, "1"]),
        ),
        (
            "title description format pattern $ref $comment contentEncoding contentMediaType $dynamicRef",
            "a string",
            json!(["#"]),
            json!([1, null]),
        ),
        ("$id", "a URI reference without a fragment", json!(["a", "a#"]), json!(["#a", "a b", 1])),
        ("$anchor $dynamicAnchor", anchor, json!(["a", "_", "A-1_.b"]), json!(["1", "-a", "a b", "é", "", 1])),
        ("uniqueItems readOnly writeOnly deprecated", "true or false", json!([true, false]), json!([1, "true"])),
        ("required", "a list of different names", json!([[], ["a", "b"]]), json!([["a", "b", "a"], [1], "a", {}])),
        (
            "dependentRequired",
            "an object whose values are lists of different names",
            json!([{}, { "a": [], "b": ["c"] }]),
            json!([[], { "a": ["b", "b"] }, { "a": true }]),
        ),
        (
            "$vocabulary",
            "an object whose values are true or false",
            json!([{}, { "a": true }]),
            json!([[], { "a": true, "b": 1 }]),
        ),
    ] {
        for keyword in keywords.split(' ') {
            for value in right.as_array().expect("values") {
                assert_eq!(check(&json!({ keyword: value })), Ok(Dialect::Draft2020), "{keyword} {value}");
            }
            for value in wrong.as_array().expect("values") {
                let message = format!("`{keyword}` must be {words} (at `/not/{keyword}`)");
                assert_eq!(check(&json!({ "not": { keyword: value } })), Err(message), "{keyword} {value}");
            }
        }
    }
}

#[test]
fn a_keyword_is_checked_in_the_drafts_that_have_it() {
    const DRAFTS: [(Dialect, &str); 2] = [
        (Dialect::Draft7, "http://json-schema.org/draft-07/schema"),
        (Dialect::Draft2020, "https://json-schema.org/draft/2020-12/schema"),
    ];
    for (keywords, first, last) in [
        ("not contains propertyNames dependencies definitions $id", 0, 1),
        ("if then else contentEncoding contentMediaType readOnly writeOnly", 0, 1),
        ("unevaluatedProperties unevaluatedItems contentSchema $defs dependentSchemas", 1, 1),
        ("minContains maxContains dependentRequired $anchor deprecated $vocabulary", 1, 1),
        ("additionalItems", 0, 0),
        ("prefixItems $dynamicRef $dynamicAnchor", 1, 1),
        ("unknown $recursiveRef $recursiveAnchor", 2, 2),
    ] {
        for keyword in keywords.split(' ') {
            for (at, (dialect, name)) in DRAFTS.into_iter().enumerate() {
                // None of these keywords accepts -1.5.
                let found = check(&json!({ "$schema": name, keyword: -1.5 }));
                let is_checked = (first..=last).contains(&at);
                assert_eq!(found.is_err(), is_checked, "{keyword} {name}: {found:?}");
                assert!(is_checked || found == Ok(dialect), "{keyword} {name}");
            }
        }
    }
    for (at, (_, name)) in DRAFTS.into_iter().enumerate() {
        let found = |value: Value| check(&json!({ "$schema": name, "items": value })).is_ok();
        assert!(found(json!({})) && !found(json!([])) && !found(json!([1])) && !found(json!(1)), "{name}");
        assert_eq!(found(json!([true])), at < 1, "{name}");
        let of_id = check(&json!({ "$schema": name, "$id": "#a" }));
        assert_eq!(of_id.is_ok(), at < 1, "{name}");
    }
}

#[test]
fn subschemas_are_checked_wherever_they_are() {
    let wrong = json!({ "type": 5 });
    for (schema, place) in [
        (json!({ "allOf": [true, wrong] }), "/allOf/1"),
        (json!({ "properties": { "a/b": wrong } }), "/properties/a~1b"),
        (json!({ "dependencies": { "a": ["b"], "c": wrong } }), "/dependencies/c"),
        (json!({ "items": wrong }), "/items"),
        (json!({ "not": { "not": wrong } }), "/not/not"),
    ] {
        let error = check(&schema).expect_err("a wrong type");
        assert!(error.ends_with(&format!("(at `{place}/type`)")), "{error}");
    }
    let error = check(&json!({ "$schema": "http://json-schema.org/draft-07/schema", "items": [true, wrong] }));
    assert!(error.is_err_and(|error| error.ends_with("(at `/items/1/type`)")));
    assert!(check(&json!({ "enum": [wrong], "const": wrong, "default": wrong, "unknown": wrong })).is_ok());
}

#[test]
fn what_is_not_supported_is_refused() {
    let error = check(&json!({ "$schema": "https://json-schema.org/draft/2019-09/schema" }));
    assert!(error.is_err_and(|error| error.contains("or enable the feature `jsonschema`")));
    assert!(check(&json!({ "$schema": 1 })).is_err_and(|error| error.contains("must be a string")));
}
