//! Bounds how many subschemas apply one another to the same value.

use crate::schema::validate::node::Node;

/// The largest number of subschemas that apply one another to the same value. Each takes a part of the stack.
pub(super) const MAX_IN_PLACE: usize = 128;

/// Returns the largest number of nodes that apply one another to the same value, or a larger number if nodes apply themselves.
pub(super) fn in_place_depth(nodes: &[Node]) -> usize {
    let mut after = vec![Vec::new(); nodes.len()];
    let mut before = vec![Vec::new(); nodes.len()];
    for (from, node) in nodes.iter().enumerate() {
        for keyword in &node.keywords {
            keyword.visit_in_place(&mut |to| {
                after[from].push(to.0 as usize);
                before[to.0 as usize].push(from);
            });
        }
    }
    // What neither pass removes is in a cycle or between two cycles. A node is met once on the way through it.
    let mut is_left = vec![true; nodes.len()];
    let outer = remove_ends(&after, &before, &mut is_left);
    let inner = remove_ends(&before, &after, &mut is_left);
    outer + is_left.iter().filter(|is_left| **is_left).count() + inner
}

/// Removes the nodes that have no node `before` them, again and again, and returns how often there were such nodes.
fn remove_ends(after: &[Vec<usize>], before: &[Vec<usize>], is_left: &mut [bool]) -> usize {
    let mut counts: Vec<_> = before.iter().map(|all| all.iter().filter(|at| is_left[**at]).count()).collect();
    let mut ends: Vec<_> = (0..is_left.len()).filter(|at| is_left[*at] && counts[*at] == 0).collect();
    let mut depth = 0;
    while !ends.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for at in ends {
            is_left[at] = false;
            for &to in &after[at] {
                if !is_left[to] {
                    continue;
                }
                counts[to] -= 1;
                if counts[to] == 0 {
                    next.push(to);
                }
            }
        }
        ends = next;
    }
    depth
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::schema::validate::compile::compile;

    /// A chain of this many `allOf` and references.
    fn chain(length: usize) -> Value {
        let mut definitions = Map::new();
        for at in 0..length {
            definitions.insert(format!("d{at}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", at + 1)}]}));
        }
        definitions.insert(format!("d{length}"), json!({"type": "integer"}));
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    }

    #[test]
    fn a_long_chain_of_subschemas_for_one_value_is_refused() {
        // Each link is two nodes. The reference and the last definition are two more.
        let longest = (MAX_IN_PLACE - 2) / 2;
        assert!(compile(&chain(longest)).is_ok());
        for length in [longest + 1, 4_000] {
            let error = compile(&chain(length)).expect_err("it is too long");
            assert!(error.contains("apply one another to the same value"), "{error}");
        }
    }

    #[test]
    fn only_the_nodes_of_a_cycle_are_counted_together() {
        let leaves = vec![json!({"minimum": 1}); 4 * MAX_IN_PLACE];
        let depth = |schema: &Value| in_place_depth(&compile(schema).expect("it compiles").nodes);
        assert_eq!(depth(&json!({"anyOf": leaves})), 2);
        assert_eq!(depth(&json!({"anyOf": [{"$ref": "#"}, {"anyOf": leaves}]})), 4);
        assert_eq!(depth(&json!({"items": {"anyOf": [{"$ref": "#"}, {}]}})), 3);
    }
}
