//! The length of JSON text without the text.

use std::io::{Result, Write};

use serde::Serialize;

/// Returns the length of a value as compact JSON, in bytes.
pub fn json_length<T: Serialize + ?Sized>(value: &T) -> usize {
    let mut counter = ByteCounter(0);
    // A writer that counts cannot fail.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// A writer that counts the bytes written to it.
struct ByteCounter(usize);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
