//! All violations of a call's arguments as one error.

use crate::ToolError;
use crate::document::name::truncate_text;
use crate::document::violation::{Violation, listed};
use crate::otc::ParameterError;

/// The limit of the text in bytes. An answer of Open Tool Calling contains it twice, and each quote in it takes two bytes, so that no
/// answer is longer than 16 KiB.
const MAX_BYTES: usize = 3_584;

/// Returns one error for all violations: a text for models, and a list for programs.
pub(crate) fn invalid_arguments(violations: &[Violation]) -> ToolError {
    let mut message = String::from("invalid arguments:");
    let mut described = Vec::new();
    let (listed, mut has_more) = listed(violations);
    for violation in listed {
        let text = describe(violation);
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
    ToolError::new(message).for_parameters(parameter_errors(&described))
}

fn describe(violation: &Violation) -> String {
    if violation.path.is_root() {
        violation.message.clone()
    } else {
        format!("{}: {}", violation.path, violation.message)
    }
}

/// Returns one entry for each path. Omits violations of the root, which is no parameter.
fn parameter_errors(violations: &[&Violation]) -> Vec<ParameterError> {
    let mut errors: Vec<ParameterError> = Vec::new();
    for violation in violations.iter().filter(|violation| !violation.path.is_root()) {
        let parameter = truncate_text(&violation.path.to_string(), MAX_BYTES / 4).into_owned();
        let message = truncate_text(&violation.message, MAX_BYTES);
        if let Some(known) = errors.iter_mut().find(|known| known.parameter == parameter) {
            known.message.extend(["; ", &message]);
        } else {
            let pointer = truncate_text(&violation.path.to_pointer(), MAX_BYTES / 4).into_owned();
            errors.push(ParameterError { parameter, pointer, message: message.into_owned() });
        }
    }
    errors
}
