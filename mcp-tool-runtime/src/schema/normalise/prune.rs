//! Removes unused definitions (rule T3).

use serde_json::{Map, Value};

use super::graph::Graph;
use crate::schema::walk::keyword;

/// Removes the definitions that are unreachable from the root, and an empty `$defs`. Returns the graph of those that
/// stay.
///
/// ```text
/// before  {"type": "string", "$defs": {"Unused": {"type": "null"}}}
/// after   {"type": "string"}
/// ```
pub(crate) fn prune(schema: &mut Value) -> Graph {
    if keyword(schema, "$defs").is_none() {
        return Graph::default();
    }
    let mut graph = Graph::of(schema);
    graph.prune();
    let mut definitions = take_definitions(schema);
    definitions.retain(|name, _| graph.has(name));
    put_definitions(schema, definitions);
    graph
}

/// Takes the definitions out of a root schema, for [`put_definitions`] to put back.
pub(in crate::schema) fn take_definitions(schema: &mut Value) -> Map<String, Value> {
    let keywords = schema.as_object_mut().filter(|keywords| keywords.get("$defs").is_some_and(Value::is_object));
    match keywords.and_then(|keywords| keywords.shift_remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    }
}

/// Adds these definitions, if there are any, to a root schema that has none.
pub(in crate::schema) fn put_definitions(schema: &mut Value, definitions: Map<String, Value>) {
    if let Some(root) = schema.as_object_mut().filter(|_| !definitions.is_empty()) {
        root.insert("$defs".to_owned(), definitions.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_reachable_definitions_stay() {
        let mut schema = json!({
            "items": { "$ref": "#/$defs/A" },
            "$defs": {
                "A": { "items": { "$ref": "#/$defs/B/not" } },
                "B": { "not": {} },
                "C": { "items": { "$ref": "#/$defs/D" } },
                "D": { "items": { "$ref": "#/$defs/C" } },
                "E": { "items": { "$anchor": "here" } }
            }
        });
        prune(&mut schema);
        let names: Vec<_> = schema["$defs"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
        assert_eq!(names, ["A", "B", "E"]);
    }

    #[test]
    fn an_empty_defs_is_removed() {
        let mut schema = json!({ "type": "string", "$defs": { "A": { "$ref": "#/$defs/A" } } });
        prune(&mut schema);
        assert_eq!(schema, json!({ "type": "string" }));
    }
}
