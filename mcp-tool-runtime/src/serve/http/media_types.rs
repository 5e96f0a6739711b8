//! Media types: `Content-Type` of the request, and `Accept`.

use ::http::header::{ACCEPT, CONTENT_TYPE};
use ::http::{HeaderMap, StatusCode};

use super::problem::Rejected;

/// The media types that a client accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    /// Reads the `Accept` header. Without it, a client accepts only JSON.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(ACCEPT).iter().peekable();
        match values.peek() {
            None => return Self { json: true, events: false },
            // What the protocol asks for, and almost every client sends.
            Some(value) if **value == "application/json, text/event-stream" => {
                return Self { json: true, events: true };
            }
            Some(_) => {}
        }
        let (mut json, mut events) = (Preference::default(), Preference::default());
        for value in values {
            // The same as for a header that is not ASCII: it lists nothing.
            let value = if value.to_str().is_ok() { value.as_bytes() } else { b"" };
            for range in value.split(|byte| *byte == b',') {
                let mut parameters = range.split(|byte| *byte == b';');
                let name = parameters.next().unwrap_or_default().trim_ascii();
                let is_accepted = !parameters.any(is_refusal);
                let specificity =
                    |names: [&[u8]; 2]| match names.iter().position(|known| name.eq_ignore_ascii_case(known)) {
                        Some(0) => 3,
                        Some(_) => 2,
                        None if name == b"*/*" => 1,
                        None => 0,
                    };
                json.add(specificity([b"application/json", b"application/*"]), is_accepted);
                events.add(specificity([b"text/event-stream", b"text/*"]), is_accepted);
            }
        }
        Self { json: json.is_accepted, events: events.is_accepted }
    }
}

/// Whether a media type is accepted. The most specific range that matches it decides.
#[derive(Default)]
struct Preference {
    specificity: u8,
    is_accepted: bool,
}

impl Preference {
    fn add(&mut self, specificity: u8, is_accepted: bool) {
        if specificity > self.specificity {
            *self = Self { specificity, is_accepted };
        } else if specificity > 0 && specificity == self.specificity {
            self.is_accepted |= is_accepted;
        }
    }
}

/// Returns `true` for `q=0`, which means "not accepted".
fn is_refusal(parameter: &[u8]) -> bool {
    let Some((name, weight)) = std::str::from_utf8(parameter).ok().and_then(|text| text.split_once('=')) else {
        return false;
    };
    name.trim().eq_ignore_ascii_case("q") && weight.trim().parse() == Ok(0.0_f32)
}

/// Refuses a request whose body is not JSON.
pub(super) fn check_json(headers: &HeaderMap) -> Result<(), Rejected> {
    let text = "the Content-Type must be application/json";
    if is_json(headers) { Ok(()) } else { Err(Rejected(StatusCode::UNSUPPORTED_MEDIA_TYPE, text.into())) }
}

/// Returns `true` if the `Content-Type` is JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let essence = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"application/json") && value.to_str().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_range_of_accept_decides() {
        for (header, json, events) in [
            ("application/json, text/event-stream", true, true),
            ("*/*", true, true),
            ("text/*;q=0.5", false, true),
            ("Application/JSON;q=0, text/event-stream", false, true),
            ("text/html, application/xml", false, false),
            ("", false, false),
            // The most specific range decides, in any order.
            ("application/json;q=0, */*", false, true),
            ("*/*, text/*; Q=0.000", true, false),
            ("text/event-stream;q=0.1, text/*;q=0, */*;q=0", false, true),
            ("*/*;q=0", false, false),
            // Of two ranges that are equally specific, one that accepts is enough.
            ("application/json;q=0, application/json", true, false),
            ("text/*, text/*;q=0", false, true),
            ("application/*;q=0, application/*;q=0", false, false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, header.parse().expect("a header"))]);
            assert_eq!(Accepts::of(&headers), Accepts { json, events }, "{header}");
        }
        assert_eq!(Accepts::of(&HeaderMap::new()), Accepts { json: true, events: false });
    }
}
