//! Tasks in Postgres.

use std::time::Duration;

use apalis_core::backend::{Backend, TaskResult};
use apalis_core::task::Task;
use apalis_core::worker::context::WorkerContext;
use apalis_postgres::{Config, Error, PostgresStorage, queries};
use mcp_tool_runtime::tasks::TaskEngineError;
use serde_json::Value;
use sqlx::PgPool;
use sqlx::postgres::{PgConnection, PgPoolOptions};

use crate::engine::{Engine, PATIENCE, QUEUE};
use crate::sql::{self, records};
use crate::store::{self, BoxError, Held, NewRecord, Outcome, Record, Store};

/// Keeps tasks in Postgres, for many machines.
///
/// The tables of apalis are in the schema `apalis`, and `mcp_tool_tasks` is in the first schema of the search path. Creating them needs the
/// right to create schemas and the extension `hstore`, which the owner of a database has.
pub type PostgresEngine = Engine<Postgres>;

/// A Postgres database.
#[derive(Debug, Clone)]
pub struct Postgres {
    pool: PgPool,
    queue: String,
}

impl Engine<Postgres> {
    /// Connects to a database, and creates the tables if they are missing. The URL is such as `postgres://user:password@host/database`.
    ///
    /// # Errors
    ///
    /// Fails if the database does not answer, or if the user may not create the tables.
    pub async fn connect(url: &str) -> Result<Self, TaskEngineError> {
        let pool = PgPoolOptions::new().acquire_timeout(PATIENCE).connect(url).await.map_err(TaskEngineError::new)?;
        let postgres = Postgres { pool, queue: QUEUE.to_owned() };
        postgres.set_up().await.map_err(TaskEngineError::new)?;
        Ok(Self::new(postgres))
    }

    /// Names the queue. Servers with different tools that share a database need different queues.
    #[must_use]
    pub fn queue(mut self, name: impl Into<String>) -> Self {
        self.store.queue = name.into();
        self
    }
}

impl Postgres {
    async fn set_up(&self) -> Result<(), BoxError> {
        PostgresStorage::setup(&self.pool).await?;
        // `IF NOT EXISTS` does not wait for another process that is creating the same table.
        let mut transaction = self.pool.begin().await?;
        sqlx::query("SELECT pg_advisory_xact_lock(hashtext('mcp_tool_tasks'))").execute(&mut *transaction).await?;
        Self::create_table(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    fn config(&self) -> Config {
        // A worker that registers would queue the jobs of others again after this time. `queue_orphans` does that, with the lease.
        Config::default()
            .queue(&self.queue)
            .heartbeat_interval(Duration::from_secs(u32::MAX.into()))
            .missed_heartbeats(1)
    }

    async fn push(&self, connection: &mut PgConnection, job: Task<Vec<u8>>) -> Result<(), BoxError> {
        Ok(queries::push_tasks(connection, &self.queue, vec![job]).await?)
    }

    async fn register(&self, worker: &WorkerContext) -> Result<(), BoxError> {
        let mut storage = PostgresStorage::<()>::new(&self.pool).with_config(self.config());
        Ok(std::future::poll_fn(|cx| storage.poll_ready(cx, worker)).await?)
    }

    async fn keep_alive(&self, connection: &mut PgConnection, worker: &WorkerContext) -> Result<bool, BoxError> {
        match queries::keep_alive(connection, &self.queue, worker).await {
            Ok(()) => Ok(true),
            Err(Error::WorkerOutOfSync) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn queue_orphans(
        &self,
        connection: &mut PgConnection,
        _worker: &WorkerContext,
        lease: Duration,
    ) -> Result<(), BoxError> {
        queries::reenqueue_orphaned(connection, &self.queue, lease.as_secs()).await?;
        Ok(())
    }

    async fn fetch_next(
        &self,
        connection: &mut PgConnection,
        worker: &WorkerContext,
        at_most: usize,
    ) -> Result<(), BoxError> {
        queries::fetch_next(connection, &self.config().batch_size(at_most), worker).await?;
        Ok(())
    }

    async fn acknowledge(
        &self,
        connection: &mut PgConnection,
        worker: &str,
        result: &TaskResult<Value>,
    ) -> Result<(), BoxError> {
        queries::handle_results(connection, &[result], worker).await?;
        Ok(())
    }
}

records!(
    Postgres,
    sqlx::Postgres,
    begin: "BEGIN",
    jobs: "apalis.jobs",
    workers: "apalis.workers",
    now: "CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)",
    silence: "CAST(EXTRACT(EPOCH FROM now() - last_seen) * 1000 AS BIGINT)",
    seen_long_ago: "last_seen < now() - interval '1 day'"
);
