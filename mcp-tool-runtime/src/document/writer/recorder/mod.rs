//! Records the structure of a value while it is written, so that its output schema can be checked without parsing the text
//! again.
//!
//! When the text is parsed again instead, a call of the benchmark `search` takes 17 % more instructions, one of `order` 7 %, and
//! one of `text` 53 %. To measure it again, let `Recording::with_document` and `Recording::has_null` return `None`, write with
//! `serde_json::to_writer`, and run `python3 tests/bench/bench.py budget`.

use std::cell::Cell;

use serde::Serialize;
use serde_json::ser::Serializer;

use super::depth::DepthLimit;
use super::pooled_text::PooledText;

mod formatter;
mod recording;
#[cfg(test)]
mod tests;

use formatter::{CountedBuffer, Recorder};
pub(super) use recording::Recording;

/// Writes a value as compact JSON.
pub(super) fn write<T: Serialize + ?Sized>(
    value: &T,
    limit: DepthLimit<'_>,
) -> Result<(PooledText, Recording), serde_json::Error> {
    let written = Cell::new(0);
    let mut buffer = CountedBuffer { bytes: PooledText::buffer(), written: &written };
    let mut recorder = Recorder::new(&written, limit);
    value.serialize(&mut Serializer::with_formatter(&mut buffer, &mut recorder))?;
    let Some(recording) = recorder.finish() else {
        return Err(serde::ser::Error::custom("`Serialize` ignored an error: a part of the value is missing"));
    };
    Ok((PooledText::new(buffer.bytes)?, recording))
}
