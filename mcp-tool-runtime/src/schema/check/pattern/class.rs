//! Character classes.

use super::Scanner;
use super::escape::{self, Escape};

/// One member of a class.
enum Item {
    Character(char),
    Set,
}

/// Reads the class whose opening bracket was just read.
pub(super) fn class(scanner: &mut Scanner<'_>) -> Result<(), String> {
    scanner.take('^');
    if scanner.rest.peek() == Some(&']') {
        return Err("has an empty class, which the two sides read differently: write `\\]` for the bracket".to_owned());
    }
    loop {
        if scanner.take(']') {
            return Ok(());
        }
        let first = item(scanner)?;
        if scanner.rest.peek() != Some(&'-') {
            continue;
        }
        let mut ahead = scanner.rest.clone();
        ahead.next();
        match ahead.peek() {
            // A last `-` is one.
            Some(']') => continue,
            Some('-') => return Err(operation("--")),
            _ => {}
        }
        scanner.rest = ahead;
        match (first, item(scanner)?) {
            (Item::Character(from), Item::Character(to)) if from <= to => {}
            (Item::Character(from), Item::Character(to)) => {
                return Err(format!("has the range `{from}-{to}`, from more to less"));
            }
            _ => {
                return Err("has a range that starts or ends with a set: write `\\-` for the dash".to_owned());
            }
        }
    }
}

fn item(scanner: &mut Scanner<'_>) -> Result<Item, String> {
    let Some(c) = scanner.rest.next() else {
        return Err("has a class that is not closed".to_owned());
    };
    let next = scanner.rest.peek().copied();
    match c {
        '[' if next == Some(':') => {
            Err("has a POSIX class, which ECMAScript does not know: write the characters, as in `a-z`".to_owned())
        }
        '[' => Err("has a `[` in a class, which starts another one for Rust: write `\\[`".to_owned()),
        '&' | '~' | '-' if next == Some(c) => Err(operation(&format!("{c}{c}"))),
        // ECMAScript allows this one within a class only.
        '\\' if next == Some('-') => {
            scanner.rest.next();
            Ok(Item::Character('-'))
        }
        '\\' => match escape::escape(scanner)? {
            Escape::Assertion => {
                let c = next.unwrap_or('b');
                Err(format!("has `\\{c}` in a class, which the two sides read differently: leave it out"))
            }
            Escape::Character(c) => Ok(Item::Character(c)),
            Escape::Set => Ok(Item::Set),
        },
        _ => Ok(Item::Character(c)),
    }
}

fn operation(operator: &str) -> String {
    format!("has the set operation `{operator}`, which ECMAScript does not know: write the characters that are left")
}
