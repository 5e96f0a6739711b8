//! What is wrong with the arguments of a call, in words that a model can act on.

use std::fmt::Write as _;

use super::nearest::nearest;
use super::path::{Path, quoted};
use crate::ToolError;
use crate::otc::ParameterError;

/// One fault: where, and what was expected there. It never repeats a value (rule I1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) path: Path,
    pub(crate) text: String,
    /// Whether nothing is known of what stands there, so that no reading of it helps.
    pub(crate) unknown: bool,
}

/// How many faults one message lists.
const LISTED: usize = 32;

impl Fault {
    pub(crate) fn new(path: Path, text: impl Into<String>) -> Self {
        Self { path, text: text.into(), unknown: false }
    }

    /// A fault of the arguments as a whole.
    pub(crate) fn root(text: impl Into<String>) -> Self {
        Self::new(Path::default(), text)
    }

    /// A member that nothing is known of, and the known name that it was perhaps meant for.
    pub(crate) fn unknown<'n>(object: &Path, name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let text = match nearest(name, known) {
            Some(known) => format!("not known; did you mean {}?", quoted(known)),
            None => "not known".to_owned(),
        };
        Self { unknown: true, ..Self::new(object.member(name), text) }
    }

    fn write(&self, message: &mut String) {
        let _ = if self.path.is_root() {
            write!(message, "{}", self.text)
        } else {
            write!(message, "{}: {}", self.path, self.text)
        };
    }
}

/// One error for all faults, for models a text and for programs a list: a single one on one line, several as a list.
pub(crate) fn error(faults: &[Fault]) -> ToolError {
    let mut message = String::from("invalid arguments:");
    if let [fault] = faults {
        message.push(' ');
        fault.write(&mut message);
        return ToolError::new(message).for_parameters(parameter_errors(faults));
    }
    for fault in faults.iter().take(LISTED) {
        message.push_str("\n- ");
        fault.write(&mut message);
    }
    if faults.len() > LISTED {
        let _ = write!(message, "\n- and {} more", faults.len() - LISTED);
    }
    ToolError::new(message).for_parameters(parameter_errors(faults))
}

/// The faults that have a place, each place once.
fn parameter_errors(faults: &[Fault]) -> Vec<ParameterError> {
    let mut errors: Vec<ParameterError> = Vec::new();
    for fault in faults.iter().take(LISTED).filter(|fault| !fault.path.is_root()) {
        let parameter = fault.path.to_string();
        match errors.iter_mut().find(|known| known.parameter == parameter) {
            Some(known) => known.message.extend(["; ", &fault.text]),
            None => errors.push(ParameterError { parameter, message: fault.text.clone() }),
        }
    }
    errors
}
