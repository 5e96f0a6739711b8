//! What SQLite and Postgres have in common: the tables of apalis, and the table `mcp_tool_tasks` beside them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use apalis_core::backend::TaskResult;
use apalis_core::task::Task;
use apalis_core::task::builder::TaskBuilder;
use apalis_core::task::status::Status;
use apalis_core::task::task_id::TaskId;
use serde_json::Value;
use ulid::Ulid;

use crate::store::BoxError;

/// The job says nothing: the record of the same id has the call.
pub(crate) fn job(id: &str) -> Result<Task<Vec<u8>>, BoxError> {
    let id = TaskId::from_ulid(Ulid::from_string(id)?);
    // apalis does not claim a job before its `run_at`. A day in the past keeps wrong clocks from delaying it.
    let time = SystemTime::now().checked_sub(Duration::from_hours(24)).unwrap_or(UNIX_EPOCH);
    Ok(TaskBuilder::new(b"null".to_vec()).task_id(id).run_at_time(time.max(UNIX_EPOCH)).build())
}

/// The acknowledgement of a job. Whether its tool succeeded is not the queue's business.
pub(crate) fn done(id: &str) -> Result<TaskResult<Value>, BoxError> {
    let task_id = TaskId::from_ulid(Ulid::from_string(id)?);
    Ok(TaskResult { task_id, attempt: 1, status: Status::Done, result: Ok(Value::Null) })
}

/// How many jobs a worker can claim: an `INTEGER` in Postgres.
pub(crate) const MOST_JOBS: usize = i32::MAX as usize;

/// How many tasks a sweep deletes: so few that it ends in time, and locks nobody out.
pub(crate) const SWEPT: i64 = 1_000;

/// The statements for `mcp_tool_tasks`. SQLite and Postgres understand the same ones; the rest is the queue's.
///
/// `begin` begins a transaction that reads before it writes. `now` is in milliseconds, as all times of `mcp_tool_tasks`, and so is `silence`,
/// the time since a worker has beaten.
macro_rules! records {
    ($store:ty, $database:ty, begin: $begin:literal, jobs: $jobs:literal, workers: $workers:literal, now: $now:literal, silence: $silence:literal,
        seen_long_ago: $seen_long_ago:literal) => {
        impl $store {
            async fn create_table(
                connection: &mut <$database as sqlx::Database>::Connection,
            ) -> Result<(), sqlx::Error> {
                let statements = [
                    "CREATE TABLE IF NOT EXISTS mcp_tool_tasks (
                        id TEXT NOT NULL PRIMARY KEY,
                        queue TEXT NOT NULL,
                        principal TEXT,
                        call TEXT NOT NULL,
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

            /// Ends a task, unless it has ended.
            async fn store_outcome(
                connection: &mut <$database as sqlx::Database>::Connection,
                id: &str,
                outcome: &Outcome,
            ) -> Result<(), sqlx::Error> {
                sqlx::query(concat!(
                    "UPDATE mcp_tool_tasks SET outcome = $2, updated_at = ",
                    $now,
                    ", expires_at = ",
                    $now,
                    " + $3 WHERE id = $1 AND outcome IS NULL"
                ))
                .bind(id)
                .bind(&outcome.json)
                .bind(outcome.keep_for)
                .execute(connection)
                .await?;
                Ok(())
            }
        }

        impl Store for $store {
            async fn submit(&self, record: NewRecord<'_>) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                sqlx::query(concat!(
                    "INSERT INTO mcp_tool_tasks (id, queue, principal, call, updated_at) VALUES ($1, $2, $3, $4, ",
                    $now,
                    ")"
                ))
                .bind(record.id)
                .bind(&self.queue)
                .bind(record.principal)
                .bind(record.call)
                .execute(&mut *transaction)
                .await?;
                self.push(&mut transaction, sql::job(record.id)?).await?;
                Ok(transaction.commit().await?)
            }

            async fn get(&self, id: &str) -> Result<Option<Record>, BoxError> {
                let row: Option<(String, Option<String>, Option<String>, i64)> = sqlx::query_as(concat!(
                    "SELECT call, message, outcome, updated_at FROM mcp_tool_tasks
                    WHERE id = $1 AND queue = $2 AND (expires_at IS NULL OR expires_at > ",
                    $now,
                    ")"
                ))
                .bind(id)
                .bind(&self.queue)
                .fetch_optional(&self.pool)
                .await?;
                Ok(row.map(|(call, message, outcome, updated_at)| Record { call, message, outcome, updated_at }))
            }

            async fn cancel(&self, id: &str, outcome: Outcome) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                let waiting = sqlx::query(concat!(
                    "DELETE FROM ",
                    $jobs,
                    " WHERE id = $1 AND job_type = $2 AND status = 'Pending'"
                ))
                .bind(id)
                .bind(&self.queue)
                .execute(&mut *transaction)
                .await?;
                if waiting.rows_affected() > 0 {
                    Self::store_outcome(&mut transaction, id, &outcome).await?;
                } else {
                    sqlx::query(
                        "UPDATE mcp_tool_tasks SET cancelled = 1 WHERE id = $1 AND queue = $2 AND outcome IS NULL",
                    )
                    .bind(id)
                    .bind(&self.queue)
                    .execute(&mut *transaction)
                    .await?;
                }
                Ok(transaction.commit().await?)
            }

            async fn unfinished(&self, principal: Option<&str>) -> Result<i64, BoxError> {
                let (count,) = match principal {
                    None => {
                        sqlx::query_as("SELECT count(*) FROM mcp_tool_tasks WHERE queue = $1 AND outcome IS NULL")
                            .bind(&self.queue)
                            .fetch_one(&self.pool)
                            .await?
                    }
                    Some(principal) => sqlx::query_as(
                        "SELECT count(*) FROM mcp_tool_tasks WHERE queue = $1 AND outcome IS NULL AND principal = $2",
                    )
                    .bind(&self.queue)
                    .bind(principal)
                    .fetch_one(&self.pool)
                    .await?,
                };
                Ok(count)
            }

            async fn beat(&self, worker: &str, lease: Duration, takes_over: bool) -> Result<bool, BoxError> {
                let worker = &WorkerContext::new(worker);
                let mut transaction = self.pool.begin_with($begin).await?;
                let silence: Option<(i64,)> =
                    sqlx::query_as(concat!("SELECT ", $silence, " FROM ", $workers, " WHERE id = $1"))
                        .bind(worker.name())
                        .fetch_optional(&mut *transaction)
                        .await?;
                if !self.keep_alive(&mut transaction, worker).await? {
                    transaction.rollback().await?;
                    self.register(worker).await?;
                    // `register` has stored the time of this machine.
                    self.keep_alive(&mut *self.pool.acquire().await?, worker).await?;
                    return Ok(false);
                }
                let most = store::millis(lease) / 2;
                let is_steady = silence.is_some_and(|(silence,)| (-most..=most).contains(&silence));
                if is_steady && takes_over {
                    self.queue_orphans(&mut transaction, worker, lease).await?;
                }
                transaction.commit().await?;
                Ok(is_steady)
            }

            async fn claim(&self, worker: &str, up_to: usize) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin_with($begin).await?;
                let (held,): (i64,) = sqlx::query_as(concat!(
                    "SELECT count(*) FROM ",
                    $jobs,
                    " WHERE lock_by = $1 AND status IN ('Queued', 'Running')"
                ))
                .bind(worker)
                .fetch_one(&mut *transaction)
                .await?;
                let free = up_to.min(sql::MOST_JOBS).saturating_sub(usize::try_from(held)?);
                if free > 0 {
                    self.fetch_next(&mut transaction, &WorkerContext::new(worker), free).await?;
                }
                Ok(transaction.commit().await?)
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
                .fetch_all(&self.pool)
                .await?;
                let held = rows.into_iter().map(|(id, repeats, cancelled, unfinished)| Held {
                    id,
                    repeats,
                    cancelled: cancelled != 0,
                    unfinished: unfinished != 0,
                });
                Ok(held.collect())
            }

            async fn progress(&self, messages: &[(&str, String)]) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                for (id, message) in messages {
                    sqlx::query(concat!(
                        "UPDATE mcp_tool_tasks SET message = $2, updated_at = ",
                        $now,
                        " WHERE id = $1 AND outcome IS NULL"
                    ))
                    .bind(*id)
                    .bind(message)
                    .execute(&mut *transaction)
                    .await?;
                }
                Ok(transaction.commit().await?)
            }

            async fn end(&self, worker: &str, id: &str, outcome: Option<&Outcome>) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                if let Some(outcome) = outcome {
                    Self::store_outcome(&mut transaction, id, outcome).await?;
                }
                self.acknowledge(&mut transaction, worker, &sql::done(id)?).await?;
                Ok(transaction.commit().await?)
            }

            async fn sweep(&self) -> Result<bool, BoxError> {
                let mut transaction = self.pool.begin().await?;
                let (now,): (i64,) = sqlx::query_as(concat!("SELECT ", $now)).fetch_one(&mut *transaction).await?;
                let expired = "(SELECT id FROM mcp_tool_tasks WHERE expires_at <= $1 ORDER BY expires_at, id LIMIT $2)";
                let mut deleted = 0;
                // Another process may sweep at the same time, and the two statements may find other tasks. A job without its task would stay.
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
                        .execute(&mut *transaction)
                        .await?;
                    deleted = done.rows_affected();
                }
                // Each process is another worker.
                sqlx::query(concat!(
                    "DELETE FROM ",
                    $workers,
                    " WHERE worker_type = $1 AND ",
                    $seen_long_ago,
                    " AND NOT EXISTS (SELECT 1 FROM ",
                    $jobs,
                    " WHERE lock_by = ",
                    $workers,
                    ".id)"
                ))
                .bind(&self.queue)
                .execute(&mut *transaction)
                .await?;
                transaction.commit().await?;
                Ok(deleted >= sql::SWEPT.unsigned_abs())
            }
        }
    };
}

pub(crate) use records;
