//! Parses character classes.

use super::Parser;
use super::escape::{self, Escape};

/// One item of a class.
enum Item {
    Character(char),
    Set,
}

/// Parses the rest of a class, after its opening bracket.
pub(super) fn class(parser: &mut Parser<'_>) -> Result<(), String> {
    parser.take('^');
    if parser.rest.peek() == Some(&']') {
        return Err(
            "has an empty class, which Rust and ECMAScript read differently: write `\\]` for the bracket".to_owned()
        );
    }
    loop {
        if parser.take(']') {
            return Ok(());
        }
        let first = item(parser)?;
        if parser.rest.peek() != Some(&'-') {
            continue;
        }
        let mut ahead = parser.rest.clone();
        ahead.next();
        match ahead.peek() {
            // A `-` at the end is a literal.
            Some(']') => continue,
            Some('-') => return Err(operation("--")),
            _ => {}
        }
        parser.rest = ahead;
        match (first, item(parser)?) {
            (Item::Character(from), Item::Character(to)) if from <= to => {}
            (Item::Character(from), Item::Character(to)) => {
                return Err(format!("has the range `{from}-{to}`, whose start is after its end"));
            }
            _ => {
                return Err("has a range that starts or ends with a set: write `\\-` for the dash".to_owned());
            }
        }
    }
}

fn item(parser: &mut Parser<'_>) -> Result<Item, String> {
    let Some(c) = parser.rest.next() else {
        return Err("has a class that is not closed".to_owned());
    };
    let next = parser.rest.peek().copied();
    match c {
        '[' if next == Some(':') => {
            Err("has a POSIX class, which ECMAScript does not support: list the characters, as in `a-z`".to_owned())
        }
        '[' => Err("has a `[` in a class, which starts a nested class in Rust: write `\\[`".to_owned()),
        '&' | '~' | '-' if next == Some(c) => Err(operation(&format!("{c}{c}"))),
        // ECMAScript allows this escape only in a class.
        '\\' if next == Some('-') => {
            parser.rest.next();
            Ok(Item::Character('-'))
        }
        '\\' => match escape::escape(parser)? {
            Escape::Assertion => {
                let c = next.unwrap_or('b');
                Err(format!("has `\\{c}` in a class, which Rust and ECMAScript read differently: remove it"))
            }
            Escape::Character(c) => Ok(Item::Character(c)),
            Escape::Set => Ok(Item::Set),
        },
        _ => Ok(Item::Character(c)),
    }
}

fn operation(operator: &str) -> String {
    format!("has the set operation `{operator}`, which ECMAScript does not support: list the resulting characters")
}
