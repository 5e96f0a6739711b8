//! Rewrites an input schema into the dialect of a vendor.
//!
//! A step makes a schema accept more values in only two cases. It can drop a constraint, which is then reported as
//! [`Unstated`]. In a strict schema for `OpenAI`, it lets an optional property be `null`, which means that the property
//! is absent. Afterwards, [`lint`](crate::lint) checks the limits of the vendor.
//!
//! The first steps, which apply to every vendor, are here. [`mod@strict`] has the steps to a strict schema, and
//! [`gemini`] has the steps for Gemini alone.

use std::collections::HashMap;

use mcp_tool_schema::NULLABLE;
use serde_json::{Map, Value, json};
pub(super) use strict::strict;

use crate::export::Vendor;
use crate::json::path::fragment;
use crate::lint::limits::Alphabet;
use crate::schema::accepted::{Types, is_never};
use crate::schema::reference::{self, Reference};
use crate::schema::walk::{self, has_type, keyword};

mod gemini;
mod strict;

/// A constraint that only a description mentions: a JSON pointer to the subschema, and the keyword.
pub(super) type Unstated = (String, String);

/// Rewrites a schema for a tool that is not strict. Adds to `unstated` the constraints that now appear only in
/// descriptions.
pub(super) fn plain(vendor: Vendor, prepared: &Prepared, unstated: &mut Vec<Unstated>) -> Value {
    let mut schema = prepared.schema.clone();
    drop_keywords(&mut schema, |keyword| keyword == NULLABLE);
    if vendor == Vendor::Gemini {
        gemini::say_in_words(&mut schema, "", unstated);
    }
    add_required(&mut schema);
    add_properties(&mut schema, vendor.is_open_ai());
    match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => add_items(&mut schema),
        Vendor::Gemini => gemini::rewrite(&mut schema),
        Vendor::Anthropic | Vendor::Bedrock => {}
    }
    schema
}

/// Annotations that are of no use to a model.
const ANNOTATIONS: [&str; 6] = ["title", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"];

/// Removes the keywords for which `is_dropped` returns `true`, at every depth. Returns `true` if there were any.
fn drop_keywords(schema: &mut Value, is_dropped: impl Fn(&str) -> bool) -> bool {
    let mut found = false;
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let before = keywords.len();
        keywords.retain(|keyword, _| !is_dropped(keyword));
        found |= keywords.len() < before;
    });
    found
}

/// Returns the values of `examples` as words for a description.
fn examples(examples: &Value) -> String {
    let examples: Vec<_> = examples.as_array().into_iter().flatten().map(Value::to_string).collect();
    format!("for example: {}", examples.join(", "))
}

/// Adds words to the description of a schema, in parentheses.
fn add_words(keywords: &mut Map<String, Value>, words: &str) {
    let text = match keywords.get("description").and_then(Value::as_str).map(str::trim_end) {
        Some(text) if !text.is_empty() => format!("{text} ({words})"),
        _ => format!("({words})"),
    };
    keywords.insert("description".to_owned(), text.into());
}

/// Adds each required name that `properties` lacks, with the schema under `additionalProperties`. A closed object stays
/// as it is, because it refuses such names.
fn add_required(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let names: Vec<_> = keywords.get("required").and_then(Value::as_array).into_iter().flatten().cloned().collect();
        let rest = match keywords.get("additionalProperties") {
            Some(rest) if is_never(rest) => return,
            // If a pattern describes the name, `additionalProperties` does not apply to it.
            Some(rest @ Value::Object(_)) if !keywords.contains_key("patternProperties") => rest.clone(),
            _ => json!({}),
        };
        if names.is_empty() || keywords.get("unevaluatedProperties").is_some_and(is_never) {
            return;
        }
        let properties = keywords.entry("properties").or_insert_with(|| json!({}));
        let Some(properties) = properties.as_object_mut() else { return };
        for name in names.iter().filter_map(Value::as_str) {
            if !properties.contains_key(name) {
                properties.insert(name.to_owned(), rest.clone());
            }
        }
    });
}

/// Adds empty `properties` where they are missing: to the root or, with `on_each`, to every object schema.
fn add_properties(schema: &mut Value, on_each: bool) {
    let mut is_root = true;
    walk::visit_mut(schema, &mut |schema| {
        if (is_root || on_each) && has_type(schema, "object") && keyword(schema, "properties").is_none() {
            schema["properties"] = json!({});
        }
        is_root = false;
    });
}

/// Adds `items` that accept anything to each array schema without `items`.
fn add_items(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if has_type(schema, "array") && keyword(schema, "items").is_none() {
            schema["items"] = json!({});
        }
    });
}

/// Adds the missing `type` to an `enum` or a `const` if all its values have the same type.
fn add_types_of_values(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let values = match (keywords.get("const"), keywords.get("enum")) {
            (Some(value), _) => vec![value],
            (None, Some(Value::Array(values))) => values.iter().collect(),
            _ => return,
        };
        let mut kinds: Vec<_> = values.into_iter().map(|value| Types::of_value(value).name()).collect();
        kinds.dedup();
        if let ([kind], None) = (kinds.as_slice(), keywords.get("type")) {
            keywords.shift_insert(0, "type".to_owned(), (*kind).into());
        }
    });
}

/// Moves a reference with other keywords next to it into a union with one branch. A reference next to `anyOf` or
/// `$defs` stays.
fn wrap_references(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let is_wrapped = keywords.len() > 1 && !keywords.contains_key("anyOf") && !keywords.contains_key("$defs");
        if is_wrapped && let Some(target) = keywords.shift_remove("$ref") {
            keywords.insert("anyOf".to_owned(), json!([{ "$ref": target }]));
        }
    });
}

/// A schema in the dialect 2020-12, without keywords that no vendor reads, but with the marks of nullable properties.
pub(in crate::export) struct Prepared {
    pub(in crate::export) schema: Value,
    /// The old names of renamed definitions.
    pub(in crate::export) renamed: Renamed,
    /// Whether the schema is hand-written. If so, the handler also receives properties that the schema does not list.
    pub(in crate::export) is_hand_written: bool,
    /// Whether the schema had examples that were dropped because nothing has checked them.
    pub(in crate::export) lost_examples: bool,
}

/// The old names of definitions, by their new names.
pub(in crate::export) type Renamed = HashMap<String, String>;

const SIMPLE: Alphabet = Alphabet::new("_-", usize::MAX);

/// Rewrites a schema as every vendor needs it: removes keywords that are meant for programs, replaces keywords of draft
/// 7, and simplifies the names of definitions and the boolean schemas.
pub(in crate::export) fn prepare(mut schema: Value, is_hand_written: bool) -> Prepared {
    // No vendor reads the dialect or keywords that are meant for programs.
    let is_for_programs = |keyword: &str| {
        keyword.starts_with("x-") && keyword != NULLABLE || matches!(keyword, "$schema" | "$comment" | "discriminator")
    };
    drop_keywords(&mut schema, is_for_programs);
    let lost_examples = is_hand_written && drop_keywords(&mut schema, |keyword| keyword == "examples");
    if is_hand_written {
        upgrade(&mut schema);
    }
    let renamed = simplify(&mut schema);
    replace_booleans(&mut schema);
    Prepared { schema, renamed, is_hand_written, lost_examples }
}

/// Replaces the keywords of draft 7, which hand-written schemas may use: `definitions`, lists under `items` (with
/// `additionalItems`), and `dependencies`.
fn upgrade(schema: &mut Value) {
    if schema.get("$defs").is_none()
        && let Some(keywords) = schema.as_object_mut()
        && let Some(definitions) = keywords.shift_remove("definitions")
    {
        keywords.insert("$defs".to_owned(), definitions);
    }
    walk::visit_keywords_mut(schema, &mut |keywords| {
        if let Some(Value::String(target)) = keywords.get_mut("$ref")
            && let Some(name) = target.strip_prefix("#/definitions/")
        {
            *target = format!("#/$defs/{name}");
        }
        if keywords.get("items").is_some_and(Value::is_array)
            && let Some(items) = keywords.shift_remove("items")
        {
            keywords.insert("prefixItems".to_owned(), items);
            let rest = keywords.shift_remove("additionalItems");
            keywords.extend(rest.map(|rest| ("items".to_owned(), rest)));
        }
        if let Some(Value::Object(dependencies)) = keywords.shift_remove("dependencies") {
            let (required, schemas): (Map<_, _>, Map<_, _>) =
                dependencies.into_iter().partition(|(_, dependency)| dependency.is_array());
            let both = [("dependentRequired", required), ("dependentSchemas", schemas)];
            let both = both.into_iter().filter(|(_, found)| !found.is_empty());
            keywords.extend(both.map(|(keyword, found)| (keyword.to_owned(), found.into())));
        }
    });
}

/// Renames definitions, so that their names have only letters, digits, `_` and `-`.
///
/// References to a derived definition such as `Page<User>` contain percent escapes, and some vendors might not decode
/// them.
fn simplify(schema: &mut Value) -> Renamed {
    let Some(Value::Object(definitions)) = schema.get_mut("$defs") else { return Renamed::new() };
    if definitions.keys().all(|name| SIMPLE.fit(name) == *name) {
        return Renamed::new();
    }
    let mut renamed: HashMap<String, String> = HashMap::new();
    let mut simple = Map::new();
    for (name, definition) in std::mem::take(definitions) {
        let mut new = SIMPLE.fit(&name);
        while simple.contains_key(&new) {
            new.push('_');
        }
        simple.insert(new.clone(), definition);
        renamed.insert(name, new);
    }
    *definitions = simple;
    walk::visit_mut(schema, &mut |schema| {
        let Some(Value::String(target)) = walk::keyword_mut(schema, "$ref") else { return };
        let new = match Reference::parse(target) {
            Reference::Definition(name) => renamed.get(&name).map(|name| reference::to_definition(name)),
            Reference::Within(name, rest) => renamed.get(&name).map(|new| fragment(&format!("/$defs/{new}{rest}"))),
            _ => None,
        };
        if let Some(new) = new {
            *target = new;
        }
    });
    renamed.into_iter().map(|(old, new)| (new, old)).collect()
}

/// Replaces `true` with `{}` and `false` with `{"not": {}}`, except in keywords that can close an object or a list.
/// Removes properties that are `false` from closed objects. None of this changes the meaning.
fn replace_booleans(schema: &mut Value) {
    const CLOSING: [&str; 5] =
        ["additionalProperties", "unevaluatedProperties", "items", "additionalItems", "unevaluatedItems"];
    walk::visit_mut(schema, &mut |schema| {
        let is_closed = keyword(schema, "additionalProperties").is_some_and(is_never);
        if is_closed && let Some(Value::Object(properties)) = walk::keyword_mut(schema, "properties") {
            properties.retain(|_, property| *property != Value::Bool(false));
        }
        walk::visit_children_mut(schema, |location, child| {
            if let (Value::Bool(accepts), false) = (&*child, CLOSING.contains(&location.keyword)) {
                *child = if *accepts { json!({}) } else { json!({ "not": {} }) };
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_keywords_are_written_in_the_new_way() {
        let mut schema = json!({
            "properties": { "pair": { "items": [{ "$ref": "#/definitions/A" }], "additionalItems": false } },
            "dependencies": { "a": ["b"], "c": { "required": ["d"] } },
            "definitions": { "A": { "type": "string" } }
        });
        upgrade(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": { "pair": { "prefixItems": [{ "$ref": "#/$defs/A" }], "items": false } },
                "dependentRequired": { "a": ["b"] },
                "dependentSchemas": { "c": { "required": ["d"] } },
                "$defs": { "A": { "type": "string" } }
            })
        );
    }

    #[test]
    fn definitions_get_names_without_escapes() {
        let mut schema = json!({
            "properties": {
                "a": { "$ref": "#/$defs/Page%3CUser%3E" }, "b": { "$ref": "#/$defs/Page_User_" },
                "c": { "$ref": "#/$defs/Page%3CUser%3E/properties/x" },
                "d": { "$ref": "#/%24defs/Page%3CUser%3E/properties/x" }
            },
            "$defs": { "Page<User>": { "properties": { "x": { "type": "string" } } }, "Page_User_": { "type": "null" } }
        });
        simplify(&mut schema);
        for (property, expected) in
            [("a", json!("string")), ("b", json!("null")), ("c", json!("string")), ("d", json!("string"))]
        {
            let target = schema["properties"][property]["$ref"].as_str().expect("a reference").to_owned();
            let found = reference::resolve(&schema, &target).expect("a target");
            let found = found.get("properties").map_or(found, |properties| &properties["x"]);
            assert_eq!(found["type"], expected, "{property}: {target}");
        }
    }
}
