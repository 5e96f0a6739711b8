//! Cuts lists and texts into pages that fit a context window.
//!
//! A tool returns a [`Paged`](crate::Paged) list or an [`Excerpt`](crate::Excerpt) of a text. The guide
//! [`large_results`](crate::guide::large_results) explains both.

// The output of such a tool is `unfinished`. `fitted_tool` is around
// the tool: it verifies the `cursor_text` of a request, lets the tool run, and finishes its output as one `page`. `cursor` is the
// parameter of a tool that continues by itself. `definition` adds the argument `cursor` to the schemas.
//
// A tool without pages and without a budget is not wrapped, so its calls do not come here.

pub(crate) mod cursor;
mod cursor_text;
pub(crate) mod definition;
pub(crate) mod excerpt;
pub(crate) mod fitted_tool;
pub(crate) mod page;
pub(crate) mod paged;
pub(crate) mod unfinished;
mod used;

pub use paged::PagedItems;
