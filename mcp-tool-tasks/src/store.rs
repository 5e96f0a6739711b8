//! The operations that an engine needs from its database.

use std::error::Error;
use std::io;
use std::time::Duration;

use tokio::sync::Notify;
use ulid::Ulid;

pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// A database that keeps tasks.
///
/// Each method is one transaction, except for `listen`, and for `progress` with more than 1,000 messages in Redis. A
/// worker may repeat any of its calls after an error, so the methods that it calls must be safe to repeat.
pub trait Store: Clone + Send + Sync + 'static {
    /// Inserts a record and its job.
    fn submit(&self, record: NewRecord<'_>) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Inserts a record and its job, and claims the job for a worker. A record that already has this id is kept, unless
    /// it has expired or its end equals `replaced`. The job of a kept record is claimed only if it is waiting. Returns
    /// `true` if a job was claimed.
    fn submit_to(
        &self,
        record: NewRecord<'_>,
        worker: &str,
        replaced: Option<&str>,
    ) -> impl Future<Output = Result<bool, BoxError>> + Send;

    fn get(&self, id: &str) -> impl Future<Output = Result<Option<Record>, BoxError>> + Send;

    /// Ends a task that is waiting for a worker, unless an earlier worker died while it held the task. Returns `true`
    /// if the task was ended.
    fn end_waiting(&self, id: &str, end: &str) -> impl Future<Output = Result<bool, BoxError>> + Send;

    /// Marks a task as cancelled, so that its worker stops it. Does nothing if the task has ended.
    fn ask_to_cancel(&self, id: &str) -> impl Future<Output = Result<(), BoxError>> + Send;

    fn unfinished(&self, principal: Option<&str>) -> impl Future<Output = Result<i64, BoxError>> + Send;

    /// Tells the other workers that this worker is alive. Returns the beats of the workers that may hold jobs. The beat
    /// of this worker may be missing.
    ///
    /// If a worker's beat is still one of `silent`, that worker's jobs are queued again.
    fn beat(&self, worker: &str, silent: &[Beat]) -> impl Future<Output = Result<Vec<Beat>, BoxError>> + Send;

    /// Claims waiting jobs, and returns how many were claimed.
    fn claim(&self, worker: &str, at_most: usize) -> impl Future<Output = Result<usize, BoxError>> + Send;

    /// Returns the jobs that the worker has claimed but not yet acknowledged.
    fn held(&self, worker: &str) -> impl Future<Output = Result<Vec<Held>, BoxError>> + Send;

    /// Stores progress messages, each given with the id of its job. Skips the messages of jobs that the worker no
    /// longer holds.
    fn progress(&self, worker: &str, messages: &[(&str, String)]) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Puts a job back at the end of the queue, because the worker cannot run it.
    fn give_back(&self, worker: &str, id: &str) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Ends tasks, unless they have already ended, and acknowledges their jobs if the worker still holds them. For a
    /// task with `None` instead of an end, only the job is acknowledged.
    fn end(&self, worker: &str, ends: &[(&str, Option<&str>)]) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Deletes some of the expired tasks. Returns `true` if there may be more.
    fn sweep(&self) -> impl Future<Output = Result<bool, BoxError>> + Send;

    /// Notifies `changed` of each change that may concern a worker, until the connection breaks. It may notify more
    /// often than necessary.
    fn listen(&self, changed: &Notify) -> impl Future<Output = Result<(), BoxError>> + Send;
}

/// The name of a worker, and a string that changes with each beat of the worker.
pub(crate) type Beat = (String, String);

pub struct NewRecord<'a> {
    pub id: &'a str,
    pub principal: Option<&'a str>,
    pub call: &'a str,
    /// How long the task is kept after its end, in milliseconds.
    pub keep_for: i64,
}

pub struct Record {
    pub call: String,
    pub message: Option<String>,
    /// The `TaskEnd` as JSON, if the task has ended.
    pub outcome: Option<String>,
    pub updated_at: i64,
    /// Whether the task has waited for a worker for as long as it would be kept after its end.
    pub is_overdue: bool,
}

pub struct Held {
    pub id: String,
    /// How many times the job has been queued again because its worker had died.
    pub repeats: i64,
    pub cancelled: bool,
    /// Whether the task's record exists and has no end yet.
    pub unfinished: bool,
}

/// Converts the id of a task (128 bits as hexadecimal digits) to the id of its job (the same bits as a ULID).
pub(crate) fn job_id(task_id: &str) -> Option<String> {
    let digits = task_id.len() == 32 && task_id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let bits = u128::from_str_radix(task_id, 16).ok().filter(|_| digits)?;
    Some(Ulid::from(bits).to_string())
}

/// Converts a duration to milliseconds, and limits it to about 142,000 years, so that a database can add it to its
/// clock and Lua can represent it exactly.
pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX).min(1 << 52)
}

/// Returns `true` if the error says that the database file has been deleted or replaced. Nothing can be stored in it
/// any more.
pub(crate) fn is_gone(error: &BoxError) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Returns `true` if the error says that the disk is full. A long result is then not given up, even if the database
/// accepts a short statement: there may be room for the result later.
pub(crate) fn is_disk_full(error: &BoxError) -> bool {
    let text = error.to_string();
    ["No space left", "disk is full"].into_iter().any(|full| text.contains(full))
}

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
