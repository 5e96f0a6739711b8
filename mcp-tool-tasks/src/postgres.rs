//! Tasks in Postgres.

use std::time::Duration;

use apalis_core::backend::TaskResult;
use apalis_core::task::Task;
use apalis_core::worker::context::WorkerContext;
use apalis_postgres::{Config, PostgresStorage, queries};
use mcp_tool_runtime::tasks::TaskEngineError;
use serde_json::Value;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgListener, PgPoolOptions};
use sqlx::{Connection as _, PgPool};
use tokio::sync::Notify;

use crate::engine::{Engine, PATIENCE, QUEUE};
use crate::sql::{self, execute, records};
use crate::store::{Beat, BoxError, Held, NewRecord, Record, Store};

/// An engine that keeps its tasks in Postgres, so that many machines can share them.
///
/// The tables of apalis are in the schema `apalis`, and `mcp_tool_tasks` is in the first schema of the search path.
/// Creating them needs the right to create schemas and the right to create the extension `hstore`. The owner of a
/// database has both.
pub type PostgresEngine = Engine<Postgres>;

/// A Postgres database.
#[derive(Debug, Clone)]
pub struct Postgres {
    pool: PgPool,
    queue: String,
}

impl Engine<Postgres> {
    /// Connects to a database, and creates the tables if they are missing. The URL looks like
    /// `postgres://user:password@host/database`.
    ///
    /// # Errors
    ///
    /// Fails if the database does not answer, or if the user may not create the tables.
    pub async fn connect(url: &str) -> Result<Self, TaskEngineError> {
        // Wait one second less than the engine does, so that `connection` has time to find out what went wrong.
        let options = PgPoolOptions::new().acquire_timeout(PATIENCE.saturating_sub(Duration::from_secs(1)));
        let pool = options.connect_lazy(url).map_err(TaskEngineError::new)?;
        let postgres = Postgres { pool, queue: QUEUE.to_owned() };
        postgres.set_up().await.map_err(TaskEngineError::new)?;
        Ok(Self::new(postgres))
    }

    /// Sets the name of the queue. Servers that share a database need different queues if their tools differ.
    #[must_use]
    pub fn queue(mut self, name: impl Into<String>) -> Self {
        self.store.queue = name.into();
        self
    }
}

impl Postgres {
    async fn set_up(&self) -> Result<(), BoxError> {
        drop(self.connection().await?);
        PostgresStorage::setup(&self.pool).await?;
        // Take a lock: if two processes run `CREATE TABLE IF NOT EXISTS` at the same time, neither sees the other's
        // table, and one of them fails.
        let mut transaction = self.begin().await?;
        let lock = "SELECT pg_advisory_xact_lock(hashtext('mcp_tool_tasks'))";
        sqlx::query(lock).execute(&mut *transaction.connection).await?;
        // If the index that is created last exists, create nothing. `CREATE INDEX IF NOT EXISTS` would still wait for
        // the open transactions of other processes, and a suspended process may keep its transaction open.
        let exists = "SELECT to_regclass('mcp_tool_tasks_expiry') IS NOT NULL";
        if !sqlx::query_scalar(exists).fetch_one(&mut *transaction.connection).await? {
            Self::create_table(&mut transaction.connection).await?;
        }
        Self::check_writable(&mut transaction.connection).await?;
        Ok(transaction.commit().await?)
    }

    fn config(&self) -> Config {
        Config::default().queue(&self.queue)
    }

    async fn connection(&self) -> Result<PoolConnection<sqlx::Postgres>, BoxError> {
        match self.pool.acquire().await {
            // The pool has retried until its time was up, and does not pass on what the server said. Connect once more
            // to find out.
            Err(sqlx::Error::PoolTimedOut) => {
                PgConnection::connect_with(&self.pool.connect_options()).await?;
                Err("all connections to the database are busy".into())
            }
            connection => Ok(connection?),
        }
    }

    async fn push(&self, connection: &mut PgConnection, job: Task<Vec<u8>>) -> Result<(), BoxError> {
        Ok(queries::push_tasks(connection, &self.queue, vec![job]).await?)
    }

    async fn acknowledge(
        &self,
        connection: &mut PgConnection,
        worker: &str,
        results: &[&TaskResult<Value>],
    ) -> Result<(), BoxError> {
        queries::handle_results(connection, results, worker).await?;
        Ok(())
    }

    /// Notifies `changed` of each new job, which apalis announces on a channel.
    async fn notify(&self, changed: &Notify) -> Result<(), BoxError> {
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen("apalis::job::insert").await?;
        loop {
            changed.notify_one();
            // `None` means that the connection broke. Notify then too, because we may have missed changes.
            listener.try_recv().await?;
        }
    }
}

records!(
    Postgres,
    sqlx::Postgres,
    begin: "BEGIN",
    jobs: "apalis.jobs",
    workers: "apalis.workers",
    now: "CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)",
    seen: "now()",
    yesterday: "now() - interval '1 day'",
    done_at: "CAST(EXTRACT(EPOCH FROM jobs.done_at) * 1000 AS BIGINT)",
    unlocked: "FOR UPDATE SKIP LOCKED"
);
