//! A web page that shows the tools of a dispatcher and calls them (feature `page`).
//!
//! [`document`] builds the page: one HTML document with its style and script, and a `Content-Security-Policy` that forbids everything
//! else. [`overview`] is what the page shows before a call. [`handle`] answers the requests of the page, and [`document_service`] the
//! first of them without a dispatcher.

mod document;
mod document_service;
mod handle;
mod overview;
#[cfg(feature = "lint")]
mod report;

use std::sync::{Arc, OnceLock};

use super::settings::{Settings, settings_methods, tower_service};
use crate::Dispatcher;
pub use document_service::PageDocument;
use overview::Report;

/// A web page to look at the tools of a dispatcher and to try them: a `tower::Service`.
///
/// The page lists the tools with their descriptions, hints and tags. With the feature `lint`, it also shows their sizes, and what known
/// clients would refuse or drop. For each tool it makes a form from the input schema, calls the tool, and shows its progress, its result
/// or its error, with each invalid argument at its field. It shows the questions of a tool as dialogs (feature `ask`), and every request
/// and response in the form of each protocol. The page does not check arguments itself: what it shows is what a model would read. It lists
/// the calls since it was opened, and makes links that open a tool with its form filled. The [guide](crate::guide::page) has the details.
///
/// **Do not expose the page to the internet without authentication.** Whoever can open it can call every tool that the rules of
/// [`visible`](crate::DispatcherBuilder::visible) show them. Put the layer that authenticates the callers of your server in front of
/// it, or mount it only in debug builds. Behind a layer that checks bearer tokens, mount [`document`](Self::document) beside the page.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{http::Page, mcp_tool, tools, Dispatcher};
/// use tower_service::Service as _;
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let mut page = Page::new(dispatcher);
///
/// let response = page.call(http::Request::get("http://localhost/").body(String::new())?).await?;
/// assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
/// # Ok(())
/// # }
/// ```
///
/// With axum, mount it with `Router::new().nest_service("/try", page)`, at any path. The whole page is at this one path:
///
/// | request | response |
/// | --- | --- |
/// | `GET` | the page |
/// | `POST ?tools` | the tools that the caller sees, with findings and sizes (feature `lint`) |
/// | `POST ?call` | calls a tool: the body is the `params` of MCP's `tools/call`, the response an event stream with progress and the result |
/// | `POST ?task=ID`, `POST ?cancel=ID` | reads or cancels a [task](crate::guide::long_work) (feature `tasks`) |
///
/// # Security
///
/// Hosts are checked as by [`Endpoint`](super::Endpoint). A request with an `Origin` that is neither that of the page nor an allowed one
/// gets status 403. The page's own origin is the one that `Host` names: behind a proxy that replaces `Host`, allow it. A `POST` with a
/// `Sec-Fetch-Site` other than `same-origin` or `none` also gets status 403. A call also needs the content type `application/json`. So no
/// other web page can call a tool.
///
/// The page loads no other files: style and script are part of the document, and its `Content-Security-Policy` allows exactly these two by
/// their hashes, requests to its own origin, and images and sounds in `data:` URLs. Frames, forms, `eval` and the parsing of strings as
/// HTML are forbidden. Names, descriptions, results and errors are shown as text, never as HTML, and a link in a result is
/// shown, not followed.
///
/// The HTTP request is an extension of a call, as with [`Endpoint`](super::Endpoint). Closing the page, or its button *Cancel*, cancels the
/// call: its future is dropped, but a `blocking` function runs to its end. Cloning is cheap. Calls need a tokio runtime, which every hyper server has.
#[derive(Debug, Clone)]
pub struct Page {
    dispatcher: Dispatcher,
    settings: Arc<Settings>,
    /// Made when the page is first opened: `lint` takes longer than a server should need to start.
    report: Arc<OnceLock<Report>>,
}

settings_methods!(Page);

impl Page {
    /// Creates the page for the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        // Besides the arguments, a later round has the answers and the state: together they can be larger.
        let settings = Settings::new(dispatcher.max_argument_bytes().saturating_mul(4));
        Self { dispatcher, settings, report: Arc::default() }
    }

    /// Returns a service for the document of the page, without the tools and without calls.
    ///
    /// A browser cannot send a token when it opens a page. So mount the document without authentication, and the page behind the layer that
    /// checks tokens, both at the same path: the document for `GET`, the page for `POST`. If the layer answers a request of the page with
    /// status 401, the page asks for a token and sends it in the header `Authorization: Bearer …`. The page keeps the token in memory, until
    /// it is closed or reloaded, and sends it to its own origin only.
    ///
    /// The document is the same for every server, except for the version of this crate. Call this after the methods that set hosts.
    ///
    /// With axum:
    ///
    /// ```
    /// use axum::extract::Request;
    /// use axum::http::{StatusCode, header::AUTHORIZATION};
    /// use axum::middleware::{Next, from_fn};
    /// use axum::response::Response;
    /// use axum::routing::post_service;
    /// use mcp_tool_runtime::{http::Page, Dispatcher};
    ///
    /// async fn authenticate(request: Request, next: Next) -> Result<Response, StatusCode> {
    ///     let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    ///     match header {
    ///         Some("Bearer token-of-ann") => Ok(next.run(request).await), // in your server, a real check
    ///         _ => Err(StatusCode::UNAUTHORIZED),
    ///     }
    /// }
    ///
    /// let page = Page::new(Dispatcher::builder().build()?);
    /// let document = page.document();
    /// let app: axum::Router = axum::Router::new()
    ///     .route("/try", post_service(page).layer(from_fn(authenticate)).get_service(document));
    /// # drop(app);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn document(&self) -> PageDocument {
        PageDocument { sources: self.settings.sources.clone() }
    }
}

tower_service!(Page, handle::handle);
