//! Remembers what is known about the values of one document.
//!
//! A value can reach the same node through several references. Without the memo, the node would be checked once for
//! each way of reaching it, and the number of ways can be exponential in the depth of the schema.

use std::collections::{HashMap, HashSet};

use super::checker::{Node, NodeId, Recall};
use super::keywords::Keyword;
use super::keywords::unevaluated::Evaluated;
use crate::json::tape::{Slot, View};

/// The results of a check, and how deeply it is nested.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The address of the document.
    document: usize,
    /// The key of each result, with the lowest bit set if the value is valid. Large documents have many values, so each
    /// result takes only eight bytes.
    known: HashSet<u64>,
    /// The properties and elements that each shared node evaluates in an array or object. A node is shared if a value
    /// can reach it in several ways. The keys are those of [`Self::key`].
    evaluated: HashMap<u64, Evaluated>,
    /// How many results may still be remembered for nodes that are not shared.
    spare: usize,
    /// How many nodes are being checked, one inside the other.
    nesting: usize,
    is_too_deep: bool,
    /// Set while a `null` for an optional property counts as absent. Cleared inside a node that is not
    /// [plain](super::checker::Node::is_plain).
    pub(super) omits_null: bool,
    /// Set if the check collects the `null`s of optional properties. It leaves those inside unions alone, because it
    /// cannot tell which branch is meant until they are gone.
    pub(super) finds_null: bool,
    /// The collected `null`s, each with the indices of the slots of its object and of its key.
    pub(super) omitted: Vec<(usize, usize)>,
}

/// How many checks of nodes may be nested, in total over all levels of a document. They fit in a stack of 2 MiB even
/// without optimisation.
const MAX_NESTING: usize = 1_024;

/// How many results a search for errors may remember in addition to those of a check. They take at most about 1 MiB.
const SPARE: usize = 65_536;

#[cfg(test)]
thread_local! {
    /// The number of nodes that were entered on this thread, in all checks and searches.
    pub(super) static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl Memo {
    /// Creates the memo of a check. All values that are checked must be inside the document.
    pub(super) fn new(document: View<'_>) -> Self {
        Self { document: address(document), ..Self::default() }
    }

    /// Returns `true` if a nullable property may be `null` here. A check that collects `null`s allows this only while
    /// `omits_null` is set. Any other check always allows it.
    pub(super) fn allows_nullable(&self) -> bool {
        self.omits_null || !self.finds_null
    }

    /// Records an optional property that is to be removed, because the schema refuses its `null`.
    pub(super) fn omit(&mut self, object: View<'_>, null: View<'_>) {
        let index = |view| (address(view) - self.document) / size_of::<Slot<'_>>();
        self.omitted.push((index(object), index(null) - 1));
    }

    /// Creates the memo of a search for errors. The search checks a value again for each array and object around it, so
    /// it remembers every result, up to a limit.
    pub(super) fn of_search(document: View<'_>) -> Self {
        Self { spare: SPARE, ..Self::new(document) }
    }

    /// Enters a node and returns `true`, unless the check is already too deep. After `true`, [`Self::leave`] must
    /// follow.
    #[inline]
    pub(super) fn enter(&mut self) -> bool {
        if self.is_too_deep || self.nesting >= MAX_NESTING {
            self.is_too_deep = true;
            return false;
        }
        self.nesting += 1;
        #[cfg(test)]
        STEPS.set(STEPS.get() + 1);
        true
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.nesting -= 1;
    }

    /// Returns `true` if the check was abandoned because nodes were nested too deeply. Results after that are
    /// meaningless.
    pub(super) fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// Returns `true` if there is room to remember results of unshared nodes too.
    #[inline]
    pub(super) fn has_spare(&self) -> bool {
        self.spare > 0
    }

    /// Returns whether a value is valid, if that is known.
    pub(super) fn result(&self, node: NodeId, view: View<'_>) -> Option<bool> {
        let key = self.key(node, view)?;
        if self.known.contains(&(key | 1)) { Some(true) } else { self.known.contains(&key).then_some(false) }
    }

    pub(super) fn remember(&mut self, node: NodeId, view: View<'_>, is_valid: bool, is_shared: bool) {
        if let Some(key) = self.key(node, view) {
            self.spare = self.spare.saturating_sub(usize::from(!is_shared));
            self.known.insert(key | u64::from(is_valid));
        }
    }

    /// Returns what a shared node evaluates in a value, if that is known.
    pub(super) fn evaluated(&self, node: NodeId, view: View<'_>) -> Option<&Evaluated> {
        self.evaluated.get(&self.key(node, view)?)
    }

    pub(super) fn remember_evaluated(&mut self, node: NodeId, view: View<'_>, evaluated: Evaluated) {
        if let Some(key) = self.key(node, view) {
            self.evaluated.insert(key, evaluated);
        }
    }

    /// Returns the key of a node and a value: the index of the node, and twice the index of the value in the document,
    /// which leaves the lowest bit for the result. Returns `None` if the index of the value does not fit in 31 bits.
    fn key(&self, node: NodeId, view: View<'_>) -> Option<u64> {
        let offset = address(view).checked_sub(self.document)?;
        let index = u32::try_from(offset / size_of::<Slot<'_>>()).ok().filter(|index| *index <= u32::MAX >> 1)?;
        Some(u64::from(node.0) << 32 | u64::from(index << 1))
    }
}

fn address(view: View<'_>) -> usize {
    std::ptr::from_ref(view.slot()).addr()
}

/// Sets [`Node::recall`] of all nodes. The first node is the root.
pub(super) fn assign(nodes: &mut [Node]) {
    if has_several_ways(nodes) {
        let mut ways = vec![0_usize; nodes.len()];
        for to in nodes.iter().flat_map(|node| &node.keywords).flat_map(Keyword::nodes) {
            ways[to.0 as usize] += 1;
        }
        // The check itself starts at the root, which is one more way to reach it.
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

/// Returns the nodes that `unevaluatedProperties` and `unevaluatedItems` check again, to find out which of them accept
/// the value.
fn evaluated(nodes: &[Node]) -> Vec<NodeId> {
    let own = |keyword: &Keyword| if let Keyword::Unevaluated(rule) = keyword { Some(rule.own) } else { None };
    let start = nodes.iter().flat_map(|node| &node.keywords).filter_map(own).collect();
    reachable(nodes, start, |keyword| match keyword {
        // `in_place` leaves out `contains`. But `unevaluatedItems` checks it again, because elements that match it
        // count as evaluated.
        Keyword::Contains(rule) => vec![rule.node],
        _ => keyword.in_place(),
    })
}

/// Returns the nodes that can be reached from `start`, nearest first. `next` returns the nodes to which a keyword
/// leads.
pub(super) fn reachable(nodes: &[Node], start: Vec<NodeId>, next: fn(&Keyword) -> Vec<NodeId>) -> Vec<NodeId> {
    let (mut found, mut seen, mut at) = (start, HashSet::new(), 0);
    found.retain(|id| seen.insert(*id));
    while let Some(id) = found.get(at) {
        let targets = nodes[id.0 as usize].keywords.iter().flat_map(next);
        found.extend(targets.filter(|id| seen.insert(*id)));
        at += 1;
    }
    found
}

/// Returns `true` if a value may reach a node in several ways. This requires a reference, because without references
/// each node has only one parent. It also requires keywords that apply several nodes to one value.
fn has_several_ways(nodes: &[Node]) -> bool {
    let has_reference = |node: &Node| node.keywords.iter().any(|keyword| matches!(keyword, Keyword::Reference(_)));
    // Returns `true` if a value may be checked against several subschemas, at least one of them from this keyword.
    let may_repeat = |keyword: &Keyword| match keyword {
        Keyword::Reference(target) => has_reference(&nodes[target.0 as usize]),
        Keyword::Object(shape) => !shape.patterns.is_empty(),
        Keyword::Contains(_) | Keyword::Unevaluated(_) => true,
        _ => !keyword.in_place().is_empty(),
    };
    // A keyword next to a reference, such as a second reference, applies to the same value as the reference.
    let repeats = |node: &Node| node.keywords.len() > 1 && has_reference(node) || node.keywords.iter().any(may_repeat);
    nodes.iter().any(has_reference) && nodes.iter().any(repeats)
}

/// Returns which results are worth remembering for a node that a value reaches in several ways. Checking a value
/// against keywords without subschemas is about as fast as looking up the result.
fn recall(node: &Node) -> Recall {
    let has = |nodes: fn(&Keyword) -> Vec<NodeId>| node.keywords.iter().any(|keyword| !nodes(keyword).is_empty());
    match (has(Keyword::in_place), has(Keyword::nodes)) {
        (true, _) => Recall::All,
        (false, true) => Recall::Containers,
        (false, false) => Recall::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Validator;
    use crate::json::reader;
    use crate::validate::checker::ROOT;
    use crate::validate::compile::compile;

    /// Returns the number of results that are remembered for a list of valid numbers.
    fn remembered(count: usize, memo: fn(View<'_>) -> Memo) -> usize {
        let checker = compile(&json!({"items": {"minimum": 0}})).expect("a schema");
        let value = Value::from(vec![1; count]);
        let document = reader::read_value(&value).expect("a document");
        let mut memo = memo(document.root());
        assert!(checker.accepts(ROOT, document.root(), &mut memo));
        memo.known.len()
    }

    #[test]
    fn only_a_search_remembers_results_of_nodes_that_are_not_shared() {
        assert_eq!(remembered(10, Memo::new), 0);
        assert_eq!(remembered(10, Memo::of_search), 11, "each element, and the list");
        assert_eq!(
            remembered(SPARE + 100, Memo::of_search),
            SPARE + 1,
            "the list, and no more elements than the limit"
        );
    }

    #[test]
    fn results_are_remembered_up_to_the_largest_index() {
        let slots = [Slot::Null];
        let view = View::of_slots(&slots);
        // Pretends that the document starts this many slots before `view`. Returns `None` if no address is that low: on
        // a 32-bit target, the largest index is too far away.
        let key_after = |slots: usize| {
            let document = address(view).checked_sub(slots.checked_mul(size_of::<Slot<'_>>())?)?;
            Some(Memo { document, ..Memo::new(view) }.key(NodeId(0), view))
        };
        assert_eq!(key_after(7), Some(Some(14)));
        let largest = u32::MAX >> 1;
        if let (Some(last), Some(next)) = (key_after(largest as usize), key_after(largest as usize + 1)) {
            assert_eq!((last, next), (Some(u64::from(largest) << 1), None));
        }
    }

    #[test]
    fn a_value_that_is_nested_too_deeply_is_refused_even_by_not() {
        let element = (0..12).fold(json!({"$ref": "#/$defs/list"}), |inner, _| json!({"allOf": [inner]}));
        let schema = json!({"not": {"$ref": "#/$defs/list"}, "$defs": {"list": {"items": element}}});
        let compiled = Validator::compile_linear(&schema).expect("a schema");
        for (depth, message) in [
            (10, "expected a value that the schema does not exclude"),
            (100, "nested too deeply for the published schema"),
        ] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            let document = reader::read_text(&text).expect("a document");
            assert!(!compiled.accepts(document.root()));
            let violations = compiled.violations(document.root(), &schema);
            assert_eq!(violations.iter().map(|violation| &violation.message).collect::<Vec<_>>(), [message]);
        }
    }

    /// Returns what is remembered for the node at a pointer.
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
        // `a` is reached through `properties` as well as through the reference.
        let schema = json!({"anyOf": [{"$ref": "#/properties/a"}], "properties": {"a": {"not": {"type": "null"}}}});
        assert_eq!(recall_at(&schema, "/properties/a"), Recall::All);
    }

    #[test]
    fn a_keyword_with_one_subschema_is_a_way_to_it() {
        for keyword in ["contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties"] {
            let pointer = format!("/allOf/0/{keyword}");
            let schema =
                json!({"allOf": [{keyword: {"not": {"type": "null"}}}, {keyword: {"$ref": format!("#{pointer}")}}]});
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
        let schema = json!({
            "allOf": [{"not": {"type": "null"}}], "properties": {"a": {"not": {"type": "null"}}}, "unevaluatedProperties": false
        });
        assert_eq!(recall_at(&schema, "/allOf/0"), Recall::Containers);
        assert_eq!(recall_at(&schema, "/properties/a"), Recall::Nothing);
        let schema = json!({"contains": {"not": {"type": "null"}}, "unevaluatedItems": false});
        assert_eq!(recall_at(&schema, "/contains"), Recall::Containers);
    }
}
