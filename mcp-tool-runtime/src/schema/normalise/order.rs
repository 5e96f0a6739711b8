//! Sorts the keywords of every schema (rule T12: the output is deterministic).

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::schema::walk;

/// The keywords in the order of what a reader wants to know first: the purpose, the type, the contents.
const ORDER: &str = "$id $anchor title description deprecated $ref type const enum format pattern minLength maxLength \
    minimum exclusiveMinimum maximum exclusiveMaximum multipleOf prefixItems items minItems maxItems uniqueItems properties required \
    patternProperties propertyNames additionalProperties minProperties maxProperties oneOf anyOf allOf not unevaluatedProperties \
    unevaluatedItems";

/// The keywords after all others.
const LAST: &str = "default examples $defs";

/// The place of each keyword. A keyword that is not listed goes between the two lists.
static RANKS: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let first = ORDER.split(' ').zip(0..);
    first.chain(LAST.split(' ').zip(OTHERS + 1..)).collect()
});

/// The place of the keywords that are not listed.
const OTHERS: usize = 100;

fn rank(keyword: &str) -> usize {
    RANKS.get(keyword).copied().unwrap_or(OTHERS)
}

/// Sorts the keywords of every schema. Properties and definitions stay in the order of declaration.
///
/// ```text
/// before  {"required": ["b"], "properties": {"b": {}, "a": {}}, "type": "object"}
/// after   {"type": "object", "properties": {"b": {}, "a": {}}, "required": ["b"]}
/// ```
pub(super) fn order(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if let Some(schema) = schema.as_object_mut() {
            sort_keywords(schema);
        }
    });
}

fn sort_keywords(schema: &mut Map<String, Value>) {
    if !schema.keys().is_sorted_by_key(|keyword| rank(keyword)) {
        let mut keywords: Vec<_> = std::mem::take(schema).into_iter().collect();
        keywords.sort_by_key(|(keyword, _)| rank(keyword));
        schema.extend(keywords);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keywords_are_sorted_and_properties_are_not() {
        let mut schema = json!({
            "$defs": { "z": {}, "a": {} },
            "x-two": 2, "x-one": 1,
            "required": ["type"],
            "properties": { "type": { "default": 1, "type": "integer" }, "description": {} },
            "type": "object",
            "description": "d"
        });
        order(&mut schema);
        assert_eq!(
            schema.to_string(),
            concat!(
                r#"{"description":"d","type":"object","#,
                r#""properties":{"type":{"type":"integer","default":1},"description":{}},"#,
                r#""required":["type"],"x-two":2,"x-one":1,"$defs":{"z":{},"a":{}}}"#
            )
        );
    }
}
