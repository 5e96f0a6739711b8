//! The media types: what a client sends, and what it takes.

use ::http::HeaderMap;
use ::http::header::{ACCEPT, CONTENT_TYPE};

/// Which forms of an answer a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    /// Without `Accept`, JSON alone: a client that says nothing reads no events.
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
        // The closest range that speaks of a type decides.
        let takes = |closest_first: [&str; 3]| {
            closest_first.into_iter().find_map(|name| {
                let mut said = ranges.iter().filter(|(range, _)| range.eq_ignore_ascii_case(name)).peekable();
                said.peek().is_some().then(|| said.any(|(_, takes)| *takes))
            })
        };
        Self {
            json: takes(["application/json", "application/*", "*/*"]).unwrap_or_default(),
            events: takes(["text/event-stream", "text/*", "*/*"]).unwrap_or_default(),
        }
    }
}

/// `q=0` says that a client does not take it.
fn is_refusal(parameters: &str) -> bool {
    parameters.split(';').any(|parameter| {
        let Some((name, weight)) = parameter.split_once('=') else { return false };
        name.trim().eq_ignore_ascii_case("q") && weight.trim().parse() == Ok(0.0_f32)
    })
}

/// Whether the body says that it is JSON.
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
    fn what_a_client_takes() {
        for (header, json, events) in [
            ("application/json, text/event-stream", true, true),
            ("*/*", true, true),
            ("text/*;q=0.5", false, true),
            ("Application/JSON;q=0, text/event-stream", false, true),
            ("text/html, application/xml", false, false),
            ("", false, false),
            // The closest range counts, wherever it stands.
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
