//! What a command says on standard error, and how it ends.

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
    io.tell(&format!("{} {problem}\n", label(io, "error", "1;31")));
}

/// Writes further information, such as what to do about an error.
pub(super) fn note(io: &Io, name: &str, text: &str) {
    io.tell(&format!("  {} {}\n", label(io, name, "1"), text.replace('\n', "\n    ")));
}

fn label(io: &Io, name: &str, style: &str) -> String {
    if io.colors_errors() { format!("\x1b[{style}m{name}:\x1b[0m") } else { format!("{name}:") }
}
