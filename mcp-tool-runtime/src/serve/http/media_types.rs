//! Media types: `Content-Type` of the request, and `Accept`.

use ::http::HeaderMap;
use ::http::header::{ACCEPT, CONTENT_TYPE};

/// The media types that a client accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    /// Reads the `Accept` header. Without it, a client accepts only JSON.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(ACCEPT) {
            return Self { json: true, events: false };
        }
        let ranges: Vec<_> = headers
            .get_all(ACCEPT)
            .into_iter()
            .flat_map(|value| value.to_str().unwrap_or_default().split(','))
            .map(|range| range.split_once(';').unwrap_or((range, "")))
            .map(|(range, parameters)| (range.trim(), !is_refusal(parameters)))
            .collect();
        // The most specific range that matches a type decides.
        let accepts = |most_specific_first: [&str; 3]| {
            most_specific_first.into_iter().find_map(|name| {
                let mut matching = ranges.iter().filter(|(range, _)| range.eq_ignore_ascii_case(name)).peekable();
                matching.peek().is_some().then(|| matching.any(|(_, accepted)| *accepted))
            })
        };
        Self {
            json: accepts(["application/json", "application/*", "*/*"]).unwrap_or_default(),
            events: accepts(["text/event-stream", "text/*", "*/*"]).unwrap_or_default(),
        }
    }
}

/// Returns `true` for `q=0`, which means "not accepted".
fn is_refusal(parameters: &str) -> bool {
    parameters.split(';').any(|parameter| {
        let Some((name, weight)) = parameter.split_once('=') else { return false };
        name.trim().eq_ignore_ascii_case("q") && weight.trim().parse() == Ok(0.0_f32)
    })
}

/// Returns `true` if the `Content-Type` is JSON.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
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
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, header.parse().expect("a header"))]);
            assert_eq!(Accepts::of(&headers), Accepts { json, events }, "{header}");
        }
        assert_eq!(Accepts::of(&HeaderMap::new()), Accepts { json: true, events: false });
    }
}
