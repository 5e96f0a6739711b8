//! The numbers of a document.

use serde_json::Number;

/// A number in one of the three representations that `serde_json` distinguishes and its `Number` hides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Numeral {
    Unsigned(u64),
    /// A negative integer.
    Signed(i64),
    Float(f64),
}

/// 2^53: up to here a float represents every integer exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

impl Numeral {
    /// Parses a number in the syntax of JSON; `None` if no float can hold it.
    #[inline]
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(number) = text.parse() {
            return Some(Self::Unsigned(number));
        }
        match text.parse() {
            // `-0` is a float, because an integer has no negative zero.
            Ok(number @ ..0) => Some(Self::Signed(number)),
            _ => text.parse().ok().filter(|float: &f64| float.is_finite()).map(Self::Float),
        }
    }

    /// Returns the number as an integer, even if it was written as `3.0`.
    ///
    /// Floats beyond 2^53 are not integers here, since such a float represents several integers (rule I3).
    pub fn integer(self) -> Option<i128> {
        match self {
            Self::Unsigned(number) => Some(number.into()),
            Self::Signed(number) => Some(number.into()),
            #[expect(clippy::cast_possible_truncation, reason = "an integral float up to 2^53")]
            Self::Float(number) if number.fract() == 0.0 && number.abs() <= MAX_EXACT => Some(number as i128),
            Self::Float(_) => None,
        }
    }

    /// Returns `true` for an integer that neither `i64` nor `u64` can hold. `serde_json` reads it as a float.
    pub fn is_beyond_64_bits(self) -> bool {
        const TWO_TO_THE_64: f64 = 18_446_744_073_709_551_616.0;
        const I64_MIN: f64 = -9_223_372_036_854_775_808.0;
        matches!(self, Self::Float(number) if number.fract() == 0.0 && !(I64_MIN..TWO_TO_THE_64).contains(&number))
    }

    /// Reads a number; `None` if no float can hold it.
    pub fn read(number: &Number) -> Option<Self> {
        match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Some(Self::Unsigned(number)),
            (None, Some(number)) => Some(Self::Signed(number)),
            (None, None) => number.as_f64().filter(|number| number.is_finite()).map(Self::Float),
        }
    }

    /// Returns the integer that the number is. Differs from the number if that was written as `3.0`.
    pub fn to_integer(self) -> Option<Self> {
        let integer = self.integer()?;
        u64::try_from(integer).map(Self::Unsigned).or_else(|_| i64::try_from(integer).map(Self::Signed)).ok()
    }

    pub fn to_json(self) -> Number {
        match self {
            Self::Unsigned(number) => number.into(),
            Self::Signed(number) => number.into(),
            // A float that was read from JSON is finite.
            Self::Float(number) => Number::from_f64(number).unwrap_or_else(|| 0.into()),
        }
    }
}

impl From<&Number> for Numeral {
    fn from(number: &Number) -> Self {
        Self::read(number).unwrap_or(Self::Float(0.0))
    }
}
