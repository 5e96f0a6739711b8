//! All violations of a call's arguments as one error.

use std::fmt::Write as _;

use crate::ToolError;
use crate::document::violation::Violation;
use crate::otc::ParameterError;

/// The limit of violations that one error lists.
const MAX_LISTED: usize = 32;

/// Returns one error for all violations: a text for models, and a list for programs.
pub(crate) fn invalid_arguments(violations: &[Violation]) -> ToolError {
    let mut message = String::from("invalid arguments:");
    if let [violation] = violations {
        message.push(' ');
        describe(violation, &mut message);
    } else {
        for violation in violations.iter().take(MAX_LISTED) {
            message.push_str("\n- ");
            describe(violation, &mut message);
        }
        if violations.len() > MAX_LISTED {
            let _ = write!(message, "\n- and {} more", violations.len() - MAX_LISTED);
        }
    }
    ToolError::new(message).for_parameters(parameter_errors(violations))
}

fn describe(violation: &Violation, message: &mut String) {
    if !violation.path.is_root() {
        let _ = write!(message, "{}: ", violation.path);
    }
    message.push_str(&violation.message);
}

/// Returns one entry for each path in the first [`MAX_LISTED`] violations. Omits violations of the root, which is no
/// parameter.
fn parameter_errors(violations: &[Violation]) -> Vec<ParameterError> {
    let mut errors: Vec<ParameterError> = Vec::new();
    for violation in violations.iter().take(MAX_LISTED).filter(|violation| !violation.path.is_root()) {
        let parameter = violation.path.to_string();
        match errors.iter_mut().find(|known| known.parameter == parameter) {
            Some(known) => known.message.extend(["; ", &violation.message]),
            None => errors.push(ParameterError { parameter, message: violation.message.clone() }),
        }
    }
    errors
}
