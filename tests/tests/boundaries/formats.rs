//! Texts just inside and just outside of a format.

use serde_json::json;

use crate::{accepts, taking};

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
fn t8_a_middle_dot_stands_between_two_letters_l() {
    check(
        "hostname",
        &[
            ("xn--ll-0ea", true),
            ("xn--al-0ea", false),
            ("xn--la-0ea", false),
            ("xn--l-fda", false),
            ("xn--l-gda", false),
        ],
    );
}

#[test]
fn t8_a_regular_expression_is_checked_with_its_escapes() {
    check("regex", &[(r"[\t-x]", true), (r"\t", true), ("[a", false), ("(", false), (r"[\y]", false)]);
}
