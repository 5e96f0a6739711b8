//! The Model Context Protocol: legacy versions and 2026-07-28 differ in three places, and all three are here.

use serde_json::value::RawValue;

use crate::output::{Body, TextBlock};
use crate::{CallToolResponse, Content, Output, ProtocolVersion, Role, Text, ToolError, call, mcp};

/// The result in the shape of one version.
pub(crate) fn result(response: &CallToolResponse, version: ProtocolVersion) -> mcp::CallToolResult {
    let sender = &response.sender;
    let structured_content = match &response.outcome {
        Ok(Output { body: Body::Value(value), .. }) if sender.structured => {
            Some(structured(value, sender.wrapped && version.is_legacy()))
        }
        _ => None,
    };
    mcp::CallToolResult {
        result_type: (!version.is_legacy()).then(|| "complete".to_owned()),
        content: content(&response.outcome, sender.structured, version),
        structured_content,
        is_error: Some(!response.is_success()),
        meta: call::meta(response),
    }
}

/// The value, for legacy versions as `{"result": …}` unless it is an object by its schema.
fn structured(value: &RawValue, wrapped: bool) -> Box<RawValue> {
    if !wrapped {
        return value.to_owned();
    }
    let text = format!(r#"{{"result":{}}}"#, value.get());
    RawValue::from_string(text).unwrap_or_else(|_| value.to_owned())
}

/// The blocks of an outcome (rules R3 and R4).
pub(crate) fn content(outcome: &Result<Output, ToolError>, structured: bool, version: ProtocolVersion) -> Vec<Content> {
    match outcome {
        Ok(output) => success(output, structured, version),
        Err(error) => failure(error),
    }
}

fn success(output: &Output, structured: bool, version: ProtocolVersion) -> Vec<Content> {
    let text = match (&output.body, &output.text) {
        (Body::Unit, _) => Some("Done".to_owned()),
        (Body::Blocks, _) => None,
        (Body::Value(_), TextBlock::Words(words)) => Some(words.clone()),
        // Without structured content the text is all there is of the value.
        (Body::Value(_), TextBlock::Absent) if structured => None,
        (Body::Value(value), _) => Some(fallback(value, version)),
    };
    let mut content = Vec::with_capacity(1 + output.content.len());
    content.extend(text.map(|text| Text::new(text).into()));
    content.extend(output.content.iter().cloned());
    content
}

/// The value's compact JSON; on legacy versions a string is its own text.
fn fallback(value: &RawValue, version: ProtocolVersion) -> String {
    let is_string = value.get().starts_with('"');
    let own_text = (version.is_legacy() && is_string).then(|| serde_json::from_str(value.get()).ok());
    own_text.flatten().unwrap_or_else(|| value.get().to_owned())
}

fn failure(error: &ToolError) -> Vec<Content> {
    let mut content = vec![Text::new(error.message()).into()];
    if let Some(more) = error.additional_prompt_content() {
        content.push(Text::new(more).with_audience([Role::Assistant]).into());
    }
    content
}
