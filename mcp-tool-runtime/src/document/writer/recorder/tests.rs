use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::*;

/// The document that was noted, `None` where the text has to be read.
fn noted(value: &impl Serialize) -> (Value, Option<Value>) {
    let (text, notes) = write(value).expect("it can be written");
    assert_eq!(text.0, serde_json::to_string(value).expect("it can be written"));
    (serde_json::from_str(&text.0).expect("it is JSON"), notes.look(&text.0, |view| -> Value { view.to_value() }))
}

fn is_what_is_read(value: &impl Serialize) {
    let (read, noted) = noted(value);
    assert_eq!(noted.as_ref(), Some(&read));
}

#[derive(Serialize)]
enum Kind {
    Unit,
    Newtype(char),
    Tuple(u8, Option<()>),
    Struct { at: (i64, f32) },
}

#[test]
fn what_is_noted_is_what_a_reader_reads() {
    is_what_is_read(&json!({"a": [], "b": {}, "c": [[1, -2], {"d": null}], "e": true, "f": "x"}));
    is_what_is_read(&"a \"quoted\" text,\n\u{1} \\ and ☃ and \u{1F600}");
    is_what_is_read(&BTreeMap::from([("a \"key\"\t", 1), ("☃", 2), ("", 3)]));
    is_what_is_read(&BTreeMap::from([(-7_i8, vec![0.5_f64]), (7, vec![-0.0, 1e300, 1.0])]));
    is_what_is_read(&BTreeMap::from([(true, [0.1_f32, f32::MAX])]));
    is_what_is_read(&(u64::MAX, i64::MIN, 1_u128 << 70, -(1_i128 << 70), f64::MIN_POSITIVE, f64::MAX));
    is_what_is_read(&[Kind::Unit, Kind::Newtype('"'), Kind::Tuple(1, None), Kind::Struct { at: (1, 0.3) }]);
    is_what_is_read(&[Some(7), None]);
    is_what_is_read(&std::net::IpAddr::from([127, 0, 0, 1]));
    is_what_is_read(&());
    for number in [0.1, 1e21, 1e-7, 123_456_789.123, 5e-324] {
        is_what_is_read(&number);
    }
}

#[test]
fn what_was_written_elsewhere_is_left_to_the_reader() {
    let raw: &RawValue = serde_json::from_str(r#" {"a" : [1, 2.50]} "#).expect("it is JSON");
    let (read, noted) = noted(&json!({"raw": 1}));
    assert_eq!(noted, Some(read));
    assert_eq!(self::noted(&BTreeMap::from([("raw", raw)])).1, None);
}

#[test]
fn a_number_and_its_digits_are_one_key() {
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

    assert_eq!(noted(&Mixed(true)).1, None);
    assert_eq!(noted(&Mixed(false)).1, None);
}

#[test]
fn a_key_twice_and_too_deep_a_nesting_are_left_to_the_reader() {
    struct Twice;

    impl Serialize for Twice {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("a", 1), ("b", 2), ("a", 3)])
        }
    }

    assert_eq!(noted(&[Twice]).1, None);
    let deep = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    is_what_is_read(&deep(MAX_DEPTH));
    assert_eq!(noted(&deep(MAX_DEPTH + 1)).1, None);
}

#[test]
fn a_key_of_digits_is_none_with_escapes() {
    let (_, notes) = write(&BTreeMap::from([(7, "\n")])).expect("it can be written");
    assert!(matches!(notes.all.0[..], [Note::Object(_), Note::Plain(_), Note::Quoted(_)]), "{notes:?}");
}

#[test]
fn an_error_of_a_part_that_is_not_passed_on_is_one_of_the_whole() {
    /// Fails, after it has begun or at once.
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

    /// Elements, of which those that fail are said to be there.
    struct List<'l>(&'l [Option<bool>]);

    impl Serialize for List<'_> {
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

    /// Properties, likewise.
    struct Object(bool);

    impl Serialize for Object {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut members = serializer.serialize_map(None)?;
            members.serialize_entry("a", &1)?;
            if self.0 {
                let _ = members.serialize_entry("b", &Fails(false));
            } else {
                let _ = members.serialize_entry(&[1], &1);
            }
            members.end()
        }
    }

    assert!(write(&List(&[None, None])).is_ok());
    for begins in [true, false] {
        for list in [&[Some(begins)][..], &[None, Some(begins)], &[Some(begins), None], &[Some(begins), Some(begins)]] {
            assert!(write(&List(list)).is_err(), "{list:?}");
            assert!(write(&[List(&[None]), List(list)]).is_err(), "{list:?} in a list");
        }
        assert!(write(&Object(begins)).is_err());
        assert!(write(&BTreeMap::from([("in", Object(begins))])).is_err());
    }
}
