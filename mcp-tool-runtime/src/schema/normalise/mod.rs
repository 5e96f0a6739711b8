//! The steps from schemars' schema to ours, in the order that [`super`] explains.
//!
//! Each step is a pure function of the whole schema and stands alone in its file.

mod booleans;
mod closing;
mod defaults;
mod enums;
mod formats;
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

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Side, walk};

/// Runs every step on a derived schema with its `$defs` at the root; those that would find nothing to do are left out.
pub(crate) fn run(schema: &mut Value, side: Side, allow_unknown: bool) {
    hoist::hoist(schema);
    let words = keywords(schema);
    let has = |keyword: &str| words.contains(keyword);
    titles::titles(schema);
    if has("$defs") || has("patternProperties") {
        standard::standard(schema);
    }
    if has("format") {
        formats::formats(schema);
    }
    inline::inline(schema);
    if side == Side::Input {
        optional::optional(schema);
        defaults::defaults(schema);
    }
    if has("oneOf") || has("anyOf") {
        enums::enums(schema);
    }
    if has("prefixItems") {
        tuples::tuples(schema);
    }
    if has("unevaluatedProperties") {
        closing::plain(schema);
    }
    if side == Side::Input {
        closing::arguments(schema, allow_unknown);
    }
    booleans::booleans(schema);
    prune::prune(schema);
    order::order(schema);
}

/// The keywords that a schema has anywhere, its definitions among them. No step brings one that it is asked for here
/// where none was.
fn keywords(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk::each(schema, &mut |schema| {
        for keyword in schema.as_object().into_iter().flat_map(serde_json::Map::keys) {
            if !found.contains(keyword) {
                found.insert(keyword.clone());
            }
        }
    });
    found
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
