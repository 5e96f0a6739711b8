//! What do tests, the command line and exports ask about a server's tools?
//!
//! [`lint`] checks definitions against the limits of known clients. [`contract`] checks that a change of the tools breaks no
//! client. Of a running server, only its web page calls `lint`, when somebody opens the page.
//!
//! The methods of [`Dispatcher`](crate::Dispatcher) are in [`mod@report`]. `questions` is about tools that ask their user.
//!
//! It may import `dispatcher` and what that imports. `export` imports it, because an export has to meet the limits that `lint` checks, and
//! so do `cli` and the web page in `serve`.

pub mod contract;
pub(crate) mod lint;
mod questions;
mod report;
