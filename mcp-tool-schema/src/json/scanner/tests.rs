use serde_json::value::RawValue;
use serde_json::{Number, Value};

use super::*;
use crate::json::number::Numeral;

/// Valid and invalid texts for every rule of the syntax.
fn texts() -> Vec<String> {
    let numbers = [
        "0",
        "-0",
        "-",
        "01",
        "-01",
        "1.",
        ".1",
        "1.5",
        "-1.5e3",
        "1e",
        "1e+",
        "1E-3",
        "1e400",
        "-1e400",
        "1e-400",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "+1",
        "1x",
        "123456789012345678901234567890",
        "0.1",
        "5e-324",
        "1.7976931348623157e308",
        "0e0",
        "-0.0",
        "9007199254740993.0",
    ];
    let strings = [
        r#""""#,
        r#""plain text of some length""#,
        r#""a\"b""#,
        r#""\\""#,
        r#""\/\b\f\n\r\t""#,
        r#""\x""#,
        r#""\u00e9""#,
        r#""\u00E9\ud83d\ude00""#,
        r#""\ud83d""#,
        r#""\ude00""#,
        r#""\ud83dx""#,
        r#""\ud83d\n""#,
        r#""\ud83d\u0041""#,
        r#""\u12""#,
        r#""\u12g4""#,
        "\"\n\"",
        "\"\u{1f}\"",
        "\"\u{7f}é☃😀\"",
        "\"open",
        "\"open\\",
        r#""\"#,
        r#""12345678\"#,
    ];
    let others = [
        "",
        " ",
        "null",
        "nul",
        "nulls",
        "true",
        "false",
        "fals",
        "[]",
        "[ ]",
        "[1]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1",
        "{}",
        "{ }",
        r#"{"a":1}"#,
        r#"{"a":1,}"#,
        r#"{"a" 1}"#,
        r#"{"a":}"#,
        r"{a:1}",
        r#"{"a":1 "b":2}"#,
        r#"{"a":[{"b":[]}]}"#,
        "[}",
        "{]",
        r#"{"a":1]"#,
        r"[1}",
        "1 2",
        "\u{feff}1",
        " [ 1 , { \"k\" : [ true , null ] } , \"x\" ] ",
        "\t\n\r1",
    ];
    let all = numbers.iter().chain(&strings).chain(&others).map(|text| (*text).to_owned());
    let inside = |text: &str| [format!("[{text}]"), format!("{{\"k\":{text} , \"l\": 1}}")];
    let mut texts: Vec<String> = all.flat_map(|text| inside(&text).into_iter().chain([text.clone()])).collect();
    for depth in [1, 63, 64, 65, 129, 200] {
        texts.push("[".repeat(depth) + &"]".repeat(depth));
        texts.push("[{\"a\":".repeat(depth) + "1" + &"}]".repeat(depth));
        texts.push("[{\"a\":".repeat(depth) + "1" + &"]}".repeat(depth));
    }
    texts
}

#[test]
fn the_same_texts_are_skipped_as_serde_json_accepts_as_a_raw_value() {
    for text in texts() {
        let mut scanner = Scanner::new(&text);
        let skipped = scanner.skip().and_then(|skipped| scanner.end().map(|()| skipped));
        let expected = serde_json::from_str::<&RawValue>(&text).map(RawValue::get);
        assert_eq!(skipped.ok(), expected.as_ref().ok().copied(), "{text}");
        if let (Err(error), Err(expected)) = (skipped, expected) {
            let found = error.line_and_column(text.as_bytes());
            assert_eq!(found.0, expected.line(), "{text}");
        }
    }
}

#[test]
fn what_serde_json_refuses_as_a_value_is_unusual() {
    for text in texts() {
        let mut scanner = Scanner::new(&text);
        if scanner.skip().and_then(|_| scanner.end()).is_ok() && serde_json::from_str::<Value>(&text).is_err() {
            assert!(scanner.is_unusual, "{text}");
        }
    }
}

fn nested_arrays(levels: usize) -> String {
    format!("{}1{}", "[".repeat(levels), "]".repeat(levels))
}

fn nested_objects(levels: usize) -> String {
    format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels))
}

/// The levels that `skip` notes in one word. Deeper nesting is unusual.
const DEEP: usize = 63;

#[test]
fn a_bracket_is_closed_by_its_own_kind_at_every_depth() {
    let text: String = (0..200).map(|level| if level % 3 == 0 { "{\"a\":" } else { "[1," }).collect::<String>() + "1";
    let closing: String = (0..200).rev().map(|level| if level % 3 == 0 { '}' } else { ']' }).collect();
    let text = text + &closing;
    assert_eq!(Scanner::new(&text).skip(), Ok(&*text));
    for at in text.len() - closing.len()..text.len() {
        let mut wrong = text.clone();
        wrong.replace_range(at..=at, if &text[at..=at] == "}" { "]" } else { "}" });
        assert_eq!(Scanner::new(&wrong).skip(), Err(SyntaxError { at }));
    }
}

#[test]
fn a_text_within_the_limits_is_not_unusual() {
    let number = "1".repeat(LONG_NUMBER);
    let late_number = format!("[\"{}\",1]", "x".repeat(LONG_NUMBER));
    for text in [number, late_number, nested_arrays(DEEP), nested_objects(DEEP), r#"["\u00e9",{"a":[]}]"#.to_owned()] {
        let mut scanner = Scanner::new(&text);
        scanner.skip().expect("JSON");
        assert!(!scanner.is_unusual, "{text}");
    }
}

#[test]
fn a_text_stays_unusual_whatever_follows() {
    let long = "1".repeat(LONG_NUMBER + 1);
    let (arrays, objects) = (nested_arrays(DEEP + 1), nested_objects(DEEP + 1));
    let unusual = [r#""\ud83d""#, "1e400", &long, &arrays, &objects];
    for one in unusual {
        for other in ["1", "true", r#""text""#, "[1]", r#"{"a":1}"#].into_iter().chain(unusual) {
            let text = format!("[{one},{other},{one}]");
            let mut scanner = Scanner::new(&text);
            scanner.skip().expect("JSON");
            assert!(scanner.is_unusual, "{text}");
        }
    }
}

#[test]
fn strings_and_numbers_are_the_same_as_those_of_serde_json() {
    for text in texts() {
        let mut scanner = Scanner::new(&text);
        match scanner.peek() {
            Some(b'"') => {
                let decoded = scanner.string().ok().filter(|_| scanner.remaining() == 0).and_then(JsonString::decode);
                let expected = serde_json::from_str::<String>(&text).ok();
                assert_eq!(decoded.as_deref(), expected.as_deref(), "{text}");
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = scanner.number().ok().filter(|_| scanner.remaining() == 0).and_then(Numeral::parse);
                let expected = serde_json::from_str::<Number>(&text)
                    .ok()
                    .map(|number| Numeral::read(&number).expect("a finite number"));
                assert_eq!(format!("{number:?}"), format!("{expected:?}"), "{text}");
            }
            _ => {}
        }
    }
}

#[test]
fn an_error_says_where() {
    for (text, expected) in [
        ("[1,\n 2,\n x]", (3, 2)),
        ("", (1, 0)),
        ("{\"a\"\n", (2, 0)),
        ("\n\"\u{1}\"", (2, 2)),
        (r#"["ab", "\u12g4", 1]"#, (1, 13)),
        (r#"["ab", "\ug", 1, 2, 3]"#, (1, 11)),
        (r#"["ab", "\x", 1]"#, (1, 10)),
    ] {
        let error = Scanner::new(text).skip().expect_err("not JSON");
        assert_eq!(error.line_and_column(text.as_bytes()), expected, "{text}");
    }
}
