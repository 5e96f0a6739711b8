//! What a user reads when a tool does not compile.
//!
//! Every file in `ui/macro` and `ui/rustc` is one mistake, and is named for it; the `.stderr` beside it is all that the
//! compiler says. `ui/macro` are the mistakes that the macros find, in our words. `ui/rustc` are those that only the
//! compiler can find, through the traits of the runtime; its words change between releases, so the toolchain is pinned.
//! The files in `ui/pass` compile, run and say nothing.
//!
//! After a deliberate change: `TRYBUILD=overwrite cargo test -p mcp-tool-tests --test ui`, then read every line of the
//! difference as somebody would who has never seen the library, and `CATALOGUE=overwrite cargo test -p mcp-tool-tests --test
//! catalogue`, which writes the page of the documentation anew. One case alone: `-- mistakes trybuild=name_of_the_case`.

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/macro/*.rs");
    cases.compile_fail("ui/rustc/*.rs");
}

#[test]
fn sound_tools_compile() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
}
