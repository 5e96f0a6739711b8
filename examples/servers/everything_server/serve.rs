//! One function for each transport, with its graceful shutdown.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use ::rmcp::ServiceExt as _;
use ::rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use axum::serve::{Listener, ListenerExt as _};
use axum::{Router, routing::get};
use mcp_tool_runtime::{
    BoxFuture, CallContext, CallToolRequest, Dispatcher, Middleware, Next, Output, ToolError,
    http::{Endpoint, Page, PlainHttp},
    rmcp, stdio,
};
use tokio::net::TcpListener;
use tokio::sync::watch;

type ServeResult = Result<(), Box<dyn std::error::Error>>;

/// How long running calls may take after the signal to end.
const MAX_SHUTDOWN: Duration = Duration::from_secs(3);

/// A layer that counts the running calls.
#[derive(Clone, Default)]
pub(crate) struct RunningCalls(Arc<watch::Sender<usize>>);

impl RunningCalls {
    /// Waits until no call runs, and half a second more for the last response to be written. A call that waits for its user may
    /// never end, so the wait is limited.
    async fn finished(&self) {
        let mut running = self.0.subscribe();
        let _ = tokio::time::timeout(MAX_SHUTDOWN, running.wait_for(|running| *running == 0)).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

impl Middleware for RunningCalls {
    fn call<'a>(
        &'a self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        struct Counted<'a>(&'a watch::Sender<usize>);
        impl Drop for Counted<'_> {
            fn drop(&mut self) {
                self.0.send_modify(|running| *running -= 1);
            }
        }
        self.0.send_modify(|running| *running += 1);
        let counted = Counted(&self.0);
        Box::pin(async move {
            let _counted = counted;
            next.run(request, cx).await
        })
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

/// Binds a listener with `TCP_NODELAY`: a response in two parts must not wait until the client has confirmed the first part.
async fn bind(address: &str) -> std::io::Result<impl Listener<Addr = SocketAddr>> {
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    Ok(listener.tap_io(|stream| drop(stream.set_nodelay(true))))
}

pub(crate) async fn stdio(dispatcher: Dispatcher) -> ServeResult {
    let server = stdio::Server::new(dispatcher);
    Ok(server.serve_until(shutdown_signal()?).await?)
}

pub(crate) async fn http(dispatcher: Dispatcher, address: &str) -> ServeResult {
    let rest = PlainHttp::new(dispatcher.clone());
    // The page is for people on this machine: it has no authentication, and like the others it answers loopback hosts only.
    let page = Page::new(dispatcher.clone());
    let endpoint = Endpoint::new(dispatcher);
    let application = Router::new()
        .route("/healthz", get(async || "ready"))
        .route_service("/mcp", endpoint)
        .nest_service("/tools", rest)
        .nest_service("/page", page);
    let shutdown = shutdown_signal()?;
    axum::serve(bind(address).await?, application).with_graceful_shutdown(shutdown).await?;
    Ok(())
}

fn server(dispatcher: Dispatcher) -> rmcp::Server {
    rmcp::Server::new(dispatcher)
}

pub(crate) async fn rmcp_stdio(dispatcher: Dispatcher, running: &RunningCalls) -> ServeResult {
    let mut shutdown = pin!(shutdown_signal()?);
    let service = tokio::select! {
        service = server(dispatcher).serve(::rmcp::transport::stdio()) => service?,
        () = &mut shutdown => return Ok(()),
    };
    let end = service.cancellation_token();
    let mut served = pin!(service.waiting());
    tokio::select! {
        reason = &mut served => drop(reason?),
        () = shutdown => {
            running.finished().await;
            end.cancel();
            served.await?;
        }
    }
    Ok(())
}

pub(crate) async fn rmcp_http(dispatcher: Dispatcher, running: RunningCalls, address: &str) -> ServeResult {
    let server = server(dispatcher);
    // Requests may come from pages served by this machine, and from programs, which send no `Origin`.
    let config = StreamableHttpServerConfig::default().with_allowed_origins([
        "http://localhost:*",
        "http://127.0.0.1:*",
        "http://[::1]:*",
    ]);
    let end = config.cancellation_token.clone();
    let service = StreamableHttpService::new(move || Ok(server.clone()), LocalSessionManager::default().into(), config);
    let application = Router::new().nest_service("/mcp", service);
    let signal = shutdown_signal()?;
    let listener = bind(address).await?;
    let shutdown = async move {
        signal.await;
        // The event stream of a session stays open until its client closes it. End the streams once no call runs.
        tokio::spawn(async move {
            running.finished().await;
            end.cancel();
        });
    };
    axum::serve(listener, application).with_graceful_shutdown(shutdown).await?;
    Ok(())
}
