//! Rewrites the schemas of strict tools, so that the vendor can enforce them.

use mcp_tool_schema::NULLABLE;
use serde_json::{Map, Value, json};

use super::{
    ANNOTATIONS, Prepared, add_items, add_properties, add_types_of_values, add_words, drop_keywords, examples,
    wrap_references,
};
use crate::export::Vendor;

use crate::schema::accepted::{Types, are_disjoint, is_never};
use crate::schema::normalise::remove_unused_definitions;
use crate::schema::project::Expansion;
use crate::schema::walk::{self, has_type, keyword};

/// Rewrites a schema for a strict tool. The dispatcher accepts every call that the rewritten schema permits. The caller
/// of this function checks whether that schema is in the vendor's subset.
pub(in crate::export) fn strict(vendor: Vendor, prepared: &Prepared) -> Value {
    let mut schema = prepared.schema.clone();
    let marks_null = vendor.is_open_ai();
    drop_keywords(&mut schema, |keyword| ANNOTATIONS.contains(&keyword) || keyword == NULLABLE && !marks_null);
    describe(&mut schema, "default");
    describe(&mut schema, "examples");
    add_items(&mut schema);
    any_of(&mut schema);
    add_types_of_values(&mut schema);
    close(&mut schema, prepared.is_hand_written);
    add_properties(&mut schema, vendor.is_open_ai());
    if vendor.is_open_ai() {
        nullable(&mut schema);
        wrap_references(&mut schema);
    } else {
        split_types(&mut schema);
        inline_described(&mut schema);
    }
    schema
}

/// Moves the values of `keyword`, which is `default` or `examples`, into the descriptions.
fn describe(schema: &mut Value, keyword: &str) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let Some(value) = keywords.shift_remove(keyword) else { return };
        let text = match (keyword, &value) {
            (_, Value::Null) => return,
            ("default", value) => format!("default: {value}"),
            (_, values) => examples(values),
        };
        add_words(keywords, &text);
    });
}

/// Replaces `oneOf` with `anyOf` where no value can match two branches. There, both keywords mean the same.
fn any_of(schema: &mut Value) {
    let root = schema.clone();
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let Some(at) = keywords.keys().position(|keyword| keyword == "oneOf") else { return };
        let is_disjoint = keywords["oneOf"].as_array().is_some_and(|branches| are_disjoint(branches, &root));
        if is_disjoint && !keywords.contains_key("anyOf") {
            let branches = keywords.shift_remove("oneOf").unwrap_or_default();
            keywords.shift_insert(at, "anyOf".to_owned(), branches);
        }
    });
}

/// Replaces a list of types with a union that has one branch for each type. A branch gets the keywords for its type. A
/// schema that already has a union, an `enum` or a `const` stays as it is.
fn split_types(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let is_union = ["anyOf", "oneOf", "enum", "const"].iter().any(|keyword| keywords.contains_key(*keyword));
        let Some(Value::Array(kinds)) = keywords.get("type").filter(|_| !is_union).cloned() else { return };
        let mut outer = std::mem::take(keywords);
        outer.shift_remove("type");
        let mut branches: Vec<Map<String, Value>> =
            kinds.into_iter().map(|kind| Map::from_iter([("type".to_owned(), kind)])).collect();
        outer.retain(|keyword, value| {
            let owners = Types::limited_by(keyword);
            if owners == Types::NONE || owners == Types::ALL {
                return true;
            }
            let is_owner = |branch: &&mut Map<String, Value>| Types::of_keyword(branch.get("type")).intersects(owners);
            for branch in branches.iter_mut().filter(is_owner) {
                branch.insert(keyword.clone(), value.clone());
            }
            false
        });
        outer.insert("anyOf".to_owned(), branches.into_iter().map(Value::Object).collect());
        *keywords = outer;
    });
}

/// Next to one of these keywords, `properties` may not list all properties of an object.
const COMPOSITION: [&str; 5] = ["anyOf", "oneOf", "allOf", "$ref", "patternProperties"];

/// Adds `"additionalProperties": false` to each object schema whose properties are all listed.
///
/// A tool ignores unlisted properties of a derived object, so closing it loses nothing. An object without any
/// properties stays open, because it stands for any object. An object in a hand-written schema stays open too, because
/// the tool's handler receives all properties.
fn close(schema: &mut Value, is_hand_written: bool) {
    walk::visit_mut(schema, &mut |schema| {
        if !has_type(schema, "object") && keyword(schema, "properties").is_none() {
            return;
        }
        let closes = if let Some(rest) = keyword(schema, "additionalProperties") {
            is_never(rest)
        } else {
            let has_properties = !is_hand_written
                && keyword(schema, "properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
            let is_composed = COMPOSITION.iter().any(|name| keyword(schema, name).is_some());
            !is_composed && keyword(schema, "unevaluatedProperties").map_or(has_properties, is_never)
        };
        if closes && let Some(keywords) = schema.as_object_mut() {
            keywords.shift_remove("unevaluatedProperties");
            keywords.insert("additionalProperties".to_owned(), false.into());
        }
    });
}

/// The words that this crate uses in the description of an argument to say that the argument is optional.
const LEFT_OUT: &str = "Leave it out";

/// Makes optional properties required, and lets them be `null`. The dispatcher reads `null` for an optional property as
/// absent, so nothing is lost.
///
/// A property stays optional if its `null` has or might have a meaning other than absence, or if `null` cannot be added
/// to its schema. If a property has the mark [`NULLABLE`], its type itself reads `null` as absence. A model could think
/// that `null` clears such a property, so the description of the object says that `null` means "not set".
fn nullable(schema: &mut Value) {
    let root = schema.clone();
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let mut required: Vec<Value> = keywords.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(Value::Object(properties)) = keywords.get_mut("properties") else { return };
        let mut order: Vec<Value> = Vec::with_capacity(properties.len());
        let mut has_marked = false;
        for (name, property) in properties.iter_mut() {
            let mark = property.as_object_mut().and_then(|keywords| keywords.shift_remove(NULLABLE));
            let is_required = required.iter().any(|required| required == name);
            let has_own_null = mark == Some(false.into()) || Types::of(property, &root).intersects(Types::NULL);
            let is_nullable = !is_required && !has_own_null && add_null(property);
            has_marked |= is_nullable && mark.is_some();
            if is_nullable && let Some(Value::String(text)) = property.get_mut("description") {
                *text = text.replace(LEFT_OUT, "Write `null`");
            }
            if is_required || is_nullable {
                order.push(name.as_str().into());
            }
        }
        // Keep required names without a property, so that the check of the limits reports them.
        required.retain(|name| !order.contains(name));
        order.extend(required);
        keywords.insert("required".to_owned(), order.into());
        if has_marked {
            add_words(keywords, "`null`: not set");
        }
    });
}

/// Makes a schema accept `null` too. Returns `false` if the form of the schema does not allow that.
fn add_null(schema: &mut Value) -> bool {
    let Some(keywords) = schema.as_object_mut() else { return false };
    if let Some(target) = keywords.shift_remove("$ref") {
        keywords.insert("anyOf".to_owned(), json!([{ "$ref": target }, { "type": "null" }]));
        return true;
    }
    if let Some(Value::Array(branches)) = keywords.get_mut("anyOf") {
        branches.push(json!({ "type": "null" }));
        return !keywords.contains_key("type");
    }
    if let Some(value) = keywords.shift_remove("const") {
        let kind = keywords.shift_remove("type").unwrap_or_else(|| Types::of_value(&value).name().into());
        keywords.insert("anyOf".to_owned(), json!([{ "type": kind, "const": value }, { "type": "null" }]));
        return true;
    }
    if let Some(Value::Array(values)) = keywords.get_mut("enum") {
        values.push(Value::Null);
    }
    match keywords.get_mut("type") {
        Some(Value::Array(names)) => names.push("null".into()),
        Some(name @ Value::String(_)) => *name = json!([name.take(), "null"]),
        _ => return false,
    }
    true
}

/// If a reference has only a description next to it, replaces the reference with its target. A reference inside its own
/// target stays, and so does a reference beyond the limits of the [`Expansion`].
fn inline_described(schema: &mut Value) {
    if schema.get("$defs").is_some() {
        Expansion { most: 1_000, only_described: true, summary: None }.apply(schema);
        remove_unused_definitions(schema);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::schema::wrap_references;

    fn after(mut schema: Value, step: fn(&mut Value)) -> Value {
        step(&mut schema);
        schema
    }

    #[test]
    fn a_list_of_types_becomes_a_union() {
        assert_eq!(
            after(json!({ "type": ["string", "null"], "pattern": "^a$", "description": "d" }), split_types),
            json!({ "description": "d", "anyOf": [{ "type": "string", "pattern": "^a$" }, { "type": "null" }] })
        );
    }

    #[test]
    fn one_of_becomes_any_of_only_if_branches_cannot_overlap() {
        let (a, b) = (json!({ "const": "a" }), json!({ "const": "b" }));
        assert_eq!(after(json!({ "oneOf": [a, b] }), any_of), json!({ "anyOf": [a, b] }));
        let overlapping = json!({ "oneOf": [{ "type": "string" }, a] });
        assert_eq!(after(overlapping.clone(), any_of), overlapping);
    }

    #[test]
    fn only_objects_with_listed_properties_are_closed() {
        let closed = |mut schema: Value| {
            close(&mut schema, false);
            schema.get("additionalProperties").cloned()
        };
        let properties = json!({ "a": { "type": "string" } });
        assert_eq!(closed(json!({ "type": "object", "properties": properties })), Some(json!(false)));
        assert_eq!(closed(json!({ "type": ["object", "null"], "properties": properties })), Some(json!(false)));
        let never = json!({ "not": {} });
        assert_eq!(closed(json!({ "type": "object", "additionalProperties": never })), Some(json!(false)));
        assert_eq!(
            closed(json!({ "type": "object", "properties": properties, "unevaluatedProperties": false })),
            Some(json!(false))
        );
        for open in [
            json!({ "type": "object" }),
            json!({ "type": "object", "properties": {} }),
            json!({ "type": "object", "properties": properties, "oneOf": [] }),
            json!({ "type": "string" }),
        ] {
            assert_eq!(closed(open.clone()), None, "{open}");
        }
        assert_eq!(closed(json!({ "type": "object", "additionalProperties": true })), Some(json!(true)));
    }

    #[test]
    fn an_optional_property_becomes_nullable_and_required() {
        let defs = json!({ "A": { "type": "object" } });
        for (before, expected) in [
            (json!({ "type": "string" }), json!({ "type": ["string", "null"] })),
            (json!({ "type": "string", "enum": ["a"] }), json!({ "type": ["string", "null"], "enum": ["a", null] })),
            (json!({ "$ref": "#/$defs/A" }), json!({ "anyOf": [{ "$ref": "#/$defs/A" }, { "type": "null" }] })),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] }),
            ),
            (
                json!({ "type": "string", "const": "a" }),
                json!({ "anyOf": [{ "type": "string", "const": "a" }, { "type": "null" }] }),
            ),
        ] {
            let mut schema = json!({ "properties": { "o": before, "r": {} }, "required": ["r"], "$defs": defs });
            nullable(&mut schema);
            assert_eq!(schema["properties"]["o"], expected);
            assert_eq!(schema["required"], json!(["o", "r"]));
        }
    }

    #[test]
    fn a_property_for_which_null_is_a_value_stays_optional() {
        let property = json!({ "type": ["string", "null"] });
        let mut schema = json!({ "properties": { "o": property } });
        nullable(&mut schema);
        assert_eq!(schema, json!({ "properties": { "o": property }, "required": [] }));
    }

    #[test]
    fn a_described_reference_is_wrapped_or_inlined() {
        let schema = json!({
            "properties": { "a": { "description": "d", "$ref": "#/$defs/A" }, "b": { "$ref": "#/$defs/B" } },
            "$defs": { "A": { "type": "string", "description": "old" }, "B": { "type": "null" } }
        });
        let mut wrapped = schema.clone();
        wrap_references(&mut wrapped);
        assert_eq!(wrapped["properties"]["a"], json!({ "description": "d", "anyOf": [{ "$ref": "#/$defs/A" }] }));
        assert_eq!(wrapped["properties"]["b"], json!({ "$ref": "#/$defs/B" }));
        let mut inlined = schema;
        inline_described(&mut inlined);
        assert_eq!(inlined["properties"]["a"], json!({ "type": "string", "description": "d" }));
        assert_eq!(inlined["$defs"], json!({ "B": { "type": "null" } }));
    }

    #[test]
    fn recursion_and_doubling_end() {
        let described = json!({ "description": "d", "$ref": "#/$defs/A" });
        let mut recursive = json!({ "items": described, "$defs": { "A": { "items": described } } });
        inline_described(&mut recursive);
        assert_eq!(recursive["items"], json!({ "items": described, "description": "d" }));
        let of = |index: usize| json!({ "description": "d", "$ref": format!("#/$defs/A{index}") });
        let definition = |index: usize| json!({ "properties": { "l": of(index + 1), "r": of(index + 1) } });
        let mut definitions: Map<_, _> = (0..40).map(|index| (format!("A{index}"), definition(index))).collect();
        definitions.insert("A40".to_owned(), json!({ "type": "string" }));
        let mut doubling = json!({ "items": of(0), "$defs": definitions });
        inline_described(&mut doubling);
        assert!(doubling.to_string().len() < 100_000 && doubling.get("$defs").is_some());
    }
}
