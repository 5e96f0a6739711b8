//! Durable engines for the tasks of [`mcp_tool_runtime`]: long calls outlive their process, in SQLite or Postgres.
//!
//! [`SqliteEngine`] keeps tasks in a file: durable on one machine, with no server to start, for any number of processes there.
//! [`PostgresEngine`] (feature `postgres`) is for many machines.
//!
//! ```
//! # async fn open() -> Result<(), mcp_tool_runtime::tasks::TaskEngineError> {
//! use mcp_tool_tasks::SqliteEngine;
//!
//! # let folder = std::env::temp_dir().join(format!("mcp-tool-tasks-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # let file = folder.join("tasks.db");
//! let engine = SqliteEngine::open(&file).await?;
//! # drop(engine);
//! # std::fs::remove_dir_all(folder).unwrap();
//! # Ok(())
//! # }
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(open()).unwrap();
//! ```
//!
//! # What happens when something fails
//!
//! - A **worker dies**: its tasks run again on another worker, one [lease](Engine::lease) later. The runner decides what a second attempt
//!   means: a tool that must not be repeated ends with a text that says that its outcome is not known.
//! - A **worker is suspended** for longer than its lease, and goes on: the first end of a task is stored, and the other run is stopped.
//! - The **database does not answer**: a new call gets an error after five seconds. Running tasks go on, and their ends are stored when the
//!   database is back. Workers claim again by themselves. No worker takes tasks from another one before one lease has passed, because the
//!   other could not tell that it lives.
//! - A **worker shuts down**: it claims nothing more, and keeps its lease until its running tasks have ended.
//!
//! # How it works
//!
//! The queue is [apalis](https://docs.rs/apalis): its tables hold a job for each task, and its statements claim jobs, keep workers alive
//! and queue the jobs of dead ones again. The table `mcp_tool_tasks` beside them holds what apalis has no place for: the call, its
//! principal, the last progress message, the request to cancel, and the end, which is written once. A task's record and its job are
//! inserted in one transaction.

mod engine;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod worker;

pub use engine::Engine;
#[cfg(feature = "postgres")]
pub use postgres::{Postgres, PostgresEngine};
#[cfg(feature = "sqlite")]
pub use sqlite::{Sqlite, SqliteEngine};
