//! The syntax of ECMAScript's regular expressions with the flag `u`. One rule is that of expressions without the flag: a backslash
//! may escape any character that is neither a letter nor a digit.
//!
//! The engine of [`pattern`](super::super::pattern) cannot decide this: it has neither look-around nor back-references.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::Chars;

pub(in crate::schema) fn is_regex(text: &str) -> bool {
    let mut parser =
        Parser { rest: text.chars().peekable(), groups: 0, largest: 0, names: BTreeSet::new(), references: Vec::new() };
    parser.alternatives(0).is_some()
        && parser.rest.peek().is_none()
        && parser.largest <= parser.groups
        && parser.references.iter().all(|name| parser.names.contains(name))
}

/// The deepest nesting of groups.
const MAX_DEPTH: usize = 200;

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    /// The number of capturing groups.
    groups: u64,
    /// The largest back-reference.
    largest: u64,
    /// The names of all groups, and those that back-references use.
    names: BTreeSet<String>,
    references: Vec<String>,
}

/// What a term is, which decides if it can be repeated.
#[derive(PartialEq)]
enum Term {
    Assertion,
    Atom,
}

/// One element of a class.
enum ClassAtom {
    Character(u32),
    /// A set such as `\d`.
    Set,
}

impl Parser<'_> {
    fn take(&mut self, expected: char) -> bool {
        self.rest.next_if_eq(&expected).is_some()
    }

    fn expect(&mut self, expected: char) -> Option<()> {
        self.take(expected).then_some(())
    }

    /// Parses alternatives up to the end or a closing parenthesis, and returns the names of the groups in them.
    fn alternatives(&mut self, depth: usize) -> Option<BTreeSet<String>> {
        let (mut all, mut current) = (BTreeSet::new(), BTreeSet::new());
        while let Some(c) = self.rest.next_if(|c| *c != ')') {
            let term = match c {
                '|' => {
                    merge(&mut all, std::mem::take(&mut current));
                    continue;
                }
                '*' | '+' | '?' | '{' | '}' | ']' => return None,
                '^' | '$' => Term::Assertion,
                '(' if depth == MAX_DEPTH => return None,
                '(' => self.group(depth, &mut current)?,
                '[' => self.class()?,
                '\\' => self.escape()?,
                _ => Term::Atom,
            };
            if term == Term::Atom {
                self.quantifier()?;
            }
        }
        merge(&mut all, current);
        Some(all)
    }

    fn quantifier(&mut self) -> Option<()> {
        if self.take('{') {
            let least = self.digits()?;
            if self.take(',') && self.rest.peek() != Some(&'}') && self.digits()? < least {
                return None;
            }
            self.expect('}')?;
        } else if self.rest.next_if(|c| "*+?".contains(*c)).is_none() {
            return Some(());
        }
        self.take('?');
        Some(())
    }

    /// Reads a number. One that is too large counts as the largest.
    fn digits(&mut self) -> Option<u64> {
        let mut number = None;
        while let Some(digit) = self.rest.peek().and_then(|c| c.to_digit(10)) {
            self.rest.next();
            number = Some(number.unwrap_or(0_u64).saturating_mul(10).saturating_add(digit.into()));
        }
        number
    }

    fn group(&mut self, depth: usize, names: &mut BTreeSet<String>) -> Option<Term> {
        let mut term = Term::Atom;
        let mut own = None;
        if self.take('?') {
            match self.rest.next()? {
                ':' => {}
                '=' | '!' => term = Term::Assertion,
                '<' if self.take('=') || self.take('!') => term = Term::Assertion,
                '<' => {
                    own = Some(self.name()?);
                    self.groups += 1;
                }
                first => self.flags(first)?,
            }
        } else {
            self.groups += 1;
        }
        let mut inner = self.alternatives(depth + 1)?;
        self.expect(')')?;
        if let Some(name) = own {
            self.names.insert(name.clone());
            // Two groups can have one name only in different alternatives.
            if !inner.insert(name) {
                return None;
            }
        }
        merge(names, inner).then_some(term)
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

    /// Reads the name of a group and the bracket after it.
    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            let c = match self.rest.next()? {
                '>' if name.is_empty() => return None,
                '>' => return Some(name),
                '\\' => {
                    self.expect('u')?;
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

    fn escape(&mut self) -> Option<Term> {
        match *self.rest.peek()? {
            'b' | 'B' => {
                self.rest.next();
                return Some(Term::Assertion);
            }
            'k' => {
                self.rest.next();
                self.expect('<')?;
                let name = self.name()?;
                self.references.push(name);
            }
            '1'..='9' => self.largest = self.digits()?.max(self.largest),
            _ => _ = self.set_or_character()?,
        }
        Some(Term::Atom)
    }

    /// Parses what follows a backslash.
    fn set_or_character(&mut self) -> Option<ClassAtom> {
        Some(ClassAtom::Character(match self.rest.next()? {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => return Some(ClassAtom::Set),
            'p' | 'P' => {
                self.property()?;
                return Some(ClassAtom::Set);
            }
            'f' => 0x0c,
            'n' => 0x0a,
            'r' => 0x0d,
            't' => 0x09,
            'v' => 0x0b,
            'c' => u32::from(self.rest.next_if(char::is_ascii_alphabetic)?) % 32,
            '0' if self.rest.peek().is_none_or(|c| !c.is_ascii_digit()) => 0,
            'x' => self.hex(2)?,
            'u' => self.code_point()?,
            c if !c.is_alphanumeric() => c.into(),
            _ => return None,
        }))
    }

    fn hex(&mut self, count: usize) -> Option<u32> {
        (0..count).try_fold(0, |number, _| Some(number * 16 + self.rest.next()?.to_digit(16)?))
    }

    /// Parses `{1F600}`, `0041`, or two halves of a pair of surrogates.
    fn code_point(&mut self) -> Option<u32> {
        if self.take('{') {
            let mut number = 0_u32;
            loop {
                number = number.saturating_mul(16).saturating_add(self.hex(1)?);
                if self.take('}') {
                    return (number <= 0x10_ffff).then_some(number);
                }
            }
        }
        let first = self.hex(4)?;
        let before = self.rest.clone();
        if (0xd800..0xdc00).contains(&first)
            && self.take('\\')
            && self.take('u')
            && let Some(second) = self.hex(4).filter(|second| (0xdc00..0xe000).contains(second))
        {
            return Some(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        }
        self.rest = before;
        Some(first)
    }

    fn property(&mut self) -> Option<()> {
        self.expect('{')?;
        for end in ['=', '}'] {
            let mut is_empty = true;
            while self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_').is_some() {
                is_empty = false;
            }
            if is_empty {
                return None;
            }
            if end == '=' && self.take('}') {
                return Some(());
            }
            self.expect(end)?;
        }
        Some(())
    }

    fn class(&mut self) -> Option<Term> {
        self.take('^');
        while !self.take(']') {
            let start = self.class_atom()?;
            let mut ahead = self.rest.clone();
            if ahead.next() == Some('-') && ahead.peek() != Some(&']') {
                self.rest.next();
                let (ClassAtom::Character(start), ClassAtom::Character(end)) = (start, self.class_atom()?) else {
                    return None;
                };
                if start > end {
                    return None;
                }
            }
        }
        Some(Term::Atom)
    }

    fn class_atom(&mut self) -> Option<ClassAtom> {
        match self.rest.next()? {
            '\\' if self.take('b') => Some(ClassAtom::Character(8)),
            '\\' => self.set_or_character(),
            c => Some(ClassAtom::Character(c.into())),
        }
    }
}

#[cfg(test)]
thread_local! {
    /// The number of names that were moved on this thread.
    static MOVED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Adds names to others, and returns `true` if no name was in both sets. The smaller set is moved into the larger one, so that
/// each name is moved few times, however the groups are nested.
fn merge(names: &mut BTreeSet<String>, mut added: BTreeSet<String>) -> bool {
    if names.len() < added.len() {
        std::mem::swap(names, &mut added);
    }
    #[cfg(test)]
    MOVED.set(MOVED.get() + added.len());
    let count = names.len() + added.len();
    names.extend(added);
    names.len() == count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_syntax_of_ecmascript_is_accepted() {
        for pattern in [
            "",
            "a|",
            "^(a+)?$",
            r"(?=a)b(?<!c)",
            r"(?<y>a)\k<y>",
            r"(?<y>a)|(?<y>b)",
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
    fn each_name_is_moved_few_times() {
        let groups = (0..200).map(|at| format!("(?<n{at}>a)")).collect::<Vec<_>>().concat();
        let nested = format!("{}{groups}{}", "(".repeat(100), ")".repeat(100));
        for pattern in [groups, nested] {
            MOVED.set(0);
            assert!(is_regex(&pattern));
            assert!(MOVED.get() < 1_000, "{} names are moved", MOVED.get());
        }
    }

    #[test]
    fn many_named_groups_are_compared() {
        let groups = |range: std::ops::Range<u32>| range.map(|at| format!("(?<n{at}>a)")).collect::<Vec<_>>().concat();
        let all = groups(0..20_000);
        assert!(is_regex(&format!(r"{all}\k<n19999>")));
        assert!(!is_regex(&format!(r"{all}\k<n20000>")));
        assert!(!is_regex(&format!("{all}(?<n7>a)")), "the smaller set is added");
        assert!(!is_regex(&format!("(?<n7>a)({all})")), "the smaller set is there first");
        assert!(!is_regex(&format!("(?<n7>{all})")));
        assert!(is_regex(&format!("{all}|{all}")));
    }
}
