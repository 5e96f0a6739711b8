//! A server as a team operates it: with its own login, metrics, an audit log, limits and a clean end.
//!
//! `operated ORIGIN [ADDRESS]` serves over HTTP. `ORIGIN` is the public URL of the server without a path.
//!
//! | path | what it serves |
//! | --- | --- |
//! | `/login` | a token for a name and a password |
//! | `/mcp` | the tools over the Model Context Protocol, with a token |
//! | `/api` | the tools over plain HTTP, with a token |
//! | `/metrics` | what Prometheus reads |
//! | `/healthz` | `ok`, for the load balancer |
//!
//! The audit log goes to standard output, as lines of JSON. `LOGIN_SECRET` is the secret that signs the tokens. SIGTERM ends the server: it
//! accepts no further request, and finishes the running calls and tasks.
//!
//! `.ci/operated.py` drives it: it logs in, calls as both users, goes over the limits, and reads the metrics and the log.

mod audit;
mod login;
mod metrics;
mod reports;

use std::error::Error;
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use mcp_tool_runtime::http::{Bearer, Claims, Endpoint, Keys, PlainHttp};
use mcp_tool_runtime::{BuildError, Dispatcher, Tasks, tools};
use tokio::net::TcpListener;

/// Builds the dispatcher. The viewer sees the tools that read, and the editor all of them.
fn dispatcher(metrics: &metrics::Metrics, audit: &audit::Audit) -> Result<Dispatcher, BuildError> {
    Dispatcher::builder()
        .tools(tools![reports::list_reports, reports::write_report, reports::render_report])
        .state(reports::Reports::default())
        .visible_by_scopes::<Claims>()
        .principal(|extensions| Some(extensions.get::<Claims>()?.subject().to_owned()))
        .limit_per_caller("120/min")
        .timeout(Duration::from_secs(30))
        .max_concurrency(64)
        .tasks(Tasks::in_memory())
        .on_call(metrics.observer())
        .on_call(audit.observer())
        .info("reports", "1.0.0")
        .build()
}

fn application(
    dispatcher: &Dispatcher,
    metrics: metrics::Metrics,
    login: login::Login,
) -> Result<Router, Box<dyn Error>> {
    let (origin, host) = (login.origin.clone(), login.host()?);
    let bearer = Bearer::jwt(Keys::secret(&*login.secret)?)
        .issuer(&*origin)
        .resource(format!("{origin}/mcp"))
        .resource(format!("{origin}/api"))
        .build()?;
    let endpoint = Endpoint::new(dispatcher.clone()).with_allowed_hosts([&host]);
    let plain_http = PlainHttp::new(dispatcher.clone()).with_allowed_hosts([&host]);
    Ok(Router::new()
        .route_service("/mcp", endpoint)
        .nest_service("/api", plain_http)
        .layer(bearer)
        // The bearer layer does not cover the routes below. Let only your own network read the metrics.
        .route("/login", post(login::issue).with_state(login))
        .route("/metrics", get(metrics::show).with_state(metrics))
        .route("/healthz", get(|| async { "ok" })))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let origin = arguments.next().ok_or("usage: operated ORIGIN [ADDRESS]")?;
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8000".to_owned());
    let login = login::Login { origin: origin.into(), secret: std::env::var("LOGIN_SECRET")?.into() };
    let metrics = metrics::Metrics::new()?;
    let audit = audit::Audit::new(std::io::stdout());
    let dispatcher = dispatcher(&metrics, &audit)?;
    let application = application(&dispatcher, metrics, login)?;
    let shutdown = shutdown_signal()?;
    let listener = TcpListener::bind(address).await?;
    eprintln!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, application).with_graceful_shutdown(shutdown).await?;
    dispatcher.finish_tasks(Duration::from_secs(10)).await;
    audit.flush();
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
