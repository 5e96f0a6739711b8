//! What do tests and tools ask about a server's tools?
//!
//! [`lint`] checks definitions against the limits of known clients. [`contract`] checks that a change of the tools breaks no
//! client. A running server calls neither.
//!
//! The methods of a [`Dispatcher`](crate::Dispatcher) that answer these questions are in [`mod@report`], and what they need to know
//! about questions to the user in `questions`.
//!
//! It may import `dispatcher` and what that imports. Only `export` and `cli` import it: an export has to meet the limits that `lint`
//! checks.

pub mod contract;
pub(crate) mod lint;
#[cfg(feature = "ask")]
mod questions;
mod report;
