//! Writes a value as compact JSON, and records its structure, so that the value can usually be checked without parsing
//! the text.

use std::io;

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Error, Value};

use self::serializer::Writer;
use super::path::Path;
use super::reader::{self, KeyFilter};
use super::tape::View;
use super::violation::Violation;

mod compound;
mod recording;
mod serializer;

pub use super::string::quote;
pub use serializer::is_deeper_than;

/// A value as compact JSON.
///
/// ```
/// use mcp_tool_schema::json::writer::JsonText;
///
/// let mut text = JsonText::write(&("a", [1.5, 2.0])).expect("JSON");
/// assert_eq!(text.as_str(), r#"["a",[1.5,2.0]]"#);
/// let count = text.with_document(|document| document.elements().into_iter().flatten().count());
/// assert_eq!(count, Ok(2));
/// ```
#[derive(Debug, Clone)]
pub struct JsonText {
    text: String,
    /// The recorded structure of the value, or `None` after a check, which consumes it.
    recording: Option<recording::Recording>,
}

/// Why a value cannot be written as JSON.
///
/// ```
/// use mcp_tool_schema::json::writer::{JsonText, WriteError};
///
/// let Err(WriteError::NotFinite(path)) = JsonText::write(&[1.0, f64::NAN]) else { panic!("no number") };
/// assert_eq!(path.to_string(), "[1]");
/// ```
#[derive(Debug)]
pub enum WriteError {
    /// A key of a map cannot be written as a string, or an implementation of `Serialize` failed or ignored an error.
    Serialize(Error),
    /// The number at this path is NaN or infinite. `serde_json` would write `null`.
    NotFinite(Path),
    /// The value has more than [`MAX_DEPTH`](reader::MAX_DEPTH) levels of nesting.
    TooDeep,
}

impl JsonText {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Calls `check` with the value as a document. Duplicate keys and nesting that is too deep are violations, as in a
    /// document that is read.
    /// # Errors
    ///
    /// Those of [`read_text`](reader::read_text): for example, the value has a key twice.
    pub fn with_document<R>(&mut self, check: impl Fn(View<'_>) -> R) -> Result<R, Violation> {
        let recording = self.recording.take();
        match recording.and_then(|recording| recording.with_document(&self.text, &check)) {
            Some(result) => Ok(result),
            // Parse the text: the recording is incomplete, an earlier check has used it, or it has a duplicate key,
            // which the reader reports.
            None => reader::read_text(&self.text).map(|tape| check(tape.root())),
        }
    }
}

/// The name that `serde_json` gives to the struct and to the field in which a `RawValue` passes its text to a
/// serializer.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// An object that is being written. Its first property is a list, which is written item by item.
///
/// ```
/// use mcp_tool_schema::json::writer::ListWriter;
///
/// let mut list = ListWriter::new("items").expect("a list");
/// list.push(&1).and_then(|()| list.push(&2)).expect("numbers");
/// list.undo();
/// let text = list.finish(&[("next", "page 2".into())]).expect("an object");
/// assert_eq!(text.as_str(), r#"{"items":[1],"next":"page 2"}"#);
/// ```
pub struct ListWriter {
    writer: Writer,
    keys: KeyFilter,
    /// The indices of the slots of the object and of the list.
    object: usize,
    list: usize,
    len: usize,
    /// The lengths of the text and of the recording before the last item.
    before: (usize, (usize, usize)),
}

impl ListWriter {
    /// Opens the object and the list.
    /// # Errors
    ///
    /// None in practice: the only possible error is nesting that is too deep.
    pub fn new(key: &'static str) -> Result<Self, WriteError> {
        let mut writer = Writer::new();
        let mut keys = KeyFilter::default();
        let object = writer.open(b'{').map_err(WriteError::Serialize)?;
        writer.key(key, &mut keys);
        let list = writer.open(b'[').map_err(WriteError::Serialize)?;
        Ok(Self { writer, keys, object, list, len: 0, before: (0, (0, 0)) })
    }

    /// Writes an item.
    /// # Errors
    ///
    /// The item cannot be written as JSON. Drop the list then: [`finish`](Self::finish) would panic.
    pub fn push<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), WriteError> {
        let Writer { bytes, recording, .. } = &mut self.writer;
        self.before = (bytes.len(), recording.length());
        if self.len > 0 {
            bytes.push(b',');
        }
        self.len += 1;
        let result = item.serialize(&mut self.writer);
        if result.is_ok() && self.writer.unfinished == 0 {
            return Ok(());
        }
        // If the writer has recorded an error, `finish` returns that error instead of the one in `result`, because the
        // recorded error says more.
        std::mem::replace(&mut self.writer, Writer::new()).finish(result).map(drop)
    }

    /// Removes the item that was written last. Works only once after each item.
    pub fn undo(&mut self) {
        let (bytes, recording) = self.before;
        self.writer.bytes.truncate(bytes);
        self.writer.recording.truncate(recording);
        self.len -= 1;
    }

    /// Returns the text so far.
    pub fn text(&self) -> &[u8] {
        &self.writer.bytes
    }

    /// Returns the number of items.
    pub fn count(&self) -> usize {
        self.len
    }

    /// Closes the list, writes more properties, and closes the object.
    /// # Errors
    ///
    /// A property cannot be written as JSON.
    pub fn finish(self, properties: &[(&'static str, Value)]) -> Result<JsonText, WriteError> {
        let Self { mut writer, mut keys, object, list, len, .. } = self;
        writer.close(list, len, b']');
        for (key, value) in properties {
            writer.bytes.push(b',');
            writer.key(key, &mut keys);
            writer.part(value).map_err(WriteError::Serialize)?;
        }
        writer.close(object, 1 + properties.len(), b'}');
        writer.finish(Ok(()))
    }
}

/// The current depth of a value that is being written, and the maximum depth.
pub(super) struct DepthLimit {
    /// The maximum number of arrays and objects inside one another.
    most: usize,
    /// The number of open arrays and objects.
    pub(super) levels: usize,
    /// Set once the value has exceeded the limit.
    pub(super) is_exceeded: bool,
}

impl DepthLimit {
    pub(super) fn new(most: usize) -> Self {
        Self { most, levels: 0, is_exceeded: false }
    }

    /// Counts an array or object that opens. If it is too deep, returns an error.
    #[inline]
    pub(super) fn open(&mut self) -> Result<(), Error> {
        self.is_exceeded |= self.levels >= self.most;
        self.levels += 1;
        if self.is_exceeded { Err(<Error as serde::ser::Error>::custom("too deep")) } else { Ok(()) }
    }
}

/// Returns the length of a value as compact JSON, in bytes. If the value cannot be written, counts what comes before
/// the error.
///
/// ```
/// assert_eq!(mcp_tool_schema::json::writer::json_length(&[1, 22]), "[1,22]".len());
/// ```
pub fn json_length<T: Serialize + ?Sized>(value: &T) -> usize {
    let mut counter = ByteCounter(0);
    // Writing cannot fail. If serializing fails, return the length so far.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// A writer that counts the bytes written to it.
struct ByteCounter(usize);

impl io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the text as a `RawValue`. The text must be JSON.
///
/// ```
/// let raw = mcp_tool_schema::json::writer::raw_json("[1]").expect("JSON");
/// assert_eq!(serde_json::to_string(raw).expect("JSON"), "[1]");
/// ```
pub fn raw_json(json: &str) -> Option<&RawValue> {
    // A `RawValue` is deserialized from a map that contains its text. Create that map here, because `serde_json` would
    // parse the text first.
    let found = std::iter::once((RAW_VALUE, BorrowedStrDeserializer::new(json)));
    let raw = <&RawValue>::deserialize(MapDeserializer::<_, Error>::new(found)).ok();
    raw.or_else(|| serde_json::from_str(json).ok())
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;
    use std::collections::BTreeMap;

    use super::*;

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

    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::Null, |inner, level| match level % 2 {
            0 => Value::Array(vec![inner]),
            _ => Value::Object([("a".to_owned(), inner)].into_iter().collect()),
        })
    }

    #[test]
    fn levels_are_counted_and_not_the_values_beside_them() {
        let wide = Value::Array((0..300).map(|_| nested(2)).collect());
        assert!(!is_deeper_than(&wide, 3) && is_deeper_than(&wide, 2));
        assert!(!is_deeper_than(&(f64::NAN, &wide), 4) && is_deeper_than(&(f64::NAN, &wide), 3));
        let unwritten = BTreeMap::from([((1, 2), 3)]);
        assert!(is_deeper_than(&unwritten, 9), "the rest of the value may have any depth");
    }

    #[test]
    fn a_raw_value_is_made_without_parsing() {
        let json = r#"{"a":[1,"x"]}"#;
        assert!(std::ptr::eq(raw_json(json).expect("JSON").get(), json));
        let unparsed = "serde_json takes its own form, whatever is in it";
        assert_eq!(raw_json(unparsed).map(RawValue::get), Some(unparsed));
    }
}
