//! What an engine asks of its database.

use std::error::Error;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use apalis_core::task::Task;
use apalis_core::task::builder::TaskBuilder;
use apalis_core::task::status::Status;
use apalis_core::task::task_id::TaskId;
use apalis_core::worker::context::WorkerContext;
use ulid::Ulid;

pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// A database with the tables of apalis, and the table `mcp_tool_tasks` beside them.
///
/// Each method is one transaction, and may be repeated.
pub trait Store: Clone + Send + Sync + 'static {
    /// Inserts a record and its job.
    fn submit(&self, record: NewRecord<'_>) -> impl Future<Output = Result<(), BoxError>> + Send;

    fn get(&self, id: &str) -> impl Future<Output = Result<Option<Record>, BoxError>> + Send;

    /// Ends a task that nobody runs with `outcome`, or notes the wish for its worker.
    fn cancel(&self, id: &str, outcome: Outcome) -> impl Future<Output = Result<(), BoxError>> + Send;

    fn unfinished(&self, principal: Option<&str>) -> impl Future<Output = Result<i64, BoxError>> + Send;

    /// Tells the others that the worker lives, and queues the jobs of workers again that have not done so for `lease`.
    fn beat(
        &self,
        worker: &WorkerContext,
        lease: Option<Duration>,
    ) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Claims jobs, at most this number.
    fn claim(&self, worker: &WorkerContext, at_most: usize) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Returns the jobs that the worker has claimed and not acknowledged.
    fn held(&self, worker: &WorkerContext) -> impl Future<Output = Result<Vec<Held>, BoxError>> + Send;

    /// Stores the messages of tasks, by their ids.
    fn progress(&self, messages: &[(&str, String)]) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Ends a task, unless it has ended, and acknowledges its job, if the worker still holds it.
    fn end(
        &self,
        worker: &WorkerContext,
        id: &str,
        outcome: Option<&Outcome>,
    ) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Deletes what has expired.
    fn sweep(&self) -> impl Future<Output = Result<(), BoxError>> + Send;
}

pub struct NewRecord<'a> {
    pub id: &'a str,
    pub principal: Option<&'a str>,
    pub call: &'a str,
}

pub struct Record {
    pub call: String,
    pub message: Option<String>,
    pub outcome: Option<String>,
    pub updated_at: i64,
}

/// A `TaskEnd` as JSON.
#[derive(Clone)]
pub struct Outcome {
    pub json: String,
    pub expires_at: i64,
}

pub struct Held {
    pub id: String,
    /// How often the job was queued again.
    pub repeats: i64,
    pub cancelled: bool,
    /// `false` even if the record no longer exists.
    pub unfinished: bool,
}

/// Converts the id of a task, which is 128 bits as hexadecimal digits, to the id of its job, which is the same bits as a ULID.
pub(crate) fn job_id(task_id: &str) -> Option<String> {
    let digits = task_id.len() == 32 && task_id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let bits = u128::from_str_radix(task_id, 16).ok().filter(|_| digits)?;
    Some(Ulid::from(bits).to_string())
}

/// The job says nothing: the record of the same id has the call.
pub(crate) fn job(id: &str) -> Result<Task<Vec<u8>>, BoxError> {
    let id = TaskId::from_ulid(Ulid::from_string(id)?);
    Ok(TaskBuilder::new(b"null".to_vec()).task_id(id).build())
}

/// The acknowledgement of a job. Whether its tool succeeded is not the queue's business.
pub(crate) fn done(id: &str) -> Result<apalis_core::backend::TaskResult<serde_json::Value>, BoxError> {
    let task_id = TaskId::from_ulid(Ulid::from_string(id)?);
    Ok(apalis_core::backend::TaskResult {
        task_id,
        attempt: 1,
        status: Status::Done,
        result: Ok(serde_json::Value::Null),
    })
}

pub(crate) fn now() -> i64 {
    millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// The statements for `mcp_tool_tasks`. SQLite and Postgres understand the same ones; the rest is the queue's.
macro_rules! records {
    ($store:ty, $database:ty, jobs: $jobs:literal, workers: $workers:literal, seen_long_ago: $seen_long_ago:literal) => {
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
        }

        impl Store for $store {
            async fn submit(&self, record: NewRecord<'_>) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                sqlx::query(
                    "INSERT INTO mcp_tool_tasks (id, queue, principal, call, updated_at) VALUES ($1, $2, $3, $4, $5)",
                )
                .bind(record.id)
                .bind(&self.queue)
                .bind(record.principal)
                .bind(record.call)
                .bind(store::now())
                .execute(&mut *transaction)
                .await?;
                self.push(&mut transaction, store::job(record.id)?).await?;
                Ok(transaction.commit().await?)
            }

            async fn get(&self, id: &str) -> Result<Option<Record>, BoxError> {
                let row: Option<(String, Option<String>, Option<String>, i64)> = sqlx::query_as(
                    "SELECT call, message, outcome, updated_at FROM mcp_tool_tasks
                    WHERE id = $1 AND queue = $2 AND (expires_at IS NULL OR expires_at > $3)",
                )
                .bind(id)
                .bind(&self.queue)
                .bind(store::now())
                .fetch_optional(&self.pool)
                .await?;
                Ok(row.map(|(call, message, outcome, updated_at)| Record { call, message, outcome, updated_at }))
            }

            async fn cancel(&self, id: &str, outcome: Outcome) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                sqlx::query("UPDATE mcp_tool_tasks SET cancelled = 1 WHERE id = $1 AND queue = $2 AND outcome IS NULL")
                    .bind(id)
                    .bind(&self.queue)
                    .execute(&mut *transaction)
                    .await?;
                sqlx::query(concat!(
                    "UPDATE mcp_tool_tasks SET outcome = $3, updated_at = $4, expires_at = $5
                    WHERE id = $1 AND queue = $2 AND outcome IS NULL
                    AND EXISTS (SELECT 1 FROM ",
                    $jobs,
                    " WHERE id = $1 AND status = 'Pending')"
                ))
                .bind(id)
                .bind(&self.queue)
                .bind(outcome.json)
                .bind(store::now())
                .bind(outcome.expires_at)
                .execute(&mut *transaction)
                .await?;
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

            async fn beat(&self, worker: &WorkerContext, lease: Option<Duration>) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                if !self.keep_alive(&mut transaction, worker).await? {
                    transaction.rollback().await?;
                    return self.register(worker).await;
                }
                if let Some(lease) = lease {
                    self.queue_orphans(&mut transaction, worker, lease).await?;
                }
                Ok(transaction.commit().await?)
            }

            async fn claim(&self, worker: &WorkerContext, at_most: usize) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                self.fetch_next(&mut transaction, worker, at_most).await?;
                Ok(transaction.commit().await?)
            }

            async fn held(&self, worker: &WorkerContext) -> Result<Vec<Held>, BoxError> {
                let rows: Vec<(String, i64, i64, i64)> = sqlx::query_as(concat!(
                    "SELECT jobs.id, CAST(jobs.attempts AS BIGINT), COALESCE(tasks.cancelled, 0),
                        CAST(CASE WHEN tasks.id IS NOT NULL AND tasks.outcome IS NULL THEN 1 ELSE 0 END AS BIGINT)
                    FROM ",
                    $jobs,
                    " AS jobs LEFT JOIN mcp_tool_tasks AS tasks ON tasks.id = jobs.id
                    WHERE jobs.lock_by = $1 AND jobs.status IN ('Queued', 'Running')"
                ))
                .bind(worker.name())
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
                    sqlx::query(
                        "UPDATE mcp_tool_tasks SET message = $2, updated_at = $3 WHERE id = $1 AND outcome IS NULL",
                    )
                    .bind(*id)
                    .bind(message)
                    .bind(store::now())
                    .execute(&mut *transaction)
                    .await?;
                }
                Ok(transaction.commit().await?)
            }

            async fn end(&self, worker: &WorkerContext, id: &str, outcome: Option<&Outcome>) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                if let Some(outcome) = outcome {
                    sqlx::query(
                        "UPDATE mcp_tool_tasks SET outcome = $2, updated_at = $3, expires_at = $4
                        WHERE id = $1 AND outcome IS NULL",
                    )
                    .bind(id)
                    .bind(&outcome.json)
                    .bind(store::now())
                    .bind(outcome.expires_at)
                    .execute(&mut *transaction)
                    .await?;
                }
                self.acknowledge(&mut transaction, worker, &store::done(id)?).await?;
                Ok(transaction.commit().await?)
            }

            async fn sweep(&self) -> Result<(), BoxError> {
                let mut transaction = self.pool.begin().await?;
                let now = store::now();
                sqlx::query(concat!(
                    "DELETE FROM ",
                    $jobs,
                    " WHERE id IN (SELECT id FROM mcp_tool_tasks WHERE expires_at <= $1)"
                ))
                .bind(now)
                .execute(&mut *transaction)
                .await?;
                sqlx::query("DELETE FROM mcp_tool_tasks WHERE expires_at <= $1")
                    .bind(now)
                    .execute(&mut *transaction)
                    .await?;
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
                Ok(transaction.commit().await?)
            }
        }
    };
}

pub(crate) use records;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_and_its_job_have_the_same_bits() {
        let id = job_id("0123456789abcdef0123456789abcdef").unwrap();
        assert_eq!(u128::from(Ulid::from_string(&id).unwrap()), 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
        assert_eq!(job_id("ffffffffffffffffffffffffffffffff").unwrap(), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
        for foreign in [
            "",
            "0",
            "x123456789abcdef0123456789abcdef",
            "+123456789abcdef0123456789abcdef",
            "0123456789abcdef0123456789abcdef0",
        ] {
            assert_eq!(job_id(foreign), None, "{foreign}");
        }
    }
}
