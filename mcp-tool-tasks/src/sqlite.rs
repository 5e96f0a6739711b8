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
        // `last_seen` has whole seconds: a difference of 2 may be little more than 1 second.
        let lease = lease.as_secs().cast_signed() + 1;
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

records!(
    Sqlite,
    sqlx::Sqlite,
    // Otherwise SQLite refuses the first write at once if another process has written since the first read.
    begin: "BEGIN IMMEDIATE",
    jobs: "Jobs",
    workers: "Workers",
    now: "CAST((julianday('now') - 2440587.5) * 86400000 AS BIGINT)",
    // Both times are cut to whole seconds, so the difference is up to a second too long or too short.
    silence: "(strftime('%s', 'now') - last_seen) * 1000 - 500",
    seen_long_ago: "last_seen < strftime('%s', 'now') - 86400"
);

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(30);

    /// A folder with the file of a database.
    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new() -> Self {
            let folder = std::env::temp_dir().join(format!("mcp-tool-tasks-{}", ulid::Ulid::generate()));
            std::fs::create_dir(&folder).unwrap();
            Self(folder)
        }

        async fn open(&self) -> Sqlite {
            Engine::open(self.0.join("tasks.db")).await.unwrap().store
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// A database with this number of tasks, and their ids.
    async fn database(tasks: u128) -> (Folder, Sqlite, Vec<String>) {
        let folder = Folder::new();
        let store = folder.open().await;
        let ids: Vec<_> = (0..tasks).map(|id| ulid::Ulid::from(id).to_string()).collect();
        for id in &ids {
            store.submit(NewRecord { id, principal: None, call: "{}" }).await.unwrap();
        }
        (folder, store, ids)
    }

    async fn execute(store: &Sqlite, statement: &'static str) {
        sqlx::query(statement).execute(&store.pool).await.unwrap();
    }

    /// Otherwise a worker that misses the answer would claim ever more.
    #[tokio::test]
    async fn a_worker_holds_no_more_than_it_wants() {
        let (_folder, store, _) = database(5).await;
        store.beat("w", LEASE, false).await.unwrap();
        for _ in 0..3 {
            store.claim("w", 2).await.unwrap();
            assert_eq!(store.held("w").await.unwrap().len(), 2);
        }
        store.claim("w", usize::MAX).await.unwrap();
        assert_eq!(store.held("w").await.unwrap().len(), 5);
    }

    /// SQLite refuses a write after a read at once, if another process has written between the two.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_worker_beats_and_claims_while_another_process_writes() {
        let folder = Folder::new();
        let (store, other) = (folder.open().await, folder.open().await);
        store.beat("w", LEASE, false).await.unwrap();
        let writing = tokio::spawn(async move {
            for number in 0.. {
                let id = ulid::Ulid::from(number).to_string();
                other.submit(NewRecord { id: &id, principal: None, call: "{}" }).await.unwrap();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        for _ in 0..50 {
            store.beat("w", LEASE, true).await.unwrap();
            store.claim("w", 5).await.unwrap();
        }
        writing.abort();
    }

    /// All workers seem to be silent then, and nobody takes over their tasks.
    #[tokio::test]
    async fn nobody_takes_over_when_the_clock_is_set() {
        let (_folder, store, _) = database(1).await;
        for worker in ["a", "b"] {
            store.beat(worker, LEASE, false).await.unwrap();
        }
        store.claim("a", 1).await.unwrap();
        for set in
            ["UPDATE Workers SET last_seen = last_seen - 3600", "UPDATE Workers SET last_seen = last_seen + 7200"]
        {
            execute(&store, set).await;
            assert!(!store.beat("b", LEASE, true).await.unwrap());
            assert_eq!(store.held("a").await.unwrap().len(), 1);
        }
        assert!(store.beat("b", LEASE, true).await.unwrap());
        execute(&store, "UPDATE Workers SET last_seen = last_seen - 7200 WHERE id = 'a'").await;
        assert!(store.beat("b", LEASE, true).await.unwrap());
        assert!(store.held("a").await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn many_tasks_are_deleted_in_parts() {
        let (_folder, store, ids) = database(3).await;
        store.cancel(&ids[0], Outcome { json: "null".to_owned(), keep_for: 60_000 }).await.unwrap();
        execute(
            &store,
            "WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 1500)
            INSERT INTO mcp_tool_tasks (id, queue, call, outcome, updated_at, expires_at)
            SELECT id, 'mcp-tool', '', '', 1, 1 FROM ids",
        )
        .await;
        assert!(store.sweep().await.unwrap());
        assert!(!store.sweep().await.unwrap());
        let (left,): (i64,) =
            sqlx::query_as("SELECT count(*) FROM mcp_tool_tasks").fetch_one(&store.pool).await.unwrap();
        assert_eq!(left, 3);
    }
}
