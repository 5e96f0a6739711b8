//! The HTML document, the policy that it is sent with, and the service that sends it without a dispatcher.

use std::convert::Infallible;
use std::sync::LazyLock;

use ::http::header::CONTENT_SECURITY_POLICY;
use ::http::{HeaderValue, Method, Request, Response, StatusCode};
use bytes::Bytes;

use super::super::Body;
use super::super::headers::AllowedSources;
use super::super::settings::tower_service;
use super::{not_allowed, with_headers};

const HTML: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
/// The script of the page. It is split into files only for readability.
const SCRIPT: &str = concat!(
    include_str!("assets/dom.js"),
    include_str!("assets/json.js"),
    include_str!("assets/access.js"),
    include_str!("assets/schema.js"),
    include_str!("assets/fields.js"),
    include_str!("assets/composites.js"),
    include_str!("assets/call.js"),
    include_str!("assets/result.js"),
    include_str!("assets/questions.js"),
    include_str!("assets/tool.js"),
    include_str!("assets/history.js"),
    include_str!("assets/main.js"),
);

/// The `Content-Security-Policy` of the page. Its hashes allow the page's own style and script, and no others, not even
/// files from this server.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'sha256-fca/aFVC4prodoULc+O0DbkClB+bSCALm3VabDI95AM='; script-src 'sha256-WsiRAr0FSPdWE1DD40+f/ec9Kw1F5K9nGu8FhLUmMb4='; connect-src 'self'; img-src data:; \
     media-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
     trusted-types 'none'",
);

/// Returns the HTML of the page, which is the same for every server and every caller.
fn html() -> Bytes {
    static PAGE: LazyLock<Bytes> =
        LazyLock::new(|| HTML.replace("/* style */", STYLE).replace("/* script */", SCRIPT).into());
    PAGE.clone()
}

/// Returns a response with the page and its policy.
pub(super) fn response() -> Response<Body> {
    let mut page = Body::whole(html()).into_response(StatusCode::OK, "text/html; charset=utf-8");
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY);
    page
}

/// A `tower::Service` that serves the HTML document of a [`Page`](super::Page), without the tools.
/// [`Page::document`](super::Page::document) returns it.
///
/// It has no dispatcher, so it cannot reveal or call a tool. It answers `GET` and `HEAD`, and checks the host as the
/// page does.
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
    Ok(with_headers(match sources.check_page(&parts) {
        Err(rejected) => Err(rejected.into()),
        Ok(()) if matches!(parts.method, Method::GET | Method::HEAD) => Ok(response()),
        Ok(()) => Err(not_allowed("GET, HEAD")),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    #[test]
    fn the_policy_has_the_hashes_of_the_style_and_of_the_script() {
        let policy = POLICY.to_str().expect("text").to_owned();
        for (directive, source) in [("style-src", STYLE), ("script-src", SCRIPT)] {
            let expected = format!("{directive} 'sha256-{}'", STANDARD.encode(Sha256::digest(source)));
            assert!(policy.contains(&expected), "write `{expected}` into the policy: {policy}");
        }
    }

    #[test]
    fn style_and_script_are_one_element_each_and_never_parse_html() {
        let html = html();
        let html = std::str::from_utf8(&html).expect("text");
        for end in ["</script", "</style"] {
            assert_eq!(html.matches(end).count(), 1, "{end}");
        }
        for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "srcdoc", "style="] {
            assert!(!html.contains(sink), "{sink}");
        }
        // The page must not load anything.
        for load in [" src=", "@import", "import(", "importScripts", "new Worker"] {
            assert!(!html.contains(load), "{load}");
        }
        assert!(!STYLE.contains("url("));
    }
}
