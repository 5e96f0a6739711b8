//! Checks that a schema is valid JSON Schema: each keyword has a value of the right form. This is what the meta-schemas say.

use serde_json::Value;

use super::dialect::{Dialect, unsupported};
use super::formats::uri::is_reference;
use crate::accepted::Types;
use crate::json::json_pointer::escape_token;
use crate::walk::{self, is_schema};

/// The form of a keyword's value: a test, and words for it.
type Form = (fn(&Value) -> bool, &'static str);

const SCHEMA: Form = (is_schema, "a schema: an object or a boolean");
const SCHEMA_OR_SCHEMAS: Form = (|value| is_schema(value) || are_schemas(value), "a schema or a list of schemas");
const SCHEMAS: Form = (are_schemas, "a list of schemas that is not empty");
const MAP_OF_SCHEMAS: Form = (|value| is_map_of(value, is_schema), "an object whose values are schemas");
const DEPENDENCIES: Form = (
    |value| is_map_of(value, |value| is_schema(value) || are_names(value)),
    "an object whose values are schemas or lists of names",
);
const TYPE: Form = (|value| Types::read(value).is_some(), "a type, such as \"string\", or a list of different types");
const ARRAY: Form = (Value::is_array, "an array");
const NUMBER: Form = (Value::is_number, "a number");
const POSITIVE_NUMBER: Form = (|value| value.as_f64().is_some_and(|number| number > 0.0), "a number above 0");
const COUNT: Form =
    (|value| value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0), "an integer of 0 or more");
const TEXT: Form = (Value::is_string, "a string");
const FLAG: Form = (Value::is_boolean, "true or false");
const NAMES: Form = (are_names, "a list of different names");
const MAP_OF_NAMES: Form = (|value| is_map_of(value, are_names), "an object whose values are lists of different names");
const MAP_OF_FLAGS: Form = (|value| is_map_of(value, Value::is_boolean), "an object whose values are true or false");
const ANCHOR: Form = (
    |value| value.as_str().is_some_and(is_anchor),
    "a name that starts with a letter or `_`, made of letters, digits, `-`, `_` and `.`",
);
const ID: Form = (|value| value.as_str().is_some_and(is_id), "a URI reference without a fragment");

fn form(keyword: &str, dialect: Dialect) -> Option<Form> {
    let is_2020 = dialect == Dialect::Draft2020;
    Some(match keyword {
        "items" if !is_2020 => SCHEMA_OR_SCHEMAS,
        "additionalProperties" | "propertyNames" | "items" | "contains" | "not" | "if" | "then" | "else" => SCHEMA,
        "additionalItems" if !is_2020 => SCHEMA,
        "unevaluatedProperties" | "unevaluatedItems" | "contentSchema" if is_2020 => SCHEMA,
        "allOf" | "anyOf" | "oneOf" => SCHEMAS,
        "prefixItems" if is_2020 => SCHEMAS,
        "properties" | "patternProperties" | "definitions" => MAP_OF_SCHEMAS,
        "$defs" | "dependentSchemas" if is_2020 => MAP_OF_SCHEMAS,
        "dependencies" => DEPENDENCIES,
        "type" => TYPE,
        "enum" | "examples" => ARRAY,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => NUMBER,
        "multipleOf" => POSITIVE_NUMBER,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => COUNT,
        "minContains" | "maxContains" if is_2020 => COUNT,
        "$id" if is_2020 => ID,
        "title" | "description" | "format" | "pattern" | "$ref" | "$schema" | "$comment" | "$id"
        | "contentEncoding" | "contentMediaType" => TEXT,
        "$dynamicRef" if is_2020 => TEXT,
        "$anchor" | "$dynamicAnchor" if is_2020 => ANCHOR,
        "uniqueItems" | "readOnly" | "writeOnly" => FLAG,
        "deprecated" if is_2020 => FLAG,
        "required" => NAMES,
        "dependentRequired" if is_2020 => MAP_OF_NAMES,
        "$vocabulary" if is_2020 => MAP_OF_FLAGS,
        _ => return None,
    })
}

fn are_schemas(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_schema))
}

fn is_map_of(value: &Value, accept: fn(&Value) -> bool) -> bool {
    value.as_object().is_some_and(|map| map.values().all(accept))
}

fn are_names(value: &Value) -> bool {
    let Some(names) = value.as_array() else { return false };
    let mut sorted: Vec<_> = names.iter().filter_map(Value::as_str).collect();
    sorted.sort_unstable();
    sorted.len() == names.len() && sorted.is_sorted_by(|left, right| left != right)
}

fn is_anchor(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

fn is_id(id: &str) -> bool {
    id.split_once('#').is_none_or(|(_, fragment)| fragment.is_empty()) && is_reference(id)
}

/// Returns the dialect of a schema, or the first thing that is wrong with the schema.
pub(super) fn check(root: &Value) -> Result<Dialect, String> {
    if root.get("$schema").is_some_and(|uri| !uri.is_string()) {
        return Err("`$schema` must be a string (at `/$schema`)".to_owned());
    }
    let dialect = match (Dialect::of(root), unsupported(root)) {
        (Some(dialect), None) => dialect,
        (_, reason) => return Err(reason.unwrap_or_default()),
    };
    // Not recursive, because a hand-written schema can have any depth.
    let mut pending = vec![(root, String::new())];
    while let Some((schema, pointer)) = pending.pop() {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            if let Some((_, expected)) = form(keyword, dialect).filter(|(accepts, _)| !accepts(value)) {
                return Err(format!("`{keyword}` must be {expected} (at `{pointer}/{}`)", escape_token(keyword)));
            }
        }
        walk::visit_children(schema, |location, child| {
            if form(location.keyword, dialect).is_some() {
                pending.push((child, format!("{pointer}/{}", location.pointer())));
            }
        });
    }
    Ok(dialect)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
            (
                "allOf anyOf oneOf prefixItems",
                schemas,
                json!([[true], [{}, {}]]),
                json!([[], {}, [1], [true, "a"], true]),
            ),
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
}
