//! Unused definitions (rule T3).

use serde_json::Value;

use super::graph::Graph;
use crate::schema::walk::keyword;

/// Drops the definitions that the root does not reach, and an empty `$defs`.
///
/// ```
/// # mcp_tool_runtime::__step! { prune:
/// before  {"type": "string", "$defs": {"Unused": {"type": "null"}}}
/// after   {"type": "string"}
/// # }
/// ```
pub(super) fn prune(schema: &mut Value) {
    if keyword(schema, "$defs").is_some() {
        prune_by(&mut Graph::of(schema), schema);
    }
}

/// The same with what is known of the references, which forgets the rest.
pub(super) fn prune_by(graph: &mut Graph, schema: &mut Value) {
    graph.prune();
    let stays = match schema.get_mut("$defs") {
        Some(Value::Object(definitions)) => {
            definitions.retain(|name, _| graph.has(name));
            !definitions.is_empty()
        }
        _ => false,
    };
    if let Some(root) = schema.as_object_mut().filter(|_| !stays) {
        root.shift_remove("$defs");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_the_root_reaches_stays() {
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
    fn no_empty_definitions_stay() {
        let mut schema = json!({ "type": "string", "$defs": { "A": { "$ref": "#/$defs/A" } } });
        prune(&mut schema);
        assert_eq!(schema, json!({ "type": "string" }));
    }
}
