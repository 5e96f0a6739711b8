//! Parses character classes.

use super::{Atom, Parser};

impl Parser<'_> {
    /// Parses the rest of a class, after its opening bracket.
    pub(super) fn class(&mut self) -> Option<()> {
        self.take('^');
        if self.peek() == Some(']') {
            self.report(format_args!(
                "has an empty class, which Rust and ECMAScript read differently: write `\\]` for the bracket"
            ));
        }
        while !self.take(']') {
            let first = self.class_atom()?;
            let mut ahead = self.rest.clone();
            // A `-` at the end is a literal.
            if ahead.next() != Some('-') || ahead.as_str().starts_with(']') {
                continue;
            }
            self.rest = ahead;
            if self.peek() == Some('-') {
                self.operation('-');
            }
            match (first, self.class_atom()?) {
                (Atom::Character(from), Atom::Character(to)) if from <= to => {}
                (Atom::Character(from), Atom::Character(to)) => {
                    let [from, to] = [from, to].map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER));
                    return self.refuse(format_args!("has the range `{from}-{to}`, whose start is after its end"));
                }
                _ => {
                    return self
                        .refuse(format_args!("has a range that starts or ends with a set: write `\\-` for the dash"));
                }
            }
        }
        Some(())
    }

    fn class_atom(&mut self) -> Option<Atom> {
        let Some(c) = self.rest.next() else {
            return self.refuse(format_args!("has a class that is not closed"));
        };
        match c {
            '\\' => return self.escape(true),
            '[' if self.peek() == Some(':') => self.report(format_args!(
                "has a POSIX class, which ECMAScript does not support: list the characters, as in `a-z`"
            )),
            '[' => self.report(format_args!("has a `[` in a class, which starts a nested class in Rust: write `\\[`")),
            '&' | '~' | '-' if self.peek() == Some(c) => self.operation(c),
            _ => {}
        }
        Some(Atom::Character(c.into()))
    }

    fn operation(&mut self, c: char) {
        self.report(format_args!(
            "has the set operation `{c}{c}`, which ECMAScript does not support: list the resulting characters"
        ));
    }
}
