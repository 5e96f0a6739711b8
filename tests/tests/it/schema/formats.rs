//! Texts just inside and just outside of a format.

use serde_json::json;

use crate::one_argument::{accepts, taking};

fn check(format: &str, texts: &[(&str, bool)]) {
    let dispatcher = taking(&json!({ "type": "string", "format": format }));
    for (text, is_accepted) in texts {
        assert_eq!(accepts(&dispatcher, &json!(text)), *is_accepted, "{format} {text}");
    }
}

#[test]
fn t8_a_century_is_a_leap_year_once_in_four() {
    check(
        "date",
        &[
            ("2000-02-29", true),
            ("1900-02-29", false),
            ("1904-02-29", true),
            ("1999-02-29", false),
            ("0400-02-29", true),
            ("1900-02-28", true),
        ],
    );
}

#[test]
fn t8_mailboxes_and_their_domains_have_a_greatest_length() {
    let label = "a".repeat(63);
    let domain = [label.as_str(); 4].join(".");
    check(
        "email",
        &[
            (&format!("a@{label}"), true),
            (&format!("a@{label}a"), false),
            (&format!("a@{}", &domain[..253]), true),
            (&format!("a@{}", &domain[..254]), false),
            ("a@a--b", true),
            ("a@ab--c", false),
        ],
    );
    let local = "a".repeat(64);
    check(
        "email",
        &[
            (&format!("{local}@b"), true),
            (&format!("{local}a@b"), false),
            ("\"\t\\\"~\"@b", true),
            ("\"\\\u{7f}\"@b", false),
            ("\"\u{7f}\"@b", false),
            ("\"a@b", false),
            ("a\"@b", false),
            ("a@[127.0.0.1", false),
            ("a@[127.0.0.256]", false),
            ("a@[IPv4:127.0.0.1]", false),
            ("a@[IPv6:127.0.0.1]", false),
        ],
    );
}

#[test]
fn t8_a_month_has_its_own_last_day() {
    for (month, last) in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].into_iter().enumerate() {
        let date = |day: u8| format!("2023-{:02}-{day:02}", month + 1);
        let first = date(1);
        check("date", &[(&date(0), false), (&first, true), (&date(last), true), (&date(last + 1), false)]);
    }
    check(
        "date",
        &[
            ("2023-00-01", false),
            ("2023-13-01", false),
            ("2023/01-01", false),
            ("2023-01:01", false),
            ("2023-01-01Z", false),
        ],
    );
}

#[test]
fn t8_each_part_of_a_time_has_a_greatest_value() {
    check(
        "time",
        &[
            ("23:59:59Z", true),
            ("24:00:00Z", false),
            ("00:60:00Z", false),
            ("00:00:61Z", false),
            ("12:00:00+23:59", true),
            ("12:00:00-23:59", true),
            ("12:00:00+24:00", false),
            ("12:00:00+00:60", false),
            ("12:00:00+01:00Z", false),
            ("12:00:00*01:00", false),
            ("12:00:00Z1", false),
            ("12:00:00.5Z", true),
            ("12:00:00.5", false),
            // A leap second is the last second of a day in UTC.
            ("23:59:60Z", true),
            ("23:58:60Z", false),
            ("00:00:60Z", false),
            ("00:59:60+01:00", true),
            ("00:59:60-01:00", false),
            ("22:59:60-01:00", true),
            ("22:59:60+01:00", false),
            ("23:29:60-00:30", true),
            ("00:00:60+00:01", true),
        ],
    );
}

#[test]
fn t8_a_uri_has_the_characters_that_its_parts_allow() {
    check(
        "uri",
        &[
            ("a+-.1:b", true),
            ("+a:b", false),
            ("a_:b", false),
            ("a://u:p@h", true),
            ("a://u@h:80", true),
            ("a://h:8:0", false),
            ("a://h:a", false),
            ("a://[::1]:80", true),
            ("a://[::1]80", false),
            ("a://[::g]", false),
            ("a://[vF.~:]", true),
            ("a://[Vf.a]", true),
            ("a://[v.a]", false),
            ("a://[vg.a]", false),
            ("a://[vf.]", false),
            ("a://[vf]", false),
            ("a://[vf./]", false),
            ("a:%aF", true),
            ("a:%a", false),
            ("a:%ag", false),
            ("a:[", false),
            ("a:?/?@:", true),
            ("a:#/?@:", true),
            ("a:b?[", false),
            ("a:b#[", false),
            ("a:\u{e9}", false),
            ("a://\u{e9}", false),
        ],
    );
}

#[test]
fn t8_a_uuid_has_one_form() {
    let uuid = "00000000-0000-0000-0000-00000000000f";
    check("uuid", &[(uuid, true), (&uuid.replace('f', "g"), false), (&uuid.replace('-', "0"), false)]);
}

#[test]
fn t8_a_duration_has_its_units_in_order() {
    check(
        "duration",
        &[
            ("P1W", true),
            ("P1WT1H", false),
            ("P1W1D", false),
            ("PT", false),
            ("P1DT", false),
            ("PT1H1M1S", true),
            ("PT1H1S", false),
            ("P1Y1M1DT1H", true),
            ("P1Y1D", false),
            ("P1M1Y", false),
            ("P1D1D", false),
            ("PD", false),
            ("P1YMD", false),
            ("P1HT", false),
            ("PT1D", false),
            ("P10Y", true),
        ],
    );
}

#[test]
fn t8_a_regular_expression_is_checked_with_its_escapes() {
    check("regex", &[(r"[\t-x]", true), (r"\t", true), ("[a", false), ("(", false), (r"[\y]", false)]);
}

#[test]
fn t8_the_ends_of_a_range_in_a_class_are_in_order() {
    // Each pair is a range in this order, and none in the other.
    for (start, end) in [
        (r"\x41", r"\x42"),
        (r"\x19", r"\x20"),
        (r"\t", r"\n"),
        (r"\n", r"\v"),
        (r"\v", r"\f"),
        (r"\f", r"\r"),
        (r"\b", r"\t"),
        (r"\0", r"\x01"),
        (r"\cA", r"\cb"),
        (r"\r", r"\cN"),
        (r"\u0041", r"\u{42}"),
        (r"\u{ffff}", r"\u{10ffff}"),
        (r"\ud7ff\udc00", r"\ue000"),
        (r"\.", "a"),
        ("a", "b"),
    ] {
        check("regex", &[(&format!("[{start}-{end}]"), true), (&format!("[{end}-{start}]"), false)]);
    }
    // Each pair is one character in two spellings.
    for (one, other) in [(r"\cJ", r"\n"), (r"\u{000041}", "A"), (r"\xfF", r"\u00Ff")] {
        check("regex", &[(&format!("[{one}-{other}]"), true), (&format!("[{other}-{one}]"), true)]);
    }
    check(
        "regex",
        &[
            (r"[\ud83d\u0041-B]", true),
            (r"[\ud83d\u0043-B]", false),
            ("[a-]", true),
            ("[-a]", true),
            (r"[a-\d]", false),
            (r"[\w-a]", false),
            (r"[\w-]", true),
            ("[a-c-e]", true),
        ],
    );
}

#[test]
fn t8_a_regular_expression_repeats_what_can_be_repeated() {
    check(
        "regex",
        &[
            ("a{2}", true),
            ("a{2}?", true),
            ("a{2,2}", true),
            ("a{3,20}", true),
            ("a{20,3}", false),
            ("a{}", false),
            ("a{,2}", false),
            ("a{2", false),
            ("a*?", true),
            ("a+?", true),
            ("a??", true),
            ("a???", false),
            ("(?:a)*", true),
            (r"\d+", true),
            ("[a]+", true),
            ("(?=a)", true),
            ("(?=a)*", false),
            ("(?!a)+", false),
            ("(?<=a)*", false),
            ("(?<!a)?", false),
            (r"\b*", false),
            (r"\B", true),
            ("$*", false),
        ],
    );
}

#[test]
fn t8_a_regular_expression_has_groups_and_back_references() {
    check(
        "regex",
        &[
            (r"(a)(b)\2", true),
            (r"(?<n>a)\1", true),
            (r"\k<n>(?<n>a)", true),
            (r"\k", false),
            (r"[\1]", false),
            (r"(?<>a)", false),
            (r"(?<1>a)", false),
            (r"(?<$_1>a)", true),
            ("(?<é>a)", true),
            ("(?<a-b>x)", false),
            ("(?<n>a", false),
        ],
    );
}

#[test]
fn t8_a_regular_expression_has_flags_properties_and_codes_of_a_fixed_form() {
    check(
        "regex",
        &[
            ("(?i:a)", true),
            ("(?-m:a)", true),
            ("(?x:a)", false),
            ("(?i", false),
            (r"\p{a_b1}", true),
            (r"\P{L}", true),
            (r"\p{Script=Greek}", true),
            (r"\p{Script=}", false),
            (r"\p{=Greek}", false),
            (r"\p{A=B=C}", false),
            (r"\p{L", false),
            (r"\p", false),
            (r"\pL", false),
            (r"\c1", false),
            (r"\c", false),
            (r"\00", false),
            (r"\x4", false),
            (r"\x4g", false),
            (r"\u004", false),
            (r"\u{}", false),
            (r"\u{41", false),
            (r"\u{10ffff}", true),
            (r"\u{110000}", false),
            (r"\u{ffffffffffffffffff}", false),
            (r"\/", true),
            (r"\e", false),
        ],
    );
}

#[test]
fn t8_a_format_that_the_guide_does_not_list_accepts_every_text() {
    for format in
        ["hostname", "idn-email", "idn-hostname", "iri", "iri-reference", "json-pointer", "relative-json-pointer"]
    {
        check(format, &[("-~2 {", true)]);
    }
}
