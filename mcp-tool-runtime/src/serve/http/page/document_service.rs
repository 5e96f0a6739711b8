//! The service that sends the document of a page alone, without a dispatcher.

use std::convert::Infallible;

use ::http::{Method, Request, Response};

use super::super::Body;
use super::super::settings::tower_service;
use super::super::sources::AllowedSources;
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

tower_service!(PageDocument, answer);

async fn answer<B>(PageDocument { sources }: PageDocument, request: Request<B>) -> Result<Response<Body>, Infallible> {
    let (parts, _) = request.into_parts();
    Ok(handle::with_headers(match sources.check_page(&parts) {
        Err(rejected) => Err(rejected.into()),
        Ok(()) if matches!(parts.method, Method::GET | Method::HEAD) => Ok(handle::document()),
        Ok(()) => Err(handle::not_allowed("GET, HEAD")),
    }))
}
