//! Serves over HTTP: the check of the token in front of every message, and the metadata from which clients learn where to get
//! one.

use std::error::Error;
use std::sync::Arc;

use ::rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, StatusCode};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{Dispatcher, json, rmcp};
use tokio::net::TcpListener;

use crate::token::{ISSUER, Verifier};

/// What a client needs before it has a token. More scopes are asked for when a tool needs them.
const FIRST_SCOPE: &str = "ledger:read";

struct Authentication {
    verifier: Verifier,
    /// The URL of the protected resource metadata.
    metadata: String,
}

pub(crate) async fn serve(
    dispatcher: Dispatcher,
    verifier: Verifier,
    resource: &str,
    address: &str,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let uri: http::Uri = resource.parse()?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err("RESOURCE is the public URL of the server: https://mcp.example.com/mcp".into());
    };
    // The well-known path goes between the host and the path of the resource (RFC 9728, section 3).
    let metadata =
        format!("{scheme}://{authority}/.well-known/oauth-protected-resource{}", uri.path().trim_end_matches('/'));
    let endpoint = Endpoint::new(dispatcher.clone())
        .with_allowed_hosts([authority.host(), "127.0.0.1"])
        .with_scope_challenge(&metadata);
    let server = rmcp::Server::new(dispatcher);
    // Without sessions: a session would remember a caller whose token may have expired since.
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let sdk = StreamableHttpService::new(move || Ok(server.clone()), LocalSessionManager::default().into(), config);

    let authentication = Arc::new(Authentication { verifier, metadata });
    let document = json!({
        "resource": resource,
        "authorization_servers": [ISSUER],
        "scopes_supported": [FIRST_SCOPE],
        "bearer_methods_supported": ["header"],
    });
    let document = get(async move || Json(document));
    let application = Router::new()
        .route_service("/mcp", endpoint)
        .nest_service("/sdk", sdk)
        // The layer is around the routes above it, and not around the metadata.
        .layer(from_fn_with_state(authentication, authenticate))
        .route("/.well-known/oauth-protected-resource", document.clone())
        .route("/.well-known/oauth-protected-resource/{*path}", document);
    let shutdown = shutdown_signal()?;
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, application).with_graceful_shutdown(shutdown).await?;
    Ok(())
}

/// Checks the token of every request, and attaches what it says.
async fn authenticate(
    State(authentication): State<Arc<Authentication>>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    let Some(token) = bearer(request.headers()) else { return authentication.challenge(None) };
    match authentication.verifier.verify(token) {
        Ok(claims) => {
            request.extensions_mut().insert(claims);
            // No code behind this needs the token, and what is gone cannot be logged or passed on.
            request.headers_mut().remove(AUTHORIZATION);
            next.run(request).await
        }
        Err(error) => {
            // The reason is for the operator. A client learns only that it needs another token.
            eprintln!("a token was refused: {error}");
            authentication.challenge(Some("invalid_token"))
        }
    }
}

/// Returns the token of a request that has exactly one.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl Authentication {
    /// Answers a request without a valid token. The header tells a client where to find the metadata.
    fn challenge(&self, error: Option<&str>) -> Response {
        let error = error.map(|error| format!(r#"error="{error}", "#)).unwrap_or_default();
        let challenge = format!(r#"Bearer {error}scope="{FIRST_SCOPE}", resource_metadata="{}""#, self.metadata);
        (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, challenge)]).into_response()
    }
}

/// Returns a future that waits for SIGTERM or Ctrl-C. The handlers are installed at once, so a signal that comes while the server
/// starts does not kill the process.
fn shutdown_signal() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        Ok(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async { drop(tokio::signal::ctrl_c().await) })
}
