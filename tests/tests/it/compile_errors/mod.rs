//! Reads the `.stderr` files of all cases in `ui/macro` and `ui/rustc`, checks the quality of their messages, and writes the page
//! `mcp-tool-runtime/docs/when_it_does_not_compile.md` of the documentation.
//!
//! A message names the thing and says what is wrong with it. The caret is under the author's own code. A `help:` line says what to write. One
//! mistake gives one error.
//!
//! After a change of a case, run `CATALOGUE=overwrite cargo test -p mcp-tool-tests --test it compile_errors`.

mod case;
mod page;

use std::path::{Path, PathBuf};

use case::Case;

/// A rule of the standard: what a case has that meets it, and the test.
type Standard = (&'static str, fn(&Case) -> bool);

fn in_this_package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in ["ui/macro", "ui/rustc"] {
        let files = std::fs::read_dir(in_this_package(folder)).expect("there is a folder of cases");
        for file in files {
            let path = file.expect("the folder can be read").path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                cases.push(Case::read(folder, &path));
            }
        }
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

/// Compares a file with its expected text, or writes that text if `CATALOGUE=overwrite`.
fn check(path: &Path, expected: &str) {
    if std::env::var_os("CATALOGUE").is_some_and(|value| value == "overwrite") {
        std::fs::write(path, expected).expect("the file can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    let difference = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(
        found == expected,
        "{} is out of date (first difference: {difference:?}); rewrite it with\n\
         CATALOGUE=overwrite cargo test -p mcp-tool-tests --test it compile_errors",
        path.display(),
    );
}

#[test]
fn the_page_is_up_to_date() {
    let path = in_this_package("../mcp-tool-runtime/docs/when_it_does_not_compile.md");
    check(&path, &page::page(&cases()));
}

#[test]
fn every_case_of_the_page_exists() {
    let cases = cases();
    let missing: Vec<_> = page::names().filter(|name| !cases.iter().any(|case| case.has_name(name))).collect();
    assert!(missing.is_empty(), "`page.rs` names cases that do not exist: {missing:?}");
    assert!(page::names().count() > 30);
}

#[test]
fn at_least_95_percent_of_the_errors_meet_the_standard() {
    let cases = cases();
    let standards: [Standard; 3] = [
        ("exactly one error", |case| case.errors.len() == 1),
        ("the caret on the author's own token", Case::points_at_the_authors_code),
        ("a `help:` with what to write", Case::has_help),
    ];
    for (standard, meets) in standards {
        let failing: Vec<_> = cases.iter().filter(|case| !meets(case)).collect();
        assert!(failing.len() * 20 <= cases.len(), "{} of {} cases lack {standard}", failing.len(), cases.len());
        let unexplained: Vec<_> = failing.iter().filter(|case| case.reason.is_empty()).map(|case| &case.name).collect();
        assert!(
            unexplained.is_empty(),
            "these cases lack {standard}, and need a first comment that says why: {unexplained:#?}"
        );
    }
    for case in cases.iter().filter(|case| !case.has_help()) {
        assert!(
            case.advice.is_some(),
            "{} has no advice; write it in the first comment: `// … Write: ….` or `// … Help: ….`",
            case.name
        );
    }
}
