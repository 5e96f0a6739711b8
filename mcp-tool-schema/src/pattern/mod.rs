//! Parses regular expressions: the syntax of ECMAScript with the flag `u`. One rule comes from expressions without the
//! flag: a backslash may escape any character that is neither a letter nor a digit.
//!
//! This crate matches a `pattern` with a Rust engine, and most other validators use an ECMAScript engine. The parser
//! reports syntax that the two do not both support, and says what to write instead. The validator gives `.`, `\d`,
//! `\w`, `\s`, `\b` and `\B` their ECMAScript meaning. One difference remains: each engine has its own version of
//! Unicode.
//!
//! The parser is written by hand because `regex-syntax` parses Rust's syntax. That syntax allows patterns that
//! ECMAScript refuses, and it has neither look-around nor back-references.

mod class;

use std::fmt::Display;
use std::str::Chars;

use serde_json::Value;

use crate::walk::keyword;

/// What the parser found in the text of a regular expression.
///
/// ```
/// let syntax = mcp_tool_schema::pattern::parse("^(?=a)");
/// assert!(syntax.is_regex);
/// assert!(syntax.problem.is_some_and(|problem| problem.contains("look-ahead")));
/// ```
pub struct Syntax {
    /// Whether the text is a regular expression of ECMAScript. The parser does not check whether the group of a
    /// back-reference exists, or whether two groups have the same name.
    pub is_regex: bool,
    /// The first syntax that Rust or ECMAScript does not support or that they read differently, as the end of a
    /// sentence about the pattern: "has a look-ahead, …".
    pub problem: Option<String>,
    /// The events, each with its position in bytes. If the text is not a regular expression, these are the events
    /// before the place where the parser stopped.
    pub events: Vec<(usize, Event)>,
}

/// Syntax that other engines may read differently, refuse or limit.
///
/// ```
/// use mcp_tool_schema::pattern::{Event, parse};
///
/// let events = parse(r"\d{2,9}").events;
/// assert!(matches!(events[..], [(0, Event::Escape { character: 'd', in_class: false }), (_, Event::Repetition(9))]));
/// ```
pub enum Event {
    /// A `.` outside a class.
    AnyCharacter,
    /// A backslash and the character after it.
    Escape {
        /// The character.
        character: char,
        /// The escape is inside a class, such as `[\d]`.
        in_class: bool,
    },
    /// A look-ahead or look-behind.
    LookAround,
    /// A repetition in braces, such as `{2,9}`, with the largest number in it.
    Repetition(u64),
}

/// Parses a regular expression. Takes linear time, and does not compile the expression.
///
/// ```
/// assert!(mcp_tool_schema::pattern::parse("^[a-z]+$").problem.is_none());
/// assert!(!mcp_tool_schema::pattern::parse("(").is_regex);
/// ```
pub fn parse(text: &str) -> Syntax {
    let mut parser = Parser { text, rest: text.chars(), problem: None, events: Vec::new() };
    let is_regex = parser.pattern().is_some();
    Syntax { is_regex, problem: parser.problem, events: parser.events }
}

/// Returns the regular expressions of one schema: its `pattern`, and the keys of its `patternProperties`.
///
/// ```
/// let schema = serde_json::json!({ "pattern": "^a", "patternProperties": { "^x-": {} } });
/// assert_eq!(mcp_tool_schema::pattern::of(&schema).collect::<Vec<_>>(), ["^a", "^x-"]);
/// ```
pub fn of(schema: &Value) -> impl Iterator<Item = &str> {
    let own = keyword(schema, "pattern").and_then(Value::as_str);
    let keys = keyword(schema, "patternProperties").and_then(Value::as_object);
    own.into_iter().chain(keys.into_iter().flat_map(|keys| keys.keys().map(String::as_str)))
}

/// What precedes the current character. A quantifier may follow only an atom.
#[derive(Clone, Copy)]
enum Previous {
    /// Nothing that could be repeated: the character comes first in the pattern, or follows `(` or `|`.
    Nothing,
    /// `^`, `$`, `\b`, `\B` or a look-around. In ECMAScript, none of these can be repeated.
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

    /// Adds an event at the character that was read last. That character must be ASCII.
    fn event(&mut self, event: Event) {
        self.events.push((self.text.len() - self.rest.as_str().len() - 1, event));
    }

    /// Records syntax that Rust or ECMAScript does not support or that they read differently, unless a problem is
    /// already recorded.
    fn report(&mut self, problem: impl Display) {
        self.problem.get_or_insert_with(|| problem.to_string());
    }

    /// Records syntax that ECMAScript does not support, and returns `None`, which ends the parsing.
    fn refuse<T>(&mut self, problem: impl Display) -> Option<T> {
        self.report(problem);
        None
    }

    fn pattern(&mut self) -> Option<()> {
        // For each open group, whether it is an assertion.
        let mut open = Vec::new();
        let mut previous = Previous::Nothing;
        while let Some(c) = self.rest.next() {
            previous = match c {
                '^' | '$' => Previous::Assertion,
                '|' => Previous::Nothing,
                '(' => {
                    open.push(self.group()?);
                    Previous::Nothing
                }
                ')' => {
                    let problem = "closes a group that is not open: write `\\)`";
                    let is_assertion = open.pop().or_else(|| self.refuse(problem))?;
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
        if open.is_empty() { Some(()) } else { self.refuse("has a group that is not closed") }
    }

    /// Parses the start of a group, after its parenthesis. Returns `true` for a look-around.
    fn group(&mut self) -> Option<bool> {
        if !self.take('?') {
            return Some(false);
        }
        let problem = match self.rest.next() {
            Some(':') => return Some(false),
            Some('<') if matches!(self.peek(), Some('=' | '!')) => {
                self.rest.next();
                self.look_around("look-behind");
                return Some(true);
            }
            Some('=' | '!') => {
                self.look_around("look-ahead");
                return Some(true);
            }
            Some('<') => return self.group_name().map(|()| false),
            Some('>') => "has an atomic group, which neither Rust nor ECMAScript supports: write `(?:…)`",
            Some('P') => "has a group that starts with `(?P`, which ECMAScript does not support: write `(?<name>…)`",
            Some('#') => "has a comment group, which neither Rust nor ECMAScript supports: remove it",
            first => {
                let is_flag = |c: char| "ims-".contains(c);
                let are_flags =
                    first.is_some_and(is_flag) && self.until(':').is_some_and(|rest| rest.chars().all(is_flag));
                let since = if are_flags { "supports only since 2025" } else { "does not support" };
                self.report(format_args!(
                    "has an inline flag, which ECMAScript {since}: list the characters, as in `[aA]`"
                ));
                return are_flags.then_some(false);
            }
        };
        self.refuse(problem)
    }

    fn look_around(&mut self, name: &str) {
        self.event(Event::LookAround);
        self.report(format_args!(
            "has a {name}, which Rust's `regex` does not support: rewrite the pattern without it"
        ));
    }

    fn group_name(&mut self) -> Option<()> {
        let name = self.until('>').unwrap_or_default();
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(is_letter) || !name.chars().all(|c| is_letter(c) || c.is_ascii_digit()) {
            self.report("has a group whose name is not made of letters, digits and `_`");
        }
        // ECMAScript also allows `$` and letters that are not ASCII, so go on parsing after a name that contains them.
        let is_word = |c: char| c.is_alphanumeric() || "$_".contains(c);
        (name.chars().all(is_word) && name.starts_with(|c: char| !c.is_numeric())).then_some(())
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

    /// Parses the rest of a repetition such as `{2}`, `{2,}` or `{2,3}`.
    fn counts(&mut self) -> Option<()> {
        let text = self.until('}').unwrap_or_default();
        let (min, max) = text.split_once(',').unwrap_or((text, ""));
        let counts = number(min).zip(number(if max.is_empty() { min } else { max }));
        let problem = "has a `{` that is not a repetition like `{2}`, `{2,}` or `{2,3}`: write `\\{`";
        let (least, most) = counts.or_else(|| self.refuse(problem))?;
        if least.max(most) > u32::MAX.into() {
            self.report(format_args!(
                "has the repetition `{{{text}}}`, and Rust's `regex` counts only to {}",
                u32::MAX
            ));
        }
        if most < least {
            return self.refuse(format_args!("has the repetition `{{{text}}}`, whose minimum is above its maximum"));
        }
        self.event(Event::Repetition(most));
        Some(())
    }
}

/// Reads decimal digits as a number. A number that is too large becomes `u64::MAX`.
fn number(digits: &str) -> Option<u64> {
    let only_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    only_digits.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
