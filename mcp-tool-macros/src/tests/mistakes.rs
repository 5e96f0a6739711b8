//! Every case in `tests/ui/macro` gives the errors in its `.stderr` file.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;

use super::expansion::errors;
use super::report::report;
use super::{blesses, is_packaged};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/ui/macro");

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(CASES).expect("the repository has a folder of cases");
    let mut cases: Vec<_> = entries.map(|entry| entry.expect("a folder can be read").path()).collect();
    cases.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    cases.sort();
    cases
}

/// Returns the errors of a case as rustc prints them.
fn printed(case: &Path) -> String {
    let source = fs::read_to_string(case).expect("a case can be read");
    let tokens: TokenStream = source.parse().expect("a case consists of tokens");
    let name = case.file_name().expect("a case has a name").to_string_lossy();
    report(&errors(tokens), &format!("macro/{name}"), &source)
}

#[test]
fn each_mistake_gives_the_expected_errors() {
    if is_packaged() {
        println!("skipped: the cases are in the repository only");
        return;
    }
    let mut failures = Vec::new();
    let cases = cases();
    assert!(!cases.is_empty(), "{CASES} has no cases");
    for case in &cases {
        let name = case.file_stem().expect("a case has a name").to_string_lossy();
        let printed = printed(case);
        let expected = case.with_extension("stderr");
        if printed.is_empty() {
            failures
                .push(format!("---- {name}: the macros find no mistake; a case for rustc belongs to `tests/ui/rustc`"));
        } else if blesses() {
            fs::write(&expected, printed).expect("the expected text can be written");
        } else {
            match fs::read_to_string(&expected) {
                Ok(expected) if expected == printed => {}
                Ok(expected) => failures.push(format!("---- {name}: expected\n\n{expected}\nfound\n\n{printed}")),
                Err(_) => failures.push(format!("---- {name}: there is no .stderr file; found\n\n{printed}")),
            }
        }
    }
    assert!(
        failures.is_empty(),
        "rewrite the expected texts with BLESS=1 cargo test -p mcp-tool-macros\n\n{}",
        failures.join("\n\n")
    );
}
