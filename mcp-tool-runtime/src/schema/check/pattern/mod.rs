//! Regular expressions that mean the same to Rust's `regex` and to ECMAScript with the `u` flag (rule T6).
//!
//! The dispatcher reads a pattern with an engine of Rust's and most clients with one of ECMAScript's. What only one of
//! the two understands is refused here, with what to write instead. The validator gives `\d`, `\w` and `\s` the meaning
//! that ECMAScript has; what is left are `\b` beside letters beyond ASCII, and `.` for `\r`, U+2028 and U+2029, which are
//! admitted by Rust alone. Neither is worth refusing every pattern with a dot.

mod class;
mod escape;

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::Chars;

use escape::Escape;

/// What is wrong with the pattern, as the end of a sentence that starts with it.
pub(super) fn fault(pattern: &str) -> Option<String> {
    Scanner::new(pattern).scan().err()
}

/// What a quantifier after it would repeat.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// The start, an opening parenthesis or a bar.
    Nothing,
    /// `^`, `$`, `\b`: ECMAScript does not repeat these.
    Assertion,
    Atom,
    Quantifier,
}

struct Scanner<'a> {
    rest: Peekable<Chars<'a>>,
    open_groups: usize,
    names: BTreeSet<String>,
}

impl<'a> Scanner<'a> {
    fn new(pattern: &'a str) -> Self {
        Self { rest: pattern.chars().peekable(), open_groups: 0, names: BTreeSet::new() }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.rest.next_if_eq(&wanted).is_some()
    }

    /// Everything up to `end`, which is taken too.
    fn until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.rest.next()? {
                c if c == end => return Some(text),
                c => text.push(c),
            }
        }
    }

    fn scan(&mut self) -> Result<(), String> {
        let mut before = Before::Nothing;
        while let Some(c) = self.rest.next() {
            before = match c {
                '^' | '$' => Before::Assertion,
                '|' => Before::Nothing,
                '(' => self.group()?,
                ')' if self.open_groups == 0 => {
                    return Err("closes a group that is not open: write `\\)`".to_owned());
                }
                ')' => {
                    self.open_groups -= 1;
                    Before::Atom
                }
                '[' => {
                    class::class(self)?;
                    Before::Atom
                }
                '\\' => match escape::escape(self)? {
                    Escape::Assertion => Before::Assertion,
                    Escape::Character(_) | Escape::Set => Before::Atom,
                },
                '*' | '+' | '?' | '{' => self.quantifier(c, before)?,
                ']' | '}' => return Err(format!("has a `{c}` that closes nothing: write `\\{c}`")),
                _ => Before::Atom,
            };
        }
        if self.open_groups > 0 {
            return Err("has a group that is not closed".to_owned());
        }
        Ok(())
    }

    fn group(&mut self) -> Result<Before, String> {
        self.open_groups += 1;
        if !self.take('?') {
            return Ok(Before::Nothing);
        }
        let refused = |what: &str| Err(format!("has {what}"));
        match self.rest.next() {
            Some(':') => Ok(Before::Nothing),
            Some('<') if matches!(self.rest.peek(), Some('=' | '!')) => {
                refused("a look-behind, which Rust's `regex` does not know: say it without")
            }
            Some('<') => self.name(),
            Some('=' | '!') => refused("a look-ahead, which Rust's `regex` does not know: say it without"),
            Some('>') => refused("an atomic group, which neither side knows: write `(?:…)`"),
            Some('P') => refused("a group named as `(?P<name>…)`, which ECMAScript does not know: write `(?<name>…)`"),
            Some('#') => refused("a comment group, which neither side knows: leave it out"),
            _ => refused("an inline flag, which ECMAScript does not know: spell out the characters, as in `[aA]`"),
        }
    }

    fn name(&mut self) -> Result<Before, String> {
        let name = self.until('>').unwrap_or_default();
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(is_letter) || !name.chars().all(|c| is_letter(c) || c.is_ascii_digit()) {
            return Err("has a group whose name is not of letters, digits and `_`".to_owned());
        }
        if !self.names.insert(name.clone()) {
            return Err(format!("names two groups `{name}`"));
        }
        Ok(Before::Nothing)
    }

    fn quantifier(&mut self, c: char, before: Before) -> Result<Before, String> {
        match before {
            Before::Atom => {}
            Before::Nothing => {
                return Err(format!("has a `{c}` with nothing to repeat: write `\\{c}`"));
            }
            Before::Assertion => {
                return Err(format!("repeats an assertion with `{c}`: leave the repetition out"));
            }
            Before::Quantifier => {
                return Err(format!("has a `{c}` after a repetition: use one, or a group around the first"));
            }
        }
        if c == '{' {
            self.counts()?;
        }
        self.take('?');
        Ok(Before::Quantifier)
    }

    /// `{2}`, `{2,}` or `{2,3}`.
    fn counts(&mut self) -> Result<(), String> {
        let fault = || "has a `{` that is no repetition like `{2}`, `{2,}` or `{2,3}`: write `\\{`".to_owned();
        let text = self.until('}').ok_or_else(fault)?;
        let (least, most) = text.split_once(',').map_or((text.as_str(), None), |(least, most)| (least, Some(most)));
        let count = |digits: &str| {
            let only_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u32>().ok().filter(|_| only_digits).ok_or_else(fault)
        };
        let least = count(least)?;
        match most {
            None | Some("") => Ok(()),
            Some(most) if count(most)? < least => Err(format!("repeats `{{{text}}}`, from more to fewer")),
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
            assert_eq!(fault(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn what_only_one_side_reads_is_refused() {
        for (pattern, words) in [
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
            (r"[z-a]", "from more to less"),
            (r"[a-\d]", "set"),
            (r"[\d-a]", "set"),
            (r"[\b]", r"`\b`"),
            (r"[\B]", r"`\B`"),
            (r"[a", "not closed"),
            (r"[a\", "ends"),
            (r"a]", "closes nothing"),
            (r"a}", "closes nothing"),
            (r"a{", "no repetition"),
            (r"a{,3}", "no repetition"),
            (r"a{ 1 }", "no repetition"),
            (r"a{+1}", "no repetition"),
            (r"a{1,2,3}", "no repetition"),
            (r"a{99999999999}", "no repetition"),
            (r"a{3,2}", "from more to fewer"),
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
            let fault = fault(pattern);
            assert!(fault.as_ref().is_some_and(|fault| fault.contains(words)), "{pattern}: {fault:?}");
        }
    }
}
