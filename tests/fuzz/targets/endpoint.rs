//! Whole HTTP requests to the endpoint: a request line, headers, an empty line and a body, without the strictness of a parser
//! of HTTP. Every request is answered with a complete message, whatever the frames of its body, and none from another host.
#![no_main]

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};

use bytes::Bytes;
use fuzz::served::{TOOLS, block_on, check_message};
use http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri};
use http_body::Frame;
use http_body_util::BodyExt as _;
use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::http::Endpoint;
use tower_service::Service as _;

static ENDPOINT: LazyLock<Endpoint> = LazyLock::new(|| Endpoint::new(TOOLS.clone()).with_max_body_bytes(1 << 20));

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let Some(request) = parse(rest) else { return };
    let whole = answer(&request, usize::MAX, None);
    let parts = answer(&request, usize::from(*first).max(1), None);
    assert_eq!(whole, parts, "the frames of a body change its answer");
    if whole.0.is_success() {
        let (status, _) = answer(&request, usize::MAX, Some("evil.example"));
        assert_eq!(status, StatusCode::FORBIDDEN);
    }
});

struct Parsed {
    method: Method,
    uri: Uri,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

fn parse(data: &[u8]) -> Option<Parsed> {
    let mut body = data;
    let mut line = || {
        let end = body.iter().position(|byte| *byte == b'\n').unwrap_or(body.len());
        let line = body[..end].strip_suffix(b"\r").unwrap_or(&body[..end]);
        body = body.get(end + 1..).unwrap_or_default();
        line
    };
    let mut words = line().split(|byte| *byte == b' ');
    let method = Method::from_bytes(words.next()?).ok()?;
    let uri = Uri::try_from(words.next()?).ok()?;
    let mut headers = Vec::new();
    loop {
        let line = line();
        if line.is_empty() {
            break;
        }
        let colon = line.iter().position(|byte| *byte == b':')?;
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
        headers.push((HeaderName::from_bytes(&line[..colon]).ok()?, value));
    }
    Some(Parsed { method, uri, headers, body: Bytes::copy_from_slice(body) })
}

/// Returns the status and the body of the answer, whose messages are checked.
fn answer(parsed: &Parsed, frame: usize, host: Option<&str>) -> (StatusCode, Bytes) {
    let frames = parsed.body.chunks(frame).map(|chunk| parsed.body.slice_ref(chunk)).collect();
    let mut request = Request::new(Frames(frames));
    *request.method_mut() = parsed.method.clone();
    *request.uri_mut() = parsed.uri.clone();
    for (name, value) in &parsed.headers {
        request.headers_mut().append(name, value.clone());
    }
    if let Some(host) = host {
        request.headers_mut().insert("host", HeaderValue::from_str(host).expect("a header"));
    }
    let (parts, body) = block_on(async {
        let response = ENDPOINT.clone().call(request).await.unwrap_or_else(|never| match never {});
        let (parts, body) = response.into_parts();
        (parts, body.collect().await.expect("a body").to_bytes())
    });
    match parts.headers.get("content-type").map(HeaderValue::as_bytes) {
        Some(b"application/json") => drop(check_message(&body)),
        Some(b"text/event-stream") => {
            let text = std::str::from_utf8(&body).expect("UTF-8");
            for event in text.strip_suffix("\n\n").expect("a whole event").split("\n\n") {
                let data = event.strip_prefix("event: message\ndata: ").expect("an event");
                assert!(!data.contains(['\n', '\r']), "{data}");
                check_message(data.as_bytes());
            }
        }
        other => assert_eq!((other, parts.status, body.len()), (None, StatusCode::ACCEPTED, 0)),
    }
    (parts.status, body)
}

/// A body in several frames.
struct Frames(VecDeque<Bytes>);

impl http_body::Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|bytes| Ok(Frame::data(bytes))))
    }
}
