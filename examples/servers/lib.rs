//! Example servers, each with `cargo run -p mcp-tool-servers --example NAME`:
//!
//! - `stdio_server`: the tools of the example `seeds` over stdio, with the official Rust SDK.
//! - `notes_server`: a worked server with a database, an API key, progress and a chart.
//! - `everything_server`: one tool for each thing a tool can do, on every transport.
//! - `large_results`: a table of a million rows and a log of 100 MB, in pages that fit a model's context.
