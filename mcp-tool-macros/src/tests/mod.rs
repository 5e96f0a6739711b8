//! What the macros say about mistakes, checked without the compiler.
//!
//! Each file in `tests/ui/macro` is one mistake that a macro finds by itself. The macros are ordinary functions from tokens to tokens,
//! so these tests call them on the tokens of the file, collect the `compile_error!`s from what they emit, and print those the way rustc
//! does. The result must be the `.stderr` file beside the case. This takes under a second for all cases; rustc takes two minutes.
//! `tests/tests/ui.rs` holds the same `.stderr` files against rustc itself.
//!
//! After a deliberate change of a message, rewrite the `.stderr` files with
//!
//! ```text
//! BLESS=1 cargo test -p mcp-tool-macros
//! ```
//!
//! and read every line of the difference.

mod expansion;
mod mistakes;
mod report;

/// Returns `true` if the expected texts are to be rewritten rather than compared.
fn blesses() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}
