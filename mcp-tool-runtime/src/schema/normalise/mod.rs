//! The steps from schemars' schema to ours, in the order that [`super`] explains.
//!
//! Each step is a pure function of the whole schema and stands alone in its file.

mod booleans;
mod closing;
mod defaults;
mod enums;
mod formats;
mod graph;
mod hoist;
mod inline;
mod merge;
mod optional;
mod order;
mod prune;
mod standard;
pub(crate) mod step;
mod titles;
mod tuples;

use serde_json::Value;

use super::{Side, walk};

/// Runs every step on a derived schema with its `$defs` at the root; those that would find nothing to do are left out.
pub(crate) fn run(schema: &mut Value, side: Side, allow_unknown: bool) {
    let has = Words::of(schema);
    if has.inner_schemas {
        hoist::hoist(schema);
    }
    titles::own(schema);
    if has.dialect {
        titles::embedded(schema);
    }
    if has.definitions {
        standard::types(schema);
    }
    if has.pattern_properties {
        standard::keys(schema);
    }
    if has.format {
        formats::formats(schema);
    }
    if has.reference_to_root {
        inline::name_the_root(schema);
    }
    if has.definitions || has.reference {
        inline::references(schema);
    }
    if side == Side::Input {
        optional::optional(schema);
    }
    if side == Side::Input && has.default {
        defaults::defaults(schema);
    }
    if has.union {
        enums::enums(schema);
    }
    if has.prefix_items {
        tuples::tuples(schema);
    }
    if has.unevaluated_properties {
        closing::plain(schema);
    }
    if side == Side::Input {
        closing::arguments(schema, allow_unknown);
    }
    booleans::booleans(schema);
    if has.definitions || has.reference {
        // A reference to the root has become one to a definition.
        prune::prune(schema);
    }
    order::order(schema);
}

/// Which keywords a schema has anywhere, its definitions among them. No step brings one that is asked for here where none
/// was, but for `$defs`.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a keyword")]
struct Words {
    /// `$defs` or `$schema` below the root.
    inner_schemas: bool,
    dialect: bool,
    definitions: bool,
    reference: bool,
    reference_to_root: bool,
    pattern_properties: bool,
    format: bool,
    default: bool,
    union: bool,
    prefix_items: bool,
    unevaluated_properties: bool,
}

impl Words {
    fn of(root: &Value) -> Self {
        let mut found = Self::default();
        walk::visit(root, &mut |schema| {
            let is_inner = !std::ptr::eq(schema, root);
            for (keyword, value) in schema.as_object().into_iter().flatten() {
                match keyword.as_str() {
                    "$defs" => {
                        found.definitions = true;
                        found.inner_schemas |= is_inner;
                    }
                    "$schema" => {
                        found.dialect = true;
                        found.inner_schemas |= is_inner;
                    }
                    "$ref" | "$dynamicRef" => {
                        found.reference = true;
                        found.reference_to_root |= value == "#";
                    }
                    "patternProperties" => found.pattern_properties = true,
                    "format" => found.format = true,
                    "default" => found.default = true,
                    "oneOf" | "anyOf" => found.union = true,
                    "prefixItems" => found.prefix_items = true,
                    "unevaluatedProperties" => found.unevaluated_properties = true,
                    _ => {}
                }
            }
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_definition_that_lost_its_last_use_on_the_way_is_dropped() {
        let maybe = json!({ "type": ["string", "null"], "description": "x".repeat(300) });
        let property = json!({ "$ref": "#/$defs/Maybe" });
        let mut schema = json!({
            "type": "object",
            "properties": { "a": property, "b": property, "c": property, "d": property },
            "$defs": { "Maybe": maybe }
        });
        let mut required = schema.clone();
        required["required"] = json!(["a", "b", "c", "d"]);
        run(&mut required, Side::Input, false);
        assert_eq!(required["$defs"]["Maybe"]["type"], maybe["type"]);
        run(&mut schema, Side::Input, false);
        assert!(schema.get("$defs").is_none(), "{schema}");
        assert_eq!(schema["properties"]["d"]["type"], "string");
    }

    #[test]
    fn a_definition_of_the_root_that_nothing_refers_to_in_the_end_is_dropped() {
        let branches = json!([{ "type": "null", "not": { "$ref": "#" } }, { "type": "string" }]);
        let mut schema = json!({ "type": "object", "properties": { "n": { "anyOf": branches } } });
        run(&mut schema, Side::Input, false);
        assert_eq!(schema["properties"]["n"], json!({ "type": "string" }));
        assert!(schema.get("$defs").is_none(), "{schema}");
    }

    #[test]
    fn null_is_taken_from_arguments_alone() {
        let property = json!({ "properties": { "a": { "type": ["string", "null"] } } });
        let mut schema = property.clone();
        run(&mut schema, Side::Output, false);
        assert_eq!(schema, property);
    }

    #[test]
    fn variants_of_an_optional_enum_are_told_beside_the_propertys_own_text() {
        let mut schema = json!({
            "type": "object",
            "properties": { "sort": {
                "description": "how to sort",
                "anyOf": [{ "$ref": "#/$defs/Sort" }, { "type": "null" }]
            } },
            "$defs": { "Sort": { "description": "An order.", "oneOf": [
                { "type": "string", "const": "up", "description": "smallest first" },
                { "type": "string", "const": "down" }
            ] } }
        });
        run(&mut schema, Side::Input, false);
        assert_eq!(
            schema["properties"]["sort"].to_string(),
            concat!(
                r#"{"description":"how to sort\n\n- `up`: smallest first","#,
                r#""type":"string","enum":["up","down"]}"#
            )
        );
    }
}
