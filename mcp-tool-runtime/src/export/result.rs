//! Writes the results of calls in a vendor's format.

use serde_json::{Map, Value, json};

use super::calls::ExportedCall;
use crate::call::add_property;
use crate::export::Vendor;
use crate::output::value::{Body, TextBlock};
use crate::{Content, Output, ProtocolVersion, ToolError, mcp};

/// The result of a call, independent of the vendor.
#[derive(Debug)]
pub(super) struct CallResult {
    is_error: bool,
    /// The structured value, if there is one and the author has not chosen a text in its place.
    value: Option<Value>,
    /// Everything that the model sees. If there is a `value`, the first block is its text.
    blocks: Vec<Content>,
}

impl CallResult {
    pub(super) fn of(result: &Result<Output, ToolError>, notes: Vec<Content>) -> Self {
        // Write the content for an old protocol version: there, the text block of a string value has no quotes around
        // it.
        let mut blocks = mcp::result::content_of(result, false, ProtocolVersion::V2025_11_25);
        blocks.extend(notes);
        if blocks.is_empty() {
            // Some vendors refuse an empty result.
            blocks.push(crate::Text::new("(no content)").into());
        }
        let value = match result {
            Ok(output @ Output { body: Body::Value(value), .. }) if !matches!(output.text(), TextBlock::Custom(_)) => {
                serde_json::from_str(value.as_str()).ok()
            }
            _ => None,
        };
        Self { is_error: result.is_err(), value, blocks }
    }

    /// Joins the text of all blocks, and puts `Error:` before it if the call failed. Images, audio and binary resources
    /// become notes.
    fn text(&self) -> String {
        let texts: Vec<_> = self.blocks.iter().map(Content::to_text).filter(|text| !text.is_empty()).collect();
        let text = texts.join("\n\n");
        // The OpenAI APIs, which get this text, have no field for errors.
        if self.is_error { format!("Error: {text}") } else { text }
    }
}

/// Returns what the results add to the conversation, in the order of the calls.
pub(super) fn write(vendor: Vendor, calls: &[ExportedCall], results: &[CallResult]) -> Vec<Value> {
    if calls.is_empty() {
        return Vec::new();
    }
    let each = calls.iter().zip(results);
    let one_message = |field: &str, results: Vec<Value>| vec![json!({ "role": "user", field: results })];
    match vendor {
        Vendor::OpenAiResponses => each
            .map(|(call, result)| json!({ "type": "function_call_output", "call_id": call.id, "output": responses(result) }))
            .collect(),
        Vendor::OpenAiChat => {
            each.map(|(call, result)| json!({ "role": "tool", "tool_call_id": call.id, "content": result.text() })).collect()
        }
        Vendor::Anthropic => one_message("content", each.map(anthropic).collect()),
        Vendor::Gemini => one_message("parts", each.map(gemini).collect()),
        Vendor::Bedrock => one_message("content", each.map(bedrock).collect()),
    }
}

/// Returns the media type and the data if the block is an image of a type that vendors read.
fn image(block: &Content) -> Option<(&str, &str)> {
    const READ: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
    block.image().filter(|(mime_type, _)| READ.contains(mime_type))
}

/// Returns the output for the Responses API: a string, or a list of parts if there are images.
fn responses(result: &CallResult) -> Value {
    if !result.blocks.iter().any(|block| image(block).is_some()) {
        return result.text().into();
    }
    let part = |block: &Content| match image(block) {
        Some((mime_type, data)) => {
            json!({ "type": "input_image", "detail": "auto", "image_url": format!("data:{mime_type};base64,{data}") })
        }
        None => json!({ "type": "input_text", "text": block.to_text() }),
    };
    result.blocks.iter().map(part).collect()
}

fn anthropic((call, result): (&ExportedCall, &CallResult)) -> Value {
    let block = |block: &Content| match image(block) {
        Some((mime_type, data)) => {
            json!({ "type": "image", "source": { "type": "base64", "media_type": mime_type, "data": data } })
        }
        None => json!({ "type": "text", "text": not_blank(block.to_text()) }),
    };
    let content: Vec<_> = result.blocks.iter().map(block).collect();
    json!({ "type": "tool_result", "tool_use_id": call.id, "content": content, "is_error": result.is_error })
}

fn gemini((call, result): (&ExportedCall, &CallResult)) -> Value {
    let mut response = Map::new();
    if result.is_error {
        let texts: Vec<_> = result.blocks.iter().map(Content::to_text).collect();
        response.insert("error".to_owned(), texts.join("\n\n").into());
    } else {
        let further = result.blocks.iter().skip(usize::from(result.value.is_some()));
        let mut texts: Vec<Value> = further.map(|block| block.to_text().into()).collect();
        let output = match (&result.value, texts.as_slice()) {
            (Some(value), _) => value.clone(),
            (None, [_]) => texts.remove(0),
            (None, _) => std::mem::take(&mut texts).into(),
        };
        response.insert("output".to_owned(), output);
        if !texts.is_empty() {
            response.insert("content".to_owned(), texts.into());
        }
    }
    // Gemini refuses a request with a GIF, so leave GIFs out. The model still gets the text about them.
    let images = result.blocks.iter().filter_map(image).filter(|(mime_type, _)| *mime_type != "image/gif");
    let images: Vec<_> =
        images.map(|(mime_type, data)| json!({ "inlineData": { "mimeType": mime_type, "data": data } })).collect();
    let mut function_response = json!({ "name": call.name, "response": response });
    add_property(&mut function_response, "id", call.id());
    add_property(&mut function_response, "parts", (!images.is_empty()).then_some(images));
    json!({ "functionResponse": function_response })
}

fn bedrock((call, result): (&ExportedCall, &CallResult)) -> Value {
    let block = |(index, block): (usize, &Content)| match (image(block), &result.value) {
        (Some((mime_type, data)), _) => {
            let format = mime_type.trim_start_matches("image/");
            json!({ "image": { "format": format, "source": { "bytes": data } } })
        }
        // Bedrock accepts only objects in the field `json`.
        (None, Some(value @ Value::Object(_))) if index == 0 => json!({ "json": value }),
        _ => json!({ "text": not_blank(block.to_text()) }),
    };
    let content: Vec<_> = result.blocks.iter().enumerate().map(block).collect();
    let status = if result.is_error { "error" } else { "success" };
    json!({ "toolResult": { "toolUseId": call.id, "content": content, "status": status } })
}

/// Replaces blank text, because some vendors refuse blank text blocks.
fn not_blank(text: String) -> String {
    if text.trim().is_empty() { "(an empty text)".to_owned() } else { text }
}
