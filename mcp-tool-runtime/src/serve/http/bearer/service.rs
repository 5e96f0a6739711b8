//! `BearerService`: a `tower::Service` that checks the token of each request before it passes the request on to another
//! service.

use std::sync::Arc;
use std::task::{Context, Poll};

use ::http::header::AUTHORIZATION;
use ::http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::Either;
use tower_layer::Layer;
use tower_service::Service;

use super::super::{Body, TokenChecked};
use super::verifier::Reason;
use super::{Bearer, Inner};
use crate::BoxFuture;

impl<S> Layer<S> for Bearer {
    type Service = BearerService<S>;

    fn layer(&self, service: S) -> BearerService<S> {
        BearerService { bearer: self.clone(), service }
    }
}

/// A service behind a [`Bearer`].
///
/// ```
/// use mcp_tool_runtime::Dispatcher;
/// use mcp_tool_runtime::http::{Bearer, BearerService, Endpoint, Keys};
/// use tower_layer::Layer as _;
/// use tower_service::Service as _;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bearer = Bearer::jwt(Keys::secret([7; 32])?)
///     .issuer("https://auth.example.com")
///     .resource("https://mcp.example.com/mcp")
///     .build()?;
/// let mut service: BearerService<Endpoint> = bearer.layer(Endpoint::new(Dispatcher::builder().build()?));
///
/// let response = service.call(http::Request::post("/mcp").body(String::new())?).await?;
/// assert_eq!(response.status(), 401);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct BearerService<S> {
    bearer: Bearer,
    service: S,
}

impl<S, B, R> Service<Request<B>> for BearerService<S>
where
    S: Service<Request<B>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response<BearerBody<R>>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Self::Response, S::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        // Call the service that was polled until it was ready. The clone may not be ready yet, so it is left for the
        // next request.
        let clone = self.service.clone();
        let mut service = std::mem::replace(&mut self.service, clone);
        let inner = Arc::clone(&self.bearer.inner);
        Box::pin(async move {
            match inner.check(&mut request).await {
                Ok(()) => Ok(service.call(request).await?.map(Either::Left)),
                Err(refused) => Ok(refused.map(Either::Right)),
            }
        })
    }
}

impl Inner {
    /// Checks a request, and attaches what its token says. The error is the response to a request that does not reach
    /// the service.
    async fn check<B>(&self, request: &mut Request<B>) -> Result<(), Response<Body>> {
        let path = request.uri().path();
        let metadata = self.resources.iter().find_map(|resource| resource.metadata(request.method(), path));
        if let Some(metadata) = metadata {
            return Err(metadata);
        }
        let covering = self.resources.iter().filter_map(|resource| Some((resource.covers(path)?, resource)));
        let Some((_, resource)) = covering.max_by_key(|(length, _)| *length) else {
            return Err(Body::empty_response(StatusCode::NOT_FOUND));
        };
        let mut values = request.headers().get_all(AUTHORIZATION).iter();
        let value = values.next();
        if values.next().is_some() {
            let error = ("invalid_request", "the header Authorization is sent twice");
            return Err(resource.challenge(StatusCode::BAD_REQUEST, Some(error)));
        }
        let accepted = match value.and_then(|value| find_token(value).transpose()) {
            Some(Ok(token)) => self.accept(token, resource.audience.as_deref()).await,
            Some(Err(reason)) => Err(reason),
            None => return Err(resource.challenge(StatusCode::UNAUTHORIZED, None)),
        };
        let (_, attached) = accepted.map_err(|reason| resource.refuse(reason))?;
        request.extensions_mut().extend(attached);
        request.extensions_mut().insert(TokenChecked);
        // Nothing behind this layer needs the token. Remove it, so that it cannot be logged or passed on.
        request.headers_mut().remove(AUTHORIZATION);
        Ok(())
    }
}

/// Returns the token of an `Authorization` header (RFC 6750, section 2.1). Returns `None` for another scheme.
fn find_token(value: &HeaderValue) -> Result<Option<&str>, Reason> {
    let value = value.to_str().map_err(|_| Reason::Malformed)?;
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Ok(None);
    }
    let token = token.trim_matches(' ');
    let characters = token.trim_end_matches('=');
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
    if characters.is_empty() || !characters.bytes().all(is_token) { Err(Reason::Malformed) } else { Ok(Some(token)) }
}

/// The body of a response from a [`BearerService`]. Either the inner service or the layer has made it.
///
/// ```
/// use mcp_tool_runtime::http::{BearerBody, Body};
///
/// // What an `Endpoint` behind a `Bearer` answers.
/// fn length(response: &http::Response<BearerBody<Body>>) -> Option<u64> {
///     http_body::Body::size_hint(response.body()).exact()
/// }
/// ```
pub type BearerBody<B> = Either<B, Body>;
