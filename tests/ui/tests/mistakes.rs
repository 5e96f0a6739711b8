//! Mistakes, each compiled and compared with its `.stderr` file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    // All of them take the compiler a minute, and `mcp-tool-macros` compares the same errors.
    let are_all = env::var_os("LARGE").is_some_and(|value| !value.is_empty())
        || env::args().any(|argument| argument.starts_with("trybuild="));
    for case in files("macro", "rs").into_iter().step_by(if are_all { 1 } else { 4 }) {
        if !names_the_sdk(&case) {
            cases.compile_fail(case);
        }
    }
    let has_source = has_source_of_std();
    for case in files("rustc", "rs") {
        let expected = fs::read_to_string(case.with_extension("stderr")).unwrap_or_default();
        if has_source || !expected.contains("$RUST") {
            cases.compile_fail(case);
        } else {
            println!("skipped, since the component `rust-src` is not installed: {}", case.display());
        }
    }
}

#[test]
fn every_expected_text_has_a_case() {
    let mut lost: Vec<_> = ["macro", "rustc"].iter().flat_map(|folder| files(folder, "stderr")).collect();
    lost.retain(|expected| !expected.with_extension("rs").exists());
    assert!(lost.is_empty(), "no case belongs to {lost:?}");
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("there is a folder of cases");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.retain(|path| path.extension() == Some(OsStr::new(extension)));
    files.sort();
    files
}

/// Returns `true` for a case with types of the official SDK, which this package does not depend on. The tests of `mcp-tool-macros` have it.
fn names_the_sdk(case: &Path) -> bool {
    fs::read_to_string(case).expect("the case can be read").contains("rmcp::")
}

/// Returns `true` if the compiler can quote the source of the standard library, which is a component of its own (`rust-src`).
fn has_source_of_std() -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().expect("there is a compiler");
    let sysroot = String::from_utf8(output.stdout).expect("the path is UTF-8");
    Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/core/src/lib.rs").exists()
}
