//! Writes the outcome of a call as a `tools/call` result.
//!
//! Results in versions before 2026-07-28 ("legacy") differ in four ways. They have no `resultType`. They wrap values
//! that are not objects as `{"result": …}`. The text of a string has no quotes. If a call needs answers first, its
//! result is an error. [`fn@write`] writes the bytes. [`result`] makes the public type directly: when it was made from
//! the bytes, a call took up to 2.2 times as many instructions.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::json::writer::{quote, raw_json};
use crate::output::value::{Body, TextBlock};
use crate::{CallToolResponse, Content, Output, ProtocolVersion, Role, Text, ToolError, call, mcp};

/// Converts a response to a result in one protocol version.
pub(crate) fn result(response: &CallToolResponse, version: ProtocolVersion) -> mcp::CallToolResult {
    let format = &response.format;
    let required = response.input_required();
    if let Some(required) = required.filter(|_| version.is_legacy()) {
        return result(&response.without_questions(required), version);
    }
    let is_wrapped = format.is_wrapped && version.is_legacy();
    mcp::CallToolResult {
        result_type: (!version.is_legacy())
            .then(|| if required.is_some() { "input_required" } else { "complete" }.to_owned()),
        content: content(response, version),
        structured_content: structured(response).and_then(|value| {
            let wrapped = is_wrapped.then(|| format!(r#"{{"result":{value}}}"#));
            raw_json(wrapped.as_deref().unwrap_or(value)).map(ToOwned::to_owned)
        }),
        is_error: required.is_none().then(|| !response.is_success()),
        meta: call::result_meta(response),
        input_requests: required.map(|required| required.requests().clone()),
        request_state: required.map(|required| required.state().to_owned()),
    }
}

/// Returns the JSON of the value that the tool has returned.
fn value(response: &CallToolResponse) -> Option<&str> {
    match &response.result {
        Ok(Output { body: Body::Value(value), .. }) => Some(value.as_str()),
        _ => None,
    }
}

/// Returns the JSON of the structured content, before it is wrapped for older versions.
fn structured(response: &CallToolResponse) -> Option<&str> {
    value(response).filter(|_| response.format.is_structured)
}

/// Estimates how many bytes [`fn@write`] writes.
pub(crate) fn length(response: &CallToolResponse) -> usize {
    // The value is written twice: once as structured content, and once as text, whose quotes are escaped. A quarter of
    // its length leaves room for the escapes.
    320 + value(response).map_or(0, |value| 2 * value.len() + value.len() / 4)
}

/// Writes the result in one protocol version. `more_meta` has further properties for `_meta`, each with a comma before
/// it.
pub(crate) fn write(bytes: &mut Vec<u8>, response: &CallToolResponse, version: ProtocolVersion, more_meta: &str) {
    bytes.reserve(length(response) + more_meta.len());
    if response.input_required().is_some() {
        json(bytes, &result(response, version));
        // Remove the brace that closes the result. `write_complete` does not write that brace.
        bytes.pop();
    } else {
        write_complete(bytes, response, version);
    }
    // Remove the closing brace of `_meta`. That object is never empty, so `more_meta` can start with a comma.
    bytes.pop();
    bytes.extend_from_slice(more_meta.as_bytes());
    bytes.extend_from_slice(b"}}");
}

/// Writes a complete result without its closing brace. The last property is `_meta`.
fn write_complete(bytes: &mut Vec<u8>, response: &CallToolResponse, version: ProtocolVersion) {
    let CallToolResponse { result, format, .. } = response;
    bytes.push(b'{');
    if !version.is_legacy() {
        bytes.extend_from_slice(br#""resultType":"complete","#);
    }
    bytes.extend_from_slice(br#""content":"#);
    match (result, value(response)) {
        // The usual case: the content is one text block with the value's JSON, so write it without building a block.
        (Ok(output), Some(value))
            if matches!(output.text(), TextBlock::Json)
                && output.blocks().is_empty()
                && format.former_name.is_none()
                && !response.is_replayed() =>
        {
            bytes.extend_from_slice(br#"[{"type":"text","text":"#);
            if version.is_legacy() && value.starts_with('"') {
                // In legacy versions, the text for a string value is the string itself. `value` is that string as JSON,
                // so do not quote it again.
                bytes.extend_from_slice(value.as_bytes());
            } else {
                quote(value, bytes);
            }
            bytes.extend_from_slice(b"}]");
        }
        _ => json(bytes, &Blocks(&content(response, version))),
    }
    if let Some(value) = structured(response) {
        let is_wrapped = format.is_wrapped && version.is_legacy();
        bytes.extend_from_slice(br#","structuredContent":"#);
        bytes.extend_from_slice(if is_wrapped { br#"{"result":"# } else { b"" });
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(if is_wrapped { b"}" } else { b"" });
    }
    match result {
        Ok(_) => bytes.extend_from_slice(br#","isError":false,"_meta":"#),
        Err(_) => bytes.extend_from_slice(br#","isError":true,"_meta":"#),
    }
    meta(bytes, response);
}

/// Writes `_meta`. Builds a map only if there are entries other than the call's id and duration.
fn meta(bytes: &mut Vec<u8>, response: &CallToolResponse) {
    match &response.result {
        Ok(output) if output.meta().is_none() && response.format.former_name.is_none() => {
            bytes.extend_from_slice(br#"{"rs.mcp-tool/call_id":"#);
            response.call_id.write(bytes);
            bytes.extend_from_slice(br#","rs.mcp-tool/duration":"#);
            json(bytes, &call::milliseconds(response.duration));
            bytes.push(b'}');
        }
        _ => json(bytes, &call::result_meta(response)),
    }
}

/// Writes a value as JSON. Ignores errors, because writing cannot fail: every map in these values has string keys.
fn json<T: Serialize + ?Sized>(bytes: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(bytes, value);
}

/// Returns the content blocks (rules R3 and R4), including any notes for the model.
pub(crate) fn content(response: &CallToolResponse, version: ProtocolVersion) -> Vec<Content> {
    let mut content = content_of(&response.result, response.format.is_structured, version);
    // Do not add notes to empty content: once there is content, some clients ignore the structured value.
    if !content.is_empty() && response.input_required().is_none() {
        content.extend(response.notes());
    }
    content
}

/// Returns the content blocks of an outcome, without notes for the model.
pub(crate) fn content_of(
    outcome: &Result<Output, ToolError>,
    structured: bool,
    version: ProtocolVersion,
) -> Vec<Content> {
    let output = match outcome {
        Ok(output) => output,
        Err(error) => return failure(error),
    };
    let text = match (&output.body, output.text()) {
        (Body::Unit, _) => Some("Done".to_owned()),
        (Body::Blocks | Body::InputRequired(_) | Body::Unfinished(_), _) => None,
        (Body::Value(_), TextBlock::Custom(text)) => Some(text.clone()),
        // Leave the text out only if there is structured content. Otherwise, the text is the only place for the value.
        (Body::Value(_), TextBlock::Absent) if structured => None,
        (Body::Value(value), _) => Some(text_of_value(value.as_str(), version)),
    };
    let mut content = Vec::with_capacity(1 + output.blocks().len());
    content.extend(text.map(|text| Text::new(text).into()));
    content.extend(output.blocks().iter().cloned());
    content
}

/// Returns the text of a value: its compact JSON or, for a string in a legacy version, the string itself.
fn text_of_value(value: &str, version: ProtocolVersion) -> String {
    let is_string = value.starts_with('"');
    let own_text = (version.is_legacy() && is_string).then(|| serde_json::from_str(value).ok());
    own_text.flatten().unwrap_or_else(|| value.to_owned())
}

fn failure(error: &ToolError) -> Vec<Content> {
    let mut content = vec![Text::new(error.text_for_model()).into()];
    if let Some(more) = error.additional_prompt_content() {
        content.push(Text::new(more).with_audience([Role::Assistant]).into());
    }
    content
}

/// A text of at least this many bytes is written as [`LongText`], which makes a copy of the text. Copying pays off from
/// about 96 bytes of JSON or 300 bytes of prose, and this length is a compromise.
const LONG: usize = 192;

/// The content blocks of a result.
pub(super) struct Blocks<'a>(pub(super) &'a [Content]);

impl Serialize for Blocks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Block))
    }
}

struct Block<'a>(&'a Content);

impl Serialize for Block<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Content::Text(text) if text.text().len() >= LONG && text.is_plain() => {
                let mut block = serializer.serialize_map(Some(2))?;
                block.serialize_entry("type", "text")?;
                block.serialize_entry("text", &LongText(text))?;
                block.end()
            }
            other => other.serialize(serializer),
        }
    }
}

struct LongText<'a>(&'a Text);

impl Serialize for LongText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.text();
        // Leave room for JSON escapes.
        let mut json = Vec::with_capacity(text.len() + text.len() / 4);
        quote(text, &mut json);
        match std::str::from_utf8(&json).ok().and_then(raw_json) {
            Some(json) => json.serialize(serializer),
            None => text.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::to_string_pretty;

    use super::*;
    use crate::Role;

    #[test]
    fn a_block_is_written_as_the_type_itself_is_written() {
        let json = r#"{"name":"☃\n","path":"C:\\"},"#;
        for length in [LONG - 1, LONG, 5_000] {
            for character in ['x', '"', '\\', '\n', '\u{1}', '☃', '\u{1F600}'] {
                let length = length - character.len_utf8();
                let rest = "x".repeat(length % json.len());
                let text = format!("{character}{}{rest}", json.repeat(length / json.len()));
                let plain = Content::from(Text::new(text.clone()));
                let annotated = Text::new(text).with_audience([Role::User]).into();
                let blocks = [plain, annotated];
                let pretty = to_string_pretty(&Blocks(&blocks)).expect("JSON");
                assert_eq!(pretty, to_string_pretty(&blocks).expect("JSON"));
                let value = serde_json::to_value(Blocks(&blocks)).expect("JSON");
                assert_eq!(value, serde_json::to_value(&blocks).expect("JSON"));
            }
        }
    }
}
