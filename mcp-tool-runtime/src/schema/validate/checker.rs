//! A whole schema, compiled.

use super::node::{Node, NodeId};

/// A schema, compiled to the list of the subschemas that it uses. The first is the root.
#[derive(Debug)]
pub(super) struct Checker {
    pub(super) nodes: Box<[Node]>,
    pub(super) remembers: Remembers,
}

/// Which results are remembered, so that a value is not checked against the same subschema again and again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Remembers {
    Nothing,
    /// Those of references.
    References,
    /// Those of all arrays and objects.
    Containers,
}

/// The node of the root.
pub(super) const ROOT: NodeId = NodeId(0);

impl Checker {
    pub(super) fn new(nodes: Box<[Node]>, remembers: Remembers) -> Self {
        Self { nodes, remembers }
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
