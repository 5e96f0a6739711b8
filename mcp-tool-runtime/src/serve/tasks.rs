//! The methods of the tasks extension, and calls that may become tasks (feature `tasks`).

use serde_json::Value;

use super::protocol::{Protocol, response};
use crate::Extensions;
use crate::dispatcher::{PreparedCall, TaskAnswer, TaskError};
use crate::mcp::error::{ErrorKind, ProtocolError};
use crate::mcp::message::Request;
use crate::mcp::params::{RequestParams, string};
use crate::mcp::task;

impl Protocol {
    /// Runs a call that may become a task, and writes the response.
    #[cold]
    pub(super) async fn run_as_task<'m>(
        &self,
        id: &'m str,
        call: PreparedCall<'_, 'm>,
    ) -> Result<Vec<u8>, ProtocolError> {
        let version = call.version();
        match self.dispatcher().run_as_task(call).await? {
            TaskAnswer::Ended(ended) => Ok(self.response(id, &ended, version)),
            TaskAnswer::Task(snapshot) => Ok(if let Some(result) = snapshot.result() {
                response(id, result.get().as_bytes())
            } else {
                response(id, &snapshot.created(self.dispatcher().server_info()))
            }),
        }
    }

    /// Answers `tasks/get`, `tasks/update` and `tasks/cancel`.
    #[cold]
    pub(super) async fn answer_about_task(
        &self,
        request: Request<'_>,
        params: RequestParams<'_>,
        extensions: Extensions,
    ) -> Result<Vec<u8>, ProtocolError> {
        if !params.meta.as_ref().and_then(|meta| meta.client_capabilities).is_some_and(task::is_declared) {
            return Err(task::missing_extension(false));
        }
        let Some(task_id) = params.task_id.and_then(string) else {
            return Err(ProtocolError::new(ErrorKind::Method, -32602, "`taskId` must be a string"));
        };
        let dispatcher = self.dispatcher();
        let method = &*request.method;
        let known = match method {
            "tasks/cancel" => dispatcher.cancel_task(&task_id, &extensions).await.map(|()| None),
            // No task has open questions, so there is nothing to update.
            _ => dispatcher.find_task(&task_id, &extensions).await.map(Some),
        };
        let snapshot = known?.filter(|_| method == "tasks/get");
        let result = match snapshot {
            Some(snapshot) => snapshot.detailed(dispatcher.server_info()),
            None => task::acknowledged(dispatcher.server_info()),
        };
        Ok(response(request.id, &result))
    }
}

impl From<TaskError> for ProtocolError {
    fn from(error: TaskError) -> Self {
        if let TaskError::Dispatch(error) = error {
            return error.into();
        }
        let (code, message, data) = error_parts(error);
        Self::new(ErrorKind::Method, code, message).with_data(data)
    }
}

/// Returns the code, the message and the data of an error.
pub(super) fn error_parts(error: TaskError) -> (i32, String, Option<Value>) {
    match error {
        TaskError::Dispatch(error) => (error.code(), error.to_string(), error.data()),
        TaskError::Failed(error) => {
            let mut error: Value = serde_json::from_str(error.get()).unwrap_or_default();
            let code = error["code"].as_i64().and_then(|code| code.try_into().ok()).unwrap_or(-32603);
            let message = error["message"].as_str().unwrap_or("the task failed").to_owned();
            (code, message, error.get_mut("data").map(Value::take))
        }
        // Give the same answer for a task that has never existed, has expired, or belongs to somebody else.
        TaskError::Unknown => (-32602, "there is no such task".to_owned(), None),
        TaskError::Unavailable => {
            (-32603, "the tasks cannot be reached at the moment; try again later".to_owned(), None)
        }
    }
}
