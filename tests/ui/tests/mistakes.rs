//! Mistakes, each compiled and compared with its `.stderr` file.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A few cases of `macro` for each kind of error: they show that the tests of `mcp-tool-macros` print errors as the compiler does, and
/// that the compiler reports nothing else.
const MACRO_CASES: &[&str] = &[
    // The item.
    "on_struct",
    "mcp_tools_on_trait",
    "mcp_tools_without_a_tool",
    "method_without_mcp_tools",
    // The signature, and several errors in one item.
    "not_async",
    "mut_reference_in_option",
    "several_mistakes",
    "method_several_mistakes",
    // Keys and their values.
    "unknown_key",
    "missing_comma",
    "icon_unknown_key",
    "meta_reserved_prefix",
    "timeout_without_unit",
    "name_bad_character",
    "mcp_tools_prefix_too_long",
    // Descriptions, parameters and results.
    "no_description",
    "state_by_value",
    "header_on_a_float",
    "schema_rename_without_serde",
    "result_of_the_protocol",
    // The list.
    "list_with_braces",
    "list_without_comma",
    // The derive.
    "error_several_mistakes",
    "error_format_counts_too_far",
];

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    let compiles_all = std::env::var_os("UI").is_some_and(|value| value == "all");
    for case in files("macro", "rs") {
        if compiles_all && !names_the_sdk(&case)
            || MACRO_CASES.iter().any(|name| case.file_stem() == Some(OsStr::new(name)))
        {
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
    let absent = |name: &&&str| !Path::new("macro").join(name).with_extension("rs").exists();
    let absent: Vec<_> = MACRO_CASES.iter().filter(absent).collect();
    assert!(absent.is_empty(), "`macro` has no {absent:?}");
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("there is a folder of cases");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.retain(|path| path.extension() == Some(OsStr::new(extension)));
    files.sort();
    files
}

/// Returns `true` for a case with types of the official SDK, which this package does not depend on.
fn names_the_sdk(case: &Path) -> bool {
    fs::read_to_string(case).expect("the case can be read").contains("rmcp::")
}

/// Returns `true` if the compiler can quote the source of the standard library, which is a component of its own (`rust-src`).
fn has_source_of_std() -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().expect("there is a compiler");
    let sysroot = String::from_utf8(output.stdout).expect("the path is UTF-8");
    Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/core/src/lib.rs").exists()
}
