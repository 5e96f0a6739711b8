//! Parses regular expressions: the syntax of ECMAScript with the flag `u`. One rule is that of expressions without the flag: a
//! backslash may escape any character that is neither a letter nor a digit.
//!
//! The dispatcher matches a `pattern` with a Rust engine, most clients with an ECMAScript engine. The parser also reports syntax
//! that only one of the two supports (rule T6), with what to write instead. The validator gives `.`, `\d`, `\w`, `\s` and `\b` their
//! ECMAScript meaning. One difference remains and is accepted: `\B` next to letters that are not ASCII.
//!
//! The parser is written by hand because `regex-syntax` parses Rust's syntax, which accepts what ECMAScript refuses, and neither
//! look-around nor back-references.

mod class;
mod escape;

use std::collections::BTreeSet;
use std::fmt::Arguments;
use std::str::Chars;

use serde_json::Value;

use crate::walk::keyword;

/// What the parser found.
pub struct Syntax {
    /// It is a regular expression of ECMAScript.
    pub is_regex: bool,
    /// The first thing that Rust and ECMAScript do not both support, as a predicate: "has a look-ahead, …".
    pub problem: Option<String>,
    /// The events before the first error, with their positions.
    pub events: Vec<(usize, Event)>,
}

/// What has another meaning for another engine.
pub enum Event {
    /// A `.` outside a class.
    AnyCharacter,
    /// A backslash and the character after it.
    Escape {
        character: char,
        in_class: bool,
    },
    LookAround,
    /// A repetition with its largest count.
    Repetition(u64),
}

pub fn parse(text: &str) -> Syntax {
    let mut parser = Parser {
        text,
        rest: text.chars(),
        problem: None,
        events: Vec::new(),
        is_regex: true,
        groups: 0,
        largest: 0,
        names: BTreeSet::new(),
        references: Vec::new(),
    };
    let is_regex = parser.pattern().is_some()
        && parser.is_regex
        && parser.largest <= parser.groups
        && parser.references.iter().all(|name| parser.names.contains(name));
    Syntax { is_regex, problem: parser.problem, events: parser.events }
}

/// Returns the regular expressions of one schema: its `pattern`, and the keys of its `patternProperties`.
pub fn of(schema: &Value) -> impl Iterator<Item = &str> {
    let own = keyword(schema, "pattern").and_then(Value::as_str);
    let keys = keyword(schema, "patternProperties").and_then(Value::as_object);
    own.into_iter().chain(keys.into_iter().flat_map(|keys| keys.keys().map(String::as_str)))
}

/// The deepest nesting of groups in a regular expression that the format `regex` accepts.
const MAX_DEPTH: usize = 200;

/// What precedes the current character, which decides whether a quantifier may follow.
#[derive(Clone, Copy)]
enum Previous {
    /// The start, `(` or `|`.
    Nothing,
    /// `^`, `$`, `\b` or a look-around, which ECMAScript does not allow to be repeated.
    Assertion,
    Atom,
    Quantifier,
}

/// The meaning of an escape, or of an element of a class.
enum Atom {
    Assertion,
    Character(u32),
    /// A set such as `\d`.
    Set,
}

struct Parser<'a> {
    text: &'a str,
    rest: Chars<'a>,
    problem: Option<String>,
    events: Vec<(usize, Event)>,
    /// Neither nested too deep, nor with two groups of one name.
    is_regex: bool,
    /// The number of capturing groups.
    groups: u64,
    /// The largest back-reference.
    largest: u64,
    /// The names of all groups, and those that back-references use.
    names: BTreeSet<String>,
    references: Vec<String>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// Consumes the next character if it is `expected`.
    fn take(&mut self, expected: char) -> bool {
        let taken = self.rest.as_str().strip_prefix(expected);
        self.rest = taken.map_or(self.rest.clone(), str::chars);
        taken.is_some()
    }

    /// Consumes everything up to and including `end`, and returns what precedes it.
    fn until(&mut self, end: char) -> Option<&'a str> {
        let (text, rest) = self.rest.as_str().split_once(end)?;
        self.rest = rest.chars();
        Some(text)
    }

    /// Adds an event that starts at the character that was read last, which is ASCII.
    fn event(&mut self, event: Event) {
        self.events.push((self.text.len() - self.rest.as_str().len() - 1, event));
    }

    /// Reports syntax that Rust and ECMAScript do not both support.
    fn report(&mut self, problem: Arguments<'_>) {
        self.problem.get_or_insert_with(|| problem.to_string());
    }

    /// Reports syntax that ECMAScript does not support.
    fn refuse<T>(&mut self, problem: Arguments<'_>) -> Option<T> {
        self.report(problem);
        None
    }

    fn pattern(&mut self) -> Option<()> {
        // Whether each open group is an assertion.
        let mut open = Vec::new();
        let mut previous = Previous::Nothing;
        while let Some(c) = self.rest.next() {
            previous = match c {
                '^' | '$' => Previous::Assertion,
                '|' => Previous::Nothing,
                '(' => {
                    open.push(self.group()?);
                    self.is_regex &= open.len() <= MAX_DEPTH;
                    Previous::Nothing
                }
                ')' => {
                    let Some(is_assertion) = open.pop() else {
                        return self.refuse(format_args!("closes a group that is not open: write `\\)`"));
                    };
                    if is_assertion { Previous::Assertion } else { Previous::Atom }
                }
                '[' => {
                    self.class()?;
                    Previous::Atom
                }
                '\\' => match self.escape(false)? {
                    Atom::Assertion => Previous::Assertion,
                    Atom::Character(_) | Atom::Set => Previous::Atom,
                },
                '*' | '+' | '?' | '{' => self.quantifier(c, previous)?,
                ']' | '}' => return self.refuse(format_args!("has a `{c}` that closes nothing: write `\\{c}`")),
                '.' => {
                    self.event(Event::AnyCharacter);
                    Previous::Atom
                }
                _ => Previous::Atom,
            };
        }
        if open.is_empty() { Some(()) } else { self.refuse(format_args!("has a group that is not closed")) }
    }

    /// Parses the start of a group, after its parenthesis. Returns `true` for a look-around.
    fn group(&mut self) -> Option<bool> {
        if !self.take('?') {
            self.groups += 1;
            return Some(false);
        }
        match self.rest.next() {
            Some(':') => {}
            Some('<') if matches!(self.peek(), Some('=' | '!')) => {
                self.rest.next();
                self.look_around("look-behind");
                return Some(true);
            }
            Some('=' | '!') => {
                self.look_around("look-ahead");
                return Some(true);
            }
            Some('<') => {
                self.groups += 1;
                self.group_name()?;
            }
            Some('>') => {
                return self.refuse(format_args!(
                    "has an atomic group, which neither Rust nor ECMAScript supports: write `(?:…)`"
                ));
            }
            Some('P') => {
                return self.refuse(format_args!(
                    "has a group named as `(?P<name>…)`, which ECMAScript does not support: write `(?<name>…)`"
                ));
            }
            Some('#') => {
                return self.refuse(format_args!(
                    "has a comment group, which neither Rust nor ECMAScript supports: remove it"
                ));
            }
            first => {
                self.report(format_args!(
                    "has an inline flag, which ECMAScript does not support: list the characters, as in `[aA]`"
                ));
                self.flags(first?)?;
            }
        }
        Some(false)
    }

    fn look_around(&mut self, name: &str) {
        self.event(Event::LookAround);
        self.report(format_args!(
            "has a {name}, which Rust's `regex` does not support: rewrite the pattern without it"
        ));
    }

    /// Parses the flags of a group, such as `i-m:`. The caller has read the first character, `first`.
    fn flags(&mut self, first: char) -> Option<()> {
        let (mut seen, mut next) = (String::new(), first);
        while next != ':' {
            if !"ims-".contains(next) || seen.contains(next) {
                return None;
            }
            seen.push(next);
            next = self.rest.next()?;
        }
        (seen != "-").then_some(())
    }

    fn group_name(&mut self) -> Option<()> {
        // ECMAScript also allows `$`, letters that are not ASCII, and escapes.
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        let written = self.rest.as_str().split_once('>').map_or("", |(name, _)| name);
        if !written.starts_with(is_letter) || !written.chars().all(|c| is_letter(c) || c.is_ascii_digit()) {
            self.report(format_args!("has a group whose name is not made of letters, digits and `_`"));
        }
        let name = self.name()?;
        if !self.names.insert(name.clone()) {
            self.report(format_args!("has two groups named `{name}`"));
            // ECMAScript 2025 allows it in different alternatives. Rust never does.
            self.is_regex = false;
        }
        Some(())
    }

    /// Reads the name of a group and the bracket after it.
    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            let c = match self.rest.next()? {
                '>' if name.is_empty() => return None,
                '>' => return Some(name),
                '\\' => {
                    self.take('u').then_some(())?;
                    char::from_u32(self.code_point()?)?
                }
                c => c,
            };
            let is_part = c.is_alphabetic() || "$_".contains(c);
            if !is_part && (name.is_empty() || !(c.is_alphanumeric() || "\u{200c}\u{200d}".contains(c))) {
                return None;
            }
            name.push(c);
        }
    }

    fn quantifier(&mut self, c: char, previous: Previous) -> Option<Previous> {
        match previous {
            Previous::Atom => {}
            Previous::Nothing => {
                return self.refuse(format_args!("has a `{c}` with nothing to repeat: write `\\{c}`"));
            }
            Previous::Assertion => {
                return self.refuse(format_args!("repeats an assertion with `{c}`: remove the repetition"));
            }
            Previous::Quantifier => {
                return self.refuse(format_args!(
                    "has a `{c}` after a repetition: use one repetition, or put a group around the first"
                ));
            }
        }
        if c == '{' {
            self.counts()?;
        }
        self.take('?');
        Some(Previous::Quantifier)
    }

    /// Parses the rest of `{2}`, `{2,}` or `{2,3}`.
    fn counts(&mut self) -> Option<()> {
        let text = self.until('}').unwrap_or_default();
        let (min, max) = text.split_once(',').unwrap_or((text, ""));
        let (least, most) = (number(min), number(if max.is_empty() { min } else { max }));
        // Rust's `regex` does not support larger counts.
        if ![least, most].iter().all(|count| count.is_some_and(|count| count <= u32::MAX.into())) {
            self.report(format_args!(
                "has a `{{` that is not a repetition like `{{2}}`, `{{2,}}` or `{{2,3}}`: write `\\{{`"
            ));
        }
        if most? < least? {
            return self.refuse(format_args!("has the repetition `{{{text}}}`, whose minimum is above its maximum"));
        }
        self.event(Event::Repetition(most?));
        Some(())
    }
}

/// Reads a number. One that is too large counts as the largest.
fn number(digits: &str) -> Option<u64> {
    let only_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    only_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(pattern: &str) -> Option<String> {
        parse(pattern).problem
    }

    fn is_regex(pattern: &str) -> bool {
        parse(pattern).is_regex
    }

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

    #[test]
    fn the_syntax_of_ecmascript_is_accepted() {
        for pattern in [
            "",
            "a|",
            "^(a+)?$",
            r"(?=a)b(?<!c)",
            r"(?<y>a)\k<y>",
            r"(?<x>a)(?<y>b)",
            r"(a)\1",
            r"\cA",
            r"[\d-]",
            r"[\b]",
            r"[\b-a]",
            r"[]",
            r"[^]",
            r"\u{1F600}",
            r"\ud83d\ude00",
            r"\ud83d",
            r"\p{Letter}",
            r"\p{Script=Greek}",
            r"a{2,}?",
            r"\-\ \@",
            r"(?i-s:a)",
            r"[a-z&&^b]",
            "[a~~b]",
            r"\0",
        ] {
            assert!(is_regex(pattern), "{pattern}");
        }
        for pattern in [
            "(",
            ")",
            "[",
            "*a",
            "a**",
            "^*",
            r"\a",
            r"\",
            "a{2,1}",
            "a{",
            "}",
            "]",
            r"\1",
            r"\k<y>",
            r"(?<y>a)(?<y>b)",
            r"(?<y>a)|(?<y>b)",
            r"(?<y>(?<y>a))",
            r"\u{110000}",
            "[b-a]",
            r"[a-\b]",
            r"[\d-z]",
            "[[a]]",
            "(?ii:a)",
            "(?-:a)",
            r"\p{}",
            r"\01",
            "(?<1>a)",
            r"\_a\é",
        ] {
            assert!(!is_regex(pattern), "{pattern}");
        }
    }

    #[test]
    fn many_named_groups_are_compared() {
        let groups = |range: std::ops::Range<u32>| range.map(|at| format!("(?<n{at}>a)")).collect::<Vec<_>>().concat();
        let all = groups(0..20_000);
        assert!(is_regex(&format!(r"{all}\k<n19999>")));
        assert!(!is_regex(&format!(r"{all}\k<n20000>")));
        assert!(!is_regex(&format!("{all}(?<n7>a)")));
    }
}
