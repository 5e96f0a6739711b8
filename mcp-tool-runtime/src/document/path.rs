//! The position of a value in a document, displayed the way a person writes it: `filter.tags[0]`.

use std::fmt::{self, Write as _};

use super::name::{MAX_CHARS, truncate_name};

/// One step from a value to a value inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// The steps from the root of a document to one value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Path(Vec<Step>);

impl Path {
    pub(crate) fn steps(&self) -> &[Step] {
        &self.0
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    /// Writes the path as a JSON pointer (RFC 6901).
    pub(crate) fn to_pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.0 {
            // Writing to a string cannot fail.
            let _ = match step {
                Step::Key(key) => write!(pointer, "/{}", super::json_pointer::escape_token(key)),
                Step::Index(index) => write!(pointer, "/{index}"),
            };
        }
        pointer
    }

    /// Removes the last step.
    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }

    /// Reverses the steps. A recursive reader pushes them on its way out of an error, innermost first.
    pub(crate) fn reverse(&mut self) {
        self.0.reverse();
    }

    /// Returns the path of a property of the object at this path.
    pub(crate) fn property(&self, name: &str) -> Self {
        let mut path = self.clone();
        path.push(Step::Key(name.to_owned()));
        path
    }
}

/// The steps at each end of a long path that are displayed.
const SHOWN_STEPS: usize = 8;

/// The longest path that is displayed with all its steps, in bytes.
const MAX_BYTES: usize = 1_024;

/// Displays all steps, or the first and the last ones of a long path.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.0.as_slice();
        let key_bytes = |step: &Step| if let Step::Key(key) = step { key.len() } else { 4 };
        if steps.len() <= 2 * SHOWN_STEPS || steps.iter().map(key_bytes).sum::<usize>() <= MAX_BYTES {
            return write_steps(steps, false, f);
        }
        write_steps(&steps[..SHOWN_STEPS], false, f)?;
        f.write_str(".…")?;
        write_steps(&steps[steps.len() - SHOWN_STEPS..], true, f)
    }
}

/// Writes steps. The first key gets a dot before it if the steps are not at the start of a path.
fn write_steps(steps: &[Step], is_inside: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, step) in steps.iter().enumerate() {
        match step {
            Step::Key(key) if is_plain(key) => {
                if index > 0 || is_inside {
                    f.write_char('.')?;
                }
                f.write_str(key)?;
            }
            Step::Key(key) => write!(f, "[{:?}]", truncate_name(key))?,
            Step::Index(index) => write!(f, "[{index}]")?,
        }
    }
    Ok(())
}

/// Returns `true` if the key can be displayed without brackets and quotes.
fn is_plain(key: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '$';
    !key.is_empty() && key.chars().count() <= MAX_CHARS && key.chars().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_displayed_as_a_person_writes_it() {
        let mut path = Path::default().property("filter").property("tags");
        path.push(Step::Index(0));
        assert_eq!(path.to_string(), "filter.tags[0]");
        assert_eq!(path.property("odd key").to_string(), "filter.tags[0][\"odd key\"]");
    }

    #[test]
    fn a_long_path_is_displayed_with_both_ends() {
        let path = (0..100).fold(Path::default(), |path, n| path.property(&format!("property_{n}")));
        let text = path.to_string();
        assert!(text.starts_with("property_0.property_1.") && text.ends_with(".property_98.property_99"), "{text}");
        assert!(text.contains("property_7.….property_92.") && text.len() < 300, "{text}");
        let flood = (0..120).fold(Path::default(), |path, _| path.property(&"\u{202e}".repeat(10_000)));
        assert!(flood.to_string().len() < 16_384);
    }
}
