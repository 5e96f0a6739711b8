use super::*;

#[test]
fn a_progress_token_is_a_string_or_an_integer_that_is_not_too_long() {
    let settings = crate::call::settings::Settings::default();
    let read = |token: &str| {
        let text = format!(r#"{{"_meta":{{"progressToken":{token}}}}}"#);
        progress_token(&RequestParams::read_text(&text, &settings).expect("JSON").expect("params"))
    };
    for token in ["\"mine\"", "\"\"", "5", "-5", "18446744073709551615"] {
        assert_eq!(read(token).map(|token| token.to_string()).as_deref(), Some(token));
    }
    for token in ["1.5", "true", "null", "[]", "{}"] {
        assert_eq!(read(token), None, "{token}");
    }
    assert!(read(&format!("{:?}", "x".repeat(1_022))).is_some());
    assert!(read(&format!("{:?}", "x".repeat(1_023))).is_none());
}

#[test]
fn line_breaks_become_blanks() {
    let mut text = b"\n{\r\n  \"a\":\n1}\n".to_vec();
    replace_line_breaks(&mut text);
    assert_eq!(text, b" {    \"a\": 1} ");
}
