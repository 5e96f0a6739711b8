//! The body of a response: one document, a stream of events, or nothing.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use ::http::header::CONTENT_TYPE;
use ::http::{HeaderValue, Response, StatusCode};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::mcp::message::replace_line_breaks;

pub(super) const JSON: &str = "application/json";

/// The body of a response from [`Endpoint`](super::Endpoint) or another service of this module: a document, an event
/// stream, or nothing.
///
/// Dropping an event stream before its end cancels the call.
///
/// This type is an `http_body::Body`, so hyper and axum can send it directly:
///
/// ```
/// use mcp_tool_runtime::{http::Endpoint, Dispatcher};
/// use tower_service::Service;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
/// let request = http::Request::post("http://localhost/mcp")
///     .header("content-type", "application/json")
///     .header("accept", "application/json, text/event-stream")
///     .body(ping.to_owned())?;
/// let response = Endpoint::new(Dispatcher::builder().build()?).call(request).await?;
/// let bytes = axum::body::to_bytes(axum::body::Body::new(response.into_body()), 1024).await?;
/// assert_eq!(bytes, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
/// # Ok(())
/// # }
/// ```
pub struct Body(Kind);

enum Kind {
    Whole(Option<Bytes>),
    Events(Events),
}

/// The progress reports of a running call, then its result.
pub(super) struct Events {
    pub(super) first: Option<Vec<u8>>,
    pub(super) reports: mpsc::Receiver<Vec<u8>>,
    /// The tokio task that runs the call. `None` once the call has ended.
    pub(super) call: Option<JoinHandle<Vec<u8>>>,
    pub(super) result: Option<Vec<u8>>,
}

impl Drop for Events {
    fn drop(&mut self) {
        // If the client closes the connection, the body is dropped before the call has ended. Cancel the call then.
        self.call.iter().for_each(JoinHandle::abort);
    }
}

impl Events {
    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(first));
        }
        if let Some(call) = &mut self.call {
            if let Poll::Ready(Some(report)) = self.reports.poll_recv(cx) {
                return Poll::Ready(Some(report));
            }
            // An aborted task has no result.
            self.result = ready!(Pin::new(call).poll(cx)).ok();
            self.call = None;
        }
        // The call has ended. Send the reports that are still waiting, and then the result.
        Poll::Ready(self.reports.try_recv().ok().or_else(|| self.result.take()))
    }
}

impl Body {
    pub(super) fn empty_response(status: StatusCode) -> Response<Self> {
        let mut response = Response::new(Self(Kind::Whole(None)));
        *response.status_mut() = status;
        response
    }

    pub(super) fn into_response(self, status: StatusCode, media_type: &'static str) -> Response<Self> {
        let mut response = Response::new(self);
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        response
    }

    pub(super) fn whole(bytes: impl Into<Bytes>) -> Self {
        Self(Kind::Whole(Some(bytes.into()).filter(|bytes| !bytes.is_empty())))
    }

    pub(super) fn events(events: Events) -> Self {
        Self(Kind::Events(events))
    }
}

/// Writes a message as an event of a stream.
pub(super) fn event(mut message: Vec<u8>) -> Vec<u8> {
    replace_line_breaks(&mut message);
    [b"event: message\ndata: ", message.as_slice(), b"\n\n"].concat()
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let data = match &mut self.get_mut().0 {
            Kind::Whole(bytes) => bytes.take(),
            Kind::Events(events) => ready!(events.poll_message(cx)).map(|message| event(message).into()),
        };
        Poll::Ready(data.map(|data| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Kind::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Kind::Events(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Kind::Whole(None) => "Body(empty)",
            Kind::Whole(Some(_)) => "Body(document)",
            Kind::Events(_) => "Body(events)",
        })
    }
}

#[cfg(test)]
mod tests {
    use http_body::Body as _;

    use super::*;

    fn events() -> Body {
        let (_, reports) = mpsc::channel(1);
        Body::events(Events { first: None, reports, call: None, result: None })
    }

    #[test]
    fn the_length_of_a_document_is_known_and_that_of_events_is_not() {
        assert_eq!(Body::whole(b"{}".to_vec()).size_hint().exact(), Some(2));
        assert_eq!(Body::whole(Vec::new()).size_hint().exact(), Some(0));
        assert_eq!(events().size_hint().exact(), None);
    }

    #[test]
    fn debug_output_names_the_kind_of_a_body_and_not_its_content() {
        let texts = [Body::whole(Vec::new()), Body::whole(b"{}".to_vec()), events()].map(|body| format!("{body:?}"));
        assert_eq!(texts, ["Body(empty)", "Body(document)", "Body(events)"]);
    }
}
