//! What SQLite and Postgres have in common: the tables of apalis, and the table `mcp_tool_tasks` next to them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use apalis_core::backend::TaskResult;
use apalis_core::task::Task;
use apalis_core::task::builder::TaskBuilder;
use apalis_core::task::status::Status;
use apalis_core::task::task_id::TaskId;
use serde_json::Value;
use sqlx::pool::PoolConnection;
use sqlx::{Database, Executor};
use ulid::Ulid;

use crate::store::BoxError;

/// Creates a job. It carries no data, because the record with the same id holds the call.
pub(crate) fn job(id: &str) -> Result<Task<Vec<u8>>, BoxError> {
    let id = TaskId::from_ulid(Ulid::from_string(id)?);
    // apalis does not claim a job before its `run_at`. Set it to yesterday, so that a wrong clock cannot delay the job.
    let time = SystemTime::now().checked_sub(Duration::from_hours(24)).unwrap_or(UNIX_EPOCH);
    Ok(TaskBuilder::new(b"null".to_vec()).task_id(id).run_at_time(time.max(UNIX_EPOCH)).build())
}

/// Returns the result that acknowledges a job. The queue need not know whether the tool succeeded.
pub(crate) fn done(id: &str) -> Result<TaskResult<Value>, BoxError> {
    let task_id = TaskId::from_ulid(Ulid::from_string(id)?);
    Ok(TaskResult { task_id, attempt: 1, status: Status::Done, result: Ok(Value::Null) })
}

/// The maximum number of jobs that a worker can claim at once. The statement for Postgres takes it as an `INTEGER`.
pub(crate) const MOST_JOBS: usize = i32::MAX as usize;

/// The maximum number of tasks that a sweep deletes: few enough that the sweep ends in time and keeps no other process
/// waiting for long.
pub(crate) const SWEPT: i64 = 1_000;

/// A database transaction. If it is dropped before it is committed, its connection is closed.
///
/// sqlx would roll back and reuse the connection. But when the disk is full, a commit in SQLite fails after it has
/// already rolled back. sqlx then fails to roll back, and from then on believes that a transaction is open, so later
/// commits on that connection succeed without storing anything.
pub(crate) struct Transaction<D: Database> {
    pub(crate) connection: PoolConnection<D>,
    is_committed: bool,
}

impl<D: Database> Transaction<D>
where
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
{
    pub(crate) async fn begin(connection: PoolConnection<D>, statement: &'static str) -> Result<Self, sqlx::Error> {
        let mut transaction = Self { connection, is_committed: false };
        sqlx::raw_sql(statement).execute(&mut *transaction.connection).await?;
        Ok(transaction)
    }

    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        sqlx::raw_sql("COMMIT").execute(&mut *self.connection).await?;
        self.is_committed = true;
        Ok(())
    }
}

impl<D: Database> Drop for Transaction<D> {
    fn drop(&mut self) {
        if !self.is_committed {
            self.connection.close_on_drop();
        }
    }
}

/// Executes a statement, given as pieces of SQL and the values of its parameters.
macro_rules! execute {
    ($connection:expr, [$($value:expr),*], $($sql:literal)+) => {
        sqlx::query(concat!($($sql),+))$(.bind($value))*.execute(&mut *$connection).await?
    };
}

/// Implements `Store` for SQLite or Postgres, which share most statements. Where they differ, the statement uses an
/// argument of this macro, or is in a method that each store defines itself.
///
/// `begin` begins a transaction that reads before it writes. `now` is in milliseconds, like all times in
/// `mcp_tool_tasks`, and `done_at` converts the time of a job to the same unit. `seen` is the current time, and
/// `yesterday` the time a day ago, both in the form of the queue's own tables. `unlocked` skips rows that others have
/// locked. The beats of a worker are counted in the column `layers` of `workers`, which the queue does not use.
macro_rules! records {
    ($store:ty, $database:ty, begin: $begin:literal, jobs: $jobs:literal, workers: $workers:literal, now: $now:literal, seen: $seen:literal,
        yesterday: $yesterday:literal, done_at: $done_at:literal, unlocked: $unlocked:literal) => {
        impl $store {
            async fn create_table(connection: &mut <$database as sqlx::Database>::Connection) -> Result<(), sqlx::Error> {
                let statements = [
                    "CREATE TABLE IF NOT EXISTS mcp_tool_tasks (
                        id TEXT NOT NULL PRIMARY KEY,
                        queue TEXT NOT NULL,
                        principal TEXT,
                        call TEXT NOT NULL,
                        keep_for BIGINT NOT NULL,
                        message TEXT,
                        cancelled BIGINT NOT NULL DEFAULT 0,
                        outcome TEXT,
                        updated_at BIGINT NOT NULL,
                        expires_at BIGINT
                    )",
                    "CREATE INDEX IF NOT EXISTS mcp_tool_tasks_unfinished ON mcp_tool_tasks (queue, principal)
                    WHERE outcome IS NULL",
                    "CREATE INDEX IF NOT EXISTS mcp_tool_tasks_expiry ON mcp_tool_tasks (expires_at)
                    WHERE expires_at IS NOT NULL",
                ];
                for statement in statements {
                    sqlx::query(statement).execute(&mut *connection).await?;
                }
                Ok(())
            }

            /// Fails if the database refuses to write. The statement deletes nothing, because every record has an `id`.
            async fn check_writable(
                connection: &mut <$database as sqlx::Database>::Connection,
            ) -> Result<(), sqlx::Error> {
                execute!(connection, [],
                    "DELETE FROM mcp_tool_tasks WHERE id IS NULL");
                Ok(())
            }

            async fn begin(&self) -> Result<sql::Transaction<$database>, BoxError> {
                Ok(sql::Transaction::begin(self.connection().await?, $begin).await?)
            }

            /// Inserts a record. Returns `false` if there already is a record with the same id.
            async fn insert(
                &self,
                connection: &mut <$database as sqlx::Database>::Connection,
                record: &NewRecord<'_>,
            ) -> Result<bool, sqlx::Error> {
                let inserted = execute!(connection, [record.id, &self.queue, record.principal, record.call, record.keep_for],
                    "INSERT INTO mcp_tool_tasks (id, queue, principal, call, keep_for, updated_at) VALUES ($1, $2,
                    $3, $4, $5, " $now ") ON CONFLICT (id) DO NOTHING");
                Ok(inserted.rows_affected() > 0)
            }

            /// Stores the end of a task, unless the task has already ended.
            async fn store_end(
                connection: &mut <$database as sqlx::Database>::Connection,
                id: &str,
                end: &str,
            ) -> Result<(), sqlx::Error> {
                execute!(connection, [id, end],
                    "UPDATE mcp_tool_tasks SET outcome = $2, updated_at = " $now ", expires_at = " $now " + keep_for
                    WHERE id = $1 AND outcome IS NULL");
                Ok(())
            }
        }

        impl Store for $store {
            async fn submit(&self, record: NewRecord<'_>) -> Result<(), BoxError> {
                let mut transaction = self.begin().await?;
                if !self.insert(&mut transaction.connection, &record).await? {
                    return Err("there is a task with this id".into());
                }
                self.push(&mut transaction.connection, sql::job(record.id)?).await?;
                Ok(transaction.commit().await?)
            }

            async fn submit_to(
                &self,
                record: NewRecord<'_>,
                worker: &str,
                replaced: Option<&str>,
            ) -> Result<bool, BoxError> {
                let mut transaction = self.begin().await?;
                // Insert the worker first: a job can only belong to a worker that exists.
                execute!(transaction.connection, [worker, &self.queue],
                    "INSERT INTO " $workers " (id, worker_type, storage_name, layers, last_seen) VALUES ($1, $2,
                    'mcp-tool-tasks', '0', " $seen ") ON CONFLICT (id) DO NOTHING");
                let gone = execute!(transaction.connection, [record.id, &self.queue, replaced],
                    "DELETE FROM mcp_tool_tasks WHERE id = $1 AND queue = $2 AND outcome IS NOT NULL AND (outcome =
                    $3 OR expires_at <= " $now ")");
                if gone.rows_affected() > 0 {
                    execute!(transaction.connection, [record.id],
                        "DELETE FROM " $jobs " WHERE id = $1");
                }
                if self.insert(&mut transaction.connection, &record).await? {
                    self.push(&mut transaction.connection, sql::job(record.id)?).await?;
                }
                let claimed = execute!(transaction.connection, [record.id, &self.queue, worker],
                    "UPDATE " $jobs " SET status = 'Queued', lock_by = $3, lock_at = " $seen " WHERE id = $1 AND
                    job_type = $2 AND status = 'Pending'");
                transaction.commit().await?;
                Ok(claimed.rows_affected() > 0)
            }

            async fn get(&self, id: &str) -> Result<Option<Record>, BoxError> {
                let row: Option<(String, Option<String>, Option<String>, i64, i64)> = sqlx::query_as(concat!(
                    "SELECT call, message, outcome, updated_at, CAST(CASE WHEN outcome IS NULL AND EXISTS (SELECT 1 FROM ",
                    $jobs,
                    " AS jobs WHERE jobs.id = mcp_tool_tasks.id AND jobs.status = 'Pending' AND COALESCE(",
                    $done_at,
                    ", updated_at) + keep_for <= ",
                    $now,
                    ") THEN 1 ELSE 0 END AS BIGINT)
                    FROM mcp_tool_tasks WHERE id = $1 AND queue = $2 AND (expires_at IS NULL OR expires_at > ",
                    $now,
                    ")"
                ))
                .bind(id)
                .bind(&self.queue)
                .fetch_optional(&mut *self.connection().await?)
                .await?;
                Ok(row.map(|(call, message, outcome, updated_at, is_overdue)| Record {
                    call,
                    message,
                    outcome,
                    updated_at,
                    is_overdue: is_overdue != 0,
                }))
            }

            async fn end_waiting(&self, id: &str, end: &str) -> Result<bool, BoxError> {
                let mut transaction = self.begin().await?;
                let waiting = execute!(transaction.connection, [id, &self.queue],
                    "DELETE FROM " $jobs " WHERE id = $1 AND job_type = $2 AND status = 'Pending' AND attempts = 0");
                if waiting.rows_affected() > 0 {
                    Self::store_end(&mut transaction.connection, id, end).await?;
                }
                transaction.commit().await?;
                Ok(waiting.rows_affected() > 0)
            }

            async fn ask_to_cancel(&self, id: &str) -> Result<(), BoxError> {
                execute!(self.connection().await?, [id, &self.queue],
                    "UPDATE mcp_tool_tasks SET cancelled = 1 WHERE id = $1 AND queue = $2 AND outcome IS NULL");
                Ok(())
            }

            async fn unfinished(&self, principal: Option<&str>) -> Result<i64, BoxError> {
                let statement = match principal {
                    None => "SELECT count(*) FROM mcp_tool_tasks WHERE queue = $1 AND outcome IS NULL",
                    Some(_) => {
                        "SELECT count(*) FROM mcp_tool_tasks WHERE queue = $1 AND outcome IS NULL AND principal = $2"
                    }
                };
                let mut query = sqlx::query_as(statement).bind(&self.queue);
                if let Some(principal) = principal {
                    query = query.bind(principal);
                }
                let (count,) = query.fetch_one(&mut *self.connection().await?).await?;
                Ok(count)
            }

            async fn beat(&self, worker: &str, silent: &[Beat]) -> Result<Vec<Beat>, BoxError> {
                let mut transaction = self.begin().await?;
                execute!(transaction.connection, [worker, &self.queue],
                    "INSERT INTO " $workers " AS worker (id, worker_type, storage_name, layers, last_seen) VALUES
                    ($1, $2, 'mcp-tool-tasks', '0', " $seen ") ON CONFLICT (id) DO UPDATE SET layers =
                    CAST(CAST(worker.layers AS BIGINT) + 1 AS TEXT), last_seen = " $seen);
                let others: Vec<Beat> = sqlx::query_as(concat!(
                    "SELECT id, layers FROM ",
                    $workers,
                    " AS workers WHERE worker_type = $1 AND id <> $2 AND EXISTS (SELECT 1 FROM ",
                    $jobs,
                    " AS jobs WHERE lock_by = workers.id AND status IN ('Queued', 'Running'))"
                ))
                .bind(&self.queue)
                .bind(worker)
                .fetch_all(&mut *transaction.connection)
                .await?;
                for (dead, _) in others.iter().filter(|beat| silent.contains(beat)) {
                    // Set `done_at` to the time at which the jobs begin to wait for another worker. A worker that is
                    // suspended in a transaction keeps its locks, so skip the jobs that are locked.
                    execute!(transaction.connection, [dead],
                        "UPDATE " $jobs " SET status = 'Pending', lock_by = NULL, lock_at = NULL, attempts =
                        attempts + 1, done_at = " $seen " WHERE id IN (SELECT id FROM " $jobs " WHERE lock_by = $1
                        AND status IN ('Queued', 'Running') " $unlocked ")");
                }
                transaction.commit().await?;
                Ok(others)
            }

            async fn claim(&self, worker: &str, at_most: usize) -> Result<usize, BoxError> {
                let config = self.config().batch_size(at_most.min(sql::MOST_JOBS));
                let worker = WorkerContext::new(worker);
                Ok(queries::fetch_next(&mut *self.connection().await?, &config, &worker).await?.len())
            }

            async fn held(&self, worker: &str) -> Result<Vec<Held>, BoxError> {
                let rows: Vec<(String, i64, i64, i64)> = sqlx::query_as(concat!(
                    "SELECT jobs.id, CAST(jobs.attempts AS BIGINT), COALESCE(tasks.cancelled, 0),
                        CAST(CASE WHEN tasks.id IS NOT NULL AND tasks.outcome IS NULL THEN 1 ELSE 0 END AS BIGINT)
                    FROM ",
                    $jobs,
                    " AS jobs LEFT JOIN mcp_tool_tasks AS tasks ON tasks.id = jobs.id
                    WHERE jobs.lock_by = $1 AND jobs.status IN ('Queued', 'Running')"
                ))
                .bind(worker)
                .fetch_all(&mut *self.connection().await?)
                .await?;
                let held = rows.into_iter().map(|(id, repeats, cancelled, unfinished)| Held {
                    id,
                    repeats,
                    cancelled: cancelled != 0,
                    unfinished: unfinished != 0,
                });
                Ok(held.collect())
            }

            async fn progress(&self, worker: &str, messages: &[(&str, String)]) -> Result<(), BoxError> {
                let mut transaction = self.begin().await?;
                for (id, message) in messages {
                    execute!(transaction.connection, [*id, message, worker],
                        "UPDATE mcp_tool_tasks SET message = $2, updated_at = " $now " WHERE id = $1 AND outcome IS
                        NULL AND EXISTS (SELECT 1 FROM " $jobs " WHERE id = $1 AND lock_by = $3)");
                }
                Ok(transaction.commit().await?)
            }

            async fn give_back(&self, worker: &str, id: &str) -> Result<(), BoxError> {
                execute!(self.connection().await?, [id, worker],
                    "UPDATE " $jobs " SET status = 'Pending', lock_by = NULL, lock_at = NULL, run_at = " $yesterday
                    " WHERE id = $1 AND lock_by = $2 AND status IN ('Queued', 'Running')");
                Ok(())
            }

            async fn end(&self, worker: &str, ends: &[(&str, Option<&str>)]) -> Result<(), BoxError> {
                let mut transaction = self.begin().await?;
                for (id, end) in ends {
                    if let Some(end) = end {
                        Self::store_end(&mut transaction.connection, id, end).await?;
                    }
                }
                let done = ends.iter().map(|(id, _)| sql::done(id)).collect::<Result<Vec<_>, _>>()?;
                self.acknowledge(&mut transaction.connection, worker, &done.iter().collect::<Vec<_>>()).await?;
                Ok(transaction.commit().await?)
            }

            async fn sweep(&self) -> Result<bool, BoxError> {
                let mut transaction = self.begin().await?;
                let (now,): (i64,) =
                    sqlx::query_as(concat!("SELECT ", $now)).fetch_one(&mut *transaction.connection).await?;
                let expired = "(SELECT id FROM mcp_tool_tasks WHERE expires_at <= $1 ORDER BY expires_at, id LIMIT $2)";
                let mut deleted = 0;
                // If another process sweeps at the same time, the two statements may select different tasks. A job
                // without its task would never be deleted, so delete only tasks whose job is gone.
                for statement in [
                    format!("DELETE FROM {} WHERE id IN {expired}", $jobs),
                    format!(
                        "DELETE FROM mcp_tool_tasks WHERE id IN {expired}
                        AND NOT EXISTS (SELECT 1 FROM {} AS jobs WHERE jobs.id = mcp_tool_tasks.id)",
                        $jobs
                    ),
                ] {
                    let done = sqlx::query(sqlx::AssertSqlSafe(statement))
                        .bind(now)
                        .bind(sql::SWEPT)
                        .execute(&mut *transaction.connection)
                        .await?;
                    deleted = done.rows_affected();
                }
                // Each process registers a new worker, so the workers of ended processes would pile up. Delete them.
                execute!(transaction.connection, [&self.queue],
                    "DELETE FROM " $workers " WHERE worker_type = $1 AND last_seen < " $yesterday " AND NOT EXISTS
                    (SELECT 1 FROM " $jobs " WHERE lock_by = " $workers ".id)");
                transaction.commit().await?;
                Ok(deleted >= sql::SWEPT.unsigned_abs())
            }

            async fn listen(&self, changed: &Notify) -> Result<(), BoxError> {
                self.notify(changed).await
            }
        }
    };
}

pub(crate) use {execute, records};
