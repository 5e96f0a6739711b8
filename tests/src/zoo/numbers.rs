//! Integers of every width, and floats.

use std::num::{NonZeroI8, NonZeroI64, NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128};

use super::{specimens, types};

types! {
    struct Small { a: u8, b: i8, c: u16, d: i16 }
    struct Medium { a: u32, b: i32 }
    struct Unsigned { a: u64, b: usize }
    struct Signed { a: i64, b: isize }
    struct Huge { a: u128, b: i128 }
    struct NonZero {
        a: NonZeroU8,
        b: NonZeroU16,
        c: NonZeroU32,
        d: NonZeroU64,
        e: NonZeroI8,
        f: NonZeroI64,
        g: Option<NonZeroU128>,
    }
    struct Floats { a: f32, b: f64 }
    struct Metres(f64);
    struct Buffered {
        #[serde(flatten)]
        small: Small,
        #[serde(flatten)]
        ratio: Ratio,
    }
    struct Ratio { single: f32, double: f64 }
}

specimens! {
    small_integers: Small;
    medium_integers: Medium;
    unsigned_integers: Unsigned;
    signed_integers: Signed;
    huge_integers: Huge, wide();
    non_zero: NonZero;
    floats: Floats;
    one_byte: u8;
    one_float: f32;
    list_of_floats: Vec<f32>;
    newtype_of_a_number: Metres;
    numbers_through_flatten: Buffered;
    truth: bool;
}
