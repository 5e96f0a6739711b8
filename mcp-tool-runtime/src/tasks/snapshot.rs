//! `Snapshot`: what a client reads about a task.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{TaskEnd, TaskRecord, TaskState};
use crate::call::add_property;
use crate::mcp::task::{push_property, with_meta};

/// What a client can read about a task at one moment.
pub(crate) struct Snapshot {
    pub(crate) id: String,
    pub(crate) created_at: SystemTime,
    pub(crate) updated_at: SystemTime,
    /// How long the task is kept after its end.
    pub(crate) keep_for: Duration,
    pub(crate) poll_every: Duration,
    /// The last progress message.
    pub(crate) message: Option<String>,
    pub(crate) end: Option<Arc<TaskEnd>>,
}

impl Snapshot {
    pub(crate) fn of_record(record: TaskRecord, poll_every: Duration) -> Self {
        let TaskRecord { call, state, updated_at } = record;
        let (message, end) = match state {
            TaskState::Working(message) => (message, None),
            TaskState::Ended(end) => (None, Some(Arc::new(end))),
        };
        let (id, created_at, keep_for) = (call.task_id, call.created_at, call.keep_for);
        Self { id, created_at, updated_at, keep_for, poll_every, message, end }
    }

    /// Returns the result of the call, if it has one.
    pub(crate) fn result(&self) -> Option<&RawValue> {
        if let TaskEnd::Completed(result) = self.end.as_deref()? { Some(result) } else { None }
    }

    /// Writes the result of the `tools/call` that became this task. `more_meta` has the properties of `_meta`, with a
    /// comma before each.
    pub(crate) fn created(&self, more_meta: &str) -> Vec<u8> {
        with_meta(self.write(json!({ "resultType": "task" })), more_meta)
    }

    /// Writes the result of `tasks/get`.
    pub(crate) fn detailed(&self, more_meta: &str) -> Vec<u8> {
        with_meta(self.with_end(json!({ "resultType": "complete" })), more_meta)
    }

    /// Writes only the task, without the properties that every MCP result has.
    pub(crate) fn plain(&self) -> Vec<u8> {
        self.with_end(json!({}))
    }

    fn with_end(&self, task: Value) -> Vec<u8> {
        let mut bytes = self.write(task);
        match self.end.as_deref() {
            Some(TaskEnd::Completed(result)) => push_property(&mut bytes, "result", result.get()),
            Some(TaskEnd::Failed(error)) => push_property(&mut bytes, "error", error.get()),
            Some(TaskEnd::Cancelled(_)) | None => {}
        }
        bytes
    }

    fn write(&self, mut task: Value) -> Vec<u8> {
        let (status, message) = match self.end.as_deref() {
            None => ("working", self.message.clone()),
            Some(TaskEnd::Completed(_)) => ("completed", None),
            Some(TaskEnd::Failed(error)) => ("failed", message_of(error.get())),
            Some(TaskEnd::Cancelled(message)) => ("cancelled", message.clone()),
        };
        task["taskId"] = self.id.as_str().into();
        task["status"] = status.into();
        add_property(&mut task, "statusMessage", message);
        task["createdAt"] = timestamp(self.created_at).into();
        task["lastUpdatedAt"] = timestamp(self.updated_at).into();
        // `ttlMs` counts from the task's creation. It is `null` for a task that has not ended, because such a task is
        // kept however long it takes.
        task["ttlMs"] = if self.end.is_none() {
            Value::Null
        } else {
            let age = self.updated_at.duration_since(self.created_at).unwrap_or_default();
            millis(age.saturating_add(self.keep_for)).into()
        };
        task["pollIntervalMs"] = millis(self.poll_every).into();
        task.to_string().into_bytes()
    }
}

fn message_of(error: &str) -> Option<String> {
    let error: Value = serde_json::from_str(error).ok()?;
    error["message"].as_str().map(str::to_owned)
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Writes a time as ISO 8601, in UTC with milliseconds.
fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second, millis) = (seconds / 3_600, seconds / 60 % 60, seconds % 60, since.subsec_millis());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Returns the year, the month and the day of the month for a number of days since 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // Count in years that begin in March, so that a leap day is the last day of its year.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_iso_8601() {
        for (millis, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_123, "2000-02-29T00:00:00.123Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (4_102_444_799_000, "2099-12-31T23:59:59.000Z"),
        ] {
            assert_eq!(timestamp(UNIX_EPOCH + Duration::from_millis(millis)), expected);
        }
    }
}
