//! What a user reads when a tool does not compile.
//!
//! Every file in `ui/macro` and `ui/rustc` is one mistake, and is named for it; the `.stderr` beside it is all that the
//! compiler says. `ui/macro` are the mistakes that the macros find by themselves. `ui/rustc` are those that only the
//! compiler can find, through the traits of the runtime; its words change between releases, so the toolchain is pinned.
//! The cases in `ui/macro` are also checked without the compiler, by the tests of `mcp-tool-macros`, in a second.
//! The files in `ui/pass` compile, run and say nothing.
//!
//! After a deliberate change: `TRYBUILD=overwrite cargo test -p mcp-tool-tests --test ui`, then read every line of the
//! difference as somebody would who has never seen the library, and `CATALOGUE=overwrite cargo test -p mcp-tool-tests --test
//! catalogue`, which writes the page of the documentation anew. One case alone: `-- mistakes trybuild=name_of_the_case`.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/macro/*.rs");
    let has_source = has_source();
    for case in fs::read_dir("ui/rustc").expect("a directory") {
        let case = case.expect("an entry").path();
        let is_mistake = case.extension().is_some_and(|extension| extension == "rs");
        let quotes_source =
            || fs::read_to_string(case.with_extension("stderr")).is_ok_and(|told| told.contains("$RUST"));
        if is_mistake && (has_source || !quotes_source()) {
            cases.compile_fail(case);
        }
    }
}

/// Whether the compiler can quote the source of the standard library, which is a component of its own (`rust-src`).
fn has_source() -> bool {
    let told = Command::new("rustc").args(["--print", "sysroot"]).output().expect("a compiler");
    let sysroot = String::from_utf8(told.stdout).expect("a path");
    Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/core/src/lib.rs").exists()
}

#[test]
fn sound_tools_compile() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
}
