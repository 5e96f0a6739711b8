//! Puts all violations of a call's arguments into one error.

use crate::ToolError;
use crate::json::violation::{MAX_LISTED, Violation, truncate_text};
use crate::json::writer::json_length;
use crate::output::error_kind::ParameterError;

/// The maximum length of the text in bytes. Open Tool Calling sends the text twice, and a quote takes two bytes, so
/// this keeps each answer below 16 KiB.
const MAX_BYTES: usize = 3_584;

/// The maximum length of an answer with pointers, in bytes of JSON. Pointers get the space that the texts leave.
const MAX_ANSWER_BYTES: usize = 16_384;

/// The bytes of such an answer besides texts and pointers.
const ENVELOPE_BYTES: usize = 1_024;

/// The bytes of each entry besides its pointer and message.
const ENTRY_BYTES: usize = 40;

/// Returns one error for all violations: a text for models, and a list for programs.
pub(crate) fn invalid_arguments(violations: &[Violation]) -> ToolError {
    let mut message = String::from("invalid arguments:");
    let mut described = Vec::new();
    let mut has_more = violations.len() > MAX_LISTED;
    for violation in violations.iter().take(MAX_LISTED) {
        let text = violation.to_string();
        if message.len() + text.len() > MAX_BYTES && !described.is_empty() {
            has_more = true;
            break;
        }
        message.push_str(if violations.len() == 1 { " " } else { "\n- " });
        message.push_str(&truncate_text(&text, MAX_BYTES));
        described.push(violation);
    }
    if has_more {
        message.push_str("\n- and more");
    }
    let texts =
        described.iter().map(|violation| ENTRY_BYTES + json_length(&truncate_text(&violation.message, MAX_BYTES)));
    let written = ENVELOPE_BYTES + json_length(&message) + texts.sum::<usize>();
    let remaining = MAX_ANSWER_BYTES.saturating_sub(written);
    ToolError::new(message).with_parameter_errors(parameter_errors(&described, remaining))
}

/// Returns one entry for each path, with pointers of at most `remaining` bytes of JSON together. The root is not a
/// parameter, so its violations are left out.
fn parameter_errors(violations: &[&Violation], mut remaining: usize) -> Vec<ParameterError> {
    let mut errors: Vec<ParameterError> = Vec::new();
    for violation in violations.iter().filter(|violation| !violation.path.is_root()) {
        let parameter = truncate_text(&violation.path.to_string(), MAX_BYTES / 4).into_owned();
        let message = truncate_text(&violation.message, MAX_BYTES);
        if let Some(known) = errors.iter_mut().find(|known| known.parameter == parameter) {
            known.message.extend(["; ", &message]);
        } else {
            let pointer = violation.path.to_pointer(remaining.min(MAX_BYTES / 4));
            remaining = remaining.saturating_sub(json_length(&pointer));
            errors.push(ParameterError { parameter, pointer, message: message.into_owned() });
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::path::{Path, Step};

    fn of_list(key: &str, message: &str) -> ToolError {
        let violation = |index| {
            let mut path = Path::default().property(key);
            path.push(Step::Index(index));
            Violation::new(path, message)
        };
        invalid_arguments(&(0..32).map(violation).collect::<Vec<_>>())
    }

    #[test]
    fn the_pointers_of_one_answer_are_short_together() {
        for key in ["\u{1}", "\"", "\\", "~", "é", "k"] {
            for message in ["m", "\"m\" ", &"\"".repeat(100)] {
                let error = of_list(&key.repeat(100_000), message);
                let errors = error.errors().iter();
                let answer = serde_json::json!({
                    "detail": error.message(),
                    "errors": errors
                        .map(|error| serde_json::json!({ "pointer": format!("#{}", error.pointer()), "detail": error.message() }))
                        .collect::<Vec<_>>(),
                });
                assert!(answer.to_string().len() <= MAX_ANSWER_BYTES - 256, "{key} {}", answer.to_string().len());
            }
        }
    }

    #[test]
    fn ordinary_pointers_are_written_whole() {
        let error = of_list("an ordinary / name", "expected an integer, got a string");
        let pointers: Vec<_> = error.errors().iter().map(ParameterError::pointer).collect();
        let whole: Vec<_> = (0..32).map(|index| format!("/an ordinary ~1 name/{index}")).collect();
        assert_eq!(pointers, whole);
    }

    #[test]
    fn the_path_of_a_parameter_error_is_truncated() {
        let path = (0..100).fold(Path::default(), |path, _| path.property(&"k".repeat(100)));
        let error = invalid_arguments(&[Violation::new(path, "refused")]);
        let lengths: Vec<_> = error.errors().iter().map(|error| error.parameter().len()).collect();
        assert_eq!(lengths, [MAX_BYTES / 4 + "…".len()]);
    }

    #[test]
    fn a_violation_is_listed_if_the_text_reaches_the_limit_and_not_if_it_exceeds_it() {
        let text = |length: usize| {
            let violations = [Violation::root("a".repeat(1_000)), Violation::root("b".repeat(length))];
            invalid_arguments(&violations).message().to_owned()
        };
        let remaining = MAX_BYTES - "invalid arguments:\n- ".len() - 1_000;
        assert!(text(remaining).ends_with('b'));
        assert!(text(remaining + 1).ends_with("a\n- and more"));
    }
}
