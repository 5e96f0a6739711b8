//! Parses character classes, escapes, and Unicode properties. ECMAScript knows only the exact names of properties,
//! while Rust also accepts other spellings.

use super::{Atom, Event, Parser};

impl Parser<'_> {
    /// Parses the rest of a class, after its opening bracket.
    pub(super) fn class(&mut self) -> Option<()> {
        self.take('^');
        if self.peek() == Some(']') {
            self.report("has an empty class, which Rust and ECMAScript read differently: write `\\]` for the bracket");
        }
        while !self.take(']') {
            let first = self.class_atom()?;
            let mut ahead = self.rest.clone();
            // `first` starts a range only if a `-` follows. At the end of the class, a `-` is a literal.
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
                    return self.refuse("has a range that starts or ends with a set: write `\\-` for the dash");
                }
            }
        }
        Some(())
    }

    fn class_atom(&mut self) -> Option<Atom> {
        let c = self.rest.next().or_else(|| self.refuse("has a class that is not closed"))?;
        match c {
            '\\' => return self.escape(true),
            '[' if self.peek() == Some(':') => {
                self.report("has a POSIX class, which ECMAScript does not support: list the characters, as in `a-z`");
            }
            '[' => self.report("has a `[` in a class, which starts a nested class in Rust: write `\\[`"),
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

    /// Parses the rest of an escape, after its backslash.
    pub(super) fn escape(&mut self, in_class: bool) -> Option<Atom> {
        let c = self.peek().or_else(|| self.refuse("ends with a single `\\`: write `\\\\`"))?;
        self.event(Event::Escape { character: c, in_class });
        self.rest.next();
        Some(Atom::Character(match c {
            'b' | 'B' if !in_class => return Some(Atom::Assertion),
            'b' => {
                self.report("has `\\b` in a class, which Rust's `regex` does not support: write `\\x08`");
                8
            }
            'B' => {
                return self.refuse("has `\\B` in a class, which ECMAScript does not support: remove it");
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
                self.report(
                    "has a back-reference, which Rust's `regex` does not support: rewrite the pattern without it",
                );
                let is_complete = c != 'k' || self.take('<') && self.until('>').is_some();
                return (is_complete && !in_class).then_some(Atom::Set);
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

    /// Parses the rest of an escape such as `\x41`.
    fn byte(&mut self) -> Option<u32> {
        if self.take('{') {
            let digits = self.until('}').unwrap_or_default();
            return self.refuse(format_args!(
                "has `\\x{{{digits}}}`, which ECMAScript does not support: write `\\u{{{digits}}}`"
            ));
        }
        self.hex(2).or_else(|| self.refuse("has a `\\x` without two hexadecimal digits"))
    }

    /// Parses the rest of an escape such as `\u{1F600}` or `\u0041`.
    fn code_point(&mut self) -> Option<u32> {
        let malformed = "has a `\\u` that is not a character such as `\\u0041` or `\\u{41}`";
        if self.take('{') {
            let digits = self.until('}').unwrap_or_default();
            let number = u32::from_str_radix(digits, 16).ok();
            let number = number.filter(|number| *number <= 0x10_ffff && !digits.starts_with('+'));
            if number.and_then(char::from_u32).is_none() {
                self.report(malformed);
            }
            return number;
        }
        let first = self.hex(4).or_else(|| self.refuse(malformed))?;
        if char::from_u32(first).is_none() {
            self.report(
                "has half of a character, which Rust's `regex` refuses: write the whole character, as in `\\u{1F600}`",
            );
        }
        Some(first)
    }

    fn hex(&mut self, count: usize) -> Option<u32> {
        (0..count).try_fold(0, |number, _| Some(number * 16 + self.rest.next()?.to_digit(16)?))
    }

    /// Parses the rest of an escape such as `\p{Lu}`.
    fn property(&mut self) -> Option<Atom> {
        if !self.take('{') {
            return self.refuse("has a property without braces, which ECMAScript does not support: write `\\p{…}`");
        }
        let name = self.until('}').or_else(|| self.refuse("has a property that is not closed"))?;
        let Some(problem) = problem(name) else { return Some(Atom::Set) };
        self.report(problem);
        // Go on parsing after any word, because it may be a name from a later version of Unicode.
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let (name, value) = name.split_once('=').unwrap_or((name, name));
        (is_word(name) && is_word(value)).then_some(Atom::Set)
    }
}

/// Checks a property, such as `Lu` or `Script=Greek`. Returns why it does not work in both engines, or `None` if it may
/// work in both.
fn problem(property: &str) -> Option<String> {
    let is_in = |names: &str, name: &str| names.split_whitespace().any(|known| known == name);
    let is_known = match property.split_once('=') {
        Some(("General_Category" | "gc", category)) => is_in(CATEGORIES, category),
        Some(("Script" | "sc" | "Script_Extensions" | "scx", script)) => is_spelt_like_a_script(script),
        Some(_) => false,
        None => is_in(BINARY, property) || is_in(CATEGORIES, property),
    };
    if is_known {
        return None;
    }
    let name = property.split_once('=').map_or(property, |(_, name)| name);
    let mut names = CATEGORIES.split_whitespace().chain(BINARY.split_whitespace());
    let hint = match names.find(|known| plain(known) == plain(name)) {
        Some(meant) => format!(": write `\\p{{{}}}`", property.replace(name, meant)),
        None if is_spelt_like_a_script(property) => format!(": for a script write `\\p{{Script={property}}}`"),
        None => String::new(),
    };
    Some(format!("has the property `{property}`, which ECMAScript does not support{hint}"))
}

/// Returns `true` for spellings such as `Old_Italic` and `Ital`, and `false` for `olditalic`, which only Rust accepts.
/// Does not check whether the script exists, because `regex` refuses unknown scripts.
fn is_spelt_like_a_script(name: &str) -> bool {
    let is_word = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(|first| first.is_ascii_uppercase()) && letters.all(|c| c.is_ascii_lowercase())
    };
    name == "SignWriting" || name.split('_').all(is_word)
}

/// Returns a name in the form in which Rust compares names.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The binary properties, with long and short names.
const BINARY: &str = "ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable \
    CI Cased Changes_When_NFKC_Casefolded CWKCF Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM Changes_When_Lowercased CWL \
    Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep \
    Diacritic Dia Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres \
    Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex \
    IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control \
    Join_C Logical_Order_Exception LOE Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn \
    Pattern_White_Space Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm \
    Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS \
    White_Space space XID_Continue XIDC XID_Start XIDS";

/// The general categories, with short and long names.
const CATEGORIES: &str = "L Letter LC Cased_Letter Lu Uppercase_Letter Ll Lowercase_Letter Lt Titlecase_Letter Lm Modifier_Letter Lo \
    Other_Letter M Mark Combining_Mark Mn Nonspacing_Mark Mc Spacing_Mark Me Enclosing_Mark N Number Nd \
    Decimal_Number digit Nl Letter_Number No Other_Number P Punctuation punct Pc Connector_Punctuation Pd \
    Dash_Punctuation Ps Open_Punctuation Pe Close_Punctuation Pi Initial_Punctuation Pf Final_Punctuation Po \
    Other_Punctuation S Symbol Sm Math_Symbol Sc Currency_Symbol Sk Modifier_Symbol So Other_Symbol Z Separator Zs \
    Space_Separator Zl Line_Separator Zp Paragraph_Separator C Other Cc Control cntrl Cf Format Cs Surrogate Co \
    Private_Use Cn Unassigned";
