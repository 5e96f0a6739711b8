//! Rewrites a schema from schemars into the schema that is published.
//!
//! Each step rewrites the whole schema. A step has its own file, and a tested example in its documentation. Several
//! steps share [`graph`] and [`merge`]; `tests/examples` tests the examples. [`run`] calls the steps in this order, and
//! each step can rely on the steps before it:
//!
//! 1. **hoist** – first, because all other steps look for definitions in the `$defs` of the root only.
//! 2. **`own_null`** (input) – before *inline*. After *inline*, an `Option` of a type looks like a union with `null`
//!    that an author wrote.
//! 3. **comments** – before *titles*, because a comment may start with a title, and before *inline*, so that each
//!    definition is processed once.
//! 4. **titles** – before *inline*, because the key in `$defs` shows whether a title is only the name of the type.
//! 5. **`std_types`** – before *inline*, because it recognises types by their key in `$defs`.
//! 6. **formats** – before *inline*, so that each definition is processed once.
//! 7. **inline** – the remaining steps look at the schema of a property, and would otherwise find a `$ref`.
//! 8. **optional** (input) – after *inline*, so that the `$ref` in `anyOf: [$ref, null]` is replaced by its schema. A
//!    definition that is still under `$defs`, because it is recursive or large, is looked up.
//! 9. **defaults** (input) – after *optional*, because defaults must match the schemas without `null`.
//! 10. **enums** (not for forms) – after *inline*, because *enums* lists the variants in the description. In a
//!     definition, the list would be lost where a `$ref` has its own description. After *optional*, which removes the
//!     `anyOf` around an optional enum.
//! 11. **tuples** – after everything that changes the schemas of elements, because it copies them.
//! 12. **unevaluated**, then **arguments** (input) – after all steps that change properties and unions, because the
//!     properties and unions of an object decide which keyword closes it.
//! 13. **booleans** – after *unevaluated* and *arguments*, which add boolean schemas, and after the marks of `own_null`
//!     are removed, because a schema with a mark is not empty.
//! 14. **prune** – after *optional*, which can replace the last reference to a definition with a copy of it.
//! 15. **order** – last, because it only sorts keywords.

mod arguments;
mod booleans;
mod comments;
mod defaults;
mod enums;
mod formats;
mod graph;
mod hoist;
mod inline;
pub(super) mod merge;
mod optional;
mod order;
mod own_null;
mod std_types;
mod titles;
mod tuples;
mod unevaluated;

pub(crate) use comments::title_and_description;
pub(super) use graph::put_definitions;
pub(crate) use graph::{Graph, prune as remove_unused_definitions, take_definitions};
pub(crate) use merge::is_annotation;
pub(crate) use own_null::{NullablePlace, mark_own_null, set_nullable, take_nullable};
use serde_json::Value;
pub(crate) use std_types::INTEGER_KEYS;

use super::Side;

/// Runs the steps on a derived schema with its `$defs` at the root. Returns the properties whose type reads `null`
/// although their schema does not accept it.
pub(crate) fn run(schema: &mut Value, side: Side, allow_unknown: bool) -> Vec<NullablePlace> {
    let is_input = side != Side::Output;
    hoist::hoist(schema);
    let is_marked = is_input && own_null::own_null(schema);
    comments::comments(schema);
    titles::titles(schema);
    std_types::std_types(schema);
    formats::formats(schema, side);
    inline::inline(schema);
    if is_input {
        optional::optional(schema);
        defaults::defaults(schema);
    }
    if side != Side::Form {
        enums::enums(schema);
    }
    tuples::tuples(schema);
    unevaluated::unevaluated(schema);
    if is_input {
        arguments::arguments(schema, allow_unknown);
    }
    let nullable = if is_marked { take_nullable(schema) } else { Vec::new() };
    booleans::booleans(schema);
    graph::prune(schema);
    order::order(schema);
    nullable
}

#[cfg(test)]
mod tests {
    mod examples;

    use super::*;
    use serde_json::json;

    #[test]
    fn a_definition_is_pruned_when_copies_replace_all_references() {
        let maybe = json!({ "type": ["string", "null"], "description": "x".repeat(300) });
        // This is how the macro marks a newtype around an `Option`.
        let property = json!({ "$ref": "#/$defs/Maybe", "x-mcp-tool-null": false });
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
    fn an_unused_definition_of_the_root_is_pruned() {
        let branches = json!([{ "type": "null", "not": { "$ref": "#" } }, { "type": "string" }]);
        let mut schema =
            json!({ "type": "object", "properties": { "n": { "anyOf": branches, "x-mcp-tool-null": false } } });
        run(&mut schema, Side::Input, false);
        assert_eq!(schema["properties"]["n"], json!({ "type": "string" }));
        assert!(schema.get("$defs").is_none(), "{schema}");
    }

    #[test]
    fn null_is_removed_from_inputs_only() {
        let property = json!({ "properties": { "a": { "type": ["string", "null"] } } });
        let mut schema = property.clone();
        run(&mut schema, Side::Output, false);
        assert_eq!(schema, property);
    }

    #[test]
    fn variants_of_an_optional_enum_are_listed_after_the_description_of_the_property() {
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
