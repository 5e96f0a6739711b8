//! The methods of the tasks extension, and calls that may become tasks (feature `tasks`).

use serde_json::Value;
use serde_json::value::RawValue;

use super::protocol::{Protocol, method_error};
use crate::Extensions;
use crate::dispatcher::{PreparedCall, TaskError};
use crate::mcp::error::{ErrorKind, ProtocolError};
use crate::mcp::params::{RequestParams, string};
use crate::mcp::task;

impl Protocol {
    /// Runs a call that may become a task. Returns the result.
    #[cold]
    pub(super) async fn run_as_task<'m>(
        &self,
        id: &'m str,
        call: PreparedCall<'_, 'm>,
    ) -> Result<Vec<u8>, ProtocolError<'m>> {
        self.dispatcher().run_as_task(call).await.map_err(|error| task_error(error, id))
    }

    /// Answers `tasks/get`, `tasks/update` and `tasks/cancel`. Returns the result.
    #[cold]
    pub(super) async fn answer_about_task<'m>(
        &self,
        id: &'m str,
        method: &str,
        params: &RequestParams<'m>,
        extensions: &Extensions,
    ) -> Result<Vec<u8>, ProtocolError<'m>> {
        let capabilities = params.meta.as_ref().and_then(|meta| meta.client_capabilities);
        if !capabilities.is_some_and(task::is_declared) {
            return Err(missing_extension(false).for_request(Some(id)));
        }
        let Some(task_id) = params.task_id.and_then(string) else {
            let error = ProtocolError::new(ErrorKind::Method, -32602, "`taskId` must be a string");
            return Err(error.for_request(Some(id)));
        };
        let dispatcher = self.dispatcher();
        let result = match method {
            "tasks/get" => dispatcher.task(&task_id, extensions).await,
            "tasks/cancel" => dispatcher.cancel_task(&task_id, extensions).await,
            // No task has open questions, so there is nothing to update.
            _ => dispatcher.acknowledge_task(&task_id, extensions).await,
        };
        result.map_err(|error| task_error(error, id))
    }
}

/// The error of a request that needs the extension. Older clients do not read errors with another HTTP status than 200.
pub(super) fn missing_extension(is_legacy: bool) -> ProtocolError<'static> {
    let kind = if is_legacy { ErrorKind::Method } else { ErrorKind::Malformed };
    let text = format!("this needs the client extension `{}`", task::EXTENSION);
    ProtocolError::new(kind, -32021, text).with_data(task::required())
}

fn task_error(error: TaskError, id: &str) -> ProtocolError<'_> {
    let error = match error {
        TaskError::Dispatch(error) => return method_error(&error, id),
        TaskError::Failed(error) => failed(&error),
        // The same for a task that has never existed, has expired, or belongs to somebody else.
        TaskError::Unknown => ProtocolError::new(ErrorKind::Method, -32602, "there is no such task"),
        TaskError::Unavailable => {
            ProtocolError::new(ErrorKind::Method, -32603, "the tasks cannot be reached at the moment; try again later")
        }
    };
    error.for_request(Some(id))
}

fn failed(error: &RawValue) -> ProtocolError<'static> {
    let mut error: Value = serde_json::from_str(error.get()).unwrap_or_default();
    let code = error["code"].as_i64().and_then(|code| code.try_into().ok()).unwrap_or(-32603);
    let message = error["message"].as_str().unwrap_or("the task failed").to_owned();
    let data = error.get_mut("data").map(Value::take);
    let failed = ProtocolError::new(ErrorKind::Method, code, message);
    match data {
        Some(data) => failed.with_data(data),
        None => failed,
    }
}
