//! What do tests and tools ask about a server's tools?
//!
//! [`lint`] checks definitions against the limits of known clients. [`contract`] checks that a change of the tools breaks no
//! client. A running server calls neither.
//!
//! It may import `schema`, `mcp` and `document`. Only `dispatcher/report` imports it, and `export`, which has to meet the limits that
//! `lint` checks.

pub mod contract;
pub(crate) mod lint;
