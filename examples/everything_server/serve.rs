//! The ways to serve, and how each of them ends.

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
    BoxFuture, CallContext, CallToolRequest, Dispatcher, Layer, Next, Output, ToolError, http::Endpoint, rmcp, stdio,
};
use tokio::net::TcpListener;
use tokio::sync::watch;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// How many calls run: a layer that counts them.
#[derive(Clone, Default)]
pub(crate) struct Running(Arc<watch::Sender<usize>>);

impl Running {
    /// Waits for the end of all calls, and a moment for the last answer to be written.
    async fn ended(&self) {
        let _ = self.0.subscribe().wait_for(|running| *running == 0).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

impl Layer for Running {
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

/// Waits until the process is asked to end.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    {
        let _ = tokio::signal::ctrl_c().await;
    }
}

const NAME: &str = "everything";
const VERSION: &str = env!("CARGO_PKG_VERSION");
const INSTRUCTIONS: &str = "Each tool shows one thing that a tool can be.";

/// An answer that is written in two parts must not wait until the first one has arrived.
async fn bind(address: &str) -> std::io::Result<impl Listener<Addr = SocketAddr>> {
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    Ok(listener.tap_io(|stream| drop(stream.set_nodelay(true))))
}

pub(crate) async fn stdio(dispatcher: Dispatcher) -> Outcome {
    let server = stdio::Server::new(dispatcher).with_info(NAME, VERSION).with_instructions(INSTRUCTIONS);
    Ok(server.serve_until(asked_to_end()).await?)
}

pub(crate) async fn http(dispatcher: Dispatcher, address: &str) -> Outcome {
    let endpoint = Endpoint::new(dispatcher).with_info(NAME, VERSION).with_instructions(INSTRUCTIONS);
    let application = Router::new().route("/healthz", get(async || "ready")).route_service("/mcp", endpoint);
    axum::serve(bind(address).await?, application).with_graceful_shutdown(asked_to_end()).await?;
    Ok(())
}

fn server(dispatcher: Dispatcher) -> rmcp::Server {
    rmcp::Server::new(dispatcher).with_info(NAME, VERSION).with_instructions(INSTRUCTIONS)
}

pub(crate) async fn rmcp_stdio(dispatcher: Dispatcher, running: &Running) -> Outcome {
    let service = server(dispatcher).serve(::rmcp::transport::stdio()).await?;
    let end = service.cancellation_token();
    let mut served = pin!(service.waiting());
    tokio::select! {
        reason = &mut served => drop(reason?),
        () = asked_to_end() => {
            running.ended().await;
            end.cancel();
            served.await?;
        }
    }
    Ok(())
}

pub(crate) async fn rmcp_http(dispatcher: Dispatcher, running: Running, address: &str) -> Outcome {
    let server = server(dispatcher);
    // Pages that this machine serves may ask, and programs, which send no origin.
    let config = StreamableHttpServerConfig::default().with_allowed_origins([
        "http://localhost:*",
        "http://127.0.0.1:*",
        "http://[::1]:*",
    ]);
    let end = config.cancellation_token.clone();
    let service = StreamableHttpService::new(move || Ok(server.clone()), LocalSessionManager::default().into(), config);
    let application = Router::new().nest_service("/mcp", service);
    let listener = bind(address).await?;
    let shutdown = async move {
        asked_to_end().await;
        // Streams of sessions stay open for as long as their clients like, so they are ended when nothing runs.
        tokio::spawn(async move {
            running.ended().await;
            end.cancel();
        });
    };
    axum::serve(listener, application).with_graceful_shutdown(shutdown).await?;
    Ok(())
}
