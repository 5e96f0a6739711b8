//! Stops a value that nests too deep before its recursion overflows the stack, which would end the whole process.

use std::cell::Cell;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use serde_json::{Map, Value};

use crate::document::reader::MAX_DEPTH;

/// The limit of nesting while a value is written, and whether the value exceeded it.
#[derive(Clone, Copy)]
pub(super) struct DepthLimit<'c> {
    pub(super) is_exceeded: &'c Cell<bool>,
}

impl DepthLimit<'_> {
    /// Returns an error if a value inside `levels` arrays and objects is too deep. The error ends the serialization.
    #[inline]
    pub(super) fn check(self, levels: usize) -> io::Result<()> {
        if levels <= MAX_DEPTH { Ok(()) } else { self.exceeded() }
    }

    #[cold]
    fn exceeded(self) -> io::Result<()> {
        self.is_exceeded.set(true);
        Err(io::Error::other("too deep"))
    }
}

/// Writes compact JSON within the limit.
#[cfg(not(feature = "validate"))]
pub(super) struct LimitedFormatter<'c> {
    limit: DepthLimit<'c>,
    levels: usize,
}

#[cfg(not(feature = "validate"))]
impl<'c> LimitedFormatter<'c> {
    pub(super) fn new(limit: DepthLimit<'c>) -> Self {
        Self { limit, levels: 0 }
    }

    fn open(&mut self) -> io::Result<()> {
        self.limit.check(self.levels)?;
        self.levels += 1;
        Ok(())
    }
}

#[cfg(not(feature = "validate"))]
impl Formatter for LimitedFormatter<'_> {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open()?;
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.levels -= 1;
        writer.write_all(b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open()?;
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.levels -= 1;
        writer.write_all(b"}")
    }

    fn write_raw_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        super::compact::write(writer, fragment, self.limit, self.levels)
    }
}

/// Returns `true` if the value has more levels of nesting than this.
pub(crate) fn is_deeper_than<T: Serialize + ?Sized>(value: &T, levels: usize) -> bool {
    let mut counter = LevelCounter { left: levels, is_deeper: false };
    // An error is either that of the counter, or the value cannot be written at all.
    let _ = value.serialize(&mut Serializer::with_formatter(io::sink(), &mut counter));
    counter.is_deeper
}

/// Writes nothing, and fails below a number of levels.
struct LevelCounter {
    left: usize,
    is_deeper: bool,
}

impl LevelCounter {
    fn open(&mut self) -> io::Result<()> {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_deeper = true;
            return Err(io::Error::other("too deep"));
        };
        self.left = left;
        Ok(())
    }
}

impl Formatter for &mut LevelCounter {
    fn begin_array<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.open()
    }

    fn end_array<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.left += 1;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.open()
    }

    fn end_object<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.left += 1;
        Ok(())
    }
}

/// Returns `true` if a value is nested deeper than a result may be. It looks no further than that.
pub(crate) fn is_too_deep(value: &Value) -> bool {
    fn exceeds(value: &Value, left: usize) -> bool {
        match value {
            Value::Array(elements) => elements.iter().any(|element| left == 0 || exceeds(element, left - 1)),
            Value::Object(properties) => properties.values().any(|value| left == 0 || exceeds(value, left - 1)),
            _ => false,
        }
    }
    exceeds(value, MAX_DEPTH)
}

/// Drops values level by level. The recursion of their own `Drop` could overflow the stack.
pub(crate) fn drop_flat(values: Map<String, Value>) {
    let mut pending: Vec<_> = values.into_iter().map(|(_, value)| value).collect();
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(elements) => pending.extend(elements),
            Value::Object(properties) => pending.extend(properties.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(!is_too_deep(&wide));
        assert!(!is_too_deep(&nested(MAX_DEPTH)) && is_too_deep(&nested(MAX_DEPTH + 1)));
    }

    #[test]
    fn a_million_levels_are_dropped() {
        drop_flat([("a".to_owned(), nested(1_000_000)), ("b".to_owned(), nested(3))].into_iter().collect());
    }
}
