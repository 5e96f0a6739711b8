//! What a command says on standard error, and how it ends.

use std::borrow::Cow;

use super::{FAILURE, Io, SUCCESS, USAGE};

/// Prints the answer of a command.
pub(super) fn print(io: &Io, text: &str) -> u8 {
    match io.write(text) {
        Ok(()) => SUCCESS,
        Err(error) => fail(io, &format!("the output cannot be written: {error}")),
    }
}

/// Reports a failure.
pub(super) fn fail(io: &Io, problem: &str) -> u8 {
    error(io, problem);
    FAILURE
}

/// Reports a wrong command line.
pub(super) fn usage(io: &Io, problem: &str) -> u8 {
    error(io, problem);
    USAGE
}

/// Writes an error.
pub(super) fn error(io: &Io, problem: &str) {
    io.tell(&format!("{} {}\n", label(io, "error", "1;31"), shown(problem, io.error_columns().is_some())));
}

/// Writes further information, such as what to do about an error.
pub(super) fn note(io: &Io, name: &str, text: &str) {
    let text = shown(text, io.error_columns().is_some()).replace('\n', "\n    ");
    io.tell(&format!("  {} {text}\n", label(io, name, "1")));
}

/// Returns the text of a tool as a terminal may show it: control characters are written in letters, so that a text from somewhere
/// else cannot move the cursor, change the title or write to the clipboard.
pub(super) fn shown(text: &str, is_for_terminal: bool) -> Cow<'_, str> {
    let controls = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !is_for_terminal || !text.contains(controls) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let letters = |c: char| if controls(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(letters).collect()
}

fn label(io: &Io, name: &str, style: &str) -> String {
    if io.colors_errors() { format!("\x1b[{style}m{name}:\x1b[0m") } else { format!("{name}:") }
}
