//! Generates strings for a length, a format or a pattern.

use fastrand::Rng;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::edges::TEXTS;
use super::pick;

/// Returns a string with a number of characters between the limits.
pub(super) fn of_length(rng: &mut Rng, min: u64, max: u64) -> String {
    let max = max.min(min + 6);
    (0..rng.u64(min..=max.max(min))).map(|_| *pick(rng, &['a', 'b', 'Z', '0', '9', '-', ' ', 'é', '😀', '"'])).collect()
}

/// Returns a string that usually matches the format.
pub(super) fn of_format(rng: &mut Rng, format: &str) -> String {
    let date = |rng: &mut Rng| {
        let year = if rng.u8(..8) == 0 { rng.u32(..=9999) } else { rng.u32(1900..2100) };
        format!("{year:04}-{:02}-{:02}", rng.u32(1..=12), rng.u32(1..=31))
    };
    let time = |rng: &mut Rng| {
        let fraction = match rng.u8(..4) {
            0 => format!(".{}", rng.u32(..1_000_000_000)),
            1 => ".5".to_owned(),
            _ => String::new(),
        };
        let second = if rng.u8(..16) == 0 { 60 } else { rng.u32(..60) };
        format!("{:02}:{:02}:{second:02}{fraction}", rng.u32(..24), rng.u32(..60))
    };
    let offset = |rng: &mut Rng| match rng.u8(..4) {
        0 => format!("{}{:02}:{:02}", pick(rng, &["+", "-"]), rng.u32(..=24), rng.u32(..60)),
        1 => "z".to_owned(),
        _ => "Z".to_owned(),
    };
    match format {
        "date" => date(rng),
        "time" => time(rng) + &offset(rng),
        "date-time" => {
            let between = if rng.u8(..8) == 0 { "t" } else { "T" };
            date(rng) + between + &time(rng) + &offset(rng)
        }
        "uuid" => {
            let text = format!(
                "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
                rng.u32(..),
                rng.u16(..),
                rng.u16(..),
                rng.u16(..),
                rng.u64(..1 << 48)
            );
            if rng.bool() { text } else { text.to_uppercase() }
        }
        "ipv4" => std::net::Ipv4Addr::from_bits(rng.u32(..)).to_string(),
        "ipv6" => std::net::Ipv6Addr::from_bits(rng.u128(..) >> rng.u32(..128)).to_string(),
        "email" => format!("{}@{}.example", pick(rng, &["a", "b.c", "d+e", "1"]), pick(rng, &["a", "b-c", "d.e"])),
        "uri" => format!("https://{}.example/{}", pick(rng, &["a", "b-c"]), rng.u8(..)),
        _ => (*pick(rng, &TEXTS)).to_owned(),
    }
}

/// Returns a string that matches the pattern.
pub(super) fn of_pattern(rng: &mut Rng, pattern: &str) -> String {
    let mut text = String::new();
    // Usually the ECMAScript meaning of these classes.
    let pattern = if rng.u8(..16) == 0 {
        pattern.to_owned()
    } else {
        pattern.replace(r"\d", "[0-9]").replace(r"\w", "[0-9A-Za-z_]").replace(r"\S", "[!-~]").replace(r"\s", "[ \t]")
    };
    match regex_syntax::parse(&pattern) {
        Ok(hir) => sample(rng, &hir, &mut text),
        Err(error) => panic!("the pattern {pattern} cannot be parsed: {error}"),
    }
    text
}

fn sample(rng: &mut Rng, hir: &Hir, text: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(Class::Unicode(class)) => {
            let Some(range) = class.ranges().get(rng.usize(..class.ranges().len().max(1))) else { return };
            text.push(rng.char(range.start()..=range.end()));
        }
        HirKind::Repetition(repetition) => {
            let max = repetition.max.unwrap_or(repetition.min + 3).min(repetition.min + 3);
            for _ in 0..rng.u32(repetition.min..=max) {
                sample(rng, &repetition.sub, text);
            }
        }
        HirKind::Capture(capture) => sample(rng, &capture.sub, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| sample(rng, part, text)),
        HirKind::Alternation(parts) => {
            let part = pick(rng, parts);
            sample(rng, part, text);
        }
    }
}
