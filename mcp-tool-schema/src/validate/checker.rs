//! A whole schema, compiled.

use super::node::{Keyword, Node, NodeId};

/// A schema, compiled to the list of the subschemas that it uses. The first is the root.
#[derive(Debug)]
pub struct Checker {
    pub(super) nodes: Box<[Node]>,
}

/// The node of the root.
pub(super) const ROOT: NodeId = NodeId(0);

impl Checker {
    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns `true` for a node that accepts no value: `false`, or `{"not": {}}`.
    pub(super) fn is_nothing(&self, id: NodeId) -> bool {
        self.node(id).keywords.iter().any(|keyword| match keyword {
            Keyword::Nothing => true,
            Keyword::Not(id) => self.node(*id).accepts_all(),
            _ => false,
        })
    }
}
