//! Bounds of numbers and of sizes: `minimum` to `exclusiveMaximum`, `multipleOf`, and `minLength` to `maxProperties`.
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
    side: Side,
    limit: Numeral,
    written: Value,
}

#[derive(Clone, Copy, Debug)]
enum Side {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
}

impl Bound {
    pub(super) fn compile(keyword: &str, value: &Value, place: &Place<'_>) -> Result<Self, String> {
        let side = match keyword {
            "minimum" => Side::Minimum,
            "maximum" => Side::Maximum,
            "exclusiveMinimum" => Side::ExclusiveMinimum,
            _ => Side::ExclusiveMaximum,
        };
        Ok(Self { side, limit: number(keyword, value, place)?, written: value.clone() })
    }

    /// Returns `true` if the value is not a number, or within the bound.
    #[inline]
    pub(super) fn accepts(&self, view: View<'_>) -> bool {
        view.number().is_none_or(|number| {
            let order = compare(number, self.limit);
            match self.side {
                Side::Minimum => order != Ordering::Less,
                Side::Maximum => order != Ordering::Greater,
                Side::ExclusiveMinimum => order == Ordering::Greater,
                Side::ExclusiveMaximum => order == Ordering::Less,
            }
        })
    }

    pub(super) fn message(&self) -> String {
        let written = &self.written;
        match self.side {
            Side::Minimum => format!("expected {written} or more"),
            Side::Maximum => format!("expected {written} or less"),
            Side::ExclusiveMinimum => format!("expected more than {written}"),
            Side::ExclusiveMaximum => format!("expected less than {written}"),
        }
    }
}

/// Reads the number that is the value of a keyword.
pub(super) fn number(keyword: &str, value: &Value, place: &Place<'_>) -> Result<Numeral, String> {
    let number = value.as_number().and_then(Numeral::read);
    number.ok_or_else(|| place.error(keyword, "expected a number that fits in 64 bits"))
}

/// A size that is bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::validate) enum Size {
    Characters,
    Elements,
    Properties,
}

impl Size {
    fn noun(self) -> &'static str {
        match self {
            Self::Characters => "character",
            Self::Elements => "element",
            Self::Properties => "property",
        }
    }

    /// Writes a size, such as `2 elements`.
    pub(in crate::validate) fn count(self, number: u64) -> String {
        match (number, self) {
            (1, _) => format!("1 {}", self.noun()),
            (_, Self::Properties) => format!("{number} properties"),
            _ => format!("{number} {}s", self.noun()),
        }
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

/// Compares the size of a value. Accepts a value that has no such size.
pub(super) fn is_size(view: View<'_>, size: Size, accept: impl Fn(u64) -> bool) -> bool {
    let count = match size {
        Size::Characters => view.text().map(|text| text.chars().count()),
        Size::Elements => view.elements().map(|elements| elements.len()),
        Size::Properties => view.properties().map(|properties| properties.len()),
    };
    count.is_none_or(|count| accept(count as u64))
}

/// Reads a number of characters, elements or properties. `2.0` is also one.
pub(super) fn count(value: &Value) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a count; a larger one saturates"
    )]
    value.as_u64().unwrap_or_else(|| value.as_f64().unwrap_or_default() as u64)
}
