//! Reads lines of limited length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// Reads line by line. Dropping the future of [`next`](Self::next) loses nothing: a partial line is kept.
pub(super) struct Lines<R> {
    reader: R,
    max_bytes: usize,
    line: Vec<u8>,
    /// The current line is too long, and its rest is skipped.
    too_long: bool,
}

/// The next line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Message(Vec<u8>),
    TooLong,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, max_bytes: usize) -> Self {
        Self { reader, max_bytes, line: Vec::new(), too_long: false }
    }

    /// Returns the next line without its line break. The end of the input ends a line too.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let chunk = match self.reader.fill_buf().await {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                return Ok((self.too_long || !self.line.is_empty()).then(|| self.take()));
            }
            let end = memchr::memchr(b'\n', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            if part.len() > self.max_bytes.saturating_sub(self.line.len()) {
                self.too_long = true;
                self.line = Vec::new();
            }
            if !self.too_long {
                self.line.extend_from_slice(part);
            }
            let read = part.len() + usize::from(end.is_some());
            self.reader.consume(read);
            if end.is_some() {
                return Ok(Some(self.take()));
            }
        }
    }

    fn take(&mut self) -> Line {
        if std::mem::take(&mut self.too_long) { Line::TooLong } else { Line::Message(std::mem::take(&mut self.line)) }
    }
}
