//! Checks that a schema is valid JSON Schema: each keyword has a value of the right form. This is what the meta-schemas say.
//! Also refuses what the validator does not support, such as an unknown draft.

use serde_json::{Map, Value};

use super::dialect::Dialect;
use super::formats::uri::{Charset, is_reference};
use crate::json::json_pointer::escape_token;
use crate::schema::accepted::Types;

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
    let is_2019_or_later = dialect.is_2019_or_later();
    let is_2020 = dialect == Dialect::Draft2020;
    Some(match keyword {
        "items" if !is_2020 => Form::SchemaOrSchemas,
        "additionalProperties" | "propertyNames" | "items" | "contains" | "not" => Form::Schema,
        "if" | "then" | "else" if dialect.has_conditions() => Form::Schema,
        "additionalItems" if !is_2020 => Form::Schema,
        "unevaluatedProperties" | "unevaluatedItems" | "contentSchema" if is_2019_or_later => Form::Schema,
        "allOf" | "anyOf" | "oneOf" => Form::Schemas,
        "prefixItems" if is_2020 => Form::Schemas,
        "properties" | "patternProperties" | "definitions" => Form::MapOfSchemas,
        "$defs" | "dependentSchemas" if is_2019_or_later => Form::MapOfSchemas,
        "dependencies" => Form::Dependencies,
        "type" => Form::Type,
        "enum" | "examples" => Form::Array,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Form::Number,
        "multipleOf" => Form::PositiveNumber,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => Form::Count,
        "minContains" | "maxContains" if is_2019_or_later => Form::Count,
        "$id" if is_2019_or_later => Form::Id,
        "title" | "description" | "format" | "pattern" | "$ref" | "$schema" | "$comment" | "$id" => Form::Text,
        "contentEncoding" | "contentMediaType" if dialect.has_conditions() => Form::Text,
        "$dynamicRef" if is_2020 => Form::Text,
        "$recursiveRef" if is_2019_or_later => Form::Text,
        "$anchor" if is_2019_or_later => Form::Anchor,
        "$dynamicAnchor" if is_2020 => Form::Anchor,
        "uniqueItems" => Form::Flag,
        "readOnly" | "writeOnly" if dialect.has_conditions() => Form::Flag,
        "deprecated" if is_2019_or_later => Form::Flag,
        "$recursiveAnchor" if dialect == Dialect::Draft2019 => Form::Flag,
        "required" => Form::Names,
        "dependentRequired" if is_2019_or_later => Form::MapOfNames,
        "$vocabulary" if is_2019_or_later => Form::MapOfFlags,
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
    let declared = root.get("$schema").and_then(Value::as_str);
    let dialect = declared.map_or(Some(Dialect::Draft2020), Dialect::of_uri).ok_or_else(|| {
        let name = declared.unwrap_or_default();
        format!("`$schema` is `{name}`, which is not supported: write the schema for draft 2020-12 (at `/$schema`)")
    })?;
    let mut resources = 0;
    let mut dynamic = None;
    // Not recursive, because a hand-written schema can have any depth.
    let mut pending = vec![(root, String::new())];
    while let Some((schema, pointer)) = pending.pop() {
        let Some(map) = schema.as_object() else { continue };
        for (keyword, value) in map {
            let Some(form) = form(keyword, dialect) else { continue };
            let place = || format!("{pointer}/{}", escape_token(keyword));
            if !form.accepts(value) {
                return Err(format!("`{keyword}` must be {} (at `{}`)", form.describe(), place()));
            }
            match (form, keyword.as_str()) {
                (_, "$id") if !pointer.is_empty() && !value.as_str().is_some_and(|id| id.starts_with('#')) => {
                    resources += 1;
                }
                (Form::Text, "$schema")
                    if !pointer.is_empty() && value.as_str().and_then(Dialect::of_uri) != Some(dialect) =>
                {
                    return Err(format!("a part of a schema cannot have another `$schema` (at `{}`)", place()));
                }
                (Form::Text, "$dynamicRef" | "$recursiveRef") => dynamic = Some(place()),
                _ => push_subschemas(&mut pending, form, value, &place),
            }
        }
    }
    match dynamic {
        Some(place) if resources > 0 => Err(format!(
            "a dynamic reference beside an `$id` below the root is not supported: write `$ref` (at `{place}`)"
        )),
        _ => Ok(dialect),
    }
}

fn push_subschemas<'s>(
    pending: &mut Vec<(&'s Value, String)>,
    form: Form,
    value: &'s Value,
    place: &dyn Fn() -> String,
) {
    let list = |list: &'s [Value]| {
        list.iter().enumerate().map(|(at, schema)| (schema, format!("{}/{at}", place()))).collect::<Vec<_>>()
    };
    let map = |map: &'s Map<String, Value>| {
        map.iter().map(|(name, schema)| (schema, format!("{}/{}", place(), escape_token(name)))).collect::<Vec<_>>()
    };
    match (form, value) {
        (Form::SchemaOrSchemas | Form::Schemas, Value::Array(schemas)) => pending.extend(list(schemas)),
        (Form::MapOfSchemas | Form::Dependencies, Value::Object(schemas)) => pending.extend(map(schemas)),
        (Form::Schema | Form::SchemaOrSchemas, schema) => pending.push((schema, place())),
        _ => {}
    }
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
                "title description format pattern $ref $comment contentEncoding contentMediaType $dynamicRef $recursiveRef",
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
        const DRAFTS: [(Dialect, &str); 4] = [
            (Dialect::Draft6, "http://json-schema.org/draft-06/schema#"),
            (Dialect::Draft7, "http://json-schema.org/draft-07/schema"),
            (Dialect::Draft2019, "https://json-schema.org/draft/2019-09/schema"),
            (Dialect::Draft2020, "https://json-schema.org/draft/2020-12/schema"),
        ];
        for (keywords, first, last) in [
            ("not contains propertyNames dependencies definitions $id", 0, 3),
            ("if then else contentEncoding contentMediaType readOnly writeOnly", 1, 3),
            ("unevaluatedProperties unevaluatedItems contentSchema $defs dependentSchemas", 2, 3),
            ("minContains maxContains dependentRequired $anchor deprecated $vocabulary $recursiveRef", 2, 3),
            ("additionalItems", 0, 2),
            ("$recursiveAnchor", 2, 2),
            ("prefixItems $dynamicRef $dynamicAnchor", 3, 3),
            ("unknown", 4, 4),
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
            assert_eq!(found(json!([true])), at < 3, "{name}");
            let of_id = check(&json!({ "$schema": name, "$id": "#a" }));
            assert_eq!(of_id.is_ok(), at < 2, "{name}");
        }
        for name in [
            "json-schema.org/draft-07/schema",
            "https://example.com/schema",
            "",
            "https://json-schema.org/draft-05/schema",
        ] {
            let error = check(&json!({ "$schema": name })).expect_err("an unknown draft");
            assert!(error.contains("which is not supported"), "{error}");
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
    fn a_part_has_the_dialect_of_the_whole() {
        let latest = "https://json-schema.org/draft/2020-12/schema";
        assert!(check(&json!({ "$schema": latest, "not": { "$schema": latest } })).is_ok());
        assert!(check(&json!({ "not": { "$schema": format!("{latest}#") } })).is_ok());
        let error = check(&json!({ "not": { "$schema": "http://json-schema.org/draft-07/schema" } }));
        assert_eq!(error, Err("a part of a schema cannot have another `$schema` (at `/not/$schema`)".to_owned()));
        assert!(check(&json!({ "not": { "$schema": "text" } })).is_err());
    }

    #[test]
    fn a_dynamic_reference_needs_a_schema_of_one_resource() {
        let with =
            |id: &Value, keyword: &str| check(&json!({ "$id": "a", "not": { "$id": id }, "items": { keyword: "#" } }));
        for keyword in ["$dynamicRef", "$recursiveRef"] {
            let error = with(&json!("b"), keyword).expect_err("two resources");
            assert!(
                error.starts_with("a dynamic reference beside") && error.ends_with(&format!("(at `/items/{keyword}`)"))
            );
            assert!(check(&json!({ "$id": "a", "items": { keyword: "#" } })).is_ok());
        }
        assert!(with(&json!("b"), "$ref").is_ok());
        let anchor = json!({
            "$schema": "http://json-schema.org/draft-07/schema", "not": { "$id": "#b" }, "items": { "$ref": "#b" }
        });
        assert!(check(&anchor).is_ok());
    }
}
