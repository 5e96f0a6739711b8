//! Prints an error the way rustc does.

use std::fmt::Write as _;

use super::expansion::CompileError;

/// Prints the errors of the file `path`, whose content is `source`.
pub(super) fn report(errors: &[CompileError], path: &str, source: &str) -> String {
    let errors: Vec<_> = errors.iter().map(|error| one(error, path, source)).collect();
    errors.join("\n")
}

fn one(error: &CompileError, path: &str, source: &str) -> String {
    let CompileError { message, start, end } = error;
    let line = source.lines().nth(start.line - 1).expect("an error is in the file");
    // We can only mark errors on one line as rustc does, and none of ours spans more.
    assert_eq!(start.line, end.line, "an error under several lines is printed by rustc alone: {message}");
    let number = start.line.to_string();
    let margin = " ".repeat(number.len());
    let carets = "^".repeat(end.column - start.column);
    let mut text = String::new();
    let _ = writeln!(text, "error: {}", message.replace('\n', "\n       "));
    let _ = writeln!(text, "{margin}--> {path}:{number}:{}", start.column + 1);
    let _ = writeln!(text, "{margin} |");
    let _ = writeln!(text, "{number} | {line}");
    let _ = writeln!(text, "{margin} | {}{carets}", " ".repeat(start.column));
    text
}
