//! Bounds how many subschemas apply one another to the same value, and refuses the ones that never end.

use super::place::Place;
use crate::validate::node::Node;

/// The largest number of subschemas that apply one another to the same value. Each takes a part of the stack.
const MAX_IN_PLACE: usize = 128;

/// Returns an error if too many nodes apply one another to the same value, or if a node applies itself. The specification defines no
/// result for the latter, and most validators overflow their stack.
pub(super) fn check(nodes: &[Node], places: &[Place<'_>]) -> Result<(), String> {
    match in_place_depth(nodes) {
        Ok(depth) if depth <= MAX_IN_PLACE => Ok(()),
        Ok(_) => Err(format!(
            "more than {MAX_IN_PLACE} subschemas apply one another to the same value: use fewer references and unions there"
        )),
        Err(at) => Err(format!(
            "the schema at `{}` applies itself to the same value, which never ends: apply it to a property or an element",
            places[at].pointer
        )),
    }
}

/// Returns the largest number of nodes that apply one another to the same value, or the index of a node that applies itself.
fn in_place_depth(nodes: &[Node]) -> Result<usize, usize> {
    let all = 0..nodes.len();
    let applied_by = |at: usize| {
        let mut applied = Vec::new();
        for keyword in &nodes[at].keywords {
            keyword.visit_in_place(&mut |to| applied.push(to.0 as usize));
        }
        applied
    };
    // How often each node is applied by nodes that are not finished.
    let mut pending = vec![0_usize; nodes.len()];
    for to in all.clone().flat_map(applied_by) {
        pending[to] += 1;
    }
    let mut depths = vec![1; nodes.len()];
    let mut ready: Vec<_> = all.clone().filter(|at| pending[*at] == 0).collect();
    while let Some(at) = ready.pop() {
        for to in applied_by(at) {
            depths[to] = depths[to].max(depths[at] + 1);
            pending[to] -= 1;
            ready.extend((pending[to] == 0).then_some(to));
        }
    }
    // A node that is left is in a cycle or after one, and another node that is left applies it.
    let left: Vec<_> = all.clone().filter(|at| pending[*at] > 0).collect();
    let Some(last) = left.last() else { return Ok(depths.into_iter().max().unwrap_or_default()) };
    let mut applier = vec![0; nodes.len()];
    for at in &left {
        for to in applied_by(*at) {
            applier[to] = *at;
        }
    }
    Err(all.fold(*last, |at, _| applier[at]))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::validate::compile::compile;

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
        for length in [longest + 1, 40_000] {
            let error = compile(&chain(length)).expect_err("it is too long");
            assert!(error.contains("apply one another to the same value"), "{error}");
        }
    }

    #[test]
    fn subschemas_beside_each_other_are_not_counted_together() {
        let leaves = vec![json!({"minimum": 1}); 4 * MAX_IN_PLACE];
        let depth = |schema: &Value| in_place_depth(&compile(schema).expect("it compiles").nodes);
        assert_eq!(depth(&json!({"anyOf": leaves})), Ok(2));
        assert_eq!(depth(&json!({"items": {"anyOf": [{"items": {"$ref": "#"}}, {}]}})), Ok(2));
    }

    #[test]
    fn a_schema_that_applies_itself_to_the_same_value_is_refused() {
        let mutual = |names: &[&str]| {
            let apply = |name: &&str| {
                let others: Vec<_> = names.iter().filter(|other| *other != name).collect();
                let others: Vec<_> = others.iter().map(|other| json!({"$ref": format!("#/$defs/{other}")})).collect();
                ((*name).to_owned(), json!({"allOf": others}))
            };
            json!({"$ref": "#/$defs/a", "$defs": names.iter().map(apply).collect::<Map<_, _>>()})
        };
        for schema in [
            json!({"anyOf": [{"$ref": "#"}, {}]}),
            json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}),
            json!({"$ref": "#/$defs/leaf", "$dynamicRef": "#", "$defs": {"leaf": {}}}),
            json!({"dependentSchemas": {"a": {"if": {"$ref": "#"}}}}),
            mutual(&["a", "b"]),
            mutual(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]),
        ] {
            let error = compile(&schema).expect_err("it never ends");
            assert!(error.contains("applies itself to the same value"), "{schema}: {error}");
        }
        assert!(compile(&json!({"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}})).is_ok());
    }
}
