//! Tasks through the SDK (feature `tasks`).

use ::rmcp::ErrorData;
use ::rmcp::model::{CallToolResponse, CallToolResult, CreateTaskResult, ErrorCode};

use serde_json::Value;

use super::{call, types};
use crate::dispatcher::{Gate, TaskAnswer, TaskError};
use crate::mcp::request_meta::CAPABILITIES_KEY;
use crate::serve::tasks::missing_extension_text;
use crate::tool::metadata::TaskUse;
use crate::{BoxFuture, CallToolRequest, Dispatcher, mcp};

/// Runs a call, which may become a task.
pub(super) fn call_or_task<'d>(
    dispatcher: &'d Dispatcher,
    mut request: CallToolRequest,
    gate: Option<Gate<'d>>,
) -> BoxFuture<'d, Result<CallToolResponse, ErrorData>> {
    Box::pin(async move {
        let version = request.protocol_version;
        let capabilities = request.meta.as_ref().and_then(|meta| meta.get(CAPABILITIES_KEY)).map(Value::to_string);
        let has_tasks =
            !version.is_legacy() && capabilities.is_some_and(|capabilities| mcp::task::is_declared(&capabilities));
        let answer = match dispatcher.prepare_request(&mut request, None, gate) {
            Ok(call) if has_tasks => dispatcher.run_as_task(call).await,
            Ok(call) if call.task_use() == Some(TaskUse::Required) => {
                let data = Some(mcp::task::required());
                return Err(ErrorData::new(ErrorCode(-32021), missing_extension_text(), data));
            }
            Ok(mut call) => dispatcher.run(&mut call).await.map(TaskAnswer::Ended).map_err(TaskError::from),
            Err(rejection) => rejection.into_response().map(TaskAnswer::Ended).map_err(TaskError::from),
        };
        match answer.map_err(call::error)? {
            TaskAnswer::Ended(response) => types::response(&response, version, version),
            TaskAnswer::Task(snapshot) => {
                if let Some(result) = snapshot.result() {
                    let result: CallToolResult = serde_json::from_str(result.get()).map_err(types::internal)?;
                    return Ok(result.into());
                }
                let created = snapshot.created("");
                let created: CreateTaskResult = serde_json::from_slice(&created).map_err(types::internal)?;
                Ok(created.into())
            }
        }
    })
}
