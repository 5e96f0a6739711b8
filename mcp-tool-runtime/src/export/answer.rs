//! Runs the calls in a message of a model.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use super::message::{ModelArguments, ModelCall};
use super::result::CallResult;
use super::{Export, join, message, result};
use crate::arguments::violations;
use crate::json::reader;
use crate::json::safe_text::quote_name;
use crate::json::suggestion::suggest;
use crate::{CallId, CallToolRequest, DispatchError, ToolError};

impl Export {
    /// Runs the calls in a message of the model, and returns what to append to the conversation after that message.
    ///
    /// | vendor | pass | get |
    /// | --- | --- | --- |
    /// | `OpenAiResponses` | the array `output` of the response | one `function_call_output` for each call |
    /// | `OpenAiChat` | `choices[0].message` | one message of role `tool` for each call |
    /// | `Anthropic` | the response, or its `role` and `content` | one message of `tool_result` blocks |
    /// | `Gemini` | `candidates[0].content` | one content of `functionResponse` parts |
    /// | `Bedrock` | `output.message` | one message of `toolResult` blocks |
    ///
    /// The list is empty if there are no calls. Calls run concurrently, within
    /// [`max_concurrency`](crate::DispatcherBuilder::max_concurrency), and the results are in the order of the calls. The vendor's id
    /// of a call becomes its [`CallId`]. A failure of a tool, an unknown name and wrong arguments are error results for the model.
    ///
    /// An image is sent as an image if the vendor accepts images in a result. Content that the vendor does not accept is replaced by a
    /// text that describes it.
    ///
    /// Dropping the future cancels the calls.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, Vendor};
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
    /// [`DispatchError::InvalidRequest`] if the message does not have the vendor's shape. Then no call has run.
    pub async fn answer(&self, message: &Value) -> Result<Vec<Value>, DispatchError> {
        let calls =
            message::calls(self.vendor, message).map_err(|message| DispatchError::InvalidRequest { message })?;
        let results = join::all(calls.iter().map(|call| self.run(call))).await;
        Ok(result::write(self.vendor, &calls, &results))
    }

    async fn run(&self, call: &ModelCall<'_>) -> CallResult {
        let Some(tool) = self.tool(call.name) else { return CallResult::error(&self.unknown(call.name)) };
        let arguments = match arguments(&call.arguments) {
            Ok(arguments) => arguments,
            Err(error) => return CallResult::error(&error),
        };
        let mut request = CallToolRequest::new(tool, arguments);
        request.call_id = call.id.and_then(|id| CallId::new(id).ok());
        request.extensions = self.extensions.clone();
        if let Some(asker) = &self.asker {
            let asker = Arc::clone(asker);
            request.answers_mut().asker = Some(crate::ask::session::AttachedAsker { asker, client: None });
        }
        match self.dispatcher.call(request).await {
            Ok(response) => CallResult::of(&response),
            Err(error) => CallResult::error(&ToolError::new(error.to_string())),
        }
    }

    /// Returns the tool's own name for a name that the model uses.
    fn tool(&self, name: &str) -> Option<String> {
        let translation = self.translations().into_iter().find(|translation| translation.name == name)?;
        Some(translation.tool.clone())
    }

    fn unknown(&self, name: &str) -> ToolError {
        let seen = self.translations();
        let known = seen.iter().filter(|tool| tool.plain.is_some()).map(|tool| tool.name.as_str());
        let hint = suggest(name, known).map_or_else(String::new, |known| format!("; did you mean `{known}`?"));
        ToolError::new(format!("unknown tool {}{hint}", quote_name(name)))
    }
}

/// Reads the arguments of a call.
fn arguments(arguments: &ModelArguments<'_>) -> Result<Value, ToolError> {
    match arguments {
        ModelArguments::Value(value) => Ok(Cow::into_owned(value.clone())),
        // Some models write nothing for a tool without arguments.
        ModelArguments::Text(text) if text.trim().is_empty() => Ok(Value::Null),
        ModelArguments::Text(text) => match reader::read_text(text) {
            Ok(document) => Ok(document.root().to_value()),
            Err(violation) => Err(violations::invalid_arguments(std::slice::from_ref(&violation))),
        },
    }
}
