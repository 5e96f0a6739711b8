//! Decides of which nodes a check remembers the results.
//!
//! Without that, a node would be checked once for each way to it, and their number is exponential in the depth of a schema.

use std::collections::HashSet;

use crate::validate::node::{Keyword, Node, NodeId, Recall};

/// Sets [`Node::recall`] of all nodes. The first is the root.
pub(super) fn assign(nodes: &mut [Node]) {
    if has_several_ways(nodes) {
        let mut ways = vec![0_usize; nodes.len()];
        for keyword in nodes.iter().flat_map(|node| &node.keywords) {
            keyword.visit_nodes(&mut |to| ways[to.0 as usize] += 1);
        }
        // The check begins at the root.
        ways[0] += 1;
        for (node, ways) in nodes.iter_mut().zip(ways) {
            if ways > 1 {
                node.recall = recall(node);
            }
        }
    }
    for id in evaluated(nodes) {
        let node = &mut nodes[id.0 as usize];
        node.recall = node.recall.max(Recall::Containers);
    }
}

/// Returns the nodes that `unevaluatedProperties` and `unevaluatedItems` check again, to find out which of them accept the value.
fn evaluated(nodes: &[Node]) -> HashSet<NodeId> {
    let mut pending = Vec::new();
    for keyword in nodes.iter().flat_map(|node| &node.keywords) {
        if let Keyword::Unevaluated(rule) = keyword {
            pending.push(rule.own);
        }
    }
    let mut found = HashSet::new();
    while let Some(id) = pending.pop() {
        if found.insert(id) {
            for keyword in &nodes[id.0 as usize].keywords {
                keyword.visit_in_place(&mut |to| pending.push(to));
                // The elements that match count as evaluated.
                if let Keyword::Contains { node, .. } = keyword {
                    pending.push(*node);
                }
            }
        }
    }
    found
}

/// Returns `true` if a value may come to a node in several ways. A node without references to it has one parent, and most keywords
/// apply only one node to each value.
fn has_several_ways(nodes: &[Node]) -> bool {
    let has = |test: fn(&Keyword) -> bool| nodes.iter().any(|node| node.keywords.iter().any(test));
    let targets = |node: &Node| {
        let target = |keyword: &Keyword| if let Keyword::Reference(target) = keyword { Some(*target) } else { None };
        node.keywords.iter().filter_map(target).collect::<Vec<_>>()
    };
    let with_references: Vec<_> = nodes.iter().filter(|node| !targets(node).is_empty()).collect();
    // A keyword beside a reference, which may be another reference, applies to the same value.
    let has_sibling = || with_references.iter().any(|node| node.keywords.len() > 1);
    let is_chain = || {
        let mut all = with_references.iter().flat_map(|node| targets(node));
        all.any(|id| !targets(&nodes[id.0 as usize]).is_empty())
    };
    !with_references.is_empty() && (has(Keyword::may_repeat) || has_sibling() || is_chain())
}

/// Returns what is worth remembering of a node that a value comes to in several ways. Checking a value against keywords without
/// subschemas is about as fast as finding the result.
fn recall(node: &Node) -> Recall {
    let (mut has_nodes, mut is_in_place) = (false, false);
    for keyword in &node.keywords {
        keyword.visit_nodes(&mut |_| has_nodes = true);
        keyword.visit_in_place(&mut |_| is_in_place = true);
    }
    match (is_in_place, has_nodes) {
        (true, _) => Recall::All,
        (false, true) => Recall::Containers,
        (false, false) => Recall::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::validate::compile::compile;

    /// Returns what is remembered of the node at a pointer.
    fn recall_at(schema: &Value, pointer: &str) -> Recall {
        let checker = compile(schema).expect("it compiles");
        checker.nodes.iter().find(|node| &*node.pointer == pointer).expect("a node").recall
    }

    #[test]
    fn every_node_that_a_value_comes_to_in_several_ways_is_remembered() {
        let schema = json!({"$ref": "#/$defs/t", "$defs": {
            "t": {"properties": {"b": {"properties": {"a": {"$ref": "#/$defs/t"}}, "$ref": "#/$defs/m"}}},
            "m": {"properties": {"a": {"$ref": "#/$defs/t"}}}
        }});
        assert_eq!(recall_at(&schema, "/$defs/t"), Recall::Containers);
        assert_eq!(recall_at(&schema, "/$defs/m"), Recall::Nothing);
        // A structural parent is also a way.
        let schema = json!({"anyOf": [{"$ref": "#/properties/a"}], "properties": {"a": {"not": {}}}});
        assert_eq!(recall_at(&schema, "/properties/a"), Recall::All);
    }

    #[test]
    fn a_keyword_with_one_subschema_is_a_way_to_it() {
        for keyword in ["contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties"] {
            let pointer = format!("/allOf/0/{keyword}");
            let schema = json!({"allOf": [{keyword: {"not": {}}}, {keyword: {"$ref": format!("#{pointer}")}}]});
            assert_eq!(recall_at(&schema, &pointer), Recall::All, "{keyword}");
        }
    }

    #[test]
    fn nothing_is_remembered_where_each_value_comes_to_a_node_once() {
        let tree = json!({"type": "object", "properties": {"children": {"items": {"$ref": "#"}}}});
        assert_eq!(recall_at(&tree, ""), Recall::Nothing);
        let leaf = json!({"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"enum": [1]}}});
        assert_eq!(recall_at(&leaf, "/$defs/a"), Recall::Nothing);
    }

    #[test]
    fn what_is_evaluated_is_remembered() {
        let schema = json!({"allOf": [{"not": {}}], "properties": {"a": {"not": {}}}, "unevaluatedProperties": false});
        assert_eq!(recall_at(&schema, "/allOf/0"), Recall::Containers);
        assert_eq!(recall_at(&schema, "/properties/a"), Recall::Nothing);
        let schema = json!({"contains": {"not": {}}, "unevaluatedItems": false});
        assert_eq!(recall_at(&schema, "/contains"), Recall::Containers);
    }
}
