//! Bounds on numbers, such as `minimum`, and on sizes, such as `maxLength` and `minProperties`. Also `multipleOf`.
//!
//! Numbers are compared exactly, even a 64-bit integer with a float.

use std::cmp::Ordering;

use serde_json::Value;

use crate::json::number::{Numeral, compare};
use crate::json::tape::View;
use crate::validate::compile::Place;

/// A bound on a number.
#[derive(Debug)]
pub(in crate::validate) struct Bound {
    limit: Numeral,
    /// Takes how a number compares to the limit, and returns `true` if the number is within the bound.
    is_met: fn(Ordering) -> bool,
    pub(super) message: String,
}

impl Bound {
    pub(super) fn compile(keyword: &str, value: &Value, place: &Place<'_>) -> Result<Self, String> {
        let (is_met, message): (fn(Ordering) -> bool, _) = match keyword {
            "minimum" => (Ordering::is_ge, format!("expected {value} or more")),
            "maximum" => (Ordering::is_le, format!("expected {value} or less")),
            "exclusiveMinimum" => (Ordering::is_gt, format!("expected more than {value}")),
            _ => (Ordering::is_lt, format!("expected less than {value}")),
        };
        Ok(Self { limit: number(keyword, value, place)?, is_met, message })
    }

    /// Returns `true` if the value is not a number, or is within the bound.
    #[inline]
    pub(super) fn accepts(&self, view: View<'_>) -> bool {
        view.number().is_none_or(|number| (self.is_met)(compare(number, self.limit)))
    }
}

/// Reads the number that is the value of a keyword.
pub(super) fn number(keyword: &str, value: &Value, place: &Place<'_>) -> Result<Numeral, String> {
    let number = value.as_number().and_then(Numeral::read);
    number.ok_or_else(|| place.error(keyword, "expected a number that fits in 64 bits"))
}

/// What a bound on a size counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::validate) enum Size {
    Characters,
    Elements,
    Properties,
}

impl Size {
    /// Writes a size, such as `2 elements`.
    pub(in crate::validate) fn count(self, number: u64) -> String {
        let [one, several] = match self {
            Self::Characters => ["character", "characters"],
            Self::Elements => ["element", "elements"],
            Self::Properties => ["property", "properties"],
        };
        format!("{number} {}", if number == 1 { one } else { several })
    }
}

/// Returns `true` if the value is not a string, or has at least this many characters. A character takes at most four
/// bytes, so most strings need no counting.
#[inline]
pub(super) fn has_at_least(view: View<'_>, least: u64) -> bool {
    view.text_is_none_or(|text| text.len().div_ceil(4) as u64 >= least || text.chars().count() as u64 >= least)
}

/// Returns `true` if the value is not a string, or has at most this many characters.
#[inline]
pub(super) fn has_at_most(view: View<'_>, most: u64) -> bool {
    view.text_is_none_or(|text| text.len() as u64 <= most || text.chars().count() as u64 <= most)
}

/// Returns `true` if `accept` accepts the size of the value, or if the value has no such size.
pub(super) fn is_size(view: View<'_>, size: Size, accept: impl Fn(u64) -> bool) -> bool {
    let count = match size {
        Size::Characters => view.text().map(|text| text.chars().count()),
        Size::Elements => view.elements().map(|elements| elements.len()),
        Size::Properties => view.properties().map(|properties| properties.len()),
    };
    count.is_none_or(|count| accept(count as u64))
}

/// Reads a number of characters, elements or properties, which may be written as `2.0`.
pub(super) fn count(value: &Value) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a count; a larger one saturates"
    )]
    value.as_u64().unwrap_or_else(|| value.as_f64().unwrap_or_default() as u64)
}
