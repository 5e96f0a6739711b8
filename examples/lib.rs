//! Examples, each with `cargo run --example NAME`:
//!
//! - `quickstart`: one tool, its definition and one call.
//! - `seeds`: the tools of both specifications' own examples.
//!
//! The servers are in the package `servers/`. The tools that `seeds` and the servers share are in [`seed_tools`].

pub mod seed_tools;
