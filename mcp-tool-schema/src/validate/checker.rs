//! A compiled schema, and the check of a value against it. For most schemas, the check allocates nothing.
//!
//! A schema becomes a list of nodes that refer to each other by index. Each node is one subschema. Its keywords are
//! sorted by cost, cheap ones first, and keywords that look at the same values are one [`Keyword`], so that a document
//! is walked once.
//!
//! Two optimisations make a check faster. Assertions, such as `minimum`, bypass the memo of the check. An iterator over
//! an array or an object ends when no slots are left, and does not test how many values are left. Without the two, the
//! benchmark `order` takes 6% more instructions.

use super::keywords::Keyword;
use super::memo::Memo;
use crate::accepted::Types;
use crate::json::tape::{Slot, View};

/// A schema, compiled to the list of the subschemas that it uses. The first is the root.
#[derive(Debug)]
pub(super) struct Checker {
    pub(super) nodes: Box<[Node]>,
}

pub(super) const ROOT: NodeId = NodeId(0);

/// The index of a node in [`Checker::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub(super) u32);

/// A compiled subschema.
#[derive(Debug)]
pub(super) struct Node {
    /// The JSON Pointer to the subschema in the schema.
    pub(super) pointer: Box<str>,
    /// The types that the keyword `type` accepts, or [`Types::NONE`] for a schema that accepts no value: `false`, or
    /// `{"not": {}}`.
    pub(super) types: Types,
    pub(super) recall: Recall,
    /// Whether a `null` property of an object can be removed without affecting any other property or keyword. In such a
    /// node, each property and element has at most one schema, and no keyword counts or compares the properties.
    pub(super) is_plain: bool,
    /// Whether all keywords are [assertions](Keyword::is_assertion).
    pub(super) is_leaf: bool,
    pub(super) keywords: Box<[Keyword]>,
}

/// Which results for a node are remembered during a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Recall {
    Nothing,
    /// The results for arrays and objects.
    Containers,
    All,
}

impl Checker {
    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns `true` if a value is valid against a node.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it saves a call for each value that needs no more than its type")]
    pub(super) fn accepts(&self, id: NodeId, view: View<'_>, memo: &mut Memo) -> bool {
        let node = self.node(id);
        if !node.types.accepts(view) {
            return false;
        }
        // A fast path: most values have a schema with only a type.
        if node.keywords.is_empty() {
            return true;
        }
        if node.is_leaf && !memo.has_spare() {
            return node.keywords.iter().all(|keyword| keyword.is_met_by(view));
        }
        self.recall(id, node, view, memo)
    }

    /// Checks a value of the right type against the keywords of a node. Returns `false` if nodes are nested too deeply.
    fn check(&self, node: &Node, view: View<'_>, memo: &mut Memo) -> bool {
        if !memo.enter() {
            return false;
        }
        let omits_null = memo.omits_null;
        memo.omits_null &= node.is_plain;
        let is_valid = node.keywords.iter().all(|keyword| self.holds(keyword, view, memo));
        memo.omits_null = omits_null;
        memo.leave();
        is_valid
    }

    /// Returns the result of [`Self::check`]. If [`Node::recall`] covers the value, or if the memo has spare room,
    /// takes a known result from the memo, and remembers a new one.
    fn recall(&self, id: NodeId, node: &Node, view: View<'_>, memo: &mut Memo) -> bool {
        let is_shared = match node.recall {
            Recall::Nothing => false,
            Recall::Containers => matches!(view.slot(), Slot::Array(_) | Slot::Object(_)),
            Recall::All => true,
        };
        if !is_shared && !memo.has_spare() {
            return self.check(node, view, memo);
        }
        if let Some(is_valid) = memo.result(id, view) {
            return is_valid;
        }
        let is_valid = self.check(node, view, memo);
        memo.remember(id, view, is_valid, is_shared);
        is_valid
    }

    /// Returns `true` if the name of a property is valid against a node.
    pub(super) fn accepts_name(&self, node: NodeId, name: &str) -> bool {
        // Use a separate memo, because a memo tells values apart by their addresses. This slot lives only until the
        // next name, whose slot may get the same address.
        let slot = [Slot::String(name.into())];
        let name = View::of_slots(&slot);
        self.accepts(node, name, &mut Memo::new(name))
    }
}
