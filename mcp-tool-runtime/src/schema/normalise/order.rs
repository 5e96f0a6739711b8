//! The order of the keywords (rule T12: the same each time).

use serde_json::{Map, Value};

use crate::schema::walk;

/// As a reader asks: what is it for, what kind of thing is it, what is in it. Keywords of no place here come between
/// these and [`LAST`].
const FIRST: [&str; 36] = [
    "$id",
    "$anchor",
    "title",
    "description",
    "deprecated",
    "$ref",
    "type",
    "const",
    "enum",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "prefixItems",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "required",
    "patternProperties",
    "propertyNames",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "unevaluatedProperties",
    "unevaluatedItems",
];
const LAST: [&str; 3] = ["default", "examples", "$defs"];

/// Arranges the keywords of every schema; properties and definitions stay in declared order.
///
/// ```
/// # mcp_tool_runtime::__step! { order:
/// before  {"required": ["b"], "properties": {"b": {}, "a": {}}, "type": "object"}
/// after   {"type": "object", "properties": {"b": {}, "a": {}}, "required": ["b"]}
/// # }
/// ```
pub(super) fn order(schema: &mut Value) {
    walk::each_mut(schema, &mut |schema| {
        if let Some(schema) = schema.as_object_mut() {
            arrange(schema);
        }
    });
}

/// Moves what stands too late. A schema has few keywords, most of them in their place.
fn arrange(schema: &mut Map<String, Value>) {
    let mut ranks = Vec::with_capacity(schema.len());
    for index in 0..schema.len() {
        let Some(keyword) = schema.keys().nth(index) else { break };
        let rank = rank(keyword);
        let place = ranks.partition_point(|before| *before <= rank);
        ranks.insert(place, rank);
        if place < index {
            let keyword = keyword.clone();
            if let Some(value) = schema.shift_remove(&keyword) {
                schema.shift_insert(place, keyword, value);
            }
        }
    }
}

fn rank(keyword: &str) -> usize {
    let place = |list: &[&str]| list.iter().position(|known| *known == keyword);
    match (place(&FIRST), place(&LAST)) {
        (Some(rank), _) => rank,
        (None, Some(rank)) => FIRST.len() + 1 + rank,
        (None, None) => FIRST.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keywords_move_and_properties_do_not() {
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
