//! What clients accept as a name, and texts about names.

/// What a client accepts as a name: ASCII letters, digits and the characters in `also`, and at most `most` of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alphabet {
    also: &'static str,
    pub(crate) most: usize,
    starts_with_letter: bool,
}

impl Alphabet {
    pub(crate) const fn new(also: &'static str, most: usize) -> Self {
        Self { also, most, starts_with_letter: false }
    }

    /// Accepts only names that start with a letter or `_`.
    pub(super) const fn starting_with_letter(self) -> Self {
        Self { starts_with_letter: true, ..self }
    }

    fn accepts(self, character: char) -> bool {
        character.is_ascii_alphanumeric() || self.also.contains(character)
    }

    fn accepts_start(self, name: &str) -> bool {
        !self.starts_with_letter || name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    /// Returns the name in this alphabet, possibly too long.
    pub(crate) fn fit(self, name: &str) -> String {
        let fitted: String = name.chars().map(|c| if self.accepts(c) { c } else { '_' }).collect();
        if self.accepts_start(&fitted) { fitted } else { format!("_{fitted}") }
    }

    /// Returns why a name is refused, if it is.
    pub(crate) fn problem(self, name: &str) -> Option<String> {
        if name.is_empty() {
            return Some("the name is empty".to_owned());
        }
        if let Some(character) = name.chars().find(|c| !self.accepts(*c)) {
            return Some(format!("the name contains `{character}`"));
        }
        let length = name.chars().count();
        if length > self.most {
            return Some(format!("the name has {length} characters; at most {} are accepted", self.most));
        }
        (!self.accepts_start(name)).then(|| "it does not start with a letter or `_`".to_owned())
    }
}

/// Writes up to eight texts in backticks, and how many more there are.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = names.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}
