//! A tool's value as JSON text, written once.

use std::cell::Cell;

use serde::Serialize;

use super::buffer_pool;
#[cfg(feature = "validate")]
use super::reader;
#[cfg(feature = "validate")]
use super::tape::View;
#[cfg(feature = "validate")]
use super::violation::Violation;
use crate::ToolError;

mod finite;
mod quote;
#[cfg(feature = "validate")]
mod recorder;

/// A value as compact JSON.
#[derive(Debug, Clone)]
pub(crate) struct JsonText {
    text: Text,
    #[cfg(feature = "validate")]
    notes: recorder::Notes,
}

impl JsonText {
    /// Writes a value.
    ///
    /// `serde_json` writes a number that is not finite as `null` (rule R7 forbids it), so a value with a `null` in it, or
    /// where that is not known with something in its text that looks like one, is looked through once more.
    pub(crate) fn write<T: Serialize + ?Sized>(value: &T) -> Result<Self, ToolError> {
        let json = Self::serialize(value).map_err(|error| {
            ToolError::invalid_result("it cannot be written as JSON").with_developer_message(error.to_string())
        })?;
        if json.may_have_null() {
            finite::check(value)?;
        }
        Ok(json)
    }

    fn may_have_null(&self) -> bool {
        #[cfg(feature = "validate")]
        if let Some(has_null) = self.notes.has_null() {
            return has_null;
        }
        memchr::memmem::find(self.as_str().as_bytes(), b"null").is_some()
    }

    #[cfg(feature = "validate")]
    fn serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        recorder::write(value).map(|(text, notes)| Self { text, notes })
    }

    #[cfg(not(feature = "validate"))]
    fn serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        let mut bytes = Text::room();
        serde_json::to_writer(&mut bytes, value)?;
        Text::of(bytes).map(|text| Self { text })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text.0
    }

    /// Writes the text as a JSON string: what stands for the value in a text block.
    pub(crate) fn write_as_string(&self, bytes: &mut Vec<u8>) {
        quote::quote(self.as_str(), bytes);
    }

    /// Looks at the value as a document. A duplicate key and too deep a nesting are a fault, as in what comes in.
    #[cfg(feature = "validate")]
    pub(crate) fn with_document<R>(&self, at: impl Fn(View<'_>) -> R) -> Result<R, Violation> {
        match self.notes.look(self.as_str(), &at) {
            Some(seen) => Ok(seen),
            // What is out of the ordinary, or at fault, the reader knows.
            None => reader::read_text(self.as_str()).map(|tape| at(tape.root())),
        }
    }
}

/// A text whose memory the thread that drops it keeps for its next one.
#[derive(Debug, Clone)]
struct Text(String);

thread_local! {
    static KEPT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl Text {
    /// As much room as most texts need.
    const ROOM: usize = 128;

    /// Where a text is written to.
    fn room() -> Vec<u8> {
        let mut bytes = buffer_pool::take(&KEPT);
        bytes.reserve(Self::ROOM);
        bytes
    }

    /// What `serde_json` has written, which is nothing but text.
    fn of(bytes: Vec<u8>) -> Result<Self, serde_json::Error> {
        String::from_utf8(buffer_pool::fitting(&KEPT, bytes)).map(Self).map_err(serde::ser::Error::custom)
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // A copy has no more room than it needs.
        if self.0.capacity() >= Self::ROOM {
            buffer_pool::keep(&KEPT, std::mem::take(&mut self.0).into_bytes());
        }
    }
}

/// Counts what is written to it.
pub(crate) struct ByteCounter(pub(crate) usize);

impl std::io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::json;

    use super::{JsonText, KEPT};
    use crate::document::buffer_pool;

    #[derive(Serialize)]
    struct Reading {
        name: &'static str,
        values: Vec<f32>,
        nested: Option<Box<Reading>>,
        kind: Kind,
    }

    #[derive(Serialize)]
    enum Kind {
        Unit,
        Newtype(f64),
        Tuple(u8, f64),
        Struct { at: (i8, f64) },
    }

    fn reading(values: &[f32], kind: Kind) -> Reading {
        Reading { name: "null", values: values.to_vec(), nested: None, kind }
    }

    fn fault(value: &impl Serialize) -> String {
        JsonText::write(value).expect_err("not finite").message().to_owned()
    }

    #[test]
    fn a_number_that_is_not_finite_is_named_by_its_path() {
        assert_eq!(fault(&f64::NAN), "the value is not finite");
        assert_eq!(fault(&reading(&[0.5, f32::INFINITY], Kind::Unit)), "`values[1]` is not finite");
        assert_eq!(fault(&reading(&[], Kind::Newtype(f64::NAN))), "`kind.Newtype` is not finite");
        assert_eq!(fault(&reading(&[], Kind::Tuple(1, f64::NAN))), "`kind.Tuple[1]` is not finite");
        assert_eq!(fault(&reading(&[], Kind::Struct { at: (1, f64::NAN) })), "`kind.Struct.at[1]` is not finite");
        let mut outer = reading(&[], Kind::Unit);
        outer.nested = Some(Box::new(reading(&[f32::NAN], Kind::Unit)));
        assert_eq!(fault(&outer), "`nested.values[0]` is not finite");
        assert_eq!(fault(&BTreeMap::from([(7, f64::NEG_INFINITY)])), "`7` is not finite");
        assert_eq!(fault(&Some(Some(f64::NAN))), "the value is not finite");
    }

    #[test]
    fn a_true_null_is_no_fault() {
        let value = json!({"a": null, "b": [1.5, "null"], "c": {"d": 1, "e": true}});
        assert_eq!(JsonText::write(&value).expect("finite").as_str(), value.to_string());
        let text = JsonText::write(&reading(&[1.0], Kind::Struct { at: (1, 2.0) })).expect("finite");
        let expected = r#"{"name":"null","values":[1.0],"nested":null,"kind":{"Struct":{"at":[1,2.0]}}}"#;
        assert_eq!(text.as_str(), expected);
    }

    #[test]
    fn keys_that_json_cannot_write_are_a_fault() {
        assert_eq!(fault(&BTreeMap::from([((1, 2), 3)])), "it cannot be written as JSON");
    }

    #[test]
    fn a_short_text_after_a_long_one_holds_on_to_little() {
        drop(JsonText::write(&vec!["long"; 4_000]).expect("JSON"));
        let held: Vec<_> = (0..3).map(|_| JsonText::write(&["short"]).expect("JSON")).collect();
        for json in &held {
            assert!(json.text.0.capacity() <= 4_096, "{}", json.text.0.capacity());
        }
        // The long one's memory is still there for the next long one.
        assert!(buffer_pool::take(&KEPT).capacity() > 4_096);
    }
}
