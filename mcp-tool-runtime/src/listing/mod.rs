//! Decides who sees which tools.
//!
//! [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible) and its relatives take the rules.

// `info` is what a rule knows about a tool, `visibility` what it decides, and `rules` are the rules of a tool. `prepared` writes
// the `tools/list` result of one caller. The dispatcher keeps what these make.

pub(crate) mod info;
pub(crate) mod prepared;
pub(crate) mod rules;
pub(crate) mod visibility;

pub use visibility::VisibilityRule;

pub use crate::call::Labels;
