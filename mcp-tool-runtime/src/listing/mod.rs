//! Decides who sees which tools.
//!
//! [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible) and its relatives take the rules.

// `visibility` is what a rule knows and decides, and `rules` are the rules of a tool. `prepared` writes the
// `tools/list` result for one caller. The dispatcher caches what these create.

pub(crate) mod prepared;
pub(crate) mod rules;
pub(crate) mod visibility;

pub use visibility::{HasScopes, VisibilityRule};

pub use crate::call::Labels;
