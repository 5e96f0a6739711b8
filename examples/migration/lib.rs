//! One server twice: an issue tracker with the official Rust SDK (`before.rs`), and with `mcp-tool` (`after.rs`).
//!
//! Both use [`tracker`], and both are served by the SDK over stdio, so that only the tools differ. `.ci/migration.py` makes the same calls to
//! both, good and bad, and prints every difference of the answers. The guide `from_rmcp` explains each of them.

pub mod tracker;
