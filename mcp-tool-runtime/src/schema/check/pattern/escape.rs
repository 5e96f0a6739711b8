//! What may follow a backslash.

use super::Scanner;

/// What an escape stands for.
pub(super) enum Escape {
    /// A place rather than a character.
    Assertion,
    Character(char),
    /// One of several characters.
    Set,
}

/// Reads the escape whose backslash was just read.
pub(super) fn escape(scanner: &mut Scanner<'_>) -> Result<Escape, String> {
    let Some(c) = scanner.rest.next() else {
        return Err("ends with a single `\\`: write `\\\\`".to_owned());
    };
    Ok(match c {
        'b' | 'B' => Escape::Assertion,
        'd' | 'D' | 'w' | 'W' | 's' | 'S' => Escape::Set,
        'p' | 'P' => property(scanner)?,
        't' => Escape::Character('\t'),
        'n' => Escape::Character('\n'),
        'r' => Escape::Character('\r'),
        'f' => Escape::Character('\u{c}'),
        'v' => Escape::Character('\u{b}'),
        'x' => Escape::Character(byte(scanner)?),
        'u' => Escape::Character(code_point(scanner)?),
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => {
            Escape::Character(c)
        }
        '1'..='9' | 'k' => {
            return Err("has a back-reference, which Rust's `regex` does not know: say it without".to_owned());
        }
        'A' | 'z' | 'Z' => {
            return Err(format!("has `\\{c}`, which ECMAScript does not know: write `^` or `$`"));
        }
        _ if c.is_ascii_alphanumeric() => {
            return Err(format!(
                "has `\\{c}`, which the two sides do not both know: write the characters it stands for"
            ));
        }
        _ => {
            return Err(format!("has `\\{c}`, which ECMAScript refuses: write `{c}`"));
        }
    })
}

/// `\x41`.
fn byte(scanner: &mut Scanner<'_>) -> Result<char, String> {
    if scanner.rest.peek() == Some(&'{') {
        scanner.rest.next();
        let digits = scanner.until('}').unwrap_or_default();
        return Err(format!("has `\\x{{{digits}}}`, which ECMAScript does not know: write `\\u{{{digits}}}`"));
    }
    hex(scanner, 2).ok_or_else(|| "has a `\\x` without two hexadecimal digits".to_owned())
}

/// `\u0041` or `\u{41}`.
fn code_point(scanner: &mut Scanner<'_>) -> Result<char, String> {
    let fault = || "has a `\\u` that is not `\\u0041` or `\\u{41}`, or no character".to_owned();
    if scanner.take('{') {
        let digits = scanner.until('}').ok_or_else(fault)?;
        let only_digits = digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(&digits, 16).ok().filter(|_| only_digits).ok_or_else(fault)?;
        return char::from_u32(number).ok_or_else(fault);
    }
    let start = scanner.rest.clone();
    hex(scanner, 4).ok_or_else(|| {
        let surrogate = start.clone().take(1).all(|c| c.eq_ignore_ascii_case(&'d'))
            && start.clone().take(4).filter(char::is_ascii_hexdigit).count() == 4;
        if surrogate {
            "has half of a character, which Rust's `regex` refuses: write the whole one, as in `\\u{1F600}`".to_owned()
        } else {
            fault()
        }
    })
}

fn hex(scanner: &mut Scanner<'_>, count: usize) -> Option<char> {
    let mut number = 0;
    for _ in 0..count {
        number = number * 16 + scanner.rest.next()?.to_digit(16)?;
    }
    char::from_u32(number)
}

/// `\p{…}` with a name that both sides spell alike: a general category, a script after `Script=`, or one of [`BINARY`].
fn property(scanner: &mut Scanner<'_>) -> Result<Escape, String> {
    if !scanner.take('{') {
        return Err("has a property without braces, which ECMAScript does not know: write `\\p{…}`".to_owned());
    }
    let Some(name) = scanner.until('}') else {
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
    Err(format!("has the property `{name}`, which the two sides do not both know{hint}"))
}

fn is_category(name: &str) -> bool {
    CATEGORIES.split_whitespace().any(|known| known == name)
}

/// Looks like the name of a script. A wrong one is found when the validator is built.
fn is_script(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().skip(1).all(|c| c.is_ascii_lowercase())
    };
    name.split('_').all(is_word)
}

const BINARY: [&str; 6] = ["Alphabetic", "Any", "ASCII", "Lowercase", "Uppercase", "White_Space"];

/// The general categories of Unicode, short and long.
const CATEGORIES: &str = "L Letter LC Cased_Letter Lu Uppercase_Letter Ll Lowercase_Letter Lt Titlecase_Letter \
    Lm Modifier_Letter Lo Other_Letter M Mark Mn Nonspacing_Mark Mc Spacing_Mark Me Enclosing_Mark N Number \
    Nd Decimal_Number Nl Letter_Number No Other_Number P Punctuation Pc Connector_Punctuation Pd Dash_Punctuation \
    Ps Open_Punctuation Pe Close_Punctuation Pi Initial_Punctuation Pf Final_Punctuation Po Other_Punctuation S Symbol \
    Sm Math_Symbol Sc Currency_Symbol Sk Modifier_Symbol So Other_Symbol Z Separator Zs Space_Separator \
    Zl Line_Separator Zp Paragraph_Separator C Other Cc Control Cf Format Co Private_Use Cn Unassigned";
