use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::json::reader::MAX_DEPTH;
use crate::json::writer::{JsonText, WriteError};

fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsonText, WriteError> {
    JsonText::write(value)
}

/// Returns the recorded document, or `None` if the text must be parsed.
fn recorded(value: &impl Serialize) -> Option<Value> {
    let JsonText { text, recording } = write(value).expect("it can be written");
    assert_eq!(text.as_str(), serde_json::to_string(value).expect("it can be written"));
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method alone is not general enough over lifetimes"
    )]
    recording.and_then(|recording| recording.with_document(text.as_str(), |view| view.to_value()))
}

fn assert_recorded(value: &impl Serialize) {
    let text = serde_json::to_string(value).expect("it can be written");
    let parsed: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(recorded(value).as_ref(), Some(&parsed));
}

#[derive(Serialize)]
enum Kind {
    Unit,
    Newtype(char),
    Tuple(u8, Option<()>),
    Struct { at: (i64, f32) },
}

#[test]
fn the_recorded_document_equals_the_parsed_one() {
    assert_recorded(&json!({"a": [], "b": {}, "c": [[1, -2], {"d": null}], "e": true, "f": "x"}));
    assert_recorded(&"a \"quoted\" text,\n\u{1} \\ and ☃ and \u{1F600}");
    assert_recorded(&BTreeMap::from([("a \"key\"\t", 1), ("☃", 2), ("", 3)]));
    assert_recorded(&BTreeMap::from([(-7_i8, vec![0.5_f64]), (7, vec![-0.0, 1e300, 1.0])]));
    assert_recorded(&BTreeMap::from([(true, [0.1_f32, f32::MAX])]));
    assert_recorded(&(u64::MAX, i64::MIN, 1_u128 << 70, -(1_i128 << 70), f64::MIN_POSITIVE, f64::MAX));
    assert_recorded(&[Kind::Unit, Kind::Newtype('"'), Kind::Tuple(1, None), Kind::Struct { at: (1, 0.3) }]);
    assert_recorded(&[Some(7), None]);
    assert_recorded(&std::net::IpAddr::from([127, 0, 0, 1]));
    assert_recorded(&());
    for number in [0.1, 1e21, 1e-7, 123_456_789.123, 5e-324] {
        assert_recorded(&number);
    }
}

#[test]
fn the_less_usual_types_of_serde_are_recorded() {
    struct Bytes;

    impl Serialize for Bytes {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"bytes")
        }
    }

    #[derive(Serialize)]
    struct Unit;

    #[derive(Serialize)]
    struct Newtype<T>(T);

    assert_recorded(&Bytes);
    assert_recorded(&[Unit, Unit]);
    assert_recorded(&Newtype(Newtype(vec!["a"])));
    assert_recorded(&format_args!("{} \"quoted\" {}", "first", "last"));
    assert_recorded(&format_args!("{}{}", "plain", 1));
}

#[test]
fn a_number_as_serde_json_passes_it_on_with_arbitrary_precision_keeps_its_digits() {
    #[derive(Serialize)]
    #[serde(rename = "$serde_json::private::Number")]
    struct Digits {
        #[serde(rename = "$serde_json::private::Number")]
        digits: &'static str,
    }

    let text = write(&[Digits { digits: "1.50" }, Digits { digits: "-123456789012345678901" }]).expect("numbers");
    assert_eq!(text.as_str(), "[1.50,-123456789012345678901]");
}

#[test]
fn a_raw_value_must_be_parsed() {
    let raw: &RawValue = serde_json::from_str(r#"{"a":[1,2.50]}"#).expect("it is JSON");
    assert_eq!(recorded(&BTreeMap::from([("raw", raw)])), None);
}

#[test]
fn a_key_in_several_pieces_may_be_a_duplicate() {
    struct Pieces;

    impl std::fmt::Display for Pieces {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("ab")?;
            f.write_str("c")
        }
    }

    struct Key;

    impl Serialize for Key {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&Pieces)
        }
    }

    struct Twice;

    impl Serialize for Twice {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry(&Key, &1)?;
            map.serialize_entry("abc", &2)?;
            map.end()
        }
    }

    assert_eq!(recorded(&Twice), None);
}

#[test]
fn a_number_key_and_a_string_key_of_its_digits_are_duplicates() {
    struct Mixed(bool);

    impl Serialize for Mixed {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            if self.0 {
                map.serialize_entry(&1_u8, &1)?;
                map.serialize_entry("1", &2)?;
            } else {
                map.serialize_entry("true", &1)?;
                map.serialize_entry(&true, &2)?;
            }
            map.end()
        }
    }

    assert_eq!(recorded(&Mixed(true)), None);
    assert_eq!(recorded(&Mixed(false)), None);
}

#[test]
fn duplicate_keys_and_nesting_that_is_too_deep_must_be_parsed() {
    struct Twice;

    impl Serialize for Twice {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("a", 1), ("b", 2), ("a", 3)])
        }
    }

    assert_eq!(recorded(&[Twice]), None);
    let deep = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    assert_recorded(&deep(MAX_DEPTH));
    assert_eq!(recorded(&deep(MAX_DEPTH + 1)), None);
    assert!(write(&deep(MAX_DEPTH + 2)).is_err());
}

#[test]
fn keys_of_maps_are_recorded_with_and_without_escapes() {
    assert_recorded(&BTreeMap::from([(7, "\n")]));
    assert_recorded(&BTreeMap::from([("two\nlines", 1), ("\"", 2), ("plain", 3)]));
    assert_eq!(
        recorded(&vec![BTreeMap::from([("a\\", 1)]), BTreeMap::from([("a\\", 2)])]).map(|all| all[1].clone()),
        Some(json!({"a\\": 2}))
    );
}

#[test]
fn an_error_of_a_part_that_its_serialize_ignores_is_an_error_of_the_whole() {
    /// Fails, after its first element or at once.
    struct Fails(bool);

    impl Serialize for Fails {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if self.0 {
                let mut elements = serializer.serialize_seq(None)?;
                elements.serialize_element(&1)?;
            }
            Err(serde::ser::Error::custom("it fails"))
        }
    }

    /// An array that ignores the errors of its elements.
    struct Array<'l>(&'l [Option<bool>]);

    impl Serialize for Array<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut elements = serializer.serialize_seq(None)?;
            for begins in self.0 {
                let _ = match begins {
                    None => elements.serialize_element(&1),
                    Some(begins) => elements.serialize_element(&Fails(*begins)),
                };
            }
            elements.end()
        }
    }

    /// An object that ignores the errors of its properties.
    struct Object(bool);

    impl Serialize for Object {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut properties = serializer.serialize_map(None)?;
            properties.serialize_entry("a", &1)?;
            if self.0 {
                let _ = properties.serialize_entry("b", &Fails(false));
            } else {
                let _ = properties.serialize_entry(&[1], &1);
            }
            properties.end()
        }
    }

    assert!(write(&Array(&[None, None])).is_ok());
    for begins in [true, false] {
        for list in [&[Some(begins)][..], &[None, Some(begins)], &[Some(begins), None], &[Some(begins), Some(begins)]] {
            assert!(write(&Array(list)).is_err(), "{list:?}");
            assert!(write(&[Array(&[None]), Array(list)]).is_err(), "{list:?} in a list");
        }
        assert!(write(&Object(begins)).is_err());
        assert!(write(&BTreeMap::from([("in", Object(begins))])).is_err());
    }
}

#[test]
fn a_key_that_fails_or_is_missing_is_an_error_of_the_whole() {
    /// Writes a value with or without a key that cannot be written, and ignores the error of the key.
    struct Object {
        has_key: bool,
    }

    impl Serialize for Object {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut properties = serializer.serialize_map(None)?;
            if self.has_key {
                let _ = properties.serialize_key(&[1]);
            }
            properties.serialize_value(&1)?;
            properties.end()
        }
    }

    assert!(write(&Object { has_key: true }).is_err());
    assert!(write(&Object { has_key: false }).is_err());
}

#[test]
fn a_part_whose_panic_its_serialize_catches_is_an_error_of_the_whole() {
    struct Panics {
        opens_array: bool,
    }

    impl Serialize for Panics {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let _elements = if self.opens_array { Some(serializer.serialize_seq(None)?) } else { None };
            std::panic::resume_unwind(Box::new("a panic"));
        }
    }

    struct Catches(Panics);

    impl Serialize for Catches {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut elements = serializer.serialize_seq(None)?;
            let element = AssertUnwindSafe(|| elements.serialize_element(&self.0));
            assert!(std::panic::catch_unwind(element).is_err());
            elements.serialize_element(&1)?;
            elements.end()
        }
    }

    for opens_array in [true, false] {
        let error = write(&[Catches(Panics { opens_array })]).expect_err("the inner array is not complete");
        assert!(matches!(error, WriteError::Serialize(_)), "{error:?}");
    }
}

#[test]
fn a_key_whose_panic_its_serialize_catches_is_an_error_of_the_whole() {
    struct Panics;

    impl Serialize for Panics {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            std::panic::resume_unwind(Box::new("a panic"));
        }
    }

    struct Catches;

    impl Serialize for Catches {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut properties = serializer.serialize_map(None)?;
            properties.serialize_entry("a", &1)?;
            let key = AssertUnwindSafe(|| properties.serialize_key(&Panics));
            assert!(std::panic::catch_unwind(key).is_err());
            properties.end()
        }
    }

    assert!(matches!(write(&Catches), Err(WriteError::Serialize(_))));
}

#[test]
fn a_serialize_sees_why_a_value_inside_it_could_not_be_written() {
    struct Watched<'v>(&'v Value, &'v RefCell<String>);

    impl Serialize for Watched<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.0.serialize(serializer).inspect_err(|error| *self.1.borrow_mut() = error.to_string())
        }
    }

    let message = RefCell::default();
    let deep = (0..MAX_DEPTH + 2).fold(json!(1), |inner, _| json!([inner]));
    assert!(matches!(write(&Watched(&deep, &message)), Err(WriteError::TooDeep)));
    assert_eq!(*message.borrow(), "too deep");
}
