//! Call ids that a client sends or a program creates.

use std::cmp::Ordering;
use std::hash::{BuildHasher as _, RandomState};

use mcp_tool_runtime::CallId;

#[test]
fn a_text_that_is_not_a_call_id_is_refused() {
    let long = format!("{} and more", "a".repeat(255));
    let with_space = format!("{} ", "a".repeat(255));
    for text in ["", " a", "a ", " ", "two\nlines", &with_space, "\u{7f}", &long, &"é".repeat(129)] {
        let error = CallId::new(text).expect_err(text);
        assert_eq!(CallId::try_from(text), Err(error.clone()));
        assert_eq!(CallId::try_from(text.to_owned()), Err(error));
    }
    for text in ["a".repeat(256), "é".repeat(128)] {
        assert_eq!(CallId::try_from(text.as_str()).map(|id| id.as_str().to_owned()), Ok(text.clone()));
        assert_eq!(CallId::try_from(text.clone()), CallId::new(text));
    }
}

#[test]
fn call_ids_are_their_text() {
    let id = |text: &str| CallId::new(text).expect("a valid id");
    let (a, b) = (id("a"), id("b"));
    assert_eq!(a, id("a"));
    assert_ne!(a, b);
    assert_eq!([a.partial_cmp(&b), b.partial_cmp(&a)], [Some(Ordering::Less), Some(Ordering::Greater)]);
    let hasher = RandomState::new();
    assert_eq!(hasher.hash_one(&a), hasher.hash_one(id("a")));
    assert_ne!(hasher.hash_one(&a), hasher.hash_one(&b));
    assert_eq!((a.as_ref(), format!("{a}"), format!("{a:?}")), ("a", "a".to_owned(), "CallId(\"a\")".to_owned()));
    let generated = CallId::generate();
    assert_eq!(generated, id(generated.as_str()));
    assert_ne!(generated, CallId::generate());
}

#[test]
fn the_error_of_a_call_id_says_what_is_wrong() {
    let error = |text: &str| CallId::new(text).map_err(|error| error.to_string());
    assert_eq!(error("").unwrap_err(), "a call id has 1 to 256 bytes, this one has 0");
    assert_eq!(error("a\tb").unwrap_err(), "a call id has printable characters only, and no space at either end");
}
