//! A number of a document.

#[cfg(feature = "validate")]
use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::Number;

/// A number as `serde_json` reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Numeral {
    Unsigned(u64),
    /// Below zero.
    Signed(i64),
    Float(f64),
}

/// Up to here a float holds every integer exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Numeral {
    /// The integer that the number is, also where it was written as `3.0`. A float beyond 2^53 may stand for several.
    pub(crate) fn integer(self) -> Option<i128> {
        match self {
            Self::Unsigned(number) => Some(number.into()),
            Self::Signed(number) => Some(number.into()),
            #[expect(clippy::cast_possible_truncation, reason = "an integral float up to 2^53")]
            Self::Float(number) if number.fract() == 0.0 && number.abs() <= EXACT => Some(number as i128),
            Self::Float(_) => None,
        }
    }

    /// Whether the number is an integer that none of 64 bits can be.
    pub(crate) fn is_beyond_64_bits(self) -> bool {
        const MOST: f64 = 18_446_744_073_709_551_616.0;
        const LEAST: f64 = -9_223_372_036_854_775_808.0;
        matches!(self, Self::Float(number) if number.fract() == 0.0 && !(LEAST..MOST).contains(&number))
    }

    pub(crate) fn from_integer(integer: i128) -> Option<Self> {
        match u64::try_from(integer) {
            Ok(number) => Some(Self::Unsigned(number)),
            Err(_) => i64::try_from(integer).ok().map(Self::Signed),
        }
    }

    pub(crate) fn to_json(self) -> Number {
        match self {
            Self::Unsigned(number) => number.into(),
            Self::Signed(number) => number.into(),
            // A number that was read from JSON is finite.
            Self::Float(number) => Number::from_f64(number).unwrap_or_else(|| 0.into()),
        }
    }
}

impl From<&Number> for Numeral {
    fn from(number: &Number) -> Self {
        match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Self::Unsigned(number),
            (None, Some(number)) => Self::Signed(number),
            (None, None) => Self::Float(number.as_f64().unwrap_or_default()),
        }
    }
}

#[cfg(feature = "validate")]
impl<'de> Deserialize<'de> for Numeral {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumeralVisitor;

        impl Visitor<'_> for NumeralVisitor {
            type Value = Numeral;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number")
            }

            fn visit_u64<E>(self, number: u64) -> Result<Numeral, E> {
                Ok(Numeral::Unsigned(number))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Numeral, E> {
                Ok(Numeral::Signed(number))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Numeral, E> {
                Ok(Numeral::Float(number))
            }
        }

        deserializer.deserialize_any(NumeralVisitor)
    }
}
