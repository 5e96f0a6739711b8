//! Sorts the keywords of every schema (rule T12: the output is deterministic).

use serde_json::{Map, Value};

use crate::schema::walk;

/// Orders keywords by what a reader wants to know first: the purpose, the type, the contents. Unknown keywords go before
/// `default`, `examples` and `$defs`.
fn rank(keyword: &str) -> u8 {
    match keyword {
        "$id" => 0,
        "$anchor" => 1,
        "title" => 2,
        "description" => 3,
        "deprecated" => 4,
        "$ref" => 5,
        "type" => 6,
        "const" => 7,
        "enum" => 8,
        "format" => 9,
        "pattern" => 10,
        "minLength" => 11,
        "maxLength" => 12,
        "minimum" => 13,
        "exclusiveMinimum" => 14,
        "maximum" => 15,
        "exclusiveMaximum" => 16,
        "multipleOf" => 17,
        "prefixItems" => 18,
        "items" => 19,
        "minItems" => 20,
        "maxItems" => 21,
        "uniqueItems" => 22,
        "properties" => 23,
        "required" => 24,
        "patternProperties" => 25,
        "propertyNames" => 26,
        "additionalProperties" => 27,
        "minProperties" => 28,
        "maxProperties" => 29,
        "oneOf" => 30,
        "anyOf" => 31,
        "allOf" => 32,
        "not" => 33,
        "unevaluatedProperties" => 34,
        "unevaluatedItems" => 35,
        "default" => 37,
        "examples" => 38,
        "$defs" => 39,
        _ => 36,
    }
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

/// Sorts by insertion, which is fast for few keywords that are mostly in order.
fn sort_keywords(schema: &mut Map<String, Value>) {
    for index in 1..schema.len() {
        let mut keywords = schema.keys();
        let Some(keyword) = keywords.nth(index) else { break };
        let rank = rank(keyword);
        // The keywords before this index are already sorted.
        let is_after = |other: usize| schema.keys().nth(other).is_some_and(|before| self::rank(before) > rank);
        if let Some(target) = (0..index).rev().take_while(|other| is_after(*other)).last() {
            let keyword = keyword.clone();
            if let Some(value) = schema.shift_remove(&keyword) {
                schema.shift_insert(target, keyword, value);
            }
        }
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
