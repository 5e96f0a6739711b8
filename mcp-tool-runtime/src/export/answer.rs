//! Runs the calls of a model.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use serde_json::Value;

use super::calls::{Answer, Approval, ExportedCall, Outcome};
use super::message::{Message, name_other_vendor};
use super::request::Strict;
use super::result::CallResult;
use super::{Export, SeenTool, result};
use crate::arguments::coerce;
use crate::ask::unavailable;
use crate::json::violation::{hint, quote_name};
use crate::operations::{Carrier, Outcome as Ended};
use crate::{BoxFuture, CallId, CallToolRequest, DispatchError, ToolError};

impl Export {
    /// Runs the calls in a message of the model, and returns what to append to the conversation after that message.
    ///
    /// | vendor | pass | get |
    /// | --- | --- | --- |
    /// | `OpenAiResponses` | the response, or its array `output` | one `function_call_output` for each call |
    /// | `OpenAiChat` | the response, its only choice, or the message in it | one message of role `tool` for each call |
    /// | `Anthropic` | the response, or its `role` and `content` | one message of `tool_result` blocks |
    /// | `Gemini` | the response, its only candidate, or the content in it | one content of `functionResponse` parts |
    /// | `Bedrock` | the response, or `output.message` | one message of `toolResult` blocks |
    ///
    /// Pass the response rather than the message in it, because only the response says if the model stopped in the
    /// middle of a call. Such a call does not run, and its result is an error.
    ///
    /// The list is empty if there are no calls. Calls run concurrently, within
    /// [`max_concurrency`](crate::DispatcherBuilder::max_concurrency), and the results are in the order of the calls.
    /// The id that the vendor gave a call becomes its [`CallId`]. The model gets an error result if a tool fails, if
    /// its name is unknown, or if its arguments are invalid.
    ///
    /// An image is sent as an image if the vendor accepts images in a result. Other content that the vendor does not
    /// accept is described in text.
    ///
    /// Dropping the future cancels the calls.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let export = Dispatcher::builder().tools(tools![add]).build()?.export(Vendor::OpenAiChat);
    /// let message = json!({"role": "assistant", "content": null, "tool_calls": [
    ///     {"id": "call_1", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 2, \"b\": 3}"}},
    ///     {"id": "call_2", "type": "function", "function": {"name": "ad", "arguments": "{}"}},
    /// ]});
    /// assert_eq!(export.answer(&message).await?, [
    ///     json!({"role": "tool", "tool_call_id": "call_1", "content": "5"}),
    ///     json!({"role": "tool", "tool_call_id": "call_2", "content": "Error: unknown tool `ad`; did you mean `add`?"}),
    /// ]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`DispatchError::InvalidMessage`] if the message does not have the vendor's format. No call has run in this
    /// case.
    pub async fn answer(&self, message: &Value) -> Result<Vec<Value>, DispatchError> {
        Ok(self.answer_with(message, |_| Approval::Run).await?.messages)
    }

    /// Asks `approve` about each call in a message of the model, and runs the approved calls like
    /// [`answer`](Self::answer). Also returns the outcome of each call that has a result.
    ///
    /// `approve` is asked about every call to a tool that the export does not have, because your program may have it.
    /// It is not asked about any other call that was cut off or has invalid arguments, because such a call never runs.
    /// The exception is a tool with a [middleware](crate::Middleware), which might correct the arguments: see
    /// [`can_run`](ExportedCall::can_run).
    ///
    /// To ask a person, first get the calls with [`calls`](Self::calls) and collect the decisions. `approve` can then
    /// look them up.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::export::Approval;
    /// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
    ///
    /// /// Delete a note.
    /// #[mcp_tool(destructive_hint)]
    /// async fn delete_note(id: u32) {
    ///     let _ = id;
    /// }
    ///
    /// let export = Dispatcher::builder().tools(tools![delete_note]).build()?.export(Vendor::Anthropic);
    /// let message = json!({"role": "assistant", "content": [
    ///     {"type": "tool_use", "id": "toolu_1", "name": "delete_note", "input": {"id": 7}},
    /// ]});
    /// let answer = export.answer_with(&message, |call| {
    ///     let hints = call.annotations().cloned().unwrap_or_default();
    ///     if hints.destructive_hint == Some(true) {
    ///         Approval::Refuse("the user wants to keep the note".to_owned())
    ///     } else {
    ///         Approval::Run
    ///     }
    /// }).await?;
    /// assert!(answer.messages[0].to_string().contains("wants to keep"));
    /// assert_eq!((answer.outcomes[0].tool.as_str(), answer.outcomes[0].is_success), ("delete_note", false));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`answer`](Self::answer).
    pub async fn answer_with(
        &self,
        message: &Value,
        mut approve: impl FnMut(&ExportedCall) -> Approval,
    ) -> Result<Answer, DispatchError> {
        let mut decide =
            |call: &ExportedCall| if call.tool.is_none() || call.can_run() { approve(call) } else { Approval::Run };
        let calls = self.calls(message)?.into_iter().map(|call| (decide(&call), call));
        let calls: Vec<_> = calls.filter(|(approval, _)| *approval != Approval::Skip).collect();
        let results = join_all(calls.iter().map(|(approval, call)| self.run(call, approval))).await;
        let (results, outcomes): (Vec<_>, Vec<_>) = results.into_iter().unzip();
        let calls: Vec<_> = calls.into_iter().map(|(_, call)| call).collect();
        Ok(Answer { messages: result::write(self.vendor, &calls, &results), outcomes })
    }

    /// Returns the calls in a message of the model, without running them.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool(name = "math.add")]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let export = Dispatcher::builder().tools(tools![add]).build()?.export(Vendor::OpenAiResponses);
    /// let output = json!([
    ///     {"type": "function_call", "call_id": "1", "name": "math_add", "arguments": "{\"a\": 2, \"b\": 3}"},
    /// ]);
    /// let calls = export.calls(&output)?;
    /// assert_eq!((calls[0].tool(), calls[0].id()), (Some("math.add"), Some("1")));
    /// assert_eq!(calls[0].arguments(), Some(&json!({"a": 2, "b": 3})));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`answer`](Self::answer).
    pub fn calls(&self, message: &Value) -> Result<Vec<ExportedCall>, DispatchError> {
        let (_, mut calls) = self.read(message)?;
        let seen = self.seen();
        for call in &mut calls {
            let present = self.dispatcher.name_of_former(&call.name);
            let named = |tool: &&SeenTool<'_>| tool.exported.name == call.name;
            let renamed = |tool: &&SeenTool<'_>| present == Some(tool.definition.name.as_str());
            let found = seen.iter().find(named).or_else(|| seen.iter().find(renamed));
            let tool = found.map(|tool| tool.definition);
            call.tool = tool.cloned();
            // A strict tool requires every property, so a model writes `null` for each property that it would otherwise
            // leave out.
            let is_strict = self.vendor.is_open_ai()
                && self.strict == Strict::WhereLossless
                && found.is_some_and(|tool| tool.translation.strict.is_some());
            if let (true, Some(tool), Ok(arguments)) = (is_strict, tool, &mut call.arguments) {
                *arguments = coerce::without_nulls(&tool.input_schema, arguments.take());
            }
            if let (Some(tool), Ok(arguments)) = (tool, &call.arguments) {
                call.has_invalid_arguments = self.dispatcher.always_refuses(&tool.name, arguments, &self.extensions);
            }
        }
        Ok(calls)
    }

    /// Returns the turn of the model in the form in which it is appended to the conversation, before the results of the
    /// calls. This is the message without the fields that a request must not have or, for the Responses API, the items
    /// of the output.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, Dispatcher, export::Vendor};
    ///
    /// let export = Dispatcher::builder().build()?.export(Vendor::OpenAiChat);
    /// let message = json!({"role": "assistant", "content": "Hello!"});
    /// let response = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
    /// assert_eq!(export.turn(&response)?, [message]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`answer`](Self::answer).
    pub fn turn(&self, message: &Value) -> Result<Vec<Value>, DispatchError> {
        Ok(self.read(message)?.0.turn())
    }

    /// Finds the message in `message`, and reads its calls.
    fn read<'m>(&self, message: &'m Value) -> Result<(Message<'m>, Vec<ExportedCall>), DispatchError> {
        let found = Message::find(self.vendor, message).and_then(|found| found.calls().map(|calls| (found, calls)));
        found.map_err(|problem| invalid(name_other_vendor(problem, self.vendor, message)))
    }

    /// Runs a call, unless `approval` refuses it or it cannot run. The future is boxed, so that it is compiled once,
    /// with this crate.
    fn run<'a>(&'a self, call: &'a ExportedCall, approval: &'a Approval) -> BoxFuture<'a, (CallResult, Outcome)> {
        Box::pin(async move {
            let (mut duration, mut notes) = (Duration::ZERO, Vec::new());
            let mut record = self.dispatcher.open_record(Carrier::Export);
            let result = match self.request_of(call, approval) {
                Ok(request) => match self.dispatcher.call_from(request, None, None, record).await {
                    Ok(response) => {
                        (duration, notes) = (response.duration, response.notes().collect());
                        // A question for the user cannot be sent to a model, so the call fails instead.
                        response
                            .result
                            .and_then(|output| output.input_required().map(unavailable).map_or(Ok(output), Err))
                    }
                    Err(error) => Err(ToolError::new(error.to_string())),
                },
                Err(error) => {
                    record.end(match approval {
                        Approval::Refuse(_) => Ended::Refused,
                        _ if call.tool.is_none() => Ended::UnknownTool,
                        _ if call.is_complete => Ended::InvalidArguments,
                        _ => Ended::InvalidRequest,
                    });
                    Err(error)
                }
            };
            let error = result.as_ref().err();
            let outcome = Outcome {
                tool: call.tool().unwrap_or(&call.name).to_owned(),
                call_id: call.id.clone(),
                is_success: error.is_none(),
                duration,
                can_retry: error.is_some_and(ToolError::can_retry),
                retry_after: error.and_then(ToolError::retry_after_ms).map(Duration::from_millis),
            };
            (CallResult::of(&result, notes), outcome)
        })
    }

    /// Returns the request for a call, or the reason why the call does not run.
    fn request_of(&self, call: &ExportedCall, approval: &Approval) -> Result<CallToolRequest, ToolError> {
        if let Approval::Refuse(words) = approval {
            return Err(ToolError::new(words.clone()));
        }
        let tool = call.tool().ok_or_else(|| self.unknown(&call.name))?;
        if !call.is_complete {
            let problem = "the call was cut off before its arguments were complete, so it did not run";
            return Err(ToolError::new(problem)
                .with_additional_prompt_content("Call it again, with shorter arguments or in several calls."));
        }
        // If the gate refuses the call, the model must get that refusal, even if the arguments cannot be read. So pass
        // `null` instead of unreadable arguments: the dispatcher then refuses the call.
        let is_refused = || !self.dispatcher.gate(tool, &self.extensions).is_open();
        let arguments =
            call.arguments.clone().or_else(|error| if is_refused() { Ok(Value::Null) } else { Err(error) })?;
        // If the model used a former name, pass that name on, so that the result tells the model the current name.
        let is_former = self.dispatcher.name_of_former(&call.name) == Some(tool);
        let mut request = CallToolRequest::new(if is_former { &call.name } else { tool }, arguments);
        request.call_id = call.id().and_then(|id| CallId::new(id).ok());
        request.extensions = self.extensions.clone();
        if let Some(asker) = &self.asker {
            let asker = Arc::clone(asker);
            request.answers_mut().asker = Some(crate::ask::session::AttachedAsker { asker, client: None });
        }
        Ok(request)
    }

    fn unknown(&self, name: &str) -> ToolError {
        let seen = self.seen();
        let known = seen.iter().filter(|tool| tool.translation.plain.is_some());
        let known = known.map(|tool| tool.exported.name.as_str());
        ToolError::new(format!("unknown tool {}{}", quote_name(name), hint(name, known)))
    }
}

pub(super) fn invalid(message: String) -> DispatchError {
    DispatchError::InvalidMessage { message }
}

/// Runs futures concurrently, and returns their outputs in order.
///
/// Each wake-up polls all futures that have not finished. That is fine, because one message contains only a few calls.
async fn join_all<'a, T>(futures: impl IntoIterator<Item = BoxFuture<'a, T>>) -> Vec<T> {
    let mut running: Vec<_> = futures.into_iter().map(|future| (future, None)).collect();
    poll_fn(|cx| {
        for (future, output) in running.iter_mut().filter(|(_, output)| output.is_none()) {
            if let Poll::Ready(ready) = future.as_mut().poll(cx) {
                *output = Some(ready);
            }
        }
        if running.iter().any(|(_, output)| output.is_none()) { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    running.into_iter().filter_map(|(_, output)| output).collect()
}
