//! Cuts lists and texts into pages, each within a budget of tokens.
//!
//! A tool returns a [`Paged`](crate::Paged) list or an [`Excerpt`](crate::Excerpt) of a text. The guide
//! [`large_results`](crate::guide::large_results) explains both.

// `fitted_tool` wraps a tool that returns pages: it publishes the argument `cursor`, reads the `cursor` of a request,
// runs the tool, and turns the output into one `page`. It also wraps a tool that has only a budget. All other tools
// stay unwrapped.

pub(crate) mod cursor;
pub(crate) mod cut;
pub(crate) mod excerpt;
pub(crate) mod fitted_tool;
pub(crate) mod page;
pub(crate) mod paged;

pub use paged::PagedItems;
