//! Parses escapes.

use super::Parser;

/// The meaning of an escape.
pub(super) enum Escape {
    /// A position, such as a word boundary.
    Assertion,
    Character(char),
    /// A set of characters.
    Set,
}

/// Parses the rest of an escape, after its backslash.
pub(super) fn escape(parser: &mut Parser<'_>) -> Result<Escape, String> {
    let Some(c) = parser.rest.next() else {
        return Err("ends with a single `\\`: write `\\\\`".to_owned());
    };
    Ok(match c {
        'b' | 'B' => Escape::Assertion,
        'd' | 'D' | 'w' | 'W' | 's' | 'S' => Escape::Set,
        'p' | 'P' => property(parser)?,
        't' => Escape::Character('\t'),
        'n' => Escape::Character('\n'),
        'r' => Escape::Character('\r'),
        'f' => Escape::Character('\u{c}'),
        'v' => Escape::Character('\u{b}'),
        'x' => Escape::Character(byte(parser)?),
        'u' => Escape::Character(code_point(parser)?),
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => {
            Escape::Character(c)
        }
        '1'..='9' | 'k' => {
            return Err("has a back-reference, which Rust's `regex` does not support: rewrite the pattern without it"
                .to_owned());
        }
        'A' | 'z' | 'Z' => {
            return Err(format!("has `\\{c}`, which ECMAScript does not support: write `^` or `$`"));
        }
        _ if c.is_ascii_alphanumeric() => {
            return Err(format!(
                "has `\\{c}`, which Rust and ECMAScript do not both support: write the characters themselves"
            ));
        }
        _ => {
            return Err(format!("has `\\{c}`, which ECMAScript refuses: write `{c}`"));
        }
    })
}

/// Parses `\x41`.
fn byte(parser: &mut Parser<'_>) -> Result<char, String> {
    if parser.rest.peek() == Some(&'{') {
        parser.rest.next();
        let digits = parser.until('}').unwrap_or_default();
        return Err(format!("has `\\x{{{digits}}}`, which ECMAScript does not support: write `\\u{{{digits}}}`"));
    }
    hex(parser, 2).ok_or_else(|| "has a `\\x` without two hexadecimal digits".to_owned())
}

/// Parses `\u0041` or `\u{41}`.
fn code_point(parser: &mut Parser<'_>) -> Result<char, String> {
    let error = || "has a `\\u` that is not a character such as `\\u0041` or `\\u{41}`".to_owned();
    if parser.take('{') {
        let digits = parser.until('}').ok_or_else(error)?;
        let only_digits = digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(&digits, 16).ok().filter(|_| only_digits).ok_or_else(error)?;
        return char::from_u32(number).ok_or_else(error);
    }
    let start = parser.rest.clone();
    hex(parser, 4).ok_or_else(|| {
        let surrogate = start.clone().take(1).all(|c| c.eq_ignore_ascii_case(&'d'))
            && start.clone().take(4).filter(char::is_ascii_hexdigit).count() == 4;
        if surrogate {
            "has half of a character, which Rust's `regex` refuses: write the whole character, as in `\\u{1F600}`"
                .to_owned()
        } else {
            error()
        }
    })
}

fn hex(parser: &mut Parser<'_>, count: usize) -> Option<char> {
    let mut number = 0;
    for _ in 0..count {
        number = number * 16 + parser.rest.next()?.to_digit(16)?;
    }
    char::from_u32(number)
}

/// Parses `\p{…}`. Both engines support general categories, scripts after `Script=`, and the properties in [`BINARY`].
fn property(parser: &mut Parser<'_>) -> Result<Escape, String> {
    if !parser.take('{') {
        return Err("has a property without braces, which ECMAScript does not support: write `\\p{…}`".to_owned());
    }
    let Some(name) = parser.until('}') else {
        return Err("has a property that is not closed".to_owned());
    };
    let is_known = match name.split_once('=') {
        Some(("General_Category" | "gc", category)) => is_category(category),
        Some(("Script" | "sc" | "Script_Extensions" | "scx", script)) => is_script(script),
        Some(_) => false,
        None => is_category(&name) || BINARY.contains(&name.as_str()),
    };
    if is_known {
        return Ok(Escape::Set);
    }
    let hint = if is_script(&name) { format!(": for a script write `Script={name}`") } else { String::new() };
    Err(format!("has the property `{name}`, which Rust and ECMAScript do not both support{hint}"))
}

fn is_category(name: &str) -> bool {
    CATEGORIES.split_whitespace().any(|known| known == name)
}

/// Returns `true` if the text has the form of a script name. Compiling the schema reports unknown names.
fn is_script(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().skip(1).all(|c| c.is_ascii_lowercase())
    };
    name.split('_').all(is_word)
}

const BINARY: [&str; 10] = [
    "Alphabetic",
    "Any",
    "ASCII",
    "ID_Continue",
    "ID_Start",
    "Lowercase",
    "Uppercase",
    "White_Space",
    "XID_Continue",
    "XID_Start",
];

/// The general categories of Unicode, with short and long names.
const CATEGORIES: &str = "L Letter LC Cased_Letter Lu Uppercase_Letter Ll Lowercase_Letter Lt Titlecase_Letter \
    Lm Modifier_Letter Lo Other_Letter M Mark Mn Nonspacing_Mark Mc Spacing_Mark Me Enclosing_Mark N Number \
    Nd Decimal_Number Nl Letter_Number No Other_Number P Punctuation Pc Connector_Punctuation Pd Dash_Punctuation \
    Ps Open_Punctuation Pe Close_Punctuation Pi Initial_Punctuation Pf Final_Punctuation Po Other_Punctuation S Symbol \
    Sm Math_Symbol Sc Currency_Symbol Sk Modifier_Symbol So Other_Symbol Z Separator Zs Space_Separator \
    Zl Line_Separator Zp Paragraph_Separator C Other Cc Control Cf Format Co Private_Use Cn Unassigned";
