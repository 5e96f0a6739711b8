//! Stops a value that nests too deep before its recursion overflows the stack, which would end the whole process.

use serde::ser::Error as _;
use serde_json::{Error, Value};

use crate::json::reader::MAX_DEPTH;

/// The nesting while a value is written.
pub(super) struct DepthLimit {
    /// The most arrays and objects inside one another.
    most: usize,
    /// The number of open arrays and objects.
    pub(super) levels: usize,
    /// The value has exceeded the limit.
    pub(super) is_exceeded: bool,
}

impl DepthLimit {
    pub(super) fn new(most: usize) -> Self {
        Self { most, levels: 0, is_exceeded: false }
    }

    /// Counts an array or object that opens. Returns an error if it is too deep. The error ends the serialization.
    #[inline]
    pub(super) fn open(&mut self) -> Result<(), Error> {
        self.is_exceeded |= self.levels >= self.most;
        self.levels += 1;
        if self.is_exceeded { Err(Error::custom("too deep")) } else { Ok(()) }
    }
}

/// Returns `true` if a value is nested deeper than a result may be. It looks no further than that.
pub fn is_too_deep(value: &Value) -> bool {
    fn exceeds(value: &Value, left: usize) -> bool {
        match value {
            Value::Array(elements) => elements.iter().any(|element| left == 0 || exceeds(element, left - 1)),
            Value::Object(properties) => properties.values().any(|value| left == 0 || exceeds(value, left - 1)),
            _ => false,
        }
    }
    exceeds(value, MAX_DEPTH)
}

#[cfg(test)]
mod tests {
    use super::super::is_deeper_than;
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
        assert!(is_deeper_than(&(f64::NAN, &wide), 3));
        assert!(!is_too_deep(&wide));
        assert!(!is_too_deep(&nested(MAX_DEPTH)) && is_too_deep(&nested(MAX_DEPTH + 1)));
    }
}
