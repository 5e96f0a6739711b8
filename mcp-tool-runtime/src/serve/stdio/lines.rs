//! Lines of a stream, none longer than is allowed.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// Reads line by line; what was read of a line is kept when the reading is dropped.
pub(super) struct Lines<R> {
    reader: R,
    most: usize,
    line: Vec<u8>,
    /// The rest of the line is passed over.
    too_long: bool,
}

/// What the next line is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Message(Vec<u8>),
    TooLong,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, most: usize) -> Self {
        Self { reader, most, line: Vec::new(), too_long: false }
    }

    /// The next line, without its end; at the end of the input what is left is one as well.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let chunk = match self.reader.fill_buf().await {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                return Ok((self.too_long || !self.line.is_empty()).then(|| self.take()));
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            if part.len() > self.most.saturating_sub(self.line.len()) {
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
