//! Durable engines for the tasks of [`mcp_tool_runtime`]: they keep long calls in SQLite, Postgres or Redis, so that
//! the calls outlive their process.
//!
//! [`SqliteEngine`] keeps tasks in a file. It needs no server, and any number of processes on the same machine can share
//! the file. `PostgresEngine` (feature `postgres`) and `RedisEngine` (feature `redis`) are for many machines.
//!
//! ```
//! use mcp_tool_runtime::{Dispatcher, Tasks, mcp_tool, tools};
//! use mcp_tool_tasks::SqliteEngine;
//!
//! /// Count the words of a book.
//! #[mcp_tool(task, read_only_hint)]
//! async fn count_words(book: String) -> usize {
//!     book.split_whitespace().count()
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("mcp-tool-tasks-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let file = folder.join("tasks.db");
//! let engine = SqliteEngine::open(&file).await?;
//! let dispatcher = Dispatcher::builder().tools(tools![count_words]).tasks(Tasks::on(engine.clone())).build()?;
//! // In this process, or in any number of others.
//! let worker = tokio::spawn(dispatcher.worker(engine).run());
//! # worker.abort();
//! # std::fs::remove_dir_all(folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! # What happens when something fails
//!
//! - A **worker dies**: its tasks run again on another worker, about one [lease](Engine::lease) later. A tool without
//!   `idempotent_hint` or `read_only_hint` does not run again: its task ends with a message that the outcome is not
//!   known.
//! - A **worker is suspended** for longer than its lease, and then continues: another worker may be running its tasks
//!   by then. The end that comes first is stored, and the other run is stopped.
//! - The **database does not answer**: a new call gets an error after five seconds at most. If the number of tasks is
//!   limited, this may take longer. Running tasks continue, and their ends are stored when the database is back.
//!   Workers then claim tasks again without a restart. But they take none from another worker until one lease has
//!   passed, because that worker had no way to show that it was alive.
//! - The **clock of the database is changed**: running tasks are not affected, because leases do not depend on that
//!   clock. Tasks can expire too early or too late. If all machines are suspended, the effect is the same as if the
//!   database had not answered.
//! - The **disk is full**, or the database refuses to write for another reason: a new call gets an error. A worker
//!   starts nothing that it could not claim, and keeps the ends of its tasks until they are stored.
//! - A **SQLite file is deleted or replaced**: every request fails with an error that says so. A worker loses the ends
//!   of its tasks. Restart the server and its workers.
//! - **Redis is full**: it refuses new tasks. The tasks that are stored already still run and end. After a **failover**, the
//!   engine connects to the same address again.
//! - A **result is too long** for the database: the task ends with an error result whose code is `result_lost`, and the
//!   log says why.
//! - The **stored call cannot be read**: the task fails with a JSON-RPC error, and the log says why.
//! - A **worker cannot run a task**, because it runs another version: it leaves the task to others. If no worker takes
//!   the task within the time that tasks are kept, the task fails with a message that says so.
//! - A **worker shuts down**: it claims nothing more, and keeps its lease until its running tasks have ended.
//!
//! An error of [`submit`](mcp_tool_runtime::tasks::TaskEngine::submit) says that the database did not confirm the call.
//! If the connection broke before the confirmation arrived, the call may be stored nevertheless. The server cancels
//! such a call as soon as it can; until then it may run.
//!
//! # How it works
//!
//! In SQLite and Postgres, the queue is [apalis](https://docs.rs/apalis): its tables hold a job for each task, and its
//! statements insert, claim and acknowledge jobs. The table `mcp_tool_tasks` next to them holds what apalis has no
//! place for: the call, its principal, the last progress message, the request to cancel, and the end, which is written
//! once. A task's record and its job are inserted in one transaction.
//!
//! A call to a tool with `once` is inserted together with the claim of the server that received it. The server runs the
//! call itself, and keeps its lease as a worker does. If the server dies, a worker or the next server that gets the
//! same call takes the task.
//!
//! In SQLite and Postgres, the workers delete expired tasks once a minute. Redis deletes them itself.
//!
//! A signal wakes idle workers: `NOTIFY` in Postgres, and a message on a channel in Redis. With SQLite, a worker reads
//! the modification time of the write-ahead log every 15 ms. Without such a signal, an idle worker looks for tasks once a
//! second. Each worker counts its heartbeats in the database, and every other worker uses its own clock to measure how
//! long that count has stayed the same.
//!
//! In Redis, each step is a Lua script. Redis runs no other command during the script, and stores its changes together.
//! The queue of apalis is not used there: it does not count how many times a job ran, cannot store a record together
//! with its job, and claims nothing once 8,000 jobs are waiting.
//!
//! # Features
//!
//! - `sqlite`: [`SqliteEngine`]. Enabled by default.
//! - `postgres`: `PostgresEngine`.
//! - `redis`: `RedisEngine`.
//! - `tls`: TLS to Postgres and Redis.

#[cfg(not(any(feature = "postgres", feature = "redis", feature = "sqlite")))]
compile_error!("mcp-tool-tasks needs the feature `sqlite`, `postgres` or `redis`");

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod engine;
mod monitor;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "redis")]
mod redis;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod worker;

pub use engine::Engine;
#[cfg(feature = "postgres")]
pub use postgres::{Postgres, PostgresEngine};
#[cfg(feature = "redis")]
pub use redis::{Redis, RedisEngine};
#[cfg(feature = "sqlite")]
pub use sqlite::{Sqlite, SqliteEngine};
