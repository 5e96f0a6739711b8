//! Parses character classes and escapes.

use super::{Atom, Event, Parser, number};

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
            "has `{c}{c}` in a class, which Rust reads as a set operation, and ECMAScript as characters: list the resulting characters"
        ));
    }
}

impl Parser<'_> {
    /// Parses the rest of an escape, after its backslash.
    pub(super) fn escape(&mut self, in_class: bool) -> Option<Atom> {
        let Some(c) = self.peek() else {
            return self.refuse(format_args!("ends with a single `\\`: write `\\\\`"));
        };
        self.event(Event::Escape { character: c, in_class });
        self.rest.next();
        Some(Atom::Character(match c {
            'b' | 'B' if !in_class => return Some(Atom::Assertion),
            'b' => {
                self.report(format_args!("has `\\b` in a class, which Rust's `regex` does not support: write `\\x08`"));
                8
            }
            'B' => {
                return self.refuse(format_args!("has `\\B` in a class, which ECMAScript does not support: remove it"));
            }
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => return Some(Atom::Set),
            'p' | 'P' => return self.property(),
            't' => 0x09,
            'n' => 0x0a,
            'v' => 0x0b,
            'f' => 0x0c,
            'r' => 0x0d,
            'x' => self.byte()?,
            'u' => self.code_point()?,
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => c.into(),
            // ECMAScript with the flag `u` allows this escape only in a class.
            '-' if in_class => c.into(),
            '1'..='9' | 'k' => {
                self.report(format_args!(
                    "has a back-reference, which Rust's `regex` does not support: rewrite the pattern without it"
                ));
                (!in_class).then_some(())?;
                self.back_reference(c)?;
                return Some(Atom::Set);
            }
            'A' | 'z' | 'Z' => {
                return self.refuse(format_args!("has `\\{c}`, which ECMAScript does not support: write `^` or `$`"));
            }
            _ if c.is_ascii_alphanumeric() => {
                let control = match (c, self.peek()) {
                    ('c', Some(letter)) if letter.is_ascii_alphabetic() => {
                        self.rest.next();
                        u32::from(letter) % 32
                    }
                    ('0', next) if next.is_none_or(|next| !next.is_ascii_digit()) => 0,
                    _ => {
                        return self.refuse(format_args!(
                            "has `\\{c}`, which ECMAScript does not support: write the characters themselves"
                        ));
                    }
                };
                self.report(format_args!(
                    "has `\\{c}`, which Rust's `regex` does not support: write `\\x{control:02x}`"
                ));
                control
            }
            _ => {
                self.report(format_args!("has `\\{c}`, which ECMAScript refuses: write `{c}`"));
                (!c.is_alphanumeric()).then_some(c.into())?
            }
        }))
    }

    fn back_reference(&mut self, first: char) -> Option<()> {
        if first == 'k' {
            self.take('<').then_some(())?;
            let name = self.name()?;
            self.references.push(name);
            return Some(());
        }
        let mut digits = String::from(first);
        while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            self.rest.next();
            digits.push(digit);
        }
        self.largest = number(&digits)?.max(self.largest);
        Some(())
    }

    /// Parses the rest of `\x41`.
    fn byte(&mut self) -> Option<u32> {
        if self.take('{') {
            let digits = self.until('}').unwrap_or_default();
            return self.refuse(format_args!(
                "has `\\x{{{digits}}}`, which ECMAScript does not support: write `\\u{{{digits}}}`"
            ));
        }
        let byte = self.hex(2);
        if byte.is_none() {
            self.report(format_args!("has a `\\x` without two hexadecimal digits"));
        }
        byte
    }

    /// Parses the rest of `\u{1F600}`, `\u0041`, or two halves of a pair of surrogates.
    pub(super) fn code_point(&mut self) -> Option<u32> {
        let malformed = format_args!("has a `\\u` that is not a character such as `\\u0041` or `\\u{{41}}`");
        if self.take('{') {
            let digits = self.until('}').unwrap_or_default();
            let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let digit = |c: char| c.to_digit(16).unwrap_or_default();
            let number = digits.chars().fold(0_u32, |number, c| number.saturating_mul(16).saturating_add(digit(c)));
            if !is_hex || char::from_u32(number).is_none() {
                self.report(malformed);
            }
            return (is_hex && number <= 0x10_ffff).then_some(number);
        }
        let Some(first) = self.hex(4) else {
            return self.refuse(malformed);
        };
        if char::from_u32(first).is_some() {
            return Some(first);
        }
        self.report(format_args!(
            "has half of a character, which Rust's `regex` refuses: write the whole character, as in `\\u{{1F600}}`"
        ));
        let before = self.rest.clone();
        if first < 0xdc00
            && self.take('\\')
            && self.take('u')
            && let Some(second) = self.hex(4).filter(|second| (0xdc00..0xe000).contains(second))
        {
            return Some(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        }
        self.rest = before;
        Some(first)
    }

    fn hex(&mut self, count: usize) -> Option<u32> {
        (0..count).try_fold(0, |number, _| Some(number * 16 + self.rest.next()?.to_digit(16)?))
    }

    /// Parses the rest of `\p{…}`.
    fn property(&mut self) -> Option<Atom> {
        if !self.take('{') {
            return self.refuse(format_args!(
                "has a property without braces, which ECMAScript does not support: write `\\p{{…}}`"
            ));
        }
        let Some(name) = self.until('}') else {
            return self.refuse(format_args!("has a property that is not closed"));
        };
        let Some(problem) = super::property::problem(name) else { return Some(Atom::Set) };
        self.report(format_args!("{problem}"));
        // The name may be one from a later version of Unicode.
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let (name, value) = name.split_once('=').unwrap_or((name, name));
        (is_word(name) && is_word(value)).then_some(Atom::Set)
    }
}
