//! Calls over the transports of this library and of the floor.

use std::convert::Infallible;
use std::fmt::Debug;
use std::future::{Ready as Done, ready};
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll};

use bench_workloads::driven::piped;
use bench_workloads::http::{HttpRequest, body, requests as http_requests};
use bench_workloads::serve::Ready;
use bench_workloads::{Workload, requests};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response};
use http_body_util::{BodyExt as _, Full};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::stdio;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tower_service::Service;

use crate::library::{dispatcher, finished};

struct Messages {
    protocol: Protocol,
    message: Vec<u8>,
}

impl Messages {
    fn call(&self) -> Vec<u8> {
        finished(pin!(self.protocol.answer(&self.message))).expect("a request has a response")
    }
}

impl Ready for Messages {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            black_box(self.call());
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.call()
    }
}

/// Returns the protocol without a transport, prepared for calls with one message.
pub(crate) fn messages(workload: Workload, exact: bool) -> Box<dyn Ready> {
    let protocol = Protocol::new(dispatcher(workload, exact));
    Box::new(Messages { protocol, message: requests::message(workload) })
}

/// A tower service, and requests for it.
struct Http<S> {
    workload: Workload,
    service: S,
    stock: Vec<HttpRequest>,
}

impl<S, B> Http<S>
where
    S: Service<HttpRequest, Response = Response<B>, Error = Infallible>,
    B: http_body_util::BodyExt,
    B::Data: Into<Bytes>,
    B::Error: Debug,
{
    fn call(&mut self, request: HttpRequest) -> Bytes {
        let Ok(response) = finished(pin!(self.service.call(request)));
        finished(pin!(body(response)))
    }
}

impl<S, B> Ready for Http<S>
where
    S: Service<HttpRequest, Response = Response<B>, Error = Infallible>,
    B: http_body_util::BodyExt,
    B::Data: Into<Bytes>,
    B::Error: Debug,
{
    fn stock(&mut self, calls: u64) {
        self.stock = http_requests(self.workload, calls);
    }

    fn is_stocked(&self) -> bool {
        true
    }

    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            let request = self.stock.pop().expect("enough requests");
            black_box(self.call(request));
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        let request = http_requests(self.workload, 1).remove(0);
        self.call(request).into()
    }
}

/// Returns a tower service, prepared for a workload.
pub(crate) fn http<S, B>(workload: Workload, service: S) -> Box<dyn Ready>
where
    S: Service<HttpRequest, Response = Response<B>, Error = Infallible> + 'static,
    B: http_body_util::BodyExt + 'static,
    B::Data: Into<Bytes>,
    B::Error: Debug,
{
    Box::new(Http { workload, service, stock: Vec::new() })
}

/// Returns the endpoint of this library.
pub(crate) fn endpoint(workload: Workload, exact: bool) -> Box<dyn Ready> {
    http(workload, Endpoint::new(dispatcher(workload, exact)))
}

/// Returns the server of this library on a pipe.
pub(crate) fn stdio(workload: Workload, exact: bool) -> Box<dyn Ready> {
    piped(requests::message(workload), move |pipe| {
        let (input, output) = tokio::io::split(pipe);
        tokio::spawn(stdio::Server::new(dispatcher(workload, exact)).serve_on(input, output));
    })
}

type Call = fn(&[u8]) -> Result<Vec<u8>, serde_json::Error>;

/// A hand-written service for one tool. It checks the method, the media type and the version, and compares no other header.
pub(crate) struct Floor(Call);

impl Floor {
    pub(crate) fn new(call: Call) -> Self {
        Self(call)
    }
}

fn is(headers: &HeaderMap, name: &'static str, value: &[u8]) -> bool {
    headers.get(name).is_some_and(|found| found.as_bytes() == value)
}

impl Service<HttpRequest> for Floor {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Done<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequest) -> Self::Future {
        let (parts, body) = request.into_parts();
        assert_eq!(parts.method, Method::POST);
        assert!(is(&parts.headers, "content-type", b"application/json"));
        assert!(is(&parts.headers, "mcp-protocol-version", b"2026-07-28"));
        let body = finished(pin!(body.collect())).expect("a body").to_bytes();
        let answer = (self.0)(&body).expect("a valid request");
        let mut response = Response::new(Full::from(answer));
        response.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
        ready(Ok(response))
    }
}

/// Returns a hand-written loop over the lines of a pipe.
pub(crate) fn floor_on_stdio(workload: Workload, call: Call) -> Box<dyn Ready> {
    piped(requests::message(workload), move |pipe| {
        let (input, mut output) = tokio::io::split(pipe);
        tokio::spawn(async move {
            let (mut input, mut line) = (BufReader::new(input), Vec::new());
            while input.read_until(b'\n', &mut line).await.is_ok_and(|length| length > 0) {
                let mut answer = call(&line).expect("a valid request");
                answer.push(b'\n');
                output.write_all(&answer).await.expect("a pipe");
                line.clear();
            }
        });
    })
}
