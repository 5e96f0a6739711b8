//! The value of `timeout = "5s"`.

use syn::LitStr;

use crate::errors::Errors;

/// Returns the timeout in milliseconds, or reports why the text is not one.
pub(crate) fn milliseconds(text: &LitStr, errors: &mut Errors) -> Option<u64> {
    let value = text.value();
    let digits = value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = value.split_at(digits);
    let factor = match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let milliseconds = factor.and_then(|factor| number.parse::<u64>().ok()?.checked_mul(factor));
    if milliseconds.is_none() {
        let help = "write a whole number and one of `ms`, `s`, `m`, `h`: `timeout = \"5s\"`";
        errors.report(text, format!("`{value}` is not a time-out"), help);
    } else if milliseconds == Some(0) {
        let message = "a time-out of zero leaves no time to answer";
        errors.report(text, message, "write a longer time-out, or remove `timeout`");
    }
    milliseconds
}
