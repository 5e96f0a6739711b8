//! Writes an object whose first property is a list, item by item, so that the writer can stop at any item.

use serde::Serialize;
use serde_json::Value;

use super::Writer;
use crate::json::duplicate_keys::KeyFilter;
use crate::json::writer::{JsonText, WriteError};

/// An object with an open list.
pub struct ListWriter {
    writer: Writer,
    keys: KeyFilter,
    /// The slots of the object and of the list.
    object: usize,
    list: usize,
    len: usize,
    /// The lengths of the text and of the recording before the last item.
    before: (usize, (usize, usize)),
}

impl ListWriter {
    /// Opens the object and the list.
    pub fn new(key: &'static str) -> Result<Self, WriteError> {
        let mut writer = Writer::new();
        let mut keys = KeyFilter::default();
        let object = writer.open(b'{').map_err(WriteError::Serialize)?;
        writer.key(key, &mut keys);
        let list = writer.open(b'[').map_err(WriteError::Serialize)?;
        Ok(Self { writer, keys, object, list, len: 0, before: (0, (0, 0)) })
    }

    /// Writes an item.
    pub fn push<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), WriteError> {
        let Writer { bytes, recording, .. } = &mut self.writer;
        self.before = (bytes.len(), recording.length());
        if self.len > 0 {
            bytes.push(b',');
        }
        self.len += 1;
        let result = item.serialize(&mut self.writer);
        if result.is_ok() && !self.writer.lacks_parts() {
            return Ok(());
        }
        // The errors that the writer has recorded say more than this one.
        std::mem::replace(&mut self.writer, Writer::new()).finish(result).map(drop)
    }

    /// Removes the item that was written last.
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
    pub fn len(&self) -> usize {
        self.len
    }

    /// Closes the list, writes more properties, and closes the object.
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
