//! The service that sends the document of a page alone, without a dispatcher.

use std::convert::Infallible;
use std::task::{Context, Poll};

use ::http::{Method, Request, Response};

use super::super::sources::AllowedSources;
use super::super::{Body, ResponseFuture};
use super::handle;

/// The document of a [`Page`](super::Page) alone, returned by [`Page::document`](super::Page::document): a `tower::Service`.
///
/// It has no dispatcher, so it cannot reveal or call a tool. It answers `GET` and `HEAD`, and checks the host like the page.
///
/// ```
/// use mcp_tool_runtime::{http::Page, Dispatcher};
/// use tower_service::Service;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut document = Page::new(Dispatcher::builder().build()?).document();
/// let response = document.call(http::Request::get("http://localhost/").body(String::new())?).await?;
/// assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
/// let response = document.call(http::Request::post("http://localhost/").body(String::new())?).await?;
/// assert_eq!(response.status(), 405);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct PageDocument {
    pub(super) sources: AllowedSources,
}

impl<B> tower_service::Service<Request<B>> for PageDocument
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture {
        let Self { sources } = self.clone();
        let (parts, _) = request.into_parts();
        Box::pin(async move {
            let is_read = matches!(parts.method, Method::GET | Method::HEAD);
            let answer = match sources.find_error_of_page(&parts) {
                Some(text) => Err(handle::forbidden(text)),
                None if is_read => Ok(handle::document()),
                None => Err(handle::not_allowed("GET, HEAD")),
            };
            Ok(handle::with_headers(answer))
        })
    }
}
