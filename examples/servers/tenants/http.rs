//! Serves over HTTP: the endpoint of this crate and the service of the official SDK behind one layer that checks tokens.

use std::error::Error;

use ::rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use axum::Router;
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

    let application = Router::new().route_service("/mcp", endpoint).nest_service("/sdk", sdk).layer(bearer);
    let shutdown = shutdown_signal()?;
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, application).with_graceful_shutdown(shutdown).await?;
    Ok(())
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
