//! Edge values, on which readers are known to differ.

use fastrand::Rng;
use serde_json::{Number, Value, json};

use super::pick;

/// Returns a number near the limits of an integer type, or an integer in another notation.
pub(super) fn number(rng: &mut Rng) -> Value {
    const INTEGERS: [i128; 12] =
        [0, 1, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 53, 1 << 62, 1 << 63, 1 << 64];
    const FLOATS: [f64; 22] = [
        0.0,
        -0.0,
        0.5,
        1.0,
        1.5,
        -2.0,
        255.0,
        256.0,
        255.5,
        4_294_967_295.0,
        9_007_199_254_740_992.0,
        9_007_199_254_740_994.0,
        -9_223_372_036_854_775_808.0,
        18_446_744_073_709_551_616.0,
        1e20,
        1e300,
        -1e300,
        3.402_823_466_385_288_6e38,
        3.5e38,
        -3.5e38,
        5e-324,
        1e-7,
    ];
    match rng.u8(..4) {
        0 => json!(pick(rng, &FLOATS)),
        1 => json!(rng.i64(-300..300)),
        2 => integer(i128::from(rng.i64(..)) >> rng.u32(..64)),
        _ => {
            let edge = pick(rng, &INTEGERS) + i128::from(rng.i8(-2..=1));
            integer(if rng.bool() { edge } else { -edge })
        }
    }
}

/// Returns an integer as `serde_json` reads it. Beyond 64 bits it is a float.
#[expect(clippy::cast_precision_loss, reason = "serde_json rounds too")]
pub(super) fn integer(integer: i128) -> Value {
    match (u64::try_from(integer), i64::try_from(integer)) {
        (Ok(number), _) => number.into(),
        (_, Ok(number)) => number.into(),
        _ => Number::from_f64(integer as f64).map_or(Value::Null, Value::Number),
    }
}

/// Strings that some readers accept as another type and others do not.
pub(super) const TEXTS: [&str; 92] = [
    "",
    " ",
    "a",
    "A",
    "ab",
    "abc",
    "é",
    "e\u{301}",
    "ß",
    "ÿ",
    "😀",
    "\u{0}",
    "\u{ffff}",
    "\n",
    "a\n",
    "0",
    "1",
    "-1",
    "+1",
    "-0",
    "00",
    "01",
    "-01",
    "1.0",
    "1e2",
    " 1",
    "1 ",
    "١",
    "1٢",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "-32769",
    "32768",
    "65535",
    "65536",
    "2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "true",
    "false",
    "True",
    "null",
    "NaN",
    "Infinity",
    "__proto__",
    "constructor",
    "toString",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:65536",
    "01.2.3.4",
    "256.1.1.1",
    "::1",
    "::",
    "[::1]:80",
    "::ffff:1.2.3.4",
    "fe80::1%eth0",
    "1:2:3:4:5:6:7:8:9",
    "2024-02-29",
    "2023-02-29",
    "2024-02-29T10:00:00Z",
    "2024-02-29t10:00:00z",
    "2024-02-29 10:00:00Z",
    "2024-02-29T10:00:00",
    "2024-02-29T23:59:60Z",
    "2024-02-29T24:00:00Z",
    "2024-02-29T10:00:00.123456789+24:00",
    "2024-02-29T10:00Z",
    "10:00:00",
    "10:00",
    "10:00:60",
    "23:59:60",
    "24:00:00",
    "550e8400-e29b-41d4-a716-446655440000",
    "550E8400-E29B-41D4-A716-446655440000",
    "550e8400e29b41d4a716446655440000",
    "urn:uuid:550e8400-e29b-41d4-a716-446655440000",
    "{550e8400-e29b-41d4-a716-446655440000}",
    "http://a.example/b?c#d",
];
