//! Finds out whether a call to a tool with `once` repeats an earlier call, and reads the result of the earlier call
//! from the end of its task (feature `tasks`). The id of the task is a digest of the caller, the tool, the arguments
//! and the idempotency key. Different spellings of the same arguments have the same digest.

use std::time::Duration;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::super::run::PreparedCall;
use super::Dispatcher;
use crate::call::{REPLAYED, meta};
use crate::operations::Outcome;
use crate::output::error::with_sentence;
use crate::output::error_kind::{OUTCOME_UNKNOWN, RESULT_LOST};
use crate::output::tool_output::NOTHING;
use crate::tasks::TaskEnd;
use crate::{CallToolResponse, Content, Output, ToolError, mcp};

/// The text that the model reads if it repeats a call whose outcome is not known.
const STILL_UNKNOWN: &str = "An earlier call with the same arguments ended like this, and this one did nothing. If you have checked that nothing was \
                             done, send a new `idempotency_key` to do it.";

impl Dispatcher {
    /// Returns the response to an earlier, identical call. Returns `None` if the earlier call ended with a question or
    /// a protocol error, was cancelled, or has a result that cannot be read.
    pub(super) fn replay(&self, call: &mut PreparedCall<'_, '_>, end: &TaskEnd) -> Option<CallToolResponse> {
        let TaskEnd::Completed(result) = end else { return None };
        let result: mcp::CallToolResult = serde_json::from_str(result.get()).ok()?;
        if result.result_type.as_deref() != Some("complete") {
            return None;
        }
        let is_unit = self.inner.listed[call.target.entry.index].info.result_type == NOTHING;
        let result = if result.is_error == Some(true) {
            let mut error = stored_error(&result);
            if is_after_act(&result) {
                call.record.end_as(Outcome::Replayed, error.code());
                let again = if error.code() == Some(OUTCOME_UNKNOWN) { STILL_UNKNOWN } else { REPLAYED };
                let hint = with_sentence(error.additional_prompt_content().unwrap_or_default(), again);
                error = error.clone().with_additional_prompt_content(hint).replayed();
            } else {
                call.record.end_with(&Err(error.clone()));
            }
            Err(error)
        } else {
            let output = stored_output(result, is_unit)?;
            call.record.end(Outcome::Replayed);
            Ok(output.with_meta(meta::REPLAYED, true))
        };
        Some(CallToolResponse::new(call.cx.call_id.clone(), Duration::ZERO, result, call.target.format()))
    }
}

/// Returns `true` if an identical call gets this end instead of running: after a success, and after an error if the
/// tool has done its work or may have done it.
pub(super) fn is_kept(end: &TaskEnd) -> bool {
    let TaskEnd::Completed(result) = end else { return false };
    let result: mcp::CallToolResult = serde_json::from_str(result.get()).unwrap_or_default();
    result.result_type.as_deref() == Some("complete") && (result.is_error != Some(true) || is_after_act(&result))
}

fn is_after_act(error: &mcp::CallToolResult) -> bool {
    error.meta.get(meta::CODE).is_some_and(|code| code == OUTCOME_UNKNOWN || code == RESULT_LOST)
}

/// Returns the entries of `_meta` that neither this library nor the protocol has added.
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

/// Returns the id of the task: 128 bits of a SHA-256 digest. Each part is hashed with its length, so that different
/// lists never hash the same bytes.
pub(super) fn id_of(parts: &[Option<&str>]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.map_or(u64::MAX, |part| part.len() as u64).to_be_bytes());
        hasher.update(part.unwrap_or_default());
    }
    uuid::Uuid::from_slice(&hasher.finalize()[..16]).unwrap_or_default().simple().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_acts_have_one_id() {
        let parts = [["a", "b", "c", ""], ["ab", "", "c", ""], ["", "ab", "c", ""], ["a", "bc", "", ""]];
        let mut ids: Vec<_> = parts.map(|parts| id_of(&parts.map(Some))).to_vec();
        ids.push(id_of(&[None, Some("ab"), Some("c"), Some("")]));
        ids.push(id_of(&[Some("a"), Some("b"), Some("c"), None]));
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(ids.iter().all(|id| id.len() == 32));
    }
}
