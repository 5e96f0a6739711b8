//! A server that renders films: calls that take longer than a client waits.
//!
//!     renderer [--engine memory|sqlite:FILE|postgres:URL|redis:URL] [--serve ADDRESS] [--work TASKS] [--lease SECONDS]
//!
//! A process with `--serve` is a front, which clients talk to over HTTP. A process with `--work` runs that many tasks at once. With
//! neither, it is both. Tasks in memory run in the front. Any number of fronts and workers share an engine: each may be killed and
//! started again at any time.
//!
//!     cargo run --example renderer --features postgres -- --engine postgres://ann@localhost/films --serve 127.0.0.1:8000
//!     cargo run --example renderer --features postgres -- --engine postgres://ann@localhost/films --work 4
//!
//! `.ci/tasks.py` does that, and kills them.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, header};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::tasks::TaskEngine;
use mcp_tool_runtime::{CallContext, Dispatcher, Tasks, mcp_tool, mcp_tools};
#[cfg(feature = "postgres")]
use mcp_tool_tasks::PostgresEngine;
#[cfg(feature = "redis")]
use mcp_tool_tasks::RedisEngine;
use mcp_tool_tasks::SqliteEngine;
use schemars::JsonSchema;
use serde::Serialize;

/// Renders films, and publishes them.
struct Studio {
    /// Where films are published: a line for each of them.
    cinema: PathBuf,
}

#[derive(Serialize, JsonSchema)]
struct Film {
    scene: String,
    frames: u32,
    /// How many of its pixels are black.
    black: u32,
}

#[mcp_tools]
impl Studio {
    /// Render a scene. Rendering it twice gives the same film.
    #[mcp_tool(task, idempotent_hint)]
    async fn render(
        &self,
        scene: String,
        frames: u32,
        milliseconds_per_frame: u64,
        #[mcp_tool(context)] cx: &CallContext,
    ) -> Film {
        let mut black = 0;
        for frame in 0..frames {
            // Draws it.
            tokio::time::sleep(Duration::from_millis(milliseconds_per_frame)).await;
            black += u32::from(scene.bytes().fold(0, |sum: u8, byte| sum.wrapping_mul(31).wrapping_add(byte))) ^ frame;
            cx.progress(frame, frames, format!("frame {frame} of {frames}"));
        }
        Film { scene, frames, black }
    }

    /// Show a film to the public. Nobody wants to see it twice, so a worker that has died is no reason to do it again.
    #[mcp_tool(task)]
    async fn publish(&self, scene: String) -> Result<String, std::io::Error> {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let mut cinema = std::fs::OpenOptions::new().create(true).append(true).open(&self.cinema)?;
        std::io::Write::write_all(&mut cinema, format!("{scene}\n").as_bytes())?;
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(format!("{scene} is on"))
    }

    /// Announce a film. A client that got no answer calls again, and the public hears of it once.
    #[mcp_tool(once = "10m")]
    async fn announce(&self, scene: String) -> Result<String, std::io::Error> {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let mut cinema = std::fs::OpenOptions::new().create(true).append(true).open(&self.cinema)?;
        std::io::Write::write_all(&mut cinema, format!("{scene}\n").as_bytes())?;
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(format!("{scene} is announced"))
    }
}

async fn engine(url: &str, lease: Duration) -> Result<Arc<dyn TaskEngine>, Box<dyn Error>> {
    if let Some(file) = url.strip_prefix("sqlite:") {
        return Ok(Arc::new(SqliteEngine::open(file).await?.lease(lease)));
    }
    #[cfg(feature = "postgres")]
    if url.starts_with("postgres") {
        return Ok(Arc::new(PostgresEngine::connect(url).await?.lease(lease)));
    }
    #[cfg(feature = "redis")]
    if url.starts_with("redis") {
        return Ok(Arc::new(RedisEngine::connect(url).await?.lease(lease)));
    }
    Err(format!("this program is built without the engine of {url}").into())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (mut url, mut address, mut work, mut lease) = ("sqlite:films.db".to_owned(), None, None, 30);
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{option} has no value"))?;
        match option.as_str() {
            "--engine" => url = value,
            "--serve" => address = Some(value),
            "--work" => work = Some(value.parse()?),
            "--lease" => lease = value.parse()?,
            _ => return Err(format!("{option} is not an option").into()),
        }
    }
    if address.is_none() && work.is_none() {
        (address, work) = (Some("127.0.0.1:8000".to_owned()), Some(4));
    }

    let (tasks, engine) = if url == "memory" {
        (Tasks::in_memory(), None)
    } else {
        let engine = engine(&url, Duration::from_secs(lease)).await?;
        (Tasks::on(engine.clone()), Some(engine))
    };
    let dispatcher = Dispatcher::builder()
        .service(Studio { cinema: std::env::var_os("CINEMA").unwrap_or_else(|| "cinema.txt".into()).into() })
        .tasks(tasks.answer_within(Duration::from_millis(100)))
        // A task is there for its owner alone. A real server checks a token: see the example `tenants`.
        .principal(|extensions| {
            let headers = extensions.get::<HeaderMap>()?;
            Some(headers.get(header::AUTHORIZATION)?.to_str().ok()?.to_owned())
        })
        .build()?;

    let worker = async {
        match (engine, work) {
            (Some(engine), Some(work)) => {
                Ok(dispatcher.worker(engine).concurrency(work).run_until(tokio::signal::ctrl_c()).await?)
            }
            _ => Ok::<_, Box<dyn Error>>(()),
        }
    };
    let front = async {
        let Some(address) = address else { return Ok(()) };
        let listener = tokio::net::TcpListener::bind(address).await?;
        eprintln!("listening on http://{}/mcp", listener.local_addr()?);
        let application = Router::new().route_service("/mcp", Endpoint::new(dispatcher.clone()));
        let stop = async { drop(tokio::signal::ctrl_c().await) };
        Ok(axum::serve(listener, application).with_graceful_shutdown(stop).await?)
    };
    tokio::try_join!(worker, front)?;
    Ok(())
}
