//! A tool's value, written as compact JSON once, and checked without reading it again.

use super::path::Path;
use super::reader;
use super::tape::View;
use super::violation::Violation;

mod byte_counter;
mod compact;
mod depth;
mod not_finite;
mod quote;
mod recording;
mod serializer;

pub use byte_counter::json_length;
pub use depth::is_too_deep;
pub use quote::quote;
pub use serializer::{ListWriter, is_deeper_than};

/// A value as compact JSON.
#[derive(Debug, Clone)]
pub struct JsonText {
    text: String,
    /// Taken by the check.
    recording: Option<recording::Recording>,
}

/// Why a value cannot be written as JSON.
#[derive(Debug)]
pub enum WriteError {
    /// A map whose keys are not strings, or an error of the type's own `Serialize`.
    Serialize(serde_json::Error),
    /// The number at this path is NaN or infinite. `serde_json` would write `null` (rule R7).
    NotFinite(Path),
    /// The value has more than [`MAX_DEPTH`](super::reader::MAX_DEPTH) levels of nesting.
    TooDeep,
}

impl JsonText {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Writes the JSON text as a JSON string, as the text block of a result contains it.
    pub fn write_as_string(&self, bytes: &mut Vec<u8>) {
        quote(self.as_str(), bytes);
    }

    /// Calls `check` with the value as a document. Duplicate keys and nesting that is too deep are violations, as in arguments.
    pub fn with_document<R>(&mut self, check: impl Fn(View<'_>) -> R) -> Result<R, Violation> {
        let recording = self.recording.take();
        match recording.and_then(|recording| recording.with_document(&self.text, &check)) {
            Some(result) => Ok(result),
            // The recording is incomplete, or there is a violation that the reader describes.
            None => reader::read_text(&self.text).map(|tape| check(tape.root())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::json;

    use super::{JsonText, WriteError};

    #[derive(Serialize)]
    struct Sample {
        name: &'static str,
        values: Vec<f32>,
        nested: Option<Box<Sample>>,
        kind: Kind,
    }

    #[derive(Serialize)]
    enum Kind {
        Unit,
        Newtype(f64),
        Tuple(u8, f64),
        Struct { at: (i8, f64) },
    }

    fn sample(values: &[f32], kind: Kind) -> Sample {
        Sample { name: "null", values: values.to_vec(), nested: None, kind }
    }

    fn not_finite(value: &impl Serialize) -> String {
        match JsonText::write(value) {
            Err(WriteError::NotFinite(path)) => path.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_number_that_is_not_finite_is_located() {
        assert_eq!(not_finite(&f64::NAN), "");
        assert_eq!(not_finite(&sample(&[0.5, f32::INFINITY], Kind::Unit)), "values[1]");
        assert_eq!(not_finite(&sample(&[], Kind::Newtype(f64::NAN))), "kind.Newtype");
        assert_eq!(not_finite(&sample(&[], Kind::Tuple(1, f64::NAN))), "kind.Tuple[1]");
        assert_eq!(not_finite(&sample(&[], Kind::Struct { at: (1, f64::NAN) })), "kind.Struct.at[1]");
        let mut outer = sample(&[], Kind::Unit);
        outer.nested = Some(Box::new(sample(&[f32::NAN], Kind::Unit)));
        assert_eq!(not_finite(&outer), "nested.values[0]");
        assert_eq!(not_finite(&BTreeMap::from([(7, f64::NEG_INFINITY)])), "7");
        assert_eq!(not_finite(&Some(Some(f64::NAN))), "");
    }

    #[test]
    fn a_null_that_is_not_a_number_is_written() {
        let value = json!({"a": null, "b": [1.5, "null"], "c": {"d": 1, "e": true}});
        assert_eq!(JsonText::write(&value).expect("finite").as_str(), value.to_string());
        let text = JsonText::write(&sample(&[1.0], Kind::Struct { at: (1, 2.0) })).expect("finite");
        let expected = r#"{"name":"null","values":[1.0],"nested":null,"kind":{"Struct":{"at":[1,2.0]}}}"#;
        assert_eq!(text.as_str(), expected);
    }

    #[test]
    fn keys_that_are_not_strings_are_an_error() {
        let error = JsonText::write(&BTreeMap::from([((1, 2), 3)])).expect_err("a tuple is no key");
        assert!(matches!(error, WriteError::Serialize(_)), "{error:?}");
    }
}
