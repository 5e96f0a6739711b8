//! A whole schema, compiled.

use super::node::{Node, NodeId};

/// A schema, compiled to the list of the subschemas that it uses. The first is the root.
#[derive(Debug)]
pub(super) struct Checker {
    pub(super) nodes: Box<[Node]>,
    /// Whether a value could be checked against the same subschema again and again.
    pub(super) needs_memo: bool,
}

/// The node of the root.
pub(super) const ROOT: NodeId = NodeId(0);

impl Checker {
    pub(super) fn new(nodes: Box<[Node]>, needs_memo: bool) -> Self {
        Self { nodes, needs_memo }
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
