//! Tasks in a file.

use std::path::Path;
use std::time::Duration;

use apalis_core::backend::{Backend, TaskResult, WorkerFilter};
use apalis_core::task::Task;
use apalis_core::worker::context::WorkerContext;
use apalis_sqlite::{Config, SqliteStorage, queries};
use mcp_tool_runtime::tasks::TaskEngineError;
use serde_json::Value;
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use crate::engine::{Engine, PATIENCE};
use crate::sql::{self, records};
use crate::store::{self, BoxError, Held, NewRecord, Outcome, Record, Store};

/// Keeps tasks in a SQLite file: durable on one machine, with no server to start.
///
/// Several processes of the machine may open the same file, as fronts and as workers. A file on a network drive does not work, because
/// SQLite's write-ahead log needs shared memory.
pub type SqliteEngine = Engine<Sqlite>;

/// A SQLite database.
#[derive(Debug, Clone)]
pub struct Sqlite {
    pool: SqlitePool,
    queue: String,
}

impl Engine<Sqlite> {
    /// Opens a file, and creates it and its tables if they are missing.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened or is not a SQLite database.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, TaskEngineError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .busy_timeout(PATIENCE)
            .journal_mode(SqliteJournalMode::Wal)
            // The default of SQLite, but not of apalis: what is committed survives a loss of power.
            .synchronous(SqliteSynchronous::Full);
        let pool = SqlitePoolOptions::new().acquire_timeout(PATIENCE).max_connections(4).connect_lazy_with(options);
        let sqlite = Sqlite { pool, queue: crate::engine::QUEUE.to_owned() };
        // SQLite has no lock for migrations, and none to wait for while a file becomes a write-ahead log. If another process is first, the
        // next attempt finds what that process has done.
        let mut attempts = 0;
        loop {
            match sqlite.set_up().await {
                Ok(()) => return Ok(Self::new(sqlite)),
                Err(error) if attempts == 20 => return Err(TaskEngineError::new(error)),
                Err(_) => tokio::time::sleep(Duration::from_millis(50 + 10 * attempts)).await,
            }
            attempts += 1;
        }
    }

    /// Names the queue. Servers with different tools that share a file need different queues.
    #[must_use]
    pub fn queue(mut self, name: impl Into<String>) -> Self {
        self.store.queue = name.into();
        self
    }
}

impl Sqlite {
    async fn set_up(&self) -> Result<(), BoxError> {
        // Not `setup`, which would trade durability for speed.
        SqliteStorage::migrations().run(&self.pool).await?;
        Ok(Self::create_table(&mut *self.pool.acquire().await?).await?)
    }

    fn config(&self) -> Config {
        // A worker that registers would queue the jobs of others again after this time. `queue_orphans` does that, with the lease.
        Config::default()
            .queue(&self.queue)
            .heartbeat_interval(Duration::from_secs(u32::MAX.into()))
            .missed_heartbeats(1)
    }

    async fn push(&self, connection: &mut SqliteConnection, job: Task<Vec<u8>>) -> Result<(), BoxError> {
        Ok(queries::push_tasks(connection, &self.queue, &[job]).await?)
    }

    async fn register(&self, worker: &WorkerContext) -> Result<(), BoxError> {
        let mut storage = SqliteStorage::<()>::new(&self.pool).with_config(self.config());
        Ok(std::future::poll_fn(|cx| storage.poll_ready(cx, worker)).await?)
    }

    async fn keep_alive(&self, connection: &mut SqliteConnection, worker: &WorkerContext) -> Result<bool, BoxError> {
        match queries::keep_alive(connection, &self.config(), worker).await {
            Ok(()) => Ok(true),
            Err(sqlx::Error::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn queue_orphans(
        &self,
        connection: &mut SqliteConnection,
        worker: &WorkerContext,
        lease: Duration,
    ) -> Result<(), BoxError> {
        let others = WorkerFilter::AllExcept(worker.name().to_owned());
        let lease = lease.as_secs().cast_signed();
        queries::reenqueue_orphaned(connection, lease, &self.queue, &others).await?;
        Ok(())
    }

    async fn fetch_next(
        &self,
        connection: &mut SqliteConnection,
        worker: &WorkerContext,
        at_most: usize,
    ) -> Result<(), BoxError> {
        queries::fetch_next(connection, &self.config().batch_size(at_most), worker).await?;
        Ok(())
    }

    async fn acknowledge(
        &self,
        connection: &mut SqliteConnection,
        worker: &str,
        result: &TaskResult<Value>,
    ) -> Result<(), BoxError> {
        queries::ack_tasks(connection, &[result], worker).await?;
        Ok(())
    }
}

records!(Sqlite, sqlx::Sqlite, jobs: "Jobs", workers: "Workers", seen_long_ago: "last_seen < strftime('%s', 'now') - 86400");
