//! What the macros emit for typical tools.
//!
//! Each `NAME.rs` in `snapshots/` is expanded by one level and formatted. The result must be `NAME.expanded.rs`.
//! `BLESS=1 cargo test -p mcp-tool-macros` rewrites those files.

use std::fs;

use proc_macro2::TokenStream;

use super::blesses;
use super::expansion::expand_once;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/snapshots");

#[test]
fn typical_tools_give_the_expected_code() {
    let mut failures = Vec::new();
    for entry in fs::read_dir(FOLDER).expect("there is a folder of tools") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        if name.ends_with(".expanded.rs") {
            continue;
        }
        let tokens: TokenStream =
            fs::read_to_string(&path).expect("a tool can be read").parse().expect("a tool is Rust");
        let code = syn::parse2(expand_once(tokens)).expect("the code consists of items");
        let code = prettyplease::unparse(&code);
        let expected = path.with_extension("expanded.rs");
        if blesses() {
            fs::write(&expected, code).expect("the expected code can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != code {
            failures.push(format!("---- {name}: found\n\n{code}"));
        }
    }
    assert!(
        failures.is_empty(),
        "rewrite the expected code with BLESS=1 cargo test -p mcp-tool-macros\n\n{}",
        failures.join("\n\n")
    );
}
