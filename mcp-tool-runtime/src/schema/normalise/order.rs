//! Sorts the keywords of every schema (rule T12: the output is deterministic).

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::schema::walk;

/// Keywords in the order in which people read a schema: what it is for, its type, what is in it. Any other keyword goes
/// where the `…` is.
const ORDER: &str = "$id $anchor title description deprecated $ref type const enum format pattern minLength maxLength \
    minimum exclusiveMinimum maximum exclusiveMaximum multipleOf prefixItems items minItems maxItems uniqueItems properties required \
    patternProperties propertyNames additionalProperties minProperties maxProperties oneOf anyOf allOf not unevaluatedProperties \
    unevaluatedItems … default examples $defs";

static RANKS: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| ORDER.split(' ').zip(0..).collect());

fn rank(keyword: &str) -> usize {
    RANKS.get(keyword).copied().unwrap_or_else(|| RANKS["…"])
}

/// Sorts the keywords of every schema. Properties and definitions stay in the order of declaration.
///
/// ```text
/// before  {"required": ["b"], "properties": {"b": {}, "a": {}}, "type": "object"}
/// after   {"type": "object", "properties": {"b": {}, "a": {}}, "required": ["b"]}
/// ```
pub(super) fn order(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |schema| {
        if !schema.keys().is_sorted_by_key(|keyword| rank(keyword)) {
            let mut keywords: Vec<_> = std::mem::take(schema).into_iter().collect();
            keywords.sort_by_key(|(keyword, _)| rank(keyword));
            schema.extend(keywords);
        }
    });
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
