//! Checks that a regular expression means the same to Rust's `regex` and to ECMAScript with the `u` flag (rule T6).
//!
//! The dispatcher matches a pattern with a Rust engine, most clients with an ECMAScript engine. Syntax that only one of
//! the two supports is refused, with what to write instead.
//!
//! The validator gives `.`, `\d`, `\w`, `\s` and `\b` their ECMAScript meaning. One difference remains and is accepted: `\B` next to
//! letters that are not ASCII.
//!
//! The parser is written by hand because `regex-syntax` parses Rust's syntax, which accepts what ECMAScript refuses.

mod class;
mod escape;

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::Chars;

use escape::Escape;
use serde_json::Value;

#[cfg(feature = "jsonschema")]
use crate::schema::validate::is_regex;
use crate::schema::walk;

/// Returns what is wrong with the pattern, as a predicate: "has a look-ahead, …".
pub(super) fn error(pattern: &str) -> Option<String> {
    Parser::new(pattern).parse().err()
}

/// Returns `true` if a pattern of the schema is a regular expression of ECMAScript, but not of Rust.
#[cfg(feature = "jsonschema")]
pub(in crate::schema) fn has_only_ecmascript(schema: &Value) -> bool {
    patterns(schema).any(|pattern| is_regex(pattern) && error(pattern).is_some())
}

/// Returns the regular expressions of one schema.
pub(super) fn patterns(schema: &Value) -> impl Iterator<Item = &str> {
    let own = walk::keyword(schema, "pattern").and_then(Value::as_str);
    let keys = walk::keyword(schema, "patternProperties").and_then(Value::as_object);
    own.into_iter().chain(keys.into_iter().flat_map(|keys| keys.keys().map(String::as_str)))
}

/// What precedes the current character, which decides whether a quantifier may follow.
#[derive(Clone, Copy, PartialEq)]
enum Previous {
    /// The start, `(` or `|`.
    Nothing,
    /// `^`, `$` or `\b`, which ECMAScript does not allow to be repeated.
    Assertion,
    Atom,
    Quantifier,
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    open_groups: usize,
    group_names: BTreeSet<String>,
}

impl<'a> Parser<'a> {
    fn new(pattern: &'a str) -> Self {
        Self { rest: pattern.chars().peekable(), open_groups: 0, group_names: BTreeSet::new() }
    }

    /// Consumes the character if it is the next one.
    fn take(&mut self, expected: char) -> bool {
        self.rest.next_if_eq(&expected).is_some()
    }

    /// Consumes everything up to and including `end`, and returns what precedes it.
    fn until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.rest.next()? {
                c if c == end => return Some(text),
                c => text.push(c),
            }
        }
    }

    fn parse(&mut self) -> Result<(), String> {
        let mut previous = Previous::Nothing;
        while let Some(c) = self.rest.next() {
            previous = match c {
                '^' | '$' => Previous::Assertion,
                '|' => Previous::Nothing,
                '(' => self.group()?,
                ')' if self.open_groups == 0 => {
                    return Err("closes a group that is not open: write `\\)`".to_owned());
                }
                ')' => {
                    self.open_groups -= 1;
                    Previous::Atom
                }
                '[' => {
                    class::class(self)?;
                    Previous::Atom
                }
                '\\' => match escape::escape(self)? {
                    Escape::Assertion => Previous::Assertion,
                    Escape::Character(_) | Escape::Set => Previous::Atom,
                },
                '*' | '+' | '?' | '{' => self.quantifier(c, previous)?,
                ']' | '}' => return Err(format!("has a `{c}` that closes nothing: write `\\{c}`")),
                _ => Previous::Atom,
            };
        }
        if self.open_groups > 0 {
            return Err("has a group that is not closed".to_owned());
        }
        Ok(())
    }

    fn group(&mut self) -> Result<Previous, String> {
        self.open_groups += 1;
        if !self.take('?') {
            return Ok(Previous::Nothing);
        }
        let refused = |syntax: &str| Err(format!("has {syntax}"));
        match self.rest.next() {
            Some(':') => Ok(Previous::Nothing),
            Some('<') if matches!(self.rest.peek(), Some('=' | '!')) => {
                refused("a look-behind, which Rust's `regex` does not support: rewrite the pattern without it")
            }
            Some('<') => self.group_name(),
            Some('=' | '!') => {
                refused("a look-ahead, which Rust's `regex` does not support: rewrite the pattern without it")
            }
            Some('>') => refused("an atomic group, which neither Rust nor ECMAScript supports: write `(?:…)`"),
            Some('P') => {
                refused("a group named as `(?P<name>…)`, which ECMAScript does not support: write `(?<name>…)`")
            }
            Some('#') => refused("a comment group, which neither Rust nor ECMAScript supports: remove it"),
            _ => refused("an inline flag, which ECMAScript does not support: list the characters, as in `[aA]`"),
        }
    }

    fn group_name(&mut self) -> Result<Previous, String> {
        let name = self.until('>').unwrap_or_default();
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(is_letter) || !name.chars().all(|c| is_letter(c) || c.is_ascii_digit()) {
            return Err("has a group whose name is not made of letters, digits and `_`".to_owned());
        }
        if !self.group_names.insert(name.clone()) {
            return Err(format!("has two groups named `{name}`"));
        }
        Ok(Previous::Nothing)
    }

    fn quantifier(&mut self, c: char, previous: Previous) -> Result<Previous, String> {
        match previous {
            Previous::Atom => {}
            Previous::Nothing => {
                return Err(format!("has a `{c}` with nothing to repeat: write `\\{c}`"));
            }
            Previous::Assertion => {
                return Err(format!("repeats an assertion with `{c}`: remove the repetition"));
            }
            Previous::Quantifier => {
                return Err(format!(
                    "has a `{c}` after a repetition: use one repetition, or put a group around the first"
                ));
            }
        }
        if c == '{' {
            self.counts()?;
        }
        self.take('?');
        Ok(Previous::Quantifier)
    }

    /// Parses the rest of `{2}`, `{2,}` or `{2,3}`.
    fn counts(&mut self) -> Result<(), String> {
        let error = || "has a `{` that is not a repetition like `{2}`, `{2,}` or `{2,3}`: write `\\{`".to_owned();
        let text = self.until('}').ok_or_else(error)?;
        let (min, max) = text.split_once(',').map_or((text.as_str(), None), |(min, max)| (min, Some(max)));
        let count = |digits: &str| {
            let only_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u32>().ok().filter(|_| only_digits).ok_or_else(error)
        };
        let min = count(min)?;
        match max {
            None | Some("") => Ok(()),
            Some(max) if count(max)? < min => {
                Err(format!("has the repetition `{{{text}}}`, whose minimum is above its maximum"))
            }
            Some(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_subset_is_accepted() {
        for pattern in [
            "",
            "^a$",
            r"^\d+$",
            r"^-?\d+$",
            r"^[a-z][a-z0-9_-]*$",
            r"^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$",
            r"^\d{4}-(0[1-9]|1[0-2])-\d{2}$",
            r"a|b|",
            r"()(?:x)??(?<year>\d{4})(?<m_2>x{2,3}?)",
            r"\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/",
            r"[\]\[\-\\^.$*+?(){}|/]",
            r"[^a-z-]",
            r"[a-z-9]",
            r"[-a]",
            r"[a&b~c]",
            r"\t\n\r\f\v\x41\u0041\u{1F600}",
            r"[\x00-\x1f\u{80}-\u{10FFFF}]",
            r"\bfoo\B\w\W\s\S\D",
            r"[\d\w\s]",
            r"\p{L}\P{Lu}\p{Letter}\p{Script=Greek}\p{sc=Latin}\p{gc=Nd}\p{Alphabetic}",
            r"^é…😀$",
            "a#b c",
        ] {
            assert_eq!(error(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn syntax_that_only_one_engine_supports_is_refused() {
        for (pattern, text) in [
            (r"(?i)abc", "inline flag"),
            (r"(?i:abc)", "inline flag"),
            (r"(?-u)a", "inline flag"),
            (r"(?P<n>a)", "write `(?<name>…)`"),
            (r"(?=a)", "look-ahead"),
            (r"(?!a)", "look-ahead"),
            (r"(?<=a)", "look-behind"),
            (r"(?<!a)", "look-behind"),
            (r"(?>a)", "atomic"),
            (r"(?#a)", "comment"),
            (r"(?", "inline flag"),
            (r"(?<1a>x)", "whose name"),
            (r"(?<a", "whose name"),
            (r"(?<a>x)(?<a>y)", "two groups"),
            (r"(a", "not closed"),
            (r"a)", "not open"),
            (r"(a)\1", "back-reference"),
            (r"(?<a>x)\k<a>", "back-reference"),
            (r"\Aa\z", r"`\A`"),
            (r"a\z", r"`\z`"),
            (r"a\Z", r"`\Z`"),
            (r"\h", r"`\h`"),
            (r"\a", r"`\a`"),
            (r"\cA", r"`\c`"),
            (r"\0", r"`\0`"),
            (r"\pL", r"\p{…}"),
            (r"\p{Greek}", "Script=Greek"),
            (r"\p{^L}", "`^L`"),
            (r"\p{letter}", "`letter`"),
            (r"\p{L", "not closed"),
            (r"\x{41}", r"\u{41}"),
            (r"\x4", r"`\x`"),
            (r"\u12", r"`\u`"),
            (r"\uD83D\uDE00", "half of a character"),
            (r"\u{110000}", r"`\u`"),
            (r"\U0001F600", r"`\U`"),
            (r"\_", r"`\_`"),
            (r"a\-b", r"`\-`"),
            (r"\@\ ", r"`\@`"),
            (r"[\_]", r"`\_`"),
            (r"\", "ends"),
            (r"[[:alpha:]]", "POSIX"),
            (r"[a[b]]", r"write `\[`"),
            (r"[a-z&&[^b]]", "set operation"),
            (r"[a--b]", "set operation"),
            (r"[a~~b]", "set operation"),
            (r"[]a]", "empty"),
            (r"[^]", "empty"),
            (r"[]", "empty"),
            (r"[z-a]", "whose start"),
            (r"[a-\d]", "set"),
            (r"[\d-a]", "set"),
            (r"[\b]", r"`\b`"),
            (r"[\B]", r"`\B`"),
            (r"[a", "not closed"),
            (r"[a\", "ends"),
            (r"a]", "closes nothing"),
            (r"a}", "closes nothing"),
            (r"a{", "not a repetition"),
            (r"a{,3}", "not a repetition"),
            (r"a{ 1 }", "not a repetition"),
            (r"a{+1}", "not a repetition"),
            (r"a{1,2,3}", "not a repetition"),
            (r"a{99999999999}", "not a repetition"),
            (r"a{3,2}", "above its maximum"),
            (r"a++", "after a repetition"),
            (r"a*+", "after a repetition"),
            (r"a{2}{3}", "after a repetition"),
            (r"a???", "after a repetition"),
            (r"*a", "nothing to repeat"),
            (r"(+a)", "nothing to repeat"),
            (r"a|?", "nothing to repeat"),
            (r"{1}", "nothing to repeat"),
            (r"^*", "assertion"),
            (r"\b+", "assertion"),
        ] {
            let error = error(pattern);
            assert!(error.as_ref().is_some_and(|error| error.contains(text)), "{pattern}: {error:?}");
        }
    }
}
