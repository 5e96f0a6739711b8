//! Decides which results a check remembers.

use crate::schema::validate::checker::Remembers;
use crate::schema::validate::node::{Keyword, Node};

/// Decides what is remembered. A subschema without references has one parent, so a value comes to it once, unless
/// `unevaluatedProperties` or `unevaluatedItems` look at it again.
pub(super) fn remembers(nodes: &[Node], has_resources: bool) -> Remembers {
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
    if has(|keyword| matches!(keyword, Keyword::UnevaluatedProperties { .. } | Keyword::UnevaluatedItems { .. })) {
        Remembers::Containers
    } else if !with_references.is_empty() && (has_resources || has(Keyword::may_repeat) || has_sibling() || is_chain())
    {
        Remembers::References
    } else {
        Remembers::Nothing
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::validate::compile::compile;

    #[test]
    fn every_reference_of_a_node_is_remembered() {
        for schema in [
            json!({"type": "object", "$ref": "#/$defs/leaf", "$dynamicRef": "#", "$defs": {"leaf": {}}}),
            json!({"$ref": "#/$defs/t", "$defs": {
                "t": {"properties": {"b": {"properties": {"a": {"$ref": "#/$defs/t"}}, "$ref": "#/$defs/m"}}},
                "m": {"properties": {"a": {"$ref": "#/$defs/t"}}}
            }}),
        ] {
            assert_eq!(compile(&schema).expect("it compiles").remembers, Remembers::References, "{schema}");
        }
    }
}
