//! Serves over HTTP: the endpoint of this crate and the service of the official SDK behind one layer that checks tokens.

use std::error::Error;
use std::sync::Arc;

use ::rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use mcp_tool_runtime::http::{Bearer, Endpoint};
use mcp_tool_runtime::{Dispatcher, rmcp};
use tokio::net::TcpListener;

pub(crate) async fn serve(
    dispatcher: Dispatcher,
    bearer: Bearer,
    origin: &str,
    address: &str,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let uri: http::Uri = origin.parse()?;
    let host = uri.host().ok_or("ORIGIN has no host")?;
    let endpoint = Endpoint::new(dispatcher.clone())
        .with_allowed_hosts([host])
        .with_allowed_origins([origin])
        .with_scope_challenge(Bearer::metadata_url(format!("{origin}/mcp"))?);
    let server = rmcp::Server::new(dispatcher);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts([host])
        .with_allowed_origins([origin])
        // Without sessions: a session would remember a caller whose token may have expired since.
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let sdk = StreamableHttpService::new(move || Ok(server.clone()), LocalSessionManager::default().into(), config);

    let sdk = Router::new().fallback_service(sdk).layer(from_fn_with_state(Arc::from(host), check_host));
    let application = Router::new().route_service("/mcp", endpoint).nest("/sdk", sdk).layer(bearer);
    let shutdown = shutdown_signal()?;
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, application).with_graceful_shutdown(shutdown).await?;
    Ok(())
}

/// Refuses a request to the SDK's service with a wrong `Host`. The SDK itself accepts any user before the host (`user@host`), anything after the
/// port (`host:80x`), and brackets around a name. The endpoint of this crate refuses all of them.
async fn check_host(State(host): State<Arc<str>>, request: Request, next: Next) -> Result<Response, StatusCode> {
    if !is_for(&host, request.headers()) {
        return Err(StatusCode::FORBIDDEN);
    }
    Ok(next.run(request).await)
}

/// Returns `true` if there is one header `Host`, with this host and perhaps a port.
fn is_for(host: &str, headers: &HeaderMap) -> bool {
    let mut given = headers.get_all(header::HOST).iter();
    let (Some(given), None) = (given.next(), given.next()) else { return false };
    let Some((name, port)) = given.to_str().ok().and_then(|given| given.split_at_checked(host.len())) else {
        return false;
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    name.eq_ignore_ascii_case(host) && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
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
