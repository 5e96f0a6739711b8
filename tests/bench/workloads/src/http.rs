//! HTTP requests and responses, without a connection.

use ::http::{Request, Response};
use bytes::Bytes;
use http_body_util::Full;

use crate::{Workload, requests};

/// A request with its whole body.
pub type HttpRequest = Request<Full<Bytes>>;

/// Returns as many requests as there are calls. They share the bytes of the body.
///
/// # Panics
///
/// Panics if a header is invalid.
#[must_use]
pub fn requests(workload: Workload, calls: u64) -> Vec<HttpRequest> {
    let body = Bytes::from(requests::message(workload));
    let one = |_| {
        let mut request = Request::post("/mcp");
        for (name, value) in requests::headers(workload) {
            request = request.header(name, value);
        }
        request.body(Full::new(body.clone())).expect("a request")
    };
    (0..calls).map(one).collect()
}

/// Reads the body of a response, as a connection does.
///
/// # Panics
///
/// Panics if the status is not 200.
pub async fn body<B: http_body_util::BodyExt>(response: Response<B>) -> Bytes
where
    B::Data: Into<Bytes>,
    B::Error: std::fmt::Debug,
{
    assert_eq!(response.status(), 200);
    response.into_body().collect().await.expect("a body").to_bytes()
}
