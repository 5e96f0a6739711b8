//! Calls of the page that become tasks (feature `tasks`).

use super::handle::{answer, failure, result};
use crate::dispatcher::TaskAnswer;
use crate::serve::tasks::error_parts;
use crate::{CallToolRequest, Dispatcher};

/// Runs a call that may become a task. Returns the last event: the task, the result or the error of the request.
pub(super) async fn call(dispatcher: &Dispatcher, mut request: CallToolRequest) -> Vec<u8> {
    let call = match dispatcher.prepare_request(&mut request, None) {
        Ok(call) => call,
        Err(rejection) => return answer(rejection.into_response()),
    };
    match dispatcher.run_as_task(call).await {
        Ok(TaskAnswer::Ended(response)) => result(&response),
        Ok(TaskAnswer::Task(snapshot)) => [br#"{"task":"#.as_slice(), &snapshot.plain(), b"}"].concat(),
        Err(error) => {
            let (code, message, data) = error_parts(error);
            failure(code, &message, data.as_ref())
        }
    }
}
