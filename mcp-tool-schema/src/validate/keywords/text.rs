//! The keywords of strings: `pattern` and `format`.
//!
//! Patterns are matched in linear time by the crate `regex`, without the optimisations that account for most of its
//! size and build time. [`pattern`] refuses what Rust and ECMAScript do not both support. The remaining differences are
//! `.`, `\d`, `\w`, `\s`, `\b` and `\B`, which are translated here.
//!
//! Some formats are asserted, and all others are annotations. The formats of the 2020-12 vocabulary that are missing
//! here (`hostname`, `idn-…`, `iri…`, `…json-pointer` and `uri-template`) are rare in tools, and some need tables of
//! Unicode that would be larger than all other checks.

use std::net::{Ipv4Addr, Ipv6Addr};

use regex::Error;
use regex::bytes::{Regex, RegexBuilder};

use super::formats;
use crate::pattern::{self, Event};
use crate::validate::dialect::Dialect;

/// A compiled regular expression.
#[derive(Debug)]
pub(in crate::validate) struct Pattern {
    /// Matches bytes, because `regex::Regex`, which matches text, has no ASCII `\B`.
    regex: Regex,
    /// The pattern as written in the schema.
    pub(super) text: Box<str>,
}

/// The maximum memory in bytes that a compiled pattern may take. Counted repetitions are unrolled, so nested
/// repetitions multiply the size. The larger a pattern, the more each character costs to match.
const MAX_BYTES: usize = 4 << 20;

impl Pattern {
    pub(in crate::validate) fn new(text: &str) -> Result<Self, String> {
        let syntax = pattern::parse(text);
        if let Some(problem) = syntax.problem {
            return Err(format!("the pattern `{text}` {problem}"));
        }
        match RegexBuilder::new(&translate(text, syntax.events)).size_limit(MAX_BYTES).build() {
            Ok(regex) => Ok(Self { regex, text: text.into() }),
            Err(Error::CompiledTooBig(_)) => Err(format!(
                "the pattern `{text}` takes more than {} MiB when it is compiled: repeat less often, such as `\\w+` with a `maxLength` \
                 instead of `\\w{{1,1000}}`",
                MAX_BYTES >> 20
            )),
            Err(error) => Err(format!("the pattern `{text}` is one that Rust's `regex` refuses: {error}")),
        }
    }

    pub(in crate::validate) fn matches(&self, text: &str) -> bool {
        // `\B` may match between the bytes of a character, so check where a match starts.
        let is_whole = || self.regex.find_iter(text.as_bytes()).any(|found| text.is_char_boundary(found.start()));
        self.regex.is_match(text.as_bytes()) && (text.is_ascii() || is_whole())
    }
}

const DIGIT: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
/// The whitespace and the line ends of ECMAScript.
const SPACE: &str = r"\t-\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";

/// Translates a pattern for Rust's engine: replaces the syntax that has a different meaning there than in ECMAScript.
fn translate(text: &str, events: Vec<(usize, Event)>) -> String {
    let mut translated = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, event) in events {
        let (length, translation) = match event {
            Event::AnyCharacter => (1, r"[^\n\r\u{2028}\u{2029}]".to_owned()),
            // In ECMAScript, `\b` and `\B` count only ASCII characters as parts of a word.
            Event::Escape { character: character @ ('b' | 'B'), in_class: false } => {
                (2, format!(r"(?-u:\{character})"))
            }
            Event::Escape { character, in_class } => {
                let set = match character.to_ascii_lowercase() {
                    'd' => DIGIT,
                    'w' => WORD,
                    's' => SPACE,
                    _ => continue,
                };
                // Inside a class, write a negated set as a nested class. In Rust, it forms a union with the outer
                // class.
                let negation = if character.is_ascii_uppercase() { "^" } else { "" };
                (2, if in_class && negation.is_empty() { set.to_owned() } else { format!("[{negation}{set}]") })
            }
            _ => continue,
        };
        translated += &text[copied..at];
        translated += &translation;
        copied = at + length;
    }
    translated + &text[copied..]
}

/// A format that strings are checked against.
#[derive(Clone, Copy, Debug)]
pub(in crate::validate) struct Format {
    pub(super) name: &'static str,
    /// A string of this format. Errors show it, because models often leave out a part, such as the time zone.
    pub(super) example: &'static str,
    pub(super) accepts: fn(&str) -> bool,
}

const FORMATS: [Format; 11] = [
    Format { name: "date-time", example: "2026-01-31T09:30:00Z", accepts: formats::is_date_time },
    Format { name: "date", example: "2026-01-31", accepts: formats::is_date },
    Format { name: "time", example: "09:30:00Z", accepts: formats::is_time },
    Format { name: "duration", example: "PT1H30M", accepts: formats::is_duration },
    Format { name: "email", example: "ann@example.com", accepts: formats::is_email },
    Format { name: "ipv4", example: "192.0.2.1", accepts: |text| text.parse::<Ipv4Addr>().is_ok() },
    Format { name: "ipv6", example: "2001:db8::1", accepts: |text| text.parse::<Ipv6Addr>().is_ok() },
    Format { name: "uri", example: "https://example.com/a%20b", accepts: formats::is_uri },
    Format { name: "uri-reference", example: "../a?b=c", accepts: formats::is_reference },
    Format { name: "uuid", example: "123e4567-e89b-12d3-a456-426614174000", accepts: is_uuid },
    Format { name: "regex", example: "^[a-z]+$", accepts: |text| pattern::parse(text).is_regex },
];

impl Format {
    /// Returns the format with this name, if the dialect defines it and this crate checks it.
    pub(in crate::validate) fn named(name: &str, dialect: Dialect) -> Option<Self> {
        let is_defined = dialect == Dialect::Draft2020 || !matches!(name, "duration" | "uuid");
        FORMATS.iter().copied().find(|format| format.name == name).filter(|_| is_defined)
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_a_format_has_the_format() {
        for format in FORMATS {
            assert!((format.accepts)(format.example), "{}", format.name);
        }
    }

    #[test]
    fn sets_have_the_meaning_of_ecmascript() {
        for (pattern, matched, refused) in [
            (r"^\d+$", "09", "٣"),
            (r"^\w+$", "aZ_9", "é"),
            (r"^\s$", "\u{feff}", "\u{85}"),
            (r"^\S$", "\u{85}", "\u{2028}"),
            (r"^[\W]$", "é", "_"),
            (r"^[^\D]$", "7", "x"),
            (r"^[\w-]+$", "a-b", "a b"),
            (r"^\\d$", r"\d", "1"),
            (r"^[\]\d]$", "]", "d"),
            (r"^[\d]\d$", "12", "10-9"),
            (r"^.$", "é", "\r"),
            (r"^a.$", "a\u{85}", "a\u{2028}"),
            (r"^[.]$", ".", "a"),
            (r"^\.$", ".", "a"),
            (r"a\b", "aé", "ab"),
            (r"\\b", r"\b", "a"),
            (r"^\p{ID_Start}$", "é", "1"),
            (r"^\p{L}$", "é", "1"),
            (r"^\p{Script=Greek}$", "α", "a"),
        ] {
            let compiled = Pattern::new(pattern).expect(pattern);
            assert!(compiled.matches(matched), "{pattern} {matched}");
            assert!(!compiled.matches(refused), "{pattern} {refused}");
        }
        assert!(Pattern::new("(").is_err_and(|error| error.contains("has a group that is not closed")));
        for refused in [r"\p{Script=Nowhere}", r"\p{Script=Unknown}", r"\p{Cs}", "(?<a>x)(?<a>y)"] {
            assert!(Pattern::new(refused).is_err_and(|error| error.contains("Rust's `regex` refuses")), "{refused}");
        }
    }

    /// Compares with the verdicts of Node.js, which `.ci/ecmascript.mjs` writes.
    #[test]
    fn patterns_have_the_meaning_of_ecmascript() {
        let mut lines = include_str!("../../pattern/ecmascript.txt").lines();
        let texts = |line: Option<&str>| serde_json::from_str::<Vec<String>>(line.expect("texts")).expect("JSON");
        let (texts, characters) = (texts(lines.next()), texts(lines.next()));
        let (mut compared, mut refused) = (0, 0);
        for line in lines {
            let (pattern, verdicts) = line.rsplit_once(' ').expect("a verdict");
            let pattern: String = serde_json::from_str(pattern).expect("JSON");
            let syntax = pattern::parse(&pattern);
            assert!(syntax.is_regex || verdicts == "-", "{pattern}");
            let compiled = match (Pattern::new(&pattern), verdicts) {
                (Err(_), "-") => continue,
                (Err(error), _) => {
                    assert!(error.contains("Rust") || error.contains("only since 2025"), "{error}");
                    refused += 1;
                    continue;
                }
                (Ok(_), "-") => panic!("ECMAScript refuses {pattern}"),
                (Ok(compiled), _) => compiled,
            };
            let texts = if verdicts.len() == characters.len() { &characters } else { &texts };
            let own: String = texts.iter().map(|text| if compiled.matches(text) { '1' } else { '0' }).collect();
            assert_eq!(own, verdicts, "{pattern}");
            compared += 1;
        }
        assert!(compared > 800 && refused < compared / 4, "{compared} {refused}");
    }

    #[test]
    fn a_pattern_that_takes_much_memory_is_refused() {
        for pattern in [r"(\w{1,1000}){1,1000}", r"((a{100}){100}){100}", r"^\p{L}{1,5000}$"] {
            let error = Pattern::new(pattern).expect_err(pattern);
            assert!(error.contains("takes more than") && error.contains(pattern), "{error}");
        }
        for pattern in [r"^\w{1,1000}$", r"^[\p{L}\p{N}_. -]{1,64}$", r"^([a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$"] {
            assert!(Pattern::new(pattern).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn a_format_is_asserted_in_the_dialects_that_define_it() {
        for (name, since_draft_7, valid, invalid) in [
            ("uri", true, "http://a/b", "../a"),
            ("uri-reference", true, "../a?b#c", "../ä"),
            ("duration", false, "P1W", "1W"),
            ("uuid", false, "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"),
        ] {
            assert_eq!(Format::named(name, Dialect::Draft7).is_some(), since_draft_7, "{name}");
            let format = Format::named(name, Dialect::Draft2020).expect(name);
            assert!((format.accepts)(valid) && !(format.accepts)(invalid), "{name}");
        }
        for name in ["hostname", "iri", "json-pointer", "uri-template", "idn-email", "unknown"] {
            assert!(Format::named(name, Dialect::Draft2020).is_none(), "{name}");
        }
    }

    #[test]
    fn a_uuid_has_hyphens_and_no_other_form() {
        assert!(is_uuid("2EB8AA08-aa98-11ea-b4aa-73b441d16380"));
        for text in [
            "2eb8aa08aa9811eab4aa73b441d16380",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
            "2eb8aa08-aa98-11eab-4aa-73b441d16380",
            "ééééééééé",
        ] {
            assert!(!is_uuid(text), "{text}");
        }
    }
}
