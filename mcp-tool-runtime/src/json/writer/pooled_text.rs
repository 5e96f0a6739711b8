//! A string whose memory is reused for the next one that its thread writes.

use std::cell::Cell;

use crate::json::buffer_pool;

thread_local! {
    static POOL: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// JSON text in a buffer from the pool.
#[derive(Debug, Clone)]
pub(super) struct PooledText(String);

impl PooledText {
    /// The capacity of a new buffer, enough for most values.
    const CAPACITY: usize = 128;

    /// Takes a buffer to write a text to.
    pub(super) fn buffer() -> Vec<u8> {
        let mut bytes = buffer_pool::take(&POOL);
        bytes.reserve(Self::CAPACITY);
        bytes
    }

    /// Wraps what `serde_json` has written to a buffer. It writes only UTF-8.
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, serde_json::Error> {
        let bytes = buffer_pool::shrink(&POOL, bytes);
        String::from_utf8(bytes).map(Self).map_err(serde::ser::Error::custom)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for PooledText {
    fn drop(&mut self) {
        // A clone has just the capacity that it needs, which is too little for the next text.
        if self.0.capacity() >= Self::CAPACITY {
            buffer_pool::put_back(&POOL, std::mem::take(&mut self.0).into_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_does_not_hold_the_buffer_of_a_long_one() {
        let text = |content: &str| {
            let mut bytes = PooledText::buffer();
            bytes.extend_from_slice(content.as_bytes());
            PooledText::new(bytes).expect("UTF-8")
        };
        drop(text(&"long".repeat(4_000)));
        let held: Vec<_> = (0..3).map(|_| text("short")).collect();
        for text in &held {
            assert!(text.0.capacity() <= 4_096, "{}", text.0.capacity());
        }
        // The next long text still finds the large buffer.
        assert!(buffer_pool::take(&POOL).capacity() > 4_096);
    }

    #[test]
    fn the_next_text_is_written_to_the_memory_of_a_dropped_one() {
        let mut bytes = PooledText::buffer();
        bytes.extend_from_slice(b"text");
        let text = PooledText::new(bytes).expect("UTF-8");
        let address = text.as_str().as_ptr();
        drop(text);
        let next = PooledText::buffer();
        assert_eq!((next.as_ptr(), next.len()), (address, 0));
    }
}
