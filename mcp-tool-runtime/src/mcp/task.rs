//! The tasks extension (SEP-2663): reads who supports it, and writes tasks.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::static_results::TASKS_EXTENSION;
use crate::json::scanner::Scanner;

/// Returns `true` if client capabilities, as JSON text, contain the extension.
pub(crate) fn is_declared(capabilities: &str) -> bool {
    let declares = |scanner: &mut Scanner<'_>, name: &str, value: &dyn Fn(&mut Scanner<'_>) -> Option<bool>| {
        if scanner.peek() != Some(b'{') {
            scanner.skip().ok()?;
            return Some(false);
        }
        let mut found = false;
        let mut has_more = scanner.open(b'}');
        while has_more {
            if scanner.key().ok()?.decode()? == name {
                found = value(scanner)?;
            } else {
                scanner.skip().ok()?;
            }
            has_more = scanner.next(b'}').ok()?;
        }
        Some(found)
    };
    let is_object = |scanner: &mut Scanner<'_>| scanner.skip().ok().map(|value| value.starts_with('{'));
    let in_extensions = |scanner: &mut Scanner<'_>| declares(scanner, TASKS_EXTENSION, &is_object);
    declares(&mut Scanner::new(capabilities), "extensions", &in_extensions).unwrap_or(false)
}

/// The `data` of the error for a client without the extension.
pub(crate) fn required() -> Value {
    json!({ "requiredCapabilities": { "extensions": { TASKS_EXTENSION: {} } } })
}

/// A task to write.
pub(crate) struct TaskDocument<'t> {
    pub(crate) id: &'t str,
    pub(crate) status: Status<'t>,
    pub(crate) created_at: SystemTime,
    pub(crate) updated_at: SystemTime,
    /// How long a task is kept after its end.
    pub(crate) keep_for: Duration,
    pub(crate) poll_every: Duration,
}

/// What became of a task. Results and errors are JSON text.
pub(crate) enum Status<'t> {
    Working(Option<&'t str>),
    Completed(&'t str),
    Failed(&'t str),
    Cancelled(Option<&'t str>),
}

impl TaskDocument<'_> {
    /// Writes the result of the `tools/call` that became this task. `more_meta` has the properties of `_meta`, with a comma before each.
    pub(crate) fn created(&self, more_meta: &str) -> Vec<u8> {
        with_meta(self.write(json!({ "resultType": "task" })), more_meta)
    }

    /// Writes the result of `tasks/get`.
    pub(crate) fn detailed(&self, more_meta: &str) -> Vec<u8> {
        with_meta(self.with_end(json!({ "resultType": "complete" })), more_meta)
    }

    /// Writes the task alone.
    #[cfg(feature = "http")]
    pub(crate) fn plain(&self) -> Vec<u8> {
        self.with_end(json!({}))
    }

    fn with_end(&self, task: Value) -> Vec<u8> {
        let mut bytes = self.write(task);
        match self.status {
            Status::Completed(result) => push_property(&mut bytes, "result", result),
            Status::Failed(error) => push_property(&mut bytes, "error", error),
            Status::Working(_) | Status::Cancelled(_) => {}
        }
        bytes
    }

    fn write(&self, mut task: Value) -> Vec<u8> {
        let (status, message) = match self.status {
            Status::Working(message) => ("working", message.map(str::to_owned)),
            Status::Completed(_) => ("completed", None),
            Status::Failed(error) => ("failed", message_of(error)),
            Status::Cancelled(message) => ("cancelled", message.map(str::to_owned)),
        };
        task["taskId"] = self.id.into();
        task["status"] = status.into();
        if let Some(message) = message {
            task["statusMessage"] = message.into();
        }
        task["createdAt"] = timestamp(self.created_at).into();
        task["lastUpdatedAt"] = timestamp(self.updated_at).into();
        // The time is counted from the creation. A task that has not ended is kept, whatever time it takes.
        task["ttlMs"] = if matches!(self.status, Status::Working(_)) {
            Value::Null
        } else {
            let age = self.updated_at.duration_since(self.created_at).unwrap_or_default();
            millis(age.saturating_add(self.keep_for)).into()
        };
        task["pollIntervalMs"] = millis(self.poll_every).into();
        task.to_string().into_bytes()
    }
}

/// Writes the result of `tasks/update` and `tasks/cancel`.
pub(crate) fn acknowledged(more_meta: &str) -> Vec<u8> {
    with_meta(br#"{"resultType":"complete"}"#.to_vec(), more_meta)
}

fn with_meta(mut result: Vec<u8>, more_meta: &str) -> Vec<u8> {
    push_property(&mut result, "_meta", &format!("{{{}}}", more_meta.trim_start_matches(',')));
    result
}

/// Adds a property to an object that is not empty.
fn push_property(object: &mut Vec<u8>, key: &str, json: &str) {
    object.pop();
    object.extend_from_slice(format!(r#","{key}":"#).as_bytes());
    object.extend_from_slice(json.as_bytes());
    object.push(b'}');
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

/// Returns the date of a day since 1970-01-01. The years begin in March here, so that a leap day is the last day of its year.
fn date(days: u64) -> (u64, u64, u64) {
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

    #[test]
    fn a_client_declares_the_extension_with_an_object() {
        for (capabilities, expected) in [
            (r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#, true),
            (r#"{"elicitation":{},"extensions":{"other":1,"io.modelcontextprotocol/tasks":{"x":1}}}"#, true),
            (r#"{"extensions":{"io.modelcontextprotocol/tasks":null}}"#, false),
            (r#"{"extensions":{"io.modelcontextprotocol/tasks":true}}"#, false),
            (r#"{"extensions":{"io.modelcontextprotocol/ui":{}}}"#, false),
            (r#"{"tasks":{"requests":{"tools":{"call":{}}}}}"#, false),
            (r#"{"extensions":null}"#, false),
            ("{}", false),
        ] {
            assert_eq!(is_declared(capabilities), expected, "{capabilities}");
        }
    }
}
