//! Call ids that a client sends or an author makes.

use std::cmp::Ordering;
use std::hash::{BuildHasher as _, RandomState};

use mcp_tool_runtime::CallId;

#[test]
fn a_call_id_is_cut_between_two_characters() {
    for (text, bytes) in
        [("a".repeat(256), 256), ("a".repeat(257), 256), ("é".repeat(129), 256), (format!("a{}", "é".repeat(128)), 255)]
    {
        assert_eq!(CallId::from(text.as_str()).as_str(), &text[..bytes]);
    }
}

#[test]
fn a_text_that_is_no_call_id_gives_a_generated_one() {
    for text in ["", " a", "a ", " ", "two\nlines", &format!("{} ", "a".repeat(255)), "\u{7f}"] {
        for id in [CallId::from(text), CallId::from(text.to_owned())] {
            assert_eq!(id.as_str().len(), 36, "{text:?} gives {id}");
        }
        assert!(CallId::new(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_call_id_that_is_cut_does_not_end_in_a_space() {
    let text = format!("{} and more", "a".repeat(255));
    for id in [CallId::from(text.as_str()), CallId::from(text.clone())] {
        assert_eq!(id.as_str(), "a".repeat(255));
    }
}

#[test]
fn call_ids_are_their_text() {
    let (a, b) = (CallId::from("a"), CallId::from("b"));
    assert_eq!(a, CallId::from("a".to_owned()));
    assert_ne!(a, b);
    assert_eq!([a.partial_cmp(&b), b.partial_cmp(&a)], [Some(Ordering::Less), Some(Ordering::Greater)]);
    let hasher = RandomState::new();
    assert_eq!(hasher.hash_one(&a), hasher.hash_one(CallId::from("a")));
    assert_ne!(hasher.hash_one(&a), hasher.hash_one(&b));
    assert_eq!((a.as_ref(), format!("{a}"), format!("{a:?}")), ("a", "a".to_owned(), "CallId(\"a\")".to_owned()));
    let generated = CallId::from("");
    assert_eq!(generated, CallId::from(generated.as_str()));
    assert_ne!(generated, CallId::from(""));
}

#[test]
fn the_error_of_a_call_id_says_what_is_wrong() {
    let error = |text: &str| CallId::new(text).map_err(|error| error.to_string());
    assert_eq!(error("").unwrap_err(), "a call id has 1 to 256 bytes, this one has 0");
    assert_eq!(error("a\tb").unwrap_err(), "a call id has printable characters only, and no space at either end");
}
