//! The length of JSON text without the text.

use std::io::{Result, Write};

/// A writer that counts the bytes written to it.
pub(crate) struct ByteCounter(pub(crate) usize);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
