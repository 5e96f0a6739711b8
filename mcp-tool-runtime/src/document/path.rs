//! Where in a document something stands, as a person writes it: `filter.tags[0]`.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// One step from a value to a value inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// The steps from the root of a document to one value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Path(Vec<Step>);

/// How much of a foreign name is repeated in a message.
const NAME_CHARS: usize = 64;

impl Path {
    pub(crate) fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The path of something inside the value here.
    #[cfg(feature = "validate")]
    pub(crate) fn join(&self, inner: &Self) -> Self {
        Self(self.0.iter().chain(&inner.0).cloned().collect())
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    pub(crate) fn reverse(&mut self) {
        self.0.reverse();
    }

    /// The path of a member of the value here.
    pub(crate) fn member(&self, name: &str) -> Self {
        let mut path = self.clone();
        path.push(Step::Key(name.to_owned()));
        path
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if is_plain(key) => {
                    if index > 0 {
                        f.write_char('.')?;
                    }
                    f.write_str(key)?;
                }
                Step::Key(key) => write!(f, "[{:?}]", shortened(key))?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

fn is_plain(key: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '$';
    !key.is_empty() && key.chars().count() <= NAME_CHARS && key.chars().all(word)
}

/// A name that came from outside, cut so that it cannot flood a message.
pub(crate) fn shortened(name: &str) -> String {
    match name.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// A name that came from outside, between backticks and harmless.
pub(crate) fn quoted(name: &str) -> String {
    let mut text = String::from("`");
    for c in shortened(name).chars() {
        if c.is_control() || c == '`' {
            let _ = write!(text, "{}", c.escape_default());
        } else {
            text.push(c);
        }
    }
    text.push('`');
    text
}

/// A key as a JSON pointer writes it.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A key that a JSON pointer has written.
pub(crate) fn unescaped(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back_from_a_json_pointer() {
        assert_eq!(escaped("a/~1"), "a~1~01");
        assert_eq!(unescaped("a~1~01"), "a/~1");
    }

    #[test]
    fn reads_as_a_person_writes_it() {
        let mut path = Path::default().member("filter").member("tags");
        path.push(Step::Index(0));
        assert_eq!(path.to_string(), "filter.tags[0]");
        assert_eq!(path.member("odd key").to_string(), "filter.tags[0][\"odd key\"]");
    }

    #[test]
    fn a_foreign_name_cannot_flood_or_break_a_message() {
        let text = quoted(&format!("a`\n{}", "x".repeat(10_000)));
        assert!(text.len() < 300 && !text.contains('\n'), "{text}");
    }
}
