//! The numbers of a document, and exact arithmetic on them: comparison and `multipleOf`.

use std::cmp::Ordering;

use serde_json::Number;

/// A number in one of three representations. `serde_json` distinguishes the same three, but its `Number` hides them.
///
/// ```
/// use mcp_tool_schema::json::number::Numeral;
///
/// assert_eq!(Numeral::parse("-3"), Some(Numeral::Signed(-3)));
/// assert_eq!(Numeral::parse("3.0").and_then(Numeral::integer), Some(3));
/// assert_eq!(Numeral::parse("1e999"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Numeral {
    /// An integer of 0 or more.
    Unsigned(u64),
    /// A negative integer.
    Signed(i64),
    /// `-0`, a number that was written with a fraction or an exponent, or an integer that does not fit in 64 bits.
    /// Always finite.
    Float(f64),
}

/// 2^53. Up to here, a float represents every integer exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

impl Numeral {
    /// Parses a number in JSON syntax. Returns `None` if the number is too large for a float.
    #[inline]
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(number) = text.parse() {
            return Some(Self::Unsigned(number));
        }
        match text.parse() {
            // Take only negative integers. `-0` becomes a float, because an integer has no negative zero.
            Ok(number @ ..0) => Some(Self::Signed(number)),
            _ => text.parse().ok().filter(|float: &f64| float.is_finite()).map(Self::Float),
        }
    }

    /// Returns the number as an integer, even if it was written as `3.0`. Returns `None` if it is not an integer.
    ///
    /// Floats beyond 2^53 are not integers here, since such a float represents several integers.
    pub fn integer(self) -> Option<i128> {
        match whole(self) {
            Ok(integer) => Some(integer),
            #[expect(clippy::cast_possible_truncation, reason = "an integral float up to 2^53")]
            Err(float) if float.fract() == 0.0 && float.abs() <= MAX_EXACT => Some(float as i128),
            Err(_) => None,
        }
    }

    /// Returns `true` for an integer that neither `i64` nor `u64` can hold. `serde_json` reads it as a float.
    pub fn is_beyond_64_bits(self) -> bool {
        matches!(self, Self::Float(number) if number.fract() == 0.0) && matches!(self.unified(), Self::Float(_))
    }

    /// Converts a `serde_json` number. Returns `None` if the number is too large for a float.
    pub fn read(number: &Number) -> Option<Self> {
        match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Some(Self::Unsigned(number)),
            (None, Some(number)) => Some(Self::Signed(number)),
            (None, None) => number.as_f64().filter(|number| number.is_finite()).map(Self::Float),
        }
    }

    /// Returns the result of [`integer`](Self::integer) as a `Numeral`. Only a float such as `3.0` changes.
    pub fn to_integer(self) -> Option<Self> {
        self.integer().and_then(Self::of_integer)
    }

    /// Returns the form that all equal numbers share: a float that equals a 64-bit integer becomes that integer.
    pub(crate) fn unified(self) -> Self {
        match self {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "what 128 bits do not hold, 64 bits do not hold either"
            )]
            Self::Float(number) if number.fract() == 0.0 => Self::of_integer(number as i128).unwrap_or(self),
            _ => self,
        }
    }

    fn of_integer(integer: i128) -> Option<Self> {
        u64::try_from(integer).map(Self::Unsigned).or_else(|_| i64::try_from(integer).map(Self::Signed)).ok()
    }

    /// Converts the number to a `serde_json` number.
    pub fn to_json(self) -> Number {
        match self {
            Self::Unsigned(number) => number.into(),
            Self::Signed(number) => number.into(),
            // The float is always finite, so the fallback to 0 is never used.
            Self::Float(number) => Number::from_f64(number).unwrap_or_else(|| 0.into()),
        }
    }
}

/// Compares two numbers by their exact values, even a 64-bit integer with a float.
pub(crate) fn compare(left: Numeral, right: Numeral) -> Ordering {
    match (whole(left), whole(right)) {
        (Ok(left), Ok(right)) => left.cmp(&right),
        (Err(left), Err(right)) => left.partial_cmp(&right).unwrap_or(Ordering::Equal),
        (Ok(left), Err(right)) => compare_whole(left, right),
        (Err(left), Ok(right)) => compare_whole(right, left).reverse(),
    }
}

/// Returns `Ok` with the value of an [`Unsigned`](Numeral::Unsigned) or [`Signed`](Numeral::Signed) number, or `Err`
/// with a float.
fn whole(number: Numeral) -> Result<i128, f64> {
    match number {
        Numeral::Unsigned(number) => Ok(number.into()),
        Numeral::Signed(number) => Ok(number.into()),
        Numeral::Float(number) => Err(number),
    }
}

/// Compares a 64-bit integer with a float.
fn compare_whole(left: i128, right: f64) -> Ordering {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "what 128 bits do not hold becomes their largest or smallest integer"
    )]
    let truncated = right.trunc() as i128;
    left.cmp(&truncated).then_with(|| 0.0_f64.partial_cmp(&right.fract()).unwrap_or(Ordering::Equal))
}

/// Returns `true` if `number` divided by `divisor` is an integer. A float counts as the shortest decimal that denotes
/// it, so `0.3` is a multiple of `0.1`. The divisor must be positive.
pub(crate) fn is_multiple_of(number: Numeral, divisor: Numeral) -> bool {
    match (whole(number), whole(divisor)) {
        (Ok(number), Ok(divisor)) => number % divisor == 0,
        _ => Decimal::of(number).is_multiple_of(Decimal::of(divisor)),
    }
}

/// The number `digits * 10^exponent`.
#[derive(Clone, Copy)]
struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Decimal {
    /// Reads the shortest decimal that denotes the number, without its sign.
    fn of(number: Numeral) -> Self {
        let text = match whole(number) {
            Ok(integer) => return Self { digits: integer.unsigned_abs(), exponent: 0 },
            Err(float) => format!("{:e}", float.abs()),
        };
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.bytes().chain(fraction.bytes()).fold(0, |sum, digit| sum * 10 + u128::from(digit - b'0'));
        let places = i32::try_from(fraction.len()).unwrap_or(0);
        Self { digits, exponent: exponent.parse().unwrap_or(0) - places }
    }

    /// Returns `true` if the number divided by `divisor` is an integer. The digits of a float (at most 17) and those of
    /// an integer fit in 64 bits, so the products that are not checked fit in 128 bits.
    fn is_multiple_of(self, divisor: Self) -> bool {
        let shift = self.exponent - divisor.exponent;
        if shift >= 0 {
            let zeros = power_of_ten(shift.unsigned_abs(), divisor.digits);
            return (self.digits % divisor.digits * zeros).is_multiple_of(divisor.digits);
        }
        // If the scaled divisor does not fit into 128 bits, it is larger than the number. Then only 0 is a multiple of
        // it.
        let divisor = 10_u128.checked_pow(shift.unsigned_abs()).and_then(|zeros| zeros.checked_mul(divisor.digits));
        divisor.map_or(self.digits == 0, |divisor| self.digits.is_multiple_of(divisor))
    }
}

/// Returns the remainder of `10^exponent` divided by `modulus`, computed by repeated squaring.
fn power_of_ten(mut exponent: u32, modulus: u128) -> u128 {
    let (mut power, mut square) = (1 % modulus, 10 % modulus);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * square % modulus;
        }
        square = square * square % modulus;
        exponent /= 2;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_exactly() {
        let float = Numeral::Float;
        for (left, right, expected) in [
            (Numeral::Unsigned(u64::MAX), float(18_446_744_073_709_551_616.0), Ordering::Less),
            (Numeral::Unsigned(9_007_199_254_740_993), float(9_007_199_254_740_992.0), Ordering::Greater),
            (Numeral::Signed(-3), float(-2.5), Ordering::Less),
            (Numeral::Signed(-2), float(-2.5), Ordering::Greater),
            (Numeral::Unsigned(3), float(3.0), Ordering::Equal),
            (Numeral::Unsigned(3), float(3.5), Ordering::Less),
            (float(1e300), Numeral::Signed(-1), Ordering::Greater),
            (float(1e300), Numeral::Unsigned(u64::MAX), Ordering::Greater),
            (float(-1e300), Numeral::Signed(i64::MIN), Ordering::Less),
            (float(0.0), float(-0.0), Ordering::Equal),
        ] {
            assert_eq!(compare(left, right), expected, "{left:?} {right:?}");
            assert_eq!(compare(right, left), expected.reverse(), "{right:?} {left:?}");
        }
    }

    #[test]
    fn multiples_are_decimal() {
        for (number, divisor, expected) in [
            (Numeral::Float(0.3), 0.1, true),
            (Numeral::Float(1_070_468.14), 0.01, true),
            (Numeral::Float(0.35), 0.1, false),
            (Numeral::Float(0.12), 0.03, true),
            (Numeral::Float(0.25), 0.1, false),
            (Numeral::Unsigned(2), 0.4, true),
            (Numeral::Unsigned(3), 0.4, false),
            (Numeral::Unsigned(u64::MAX), 0.123_456_789_012_345_67, false),
            (Numeral::Float(1e300), 0.1, true),
            (Numeral::Float(1e-300), 0.1, false),
            (Numeral::Float(-7.5), 2.5, true),
            (Numeral::Unsigned(u64::MAX), 0.5, true),
            (Numeral::Unsigned(u64::MAX), 5.0, true),
            (Numeral::Unsigned(u64::MAX - 1), 5.0, false),
            (Numeral::Signed(-6), 3.0, true),
            (Numeral::Float(6.0), 3.0, true),
            (Numeral::Float(0.0), 3.0, true),
            (Numeral::Float(0.0), 0.5, true),
            (Numeral::Unsigned(0), 0.1, true),
            (Numeral::Unsigned(1), 0.3, false),
            (Numeral::Float(1e20), 3.0, false),
            (Numeral::Unsigned(1), 1e300, false),
            (Numeral::Unsigned(0), 1e300, true),
            (Numeral::Unsigned(30), 10.0, true),
            (Numeral::Unsigned(31), 10.0, false),
            (Numeral::Float(1e308), 0.01, true),
            (Numeral::Float(1e308), 0.03, false),
            (Numeral::Float(1.5e308), 0.03, true),
        ] {
            let divisor = Numeral::Float(divisor);
            assert_eq!(is_multiple_of(number, divisor), expected, "{number:?} {divisor:?}");
        }
        let odd = Numeral::Unsigned((1 << 53) + 1);
        assert!(is_multiple_of(odd, odd) && !is_multiple_of(Numeral::Unsigned(1 << 53), odd));
    }
}
