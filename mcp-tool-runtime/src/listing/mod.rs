//! Decides who sees which tools.
//!
//! [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible) and similar methods take the rules.

// `visibility` has the types that a rule gets and returns. `rules` has the rules of a tool. `prepared` writes the
// `tools/list` result for one caller. The dispatcher caches what these modules create.

pub(crate) mod prepared;
pub(crate) mod rules;
pub(crate) mod visibility;

pub use visibility::{HasScopes, VisibilityRule};

pub use crate::call::Labels;
