//! Reads the result of an earlier call that was the same act from the end of its task (feature `tasks`).

use std::time::Duration;

use serde_json::{Map, Value};

use super::super::run::PreparedCall;
use super::Dispatcher;
use super::once::unknown;
use crate::call::meta;
use crate::operations::Outcome;
use crate::output::error_kind::OUTCOME_UNKNOWN;
use crate::output::value::NOTHING;
use crate::tasks::TaskEnd;
use crate::{CallToolResponse, Content, Output, Text, ToolError, mcp};

/// What the model reads after the result of an earlier call.
const REPLAYED: &str = "This is the result of an earlier call with the same arguments, and nothing was done again. To do it again, send a new \
                        `idempotency_key`.";

impl Dispatcher {
    /// Returns the response that an earlier, identical call has ended with. Returns `None` if that was a question or a
    /// protocol error, and the call must run itself.
    pub(super) fn answer_with(&self, call: &mut PreparedCall<'_, '_>, end: &TaskEnd) -> Option<CallToolResponse> {
        // An act with a kept result is never repeated, even if that result cannot be read.
        self.replay(call, end).or_else(|| is_kept(end).then(|| unknown(call)))
    }

    fn replay(&self, call: &mut PreparedCall<'_, '_>, end: &TaskEnd) -> Option<CallToolResponse> {
        let TaskEnd::Completed(result) = end else { return None };
        let result: mcp::CallToolResult = serde_json::from_str(result.get()).ok()?;
        if result.result_type.as_deref() != Some("complete") {
            return None;
        }
        let is_unit = self.inner.listed[call.target.entry.index].info.result_type == NOTHING;
        let result = if result.is_error == Some(true) {
            let mut error = stored_error(&result);
            if error.code() == Some(OUTCOME_UNKNOWN) {
                call.record.end(Outcome::Replayed);
                error = error.with_additional_prompt_content(REPLAYED).replayed();
            } else {
                call.record.end_with(&Err(error.clone()));
            }
            Err(error)
        } else {
            let output = stored_output(result, is_unit)?;
            call.record.end(Outcome::Replayed);
            Ok(output.with_content(Text::new(REPLAYED)).with_meta(meta::REPLAYED, true))
        };
        Some(CallToolResponse::new(call.cx.call_id.clone(), Duration::ZERO, result, call.target.format()))
    }
}

/// Returns `true` if an identical call gets this end instead of being tried again: after a success, or if the outcome
/// is unknown.
pub(super) fn is_kept(end: &TaskEnd) -> bool {
    let TaskEnd::Completed(result) = end else { return false };
    let result: mcp::CallToolResult = serde_json::from_str(result.get()).unwrap_or_default();
    let is_unknown = result.meta.get(meta::CODE).is_some_and(|code| code == OUTCOME_UNKNOWN);
    result.result_type.as_deref() == Some("complete") && (result.is_error != Some(true) || is_unknown)
}

/// Returns the entries that come from the author.
fn meta_of_author(meta: Map<String, Value>) -> impl Iterator<Item = (String, Value)> {
    meta.into_iter().filter(|(key, _)| !key.starts_with("rs.mcp-tool/") && !key.starts_with("io.modelcontextprotocol/"))
}

fn stored_output(result: mcp::CallToolResult, is_unit: bool) -> Option<Output> {
    let mut content = result.content.into_iter().peekable();
    let text = |content: &Content| match content {
        Content::Text(text) => Some(text.text().to_owned()),
        _ => None,
    };
    let first = content.peek().and_then(text);
    let output = match (result.structured_content, first) {
        (Some(value), first) => {
            let output = Output::value(&value).ok()?;
            let is_json = first.as_deref() == Some(value.get());
            content.next();
            match first {
                Some(_) if is_json => output,
                Some(text) => output.with_text(text),
                None => output.without_text(),
            }
        }
        (None, Some(text)) if is_unit && text == "Done" => {
            content.next();
            Output::unit()
        }
        (None, _) => Output::content(Vec::new()),
    };
    let output = content.fold(output, Output::with_content);
    Some(meta_of_author(result.meta).fold(output, |output, (key, value)| output.with_meta(key, value)))
}

fn stored_error(result: &mcp::CallToolResult) -> ToolError {
    let mut texts = result.content.iter().map(Content::to_text);
    let mut error = ToolError::new(texts.next().unwrap_or_default());
    error = error.with_can_retry(result.meta.get(meta::CAN_RETRY) == Some(&Value::Bool(true)));
    if let Some(after) = result.meta.get(meta::RETRY_AFTER_MS).and_then(Value::as_u64) {
        error = error.with_retry_after(Duration::from_millis(after));
    }
    if let Some(more) = texts.next() {
        error = error.with_additional_prompt_content(more);
    }
    if let Some(code) = result.meta.get(meta::CODE).and_then(Value::as_str) {
        error = error.with_code(code);
    }
    match result.meta.get(meta::DATA) {
        Some(data) => error.with_data(data),
        None => error,
    }
}
