//! The macros as functions from tokens to tokens, without the compiler.
//!
//! - `mistakes`: each file in `tests/ui/macro` is one mistake that a macro finds by itself. The macro is called on the
//!   tokens of the file, and its `compile_error!`s are printed as rustc prints them. The result must be the `.stderr`
//!   file next to the case. This takes less than a second for all cases. `tests/ui/tests` compares the same files with
//!   what rustc prints.
//! - `emitted`: what the macros emit for typical tools.
//! - `reference`: the tables of keys in the documentation.
//!
//! After a deliberate change of a message or of the emitted code, run
//!
//! ```text
//! BLESS=1 cargo test -p mcp-tool-macros
//! ```
//!
//! and read every line of the difference.

mod emitted;
mod expansion;
mod mistakes;
mod reference;
mod report;

/// Returns `true` if the expected output is to be rewritten rather than compared.
fn blesses() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// Returns `true` in the published package, which contains only this crate.
fn is_packaged() -> bool {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml.orig")).exists()
}
