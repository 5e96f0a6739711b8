//! References: wrapped in a union, or inlined.

use serde_json::{Value, json};

use crate::schema::expand::Expansion;
use crate::schema::normalise::remove_unused_definitions;
use crate::schema::walk;

/// Moves a reference that has other keywords beside it into a union of one branch.
pub(super) fn wrap(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let is_wrapped = keywords.len() > 1 && !keywords.contains_key("anyOf") && !keywords.contains_key("$defs");
        if is_wrapped && let Some(target) = keywords.shift_remove("$ref") {
            keywords.insert("anyOf".to_owned(), json!([{ "$ref": target }]));
        }
    });
}

/// Replaces each reference with only a description beside it by what it refers to. A reference inside its own definition stays.
pub(super) fn inline_described(schema: &mut Value) {
    if schema.get("$defs").is_some() {
        Expansion { most: 1_000, only_described: true, summary: None }.apply(schema);
        remove_unused_definitions(schema);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    #[test]
    fn a_described_reference_is_wrapped_or_inlined() {
        let schema = json!({
            "properties": { "a": { "description": "d", "$ref": "#/$defs/A" }, "b": { "$ref": "#/$defs/B" } },
            "$defs": { "A": { "type": "string", "description": "old" }, "B": { "type": "null" } }
        });
        let mut wrapped = schema.clone();
        wrap(&mut wrapped);
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
