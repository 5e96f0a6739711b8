//! Reads the `.stderr` files of all cases in `ui/macro` and `ui/rustc`, and writes two texts from them:
//!
//! - the table in `tests/README.md`: how many errors meet the standard of messages,
//! - `mcp-tool-runtime/docs/when_it_does_not_compile.md`, a page of the documentation.
//!
//! After a change of a case, run `CATALOGUE=overwrite cargo test -p mcp-tool-tests --test catalogue`.

mod case;
mod page;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use case::Case;

/// The lines before and after the table in the README of the tests.
const MARKS: [&str; 2] = ["<!-- written by tests/catalogue -->\n", "<!-- to here -->\n"];

/// A rule of the standard: the text for a case that meets it, the text for one that does not, and the test.
type Standard = (&'static str, &'static str, fn(&Case) -> bool);

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
         CATALOGUE=overwrite cargo test -p mcp-tool-tests --test catalogue",
        path.display(),
    );
}

#[test]
fn the_page_is_up_to_date() {
    let path = in_this_package("../mcp-tool-runtime/docs/when_it_does_not_compile.md");
    check(&path, &page::page(&cases()));
}

#[test]
fn every_case_has_a_chapter() {
    let cases = cases();
    let left = cases.iter().filter(|case| !case.has_several_mistakes() && page::chapter_of(case).is_none());
    let left: Vec<_> = left.map(|case| &case.name).collect();
    assert!(left.is_empty(), "no chapter of `page.rs` has {left:?}");
}

#[test]
fn at_least_95_percent_of_the_errors_meet_the_standard() {
    let cases = cases();
    let mut rows = String::new();
    let mut rest = String::new();
    let standards: [Standard; 3] = [
        ("exactly one error", "more than one error", |case| case.errors.len() == 1),
        ("the caret on the author's own token", "a caret on the attribute", Case::points_at_the_authors_code),
        ("a `help:` with what to write", "no `help:`", Case::has_help),
    ];
    let mut unexplained = Vec::new();
    let total = cases.len();
    for (meeting, failing, meets) in standards {
        let count = cases.iter().filter(|case| meets(case)).count();
        let tenths = count * 1000 / total;
        let _ = writeln!(rows, "| {meeting} | {count} | {}.{} % |", tenths / 10, tenths % 10);
        assert!(tenths >= 950, "only {count} of {total} cases have {meeting}");
        let _ = writeln!(rest, "\nWith {failing}:\n");
        for case in cases.iter().filter(|case| !meets(case)) {
            if case.reason.is_empty() {
                unexplained.push((&case.name, failing));
            }
            if failing == "no `help:`" {
                assert!(
                    case.advice.is_some(),
                    "the page has no advice for {}; write it in the first comment: `// … Write: ….` or `// … Help: ….`",
                    case.name
                );
            }
            let _ = writeln!(rest, "- `{}`: {}", case.name, case.reason);
        }
    }
    assert!(unexplained.is_empty(), "these cases need a first comment that says why: {unexplained:#?}");
    let table = format!("| of {total} cases | cases | share |\n| --- | --- | --- |\n{rows}{rest}");
    let path = in_this_package("README.md");
    let readme = std::fs::read_to_string(&path).expect("there is a README of the tests");
    let (before, after) = readme.split_once(MARKS[0]).expect("the README has the first mark");
    let (_, after) = after.split_once(MARKS[1]).expect("the README has the second mark");
    check(&path, &format!("{before}{}{table}{}{after}", MARKS[0], MARKS[1]));
}
