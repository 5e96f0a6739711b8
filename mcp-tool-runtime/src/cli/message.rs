//! Prints answers on standard output and messages on standard error, and returns the exit code.

use std::borrow::Cow;

use super::{FAILURE, Io, SUCCESS, USAGE};

/// Prints the answer of a command. On a terminal, control characters are escaped.
pub(super) fn print(io: &Io, text: &str) -> u8 {
    print_styled(io, &shown(text, io.output_width.is_some()))
}

/// Prints an answer that consists of JSON or TOML strings. On a terminal, control characters in it become `\u` escapes, so that the
/// text means the same.
pub(super) fn print_json(io: &Io, json: &str) -> u8 {
    let escaped = |c: char| if is_control(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    if io.output_width.is_none() || !json.contains(is_control) {
        return print_styled(io, json);
    }
    print_styled(io, &json.chars().map(escaped).collect::<String>())
}

/// Prints an answer that has colors. The texts of tools in it must have gone through [`shown`].
pub(super) fn print_styled(io: &Io, text: &str) -> u8 {
    match io.write(text) {
        Ok(()) => SUCCESS,
        Err(error) => fail(io, &format!("the output cannot be written: {error}")),
    }
}

/// Writes a number with its noun.
pub(super) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Says which values are accepted instead of `text`.
pub(super) fn expected_one_of(values: &[impl AsRef<str>], text: &str) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("\"{}\"", value.as_ref())).collect();
    format!("expected one of {}, got \"{text}\"", values.join(", "))
}

/// Reports a failure.
pub(super) fn fail(io: &Io, problem: &str) -> u8 {
    error(io, problem);
    FAILURE
}

/// Reports a wrong command line.
pub(super) fn usage_error(io: &Io, problem: &str) -> u8 {
    error(io, problem);
    USAGE
}

/// Writes an error.
pub(super) fn error(io: &Io, problem: &str) {
    io.tell(&format!("{} {}\n", label(io, "error", "1;31"), shown(problem, io.error_width.is_some())));
}

/// Writes further information, such as what to do about an error.
pub(super) fn note(io: &Io, name: &str, text: &str) {
    let text = shown(text, io.error_width.is_some()).replace('\n', "\n    ");
    io.tell(&format!("  {} {text}\n", label(io, name, "1")));
}

/// Returns the text of a tool as a terminal may show it: control characters are escaped, such as `\u{1b}`, so that a text from somewhere
/// else cannot move the cursor, change the title, write to the clipboard or reverse the order of the letters.
pub(super) fn shown(text: &str, is_for_terminal: bool) -> Cow<'_, str> {
    if !is_for_terminal || !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let letters = |c: char| if is_control(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(letters).collect()
}

/// Returns `true` for a character that controls a terminal, or that changes the direction in which the text around it is shown.
pub(super) fn is_control(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn label(io: &Io, name: &str, style: &str) -> String {
    if io.colors.errors { format!("\x1b[{style}m{name}:\x1b[0m") } else { format!("{name}:") }
}
