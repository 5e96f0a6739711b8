//! The supported versions of JSON Schema, the schemas that need the crate `jsonschema`, and the meta-schemas, which say
//! what value each keyword must have.

use serde_json::Value;

use super::keywords::formats::is_reference;
use crate::accepted::Types;
use crate::json::path::escape_token;
use crate::pattern;
use crate::walk::{self, is_schema, keyword};

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dialect {
    Draft7,
    Draft2020,
}

impl Dialect {
    /// Returns the dialect that a schema declares, which is 2020-12 if it has no `$schema`. Returns `None` for a
    /// dialect that is not supported here.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        let Some(uri) = keyword(schema, "$schema").and_then(Value::as_str) else { return Some(Self::Draft2020) };
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        match uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))? {
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            _ => None,
        }
    }
}

/// Says which `$schema`, `$id` or reference only the feature `jsonschema` supports, and what to write instead. Returns
/// `None` if there is none.
pub(super) fn unsupported(root: &Value) -> Option<String> {
    reason(root).map(|reason| format!("{reason}, or enable the feature `jsonschema`"))
}

/// Returns `true` if only the feature `jsonschema` supports all of the schema.
pub(super) fn needs_external(schema: &Value) -> bool {
    let needs_it = |schema: &Value| {
        keyword(schema, "format").is_some_and(|format| format == "uri-template")
            || pattern::of(schema).map(pattern::parse).any(|syntax| syntax.is_regex && syntax.problem.is_some())
    };
    unsupported(schema).is_some() || walk::any(schema, needs_it)
}

fn reason(root: &Value) -> Option<String> {
    let Some(dialect) = Dialect::of(root) else {
        let uri = root["$schema"].as_str().unwrap_or_default();
        return Some(format!("`$schema` is `{uri}`: write the schema for 2020-12 or draft 7"));
    };
    let (mut has_id, mut has_inner_id, mut has_reference, mut found) = (false, false, false, None);
    let mut leading_to_id = None;
    walk::visit(root, &mut |schema| {
        let text = |name| keyword(schema, name).and_then(Value::as_str);
        if text("$id").is_some_and(|id| !id.starts_with('#')) {
            has_id = true;
            has_inner_id |= !std::ptr::eq(schema, root);
        }
        for target in [text("$ref"), text("$dynamicRef")].into_iter().flatten() {
            has_reference = true;
            leading_to_id = leading_to_id.or(Some(target).filter(|target| !target.starts_with('#')));
        }
        if keyword(schema, "$schema").is_some() && Dialect::of(schema) != Some(dialect) {
            found = Some("a part of it has another `$schema`: write all of it for one dialect".to_owned());
        }
    });
    match leading_to_id.filter(|_| has_id) {
        _ if found.is_some() => found,
        Some(target) => Some(format!("the reference `{target}` leads to an `$id`: write it as `#/…`")),
        None if has_inner_id && has_reference => {
            Some("it has references and an `$id` below the root: remove that `$id`".to_owned())
        }
        None => None,
    }
}

/// What a keyword's value must be: a test, and words for a message.
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
    let dialect = match (Dialect::of(root), unsupported(root)) {
        (Some(dialect), None) => dialect,
        (_, reason) => return Err(reason.unwrap_or_default()),
    };
    // Do not recurse, because a schema can have any depth.
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
mod tests;
