//! What the compiler says about a tool: nothing if it is right, and a clear error if it is not.
//!
//! - `pass`: programs without mistakes ([`pass`]).
//! - `macro`: mistakes that the macros find by themselves. `cargo test -p mcp-tool-macros` checks all of them in a second, without the
//!   compiler. Here every fourth is compiled, with `LARGE=1` all of them, which shows that the compiler prints the same errors and
//!   reports nothing else.
//! - `rustc`: mistakes that need the compiler, most of them missing traits ([`mistakes`]).
//!
//! In `macro` and `rustc` each file is one mistake and is named after it. The `.stderr` file beside it is all that the compiler
//! says. rustc's own texts change between releases, so `rust-toolchain.toml` pins the toolchain.
//!
//! | after a deliberate change | run |
//! | --- | --- |
//! | of a message in `macro` | `BLESS=1 cargo test -p mcp-tool-macros` |
//! | of a message in `rustc` | `TRYBUILD=overwrite cargo test -p mcp-tool-ui` |
//! | of any message | `CATALOGUE=overwrite cargo test -p mcp-tool-tests --test it compile_errors`, which rewrites a page of the documentation |
//!
//! Then read every line of the difference as somebody who has never seen the library.
//!
//! `cargo test -p mcp-tool-ui mistakes -- trybuild=NAME` runs the cases whose path contains `NAME`.

// A warning in a program of `pass` is a failure, unless it is about a style that only this workspace has.
#![deny(warnings)]
#![allow(unreachable_pub, unused_qualifications)]

mod mistakes;
// The programs are written for what they show, and are held to what rustc says: `hygiene/` has the lints of clippy.
#[allow(clippy::all, clippy::pedantic)]
mod pass;
