//! Checks that a schema is valid JSON Schema: each keyword has a value of the right form. This is what the meta-schemas say.

use serde_json::{Map, Value};

use super::formats::uri::{Charset, is_reference};
use super::types::Types;
use crate::document::json_pointer::escape_token;

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Dialect {
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
}

impl Dialect {
    fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix('#').unwrap_or(name);
        let name = name.strip_prefix("https://").or_else(|| name.strip_prefix("http://"))?;
        match name.strip_prefix("json-schema.org/")? {
            "draft/2020-12/schema" => Some(Self::Draft2020),
            "draft/2019-09/schema" => Some(Self::Draft2019),
            "draft-07/schema" => Some(Self::Draft7),
            "draft-06/schema" => Some(Self::Draft6),
            _ => None,
        }
    }

    pub(super) fn is_from_2019(self) -> bool {
        self >= Self::Draft2019
    }

    pub(super) fn is_before_2019(self) -> bool {
        !self.is_from_2019()
    }

    pub(super) fn has_conditions(self) -> bool {
        self >= Self::Draft7
    }

    /// Returns `true` if the draft has this keyword for references that are resolved while validating.
    pub(super) fn is_dynamic(self, keyword: &str) -> bool {
        match self {
            Self::Draft2020 => keyword == "$dynamicRef",
            Self::Draft2019 => keyword == "$recursiveRef",
            Self::Draft6 | Self::Draft7 => false,
        }
    }
}

/// The form of a keyword's value.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Schema,
    /// A schema or a list of schemas.
    SchemaOrSchemas,
    Schemas,
    NamedSchemas,
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
    NamedNames,
    NamedFlags,
    Anchor,
    Id,
}

fn form(keyword: &str, dialect: Dialect) -> Option<Form> {
    let is_2019 = dialect.is_from_2019();
    let is_2020 = dialect == Dialect::Draft2020;
    Some(match keyword {
        "items" if !is_2020 => Form::SchemaOrSchemas,
        "additionalProperties" | "propertyNames" | "items" | "contains" | "not" => Form::Schema,
        "if" | "then" | "else" if dialect.has_conditions() => Form::Schema,
        "additionalItems" if !is_2020 => Form::Schema,
        "unevaluatedProperties" | "unevaluatedItems" | "contentSchema" if is_2019 => Form::Schema,
        "allOf" | "anyOf" | "oneOf" => Form::Schemas,
        "prefixItems" if is_2020 => Form::Schemas,
        "properties" | "patternProperties" | "definitions" => Form::NamedSchemas,
        "$defs" | "dependentSchemas" if is_2019 => Form::NamedSchemas,
        "dependencies" => Form::Dependencies,
        "type" => Form::Type,
        "enum" | "examples" => Form::Array,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Form::Number,
        "multipleOf" => Form::PositiveNumber,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => Form::Count,
        "minContains" | "maxContains" if is_2019 => Form::Count,
        "$id" if is_2019 => Form::Id,
        "title" | "description" | "format" | "pattern" | "$ref" | "$schema" | "$comment" | "$id" => Form::Text,
        "contentEncoding" | "contentMediaType" if dialect.has_conditions() => Form::Text,
        "$dynamicRef" if is_2020 => Form::Text,
        "$recursiveRef" if is_2019 => Form::Text,
        "$anchor" if is_2019 => Form::Anchor,
        "$dynamicAnchor" if is_2020 => Form::Anchor,
        "uniqueItems" => Form::Flag,
        "readOnly" | "writeOnly" if dialect.has_conditions() => Form::Flag,
        "deprecated" if is_2019 => Form::Flag,
        "$recursiveAnchor" if dialect == Dialect::Draft2019 => Form::Flag,
        "required" => Form::Names,
        "dependentRequired" if is_2019 => Form::NamedNames,
        "$vocabulary" if is_2019 => Form::NamedFlags,
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
            Self::NamedSchemas => all(&is_schema),
            Self::Dependencies => all(&|value| is_schema(value) || are_names(value)),
            Self::Type => Types::read(value).is_some(),
            Self::Array => value.is_array(),
            Self::Number => value.is_number(),
            Self::PositiveNumber => value.as_f64().is_some_and(|number| number > 0.0),
            Self::Count => value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0),
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::Names => are_names(value),
            Self::NamedNames => all(&are_names),
            Self::NamedFlags => all(&Value::is_boolean),
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
            Self::NamedSchemas => "an object whose values are schemas",
            Self::Dependencies => "an object whose values are schemas or lists of names",
            Self::Type => "a type, such as \"string\", or a list of different types",
            Self::Array => "an array",
            Self::Number => "a number",
            Self::PositiveNumber => "a number above 0",
            Self::Count => "an integer of 0 or more",
            Self::Text => "a string",
            Self::Flag => "true or false",
            Self::Names => "a list of different names",
            Self::NamedNames => "an object whose values are lists of different names",
            Self::NamedFlags => "an object whose values are true or false",
            Self::Anchor => "a name that starts with a letter or `_`, made of letters, digits, `-`, `_` and `.`",
            Self::Id => "a URI without a fragment",
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
    let dialect = declared.map_or(Some(Dialect::Draft2020), Dialect::named).ok_or_else(|| {
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
                    if !pointer.is_empty() && value.as_str().and_then(Dialect::named) != Some(dialect) =>
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
        (Form::NamedSchemas | Form::Dependencies, Value::Object(schemas)) => pending.extend(map(schemas)),
        (Form::Schema | Form::SchemaOrSchemas, schema) => pending.push((schema, place())),
        _ => {}
    }
}
