//! What an engine asks of its database.

use std::error::Error;
use std::time::Duration;

use ulid::Ulid;

pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// A database.
///
/// Each method is one transaction, and may be repeated.
pub trait Store: Clone + Send + Sync + 'static {
    /// Inserts a record and its job.
    fn submit(&self, record: NewRecord<'_>) -> impl Future<Output = Result<(), BoxError>> + Send;

    fn get(&self, id: &str) -> impl Future<Output = Result<Option<Record>, BoxError>> + Send;

    /// Ends a task that nobody runs with `outcome`, or notes the wish for its worker.
    fn cancel(&self, id: &str, outcome: Outcome) -> impl Future<Output = Result<(), BoxError>> + Send;

    fn unfinished(&self, principal: Option<&str>) -> impl Future<Output = Result<i64, BoxError>> + Send;

    /// Tells the others that the worker lives. Returns `true` if it did so less than half a lease ago, by the clock of the database.
    ///
    /// If so, and if `takes_over` is set, it also queues the jobs of workers that have been silent for a lease.
    fn beat(
        &self,
        worker: &str,
        lease: Duration,
        takes_over: bool,
    ) -> impl Future<Output = Result<bool, BoxError>> + Send;

    /// Claims jobs, until the worker holds this number.
    fn claim(&self, worker: &str, up_to: usize) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Returns the jobs that the worker has claimed and not acknowledged.
    fn held(&self, worker: &str) -> impl Future<Output = Result<Vec<Held>, BoxError>> + Send;

    /// Stores the messages of tasks, by their ids.
    fn progress(&self, messages: &[(&str, String)]) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Ends a task, unless it has ended, and acknowledges its job, if the worker still holds it.
    fn end(
        &self,
        worker: &str,
        id: &str,
        outcome: Option<&Outcome>,
    ) -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Deletes a part of what has expired. Returns `true` if there may be more.
    fn sweep(&self) -> impl Future<Output = Result<bool, BoxError>> + Send;
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
    /// In milliseconds from now on. The database adds its own clock.
    pub keep_for: i64,
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

/// At most 142,000 years, so that a database can add it to its clock, and Lua has it exactly.
pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX).min(1 << 52)
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
