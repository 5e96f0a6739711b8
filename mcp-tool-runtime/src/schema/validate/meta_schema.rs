//! Checks that a schema is valid JSON Schema: each keyword has a value of the right form. This is what the meta-schemas say.

use serde_json::Value;

use super::dialect::{Dialect, unsupported};
use super::formats::uri::{Charset, is_reference};
use crate::json::json_pointer::escape_token;
use crate::schema::accepted::Types;
use crate::schema::walk;

/// The form of a keyword's value.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Schema,
    /// A schema or a list of schemas.
    SchemaOrSchemas,
    Schemas,
    MapOfSchemas,
    /// Schemas or lists of names.
    Dependencies,
    Type,
    Array,
    Number,
    PositiveNumber,
    Count,
    Text,
    Flag,
    Names,
    MapOfNames,
    MapOfFlags,
    Anchor,
    Id,
}

fn form(keyword: &str, dialect: Dialect) -> Option<Form> {
    let is_2020 = dialect == Dialect::Draft2020;
    Some(match keyword {
        "items" if !is_2020 => Form::SchemaOrSchemas,
        "additionalProperties" | "propertyNames" | "items" | "contains" | "not" | "if" | "then" | "else" => {
            Form::Schema
        }
        "additionalItems" if !is_2020 => Form::Schema,
        "unevaluatedProperties" | "unevaluatedItems" | "contentSchema" if is_2020 => Form::Schema,
        "allOf" | "anyOf" | "oneOf" => Form::Schemas,
        "prefixItems" if is_2020 => Form::Schemas,
        "properties" | "patternProperties" | "definitions" => Form::MapOfSchemas,
        "$defs" | "dependentSchemas" if is_2020 => Form::MapOfSchemas,
        "dependencies" => Form::Dependencies,
        "type" => Form::Type,
        "enum" | "examples" => Form::Array,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Form::Number,
        "multipleOf" => Form::PositiveNumber,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => Form::Count,
        "minContains" | "maxContains" if is_2020 => Form::Count,
        "$id" if is_2020 => Form::Id,
        "title" | "description" | "format" | "pattern" | "$ref" | "$schema" | "$comment" | "$id"
        | "contentEncoding" | "contentMediaType" => Form::Text,
        "$dynamicRef" if is_2020 => Form::Text,
        "$anchor" | "$dynamicAnchor" if is_2020 => Form::Anchor,
        "uniqueItems" | "readOnly" | "writeOnly" => Form::Flag,
        "deprecated" if is_2020 => Form::Flag,
        "required" => Form::Names,
        "dependentRequired" if is_2020 => Form::MapOfNames,
        "$vocabulary" if is_2020 => Form::MapOfFlags,
        _ => return None,
    })
}

impl Form {
    fn accepts(self, value: &Value) -> bool {
        let is_schema = |value: &Value| value.is_object() || value.is_boolean();
        let are_schemas =
            |value: &Value| value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_schema));
        let all = |accept: &dyn Fn(&Value) -> bool| value.as_object().is_some_and(|map| map.values().all(accept));
        match self {
            Self::Schema => is_schema(value),
            Self::SchemaOrSchemas => is_schema(value) || are_schemas(value),
            Self::Schemas => are_schemas(value),
            Self::MapOfSchemas => all(&is_schema),
            Self::Dependencies => all(&|value| is_schema(value) || are_names(value)),
            Self::Type => Types::read(value).is_some(),
            Self::Array => value.is_array(),
            Self::Number => value.is_number(),
            Self::PositiveNumber => value.as_f64().is_some_and(|number| number > 0.0),
            Self::Count => value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0),
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::Names => are_names(value),
            Self::MapOfNames => all(&are_names),
            Self::MapOfFlags => all(&Value::is_boolean),
            Self::Anchor => value.as_str().is_some_and(is_anchor),
            Self::Id => value.as_str().is_some_and(|id| {
                id.split_once('#').is_none_or(|(_, fragment)| fragment.is_empty()) && is_reference(id, Charset::Ascii)
            }),
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Schema => "a schema: an object or a boolean",
            Self::SchemaOrSchemas => "a schema or a list of schemas",
            Self::Schemas => "a list of schemas that is not empty",
            Self::MapOfSchemas => "an object whose values are schemas",
            Self::Dependencies => "an object whose values are schemas or lists of names",
            Self::Type => "a type, such as \"string\", or a list of different types",
            Self::Array => "an array",
            Self::Number => "a number",
            Self::PositiveNumber => "a number above 0",
            Self::Count => "an integer of 0 or more",
            Self::Text => "a string",
            Self::Flag => "true or false",
            Self::Names => "a list of different names",
            Self::MapOfNames => "an object whose values are lists of different names",
            Self::MapOfFlags => "an object whose values are true or false",
            Self::Anchor => "a name that starts with a letter or `_`, made of letters, digits, `-`, `_` and `.`",
            Self::Id => "a URI reference without a fragment",
        }
    }
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

/// Returns the dialect of a schema, or the first thing that is wrong with the schema.
pub(super) fn check(root: &Value) -> Result<Dialect, String> {
    if let Some(form) = Some(Form::Text).filter(|form| root.get("$schema").is_some_and(|uri| !form.accepts(uri))) {
        return Err(format!("`$schema` must be {} (at `/$schema`)", form.describe()));
    }
    let dialect = match (Dialect::of(root), unsupported(root)) {
        (Some(dialect), None) => dialect,
        (_, reason) => return Err(reason.unwrap_or_default()),
    };
    // Not recursive, because a hand-written schema can have any depth.
    let mut pending = vec![(root, String::new())];
    while let Some((schema, pointer)) = pending.pop() {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            if let Some(form) = form(keyword, dialect).filter(|form| !form.accepts(value)) {
                let place = format!("{pointer}/{}", escape_token(keyword));
                return Err(format!("`{keyword}` must be {} (at `{place}`)", form.describe()));
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
