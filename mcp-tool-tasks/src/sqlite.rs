//! Tasks in a SQLite file.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use apalis_core::backend::TaskResult;
use apalis_core::task::Task;
use apalis_core::worker::context::WorkerContext;
use apalis_sqlite::{Config, SqliteStorage, queries};
use mcp_tool_runtime::tasks::TaskEngineError;
use serde_json::Value;
use sqlx::SqlitePool;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use tokio::sync::Notify;

use crate::engine::{Engine, PATIENCE, QUEUE};
use crate::sql::{self, execute, records};
use crate::store::{Beat, BoxError, Held, NewRecord, Record, Store};

/// An engine that keeps its tasks in a SQLite file, durably and without a server, on one machine.
///
/// Several processes of the machine may open the same file, as servers and as workers. A file on a network drive does
/// not work, because SQLite's write-ahead log needs shared memory.
pub type SqliteEngine = Engine<Sqlite>;

/// A SQLite database.
#[derive(Debug, Clone)]
pub struct Sqlite {
    pool: SqlitePool,
    queue: String,
    /// The path of the file, and the id that the file had when it was opened.
    file: Arc<(PathBuf, (u64, u64))>,
}

impl Engine<Sqlite> {
    /// Opens the file at a path, and creates it and its tables if they are missing. A test can use a file in a
    /// temporary directory, or `Tasks::in_memory()` instead of an engine.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened or written, or is not a SQLite database. Also fails for `:memory:` and for a
    /// URL (`sqlite:…` or `file:…`), because they would be taken for the names of files. A file with such a name can be
    /// opened as `./:memory:`.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, TaskEngineError> {
        let given = path.as_ref().to_string_lossy();
        if given == ":memory:" || given.starts_with("sqlite:") || given.starts_with("file:") {
            return Err(TaskEngineError::new(format!(
                "`{given}` is not a path, and `open` takes a path, such as `tasks.db`: in a test, use \
                 `Tasks::in_memory()` or a file in a temporary directory"
            )));
        }
        let path = std::path::absolute(path).map_err(TaskEngineError::new)?;
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true)
            .busy_timeout(PATIENCE)
            .journal_mode(SqliteJournalMode::Wal)
            // This is the default of SQLite, but not of apalis. With this setting, committed data survives a power
            // failure.
            .synchronous(SqliteSynchronous::Full);
        let pool = SqlitePoolOptions::new().acquire_timeout(PATIENCE).max_connections(4).connect_lazy_with(options);
        // SQLite has no lock for migrations or for switching a file to write-ahead logging. So an attempt can fail if
        // another process does the same at that time. The next attempt then finds that the work is done.
        let mut attempts = 0;
        while let Err(error) = Sqlite::set_up(&pool).await {
            if attempts == 20 {
                return Err(TaskEngineError::new(format!("{}: {error}", path.display())));
            }
            tokio::time::sleep(Duration::from_millis(50 + 10 * attempts)).await;
            attempts += 1;
        }
        let id = file_id(&path).map_err(TaskEngineError::new)?;
        Ok(Self::new(Sqlite { pool, queue: QUEUE.to_owned(), file: Arc::new((path, id)) }))
    }

    /// Sets the name of the queue. Servers that share a file need different queues if their tools differ.
    #[must_use]
    pub fn queue(mut self, name: impl Into<String>) -> Self {
        self.store.queue = name.into();
        self
    }
}

impl Sqlite {
    async fn set_up(pool: &SqlitePool) -> Result<(), BoxError> {
        // Do not call `setup`, which would trade durability for speed.
        SqliteStorage::migrations().run(pool).await?;
        let mut connection = pool.acquire().await?;
        Self::create_table(&mut connection).await?;
        Ok(Self::check_writable(&mut connection).await?)
    }

    fn config(&self) -> Config {
        Config::default().queue(&self.queue)
    }

    async fn connection(&self) -> Result<PoolConnection<sqlx::Sqlite>, BoxError> {
        // Without this check, SQLite would go on writing to a file that nobody else can find.
        if file_id(&self.file.0).ok() != Some(self.file.1) {
            let text = format!("{} has been deleted or replaced since it was opened", self.file.0.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text).into());
        }
        Ok(self.pool.acquire().await?)
    }

    async fn push(&self, connection: &mut SqliteConnection, job: Task<Vec<u8>>) -> Result<(), BoxError> {
        Ok(queries::push_tasks(connection, &self.queue, &[job]).await?)
    }

    async fn acknowledge(
        &self,
        connection: &mut SqliteConnection,
        worker: &str,
        results: &[&TaskResult<Value>],
    ) -> Result<(), BoxError> {
        queries::ack_tasks(connection, results, worker).await?;
        Ok(())
    }

    /// Watches the write-ahead log: SQLite does not tell other processes about a change, but writes each change to this
    /// log.
    ///
    /// A separate thread reads the modification time and the length of that file 66 times a second, which takes 0.4%
    /// of a processor. A timer of tokio wakes several threads each time, and 40 reads a second with such a timer took
    /// twice as much.
    async fn notify(&self, changed: &Notify) -> Result<(), BoxError> {
        let log = format!("{}-wal", self.file.0.display());
        let seen = Arc::new(Notify::new());
        let watcher = Arc::downgrade(&seen);
        let watch = move || {
            let (mut last, mut is_new) = (None, true);
            // The thread ends when the future of `notify` has been dropped.
            while let Some(seen) = watcher.upgrade() {
                let state = std::fs::metadata(&log).and_then(|log| Ok((log.modified()?, log.len()))).ok();
                // Two changes within a few milliseconds can have the same time stamp, so notify a second time after
                // each change.
                let was_new = std::mem::replace(&mut is_new, std::mem::replace(&mut last, state) != state);
                if is_new || was_new {
                    seen.notify_one();
                }
                drop(seen);
                std::thread::sleep(Duration::from_millis(15));
            }
        };
        std::thread::Builder::new().name("mcp-tool-sqlite".to_owned()).spawn(watch)?;
        loop {
            seen.notified().await;
            changed.notify_one();
        }
    }
}

/// Returns an id that distinguishes a file from a later file at the same path.
fn file_id(path: &Path) -> io::Result<(u64, u64)> {
    let file = std::fs::metadata(path)?;
    #[cfg(unix)]
    return Ok((std::os::unix::fs::MetadataExt::dev(&file), std::os::unix::fs::MetadataExt::ino(&file)));
    // On Windows, nobody can delete or replace a file while SQLite has it open, so an id is not needed.
    #[cfg(not(unix))]
    Ok((0, u64::from(file.is_dir())))
}

records!(
    Sqlite,
    sqlx::Sqlite,
    // With a plain `BEGIN`, SQLite refuses the first write at once if another process has written since the first read.
    begin: "BEGIN IMMEDIATE",
    jobs: "Jobs",
    workers: "Workers",
    now: "CAST((julianday('now') - 2440587.5) * 86400000 AS BIGINT)",
    seen: "strftime('%s', 'now')",
    yesterday: "strftime('%s', 'now') - 86400",
    done_at: "jobs.done_at * 1000",
    unlocked: ""
);

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with the file of a database.
    struct Folder(PathBuf);

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

    /// Creates a database with this number of tasks, and returns their ids too.
    async fn database(tasks: u128) -> (Folder, Sqlite, Vec<String>) {
        let folder = Folder::new();
        let store = folder.open().await;
        let ids: Vec<_> = (0..tasks).map(|id| ulid::Ulid::from(id).to_string()).collect();
        for id in &ids {
            store.submit(NewRecord { id, principal: None, call: "{}", keep_for: 60_000 }).await.unwrap();
        }
        (folder, store, ids)
    }

    async fn execute(store: &Sqlite, statement: &'static str) {
        sqlx::query(statement).execute(&store.pool).await.unwrap();
    }

    /// If another process writes between a read and a write of one transaction, SQLite refuses that write without
    /// waiting.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_worker_beats_and_claims_while_another_process_writes() {
        let folder = Folder::new();
        let (store, other) = (folder.open().await, folder.open().await);
        store.beat("w", &[]).await.unwrap();
        let writing = tokio::spawn(async move {
            for number in 0.. {
                let id = ulid::Ulid::from(number).to_string();
                other.submit(NewRecord { id: &id, principal: None, call: "{}", keep_for: 60_000 }).await.unwrap();
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        for _ in 0..50 {
            store.beat("w", &[]).await.unwrap();
            store.claim("w", 5).await.unwrap();
        }
        writing.abort();
    }

    #[tokio::test]
    async fn a_file_that_is_deleted_or_replaced_is_noticed() {
        let (folder, store, ids) = database(1).await;
        let file = folder.0.join("tasks.db");
        let copy = folder.0.join("copy.db");
        std::fs::copy(&file, &copy).unwrap();
        std::fs::remove_file(&file).unwrap();
        for copied in [false, true] {
            if copied {
                std::fs::rename(&copy, &file).unwrap();
            }
            let error = store.get(&ids[0]).await.err().unwrap().to_string();
            assert!(error.contains("tasks.db has been deleted or replaced"), "{error}");
            assert!(store.claim("w", 1).await.is_err());
        }
    }

    #[tokio::test]
    async fn many_tasks_are_deleted_in_parts() {
        let (_folder, store, ids) = database(3).await;
        assert!(store.end_waiting(&ids[0], "null").await.unwrap());
        execute(
            &store,
            "WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 1500)
            INSERT INTO mcp_tool_tasks (id, queue, call, keep_for, outcome, updated_at, expires_at)
            SELECT id, 'mcp-tool', '', 1, '', 1, 1 FROM ids",
        )
        .await;
        assert!(store.sweep().await.unwrap());
        assert!(!store.sweep().await.unwrap());
        let (left,): (i64,) =
            sqlx::query_as("SELECT count(*) FROM mcp_tool_tasks").fetch_one(&store.pool).await.unwrap();
        assert_eq!(left, 3);
    }
}
