//! Writes an object whose first property is a list, item by item, so that the writer can stop at any item.

use serde::Serialize;
use serde_json::Value;

use super::Writer;
use crate::json::duplicate_keys::KeyFilter;
use crate::json::writer::{JsonText, WriteError};

/// An object with an open list.
pub(crate) struct ListWriter {
    writer: Writer,
    keys: KeyFilter,
    /// The slots of the object and of the list.
    object: usize,
    list: usize,
    len: usize,
    /// The state before the last item.
    before: Mark,
}

/// How far a text was written.
#[derive(Clone, Copy, Default)]
struct Mark {
    bytes: usize,
    slots: usize,
    is_incomplete: bool,
    may_have_duplicate_keys: bool,
}

impl ListWriter {
    /// Opens the object and the list.
    pub(crate) fn new(key: &str) -> Result<Self, WriteError> {
        let mut writer = Writer::new();
        let mut keys = KeyFilter::default();
        let object = writer.open(b'{').map_err(WriteError::Serialize)?;
        writer.key(key, &mut keys);
        let list = writer.open(b'[').map_err(WriteError::Serialize)?;
        Ok(Self { writer, keys, object, list, len: 0, before: Mark::default() })
    }

    /// Writes an item.
    pub(crate) fn push<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), WriteError> {
        let Writer { bytes, recorder, .. } = &mut self.writer;
        self.before = Mark {
            bytes: bytes.len(),
            slots: recorder.slots.len(),
            is_incomplete: recorder.is_incomplete,
            may_have_duplicate_keys: recorder.may_have_duplicate_keys,
        };
        if self.len > 0 {
            bytes.push(b',');
        }
        self.len += 1;
        let result = item.serialize(&mut self.writer);
        if result.is_ok() && !self.writer.has_failed {
            return Ok(());
        }
        // The errors that the writer has recorded say more than this one.
        std::mem::replace(&mut self.writer, Writer::new()).finish(result).map(drop)
    }

    /// Removes the item that was written last.
    pub(crate) fn undo(&mut self) {
        let Mark { bytes, slots, is_incomplete, may_have_duplicate_keys } = self.before;
        let Writer { bytes: text, recorder, .. } = &mut self.writer;
        text.truncate(bytes);
        recorder.slots.truncate(slots);
        recorder.is_incomplete = is_incomplete;
        recorder.may_have_duplicate_keys = may_have_duplicate_keys;
        self.len -= 1;
    }

    /// Returns the text so far.
    pub(crate) fn text(&self) -> &[u8] {
        &self.writer.bytes
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Closes the list, writes more properties, and closes the object.
    pub(crate) fn finish(self, properties: &[(&str, Value)]) -> Result<JsonText, WriteError> {
        let Self { mut writer, mut keys, object, list, len, .. } = self;
        writer.bytes.push(b']');
        writer.levels -= 1;
        writer.recorder.close_array(list, len);
        for (key, value) in properties {
            writer.bytes.push(b',');
            writer.key(key, &mut keys);
            writer.part(value).map_err(WriteError::Serialize)?;
        }
        writer.bytes.push(b'}');
        writer.levels -= 1;
        writer.recorder.close_object(object, 1 + properties.len());
        writer.finish(Ok(()))
    }
}

impl Writer {
    fn key(&mut self, key: &str, keys: &mut KeyFilter) {
        let span = self.quote(key);
        self.recorder.key(span, Some(key), keys);
        self.bytes.push(b':');
    }
}
