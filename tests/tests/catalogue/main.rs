//! The catalogue of mistakes: what share of it keeps the standard, and the page of the documentation that is made of it.
//!
//! Both are read from the `.stderr` files, and stand in `tests/README.md` and in
//! `mcp-tool-runtime/docs/when_it_does_not_compile.md`. After a change of a case:
//! `CATALOGUE=overwrite cargo test -p mcp-tool-tests --test catalogue`.

mod case;
mod page;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use case::Case;

/// What stands around the table in the README of the tests.
const MARKS: [&str; 2] = ["<!-- written by tests/catalogue -->\n", "<!-- to here -->\n"];

/// A part of the standard: the words for a case that keeps it and for one that does not, and whether one does.
type Standard = (&'static str, &'static str, fn(&Case) -> bool);

fn beside_this_package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in ["ui/macro", "ui/rustc"] {
        let files = std::fs::read_dir(beside_this_package(folder)).expect("a folder of cases");
        for file in files {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                cases.push(Case::read(folder, &path));
            }
        }
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

/// Compares a file with what it should be, or writes it when `CATALOGUE=overwrite` says so.
fn check(path: &Path, expected: &str) {
    if std::env::var_os("CATALOGUE").is_some_and(|value| value == "overwrite") {
        std::fs::write(path, expected).expect("a file that can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    let difference = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    assert!(
        found == expected,
        "{} is stale (first difference: {difference:?}); write it anew with\n\
         CATALOGUE=overwrite cargo test -p mcp-tool-tests --test catalogue",
        path.display(),
    );
}

#[test]
fn the_page_is_made_of_the_cases() {
    let path = beside_this_package("../mcp-tool-runtime/docs/when_it_does_not_compile.md");
    check(&path, &page::page(&cases()));
}

#[test]
fn every_case_is_in_one_chapter() {
    let cases = cases();
    let left = cases.iter().filter(|case| !case.is_several() && page::chapter_of(case).is_none());
    let left: Vec<_> = left.map(|case| &case.name).collect();
    assert!(left.is_empty(), "no chapter of `page.rs` takes {left:?}");
}

#[test]
fn the_standard_is_kept() {
    let cases = cases();
    let mut rows = String::new();
    let mut rest = String::new();
    let standards: [Standard; 3] = [
        ("exactly one error", "more than one error", |case| case.errors.len() == 1),
        ("the caret on the author's own token", "a caret on the attribute", Case::points_at_the_author),
        ("a `help:` with what to write", "no `help:`", Case::helps),
    ];
    let mut unexplained = Vec::new();
    let total = cases.len();
    for (says, lacks, keeps) in standards {
        let kept = cases.iter().filter(|case| keeps(case)).count();
        let tenths = kept * 1000 / total;
        let _ = writeln!(rows, "| {says} | {kept} | {}.{} % |", tenths / 10, tenths % 10);
        assert!(tenths >= 950, "{kept} of {total} cases have {says}");
        let _ = writeln!(rest, "\nWith {lacks}:\n");
        for case in cases.iter().filter(|case| !keeps(case)) {
            if case.reason.is_empty() {
                unexplained.push((&case.name, lacks));
            }
            if lacks == "no `help:`" {
                assert!(
                    case.advice.is_some(),
                    "the page cannot say what to do for {}: `// … Write: ….` or `// … Help: ….`",
                    case.name
                );
            }
            let _ = writeln!(rest, "- `{}`: {}", case.name, case.reason);
        }
    }
    assert!(unexplained.is_empty(), "the first lines of a case say why, `// …`: {unexplained:#?}");
    let table = format!("| of {total} cases | cases | share |\n| --- | --- | --- |\n{rows}{rest}");
    let path = beside_this_package("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README of the tests");
    let (before, after) = readme.split_once(MARKS[0]).expect("the place of the table");
    let (_, after) = after.split_once(MARKS[1]).expect("the end of the table");
    check(&path, &format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1]));
}
