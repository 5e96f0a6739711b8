//! The calls in a message of a model.

use std::borrow::Cow;

use serde_json::Value;

use crate::Vendor;

/// One call in a message.
#[derive(Debug)]
pub(super) struct ModelCall<'m> {
    /// The vendor's id of the call. Gemini's is optional.
    pub(super) id: Option<&'m str>,
    pub(super) name: &'m str,
    pub(super) arguments: ModelArguments<'m>,
}

/// The arguments of a call, as the vendor writes them.
#[derive(Debug)]
pub(super) enum ModelArguments<'m> {
    /// JSON text, which the model may have written wrong.
    Text(&'m str),
    Value(Cow<'m, Value>),
}

/// Returns the calls in a message, in their order.
///
/// Fails with what is wrong if the message does not have the vendor's shape.
pub(super) fn calls(vendor: Vendor, message: &Value) -> Result<Vec<ModelCall<'_>>, String> {
    match vendor {
        Vendor::OpenAiResponses => {
            let items = message
                .as_array()
                .ok_or_else(|| wrong_message(message, "the array `output` of the response", "output"))?;
            each(items, "output", |item| match text(item, "type", "output item")? {
                "function_call" => Ok(Some(ModelCall {
                    id: Some(text(item, "call_id", "function_call")?),
                    name: text(item, "name", "function_call")?,
                    arguments: json_text(item, "function_call")?,
                })),
                _ => Ok(None),
            })
        }
        Vendor::OpenAiChat => {
            let message = object(message, "the assistant message `choices[0].message`", "choices")?;
            is_from(message, "assistant")?;
            each(optional_array(message, "tool_calls")?, "tool_calls", |call| match call.get("function") {
                // A custom tool takes free text. No tool of an export is custom, so the call is left to the caller.
                None if call.get("type").is_some_and(|kind| kind == "custom") => Ok(None),
                None => Err("an element of `tool_calls` has no `function`".to_owned()),
                Some(function) => Ok(Some(ModelCall {
                    id: Some(text(call, "id", "tool_calls")?),
                    name: text(function, "name", "function")?,
                    arguments: json_text(function, "function")?,
                })),
            })
        }
        Vendor::Anthropic => {
            let message = object(message, "the assistant message `{role, content}`", "")?;
            is_from(message, "assistant")?;
            each(blocks(message)?, "content", |block| match text(block, "type", "content block")? {
                "tool_use" => Ok(Some(ModelCall {
                    id: Some(text(block, "id", "tool_use")?),
                    name: text(block, "name", "tool_use")?,
                    arguments: value(block.get("input")),
                })),
                _ => Ok(None),
            })
        }
        Vendor::Gemini => {
            let content = object(message, "the content `candidates[0].content`", "candidates")?;
            is_from(content, "model")?;
            each(optional_array(content, "parts")?, "parts", |part| {
                let Some(call) = part.get("functionCall") else { return Ok(None) };
                let id = call.get("id").filter(|id| !id.is_null());
                let id = id.map(|id| id.as_str().ok_or("the `id` of a `functionCall` is not a string")).transpose()?;
                Ok(Some(ModelCall {
                    id,
                    name: text(call, "name", "functionCall")?,
                    arguments: value(call.get("args")),
                }))
            })
        }
        Vendor::Bedrock | Vendor::Nova => {
            let message = object(message, "the message `output.message`", "output")?;
            is_from(message, "assistant")?;
            each(optional_array(message, "content")?, "content", |block| {
                let Some(call) = block.get("toolUse") else { return Ok(None) };
                Ok(Some(ModelCall {
                    id: Some(text(call, "toolUseId", "toolUse")?),
                    name: text(call, "name", "toolUse")?,
                    arguments: value(call.get("input")),
                }))
            })
        }
    }
}

/// Reads each element of an array, and keeps the calls.
fn each<'m>(
    elements: &'m [Value],
    name: &str,
    mut read: impl FnMut(&'m Value) -> Result<Option<ModelCall<'m>>, String>,
) -> Result<Vec<ModelCall<'m>>, String> {
    let mut calls = Vec::new();
    for element in elements {
        if !element.is_object() {
            return Err(format!("an element of `{name}` is not an object"));
        }
        calls.extend(read(element)?);
    }
    Ok(calls)
}

/// Says what is expected. `field` is in a whole response, which is passed by mistake most often.
fn wrong_message(message: &Value, expected: &str, field: &str) -> String {
    let hint = if message.get(field).is_some() { "; this looks like the whole response" } else { "" };
    format!("expected {expected}{hint}")
}

fn object<'m>(message: &'m Value, expected: &str, field: &str) -> Result<&'m Value, String> {
    let is_whole_response = !field.is_empty() && message.get(field).is_some();
    if message.is_object() && !is_whole_response { Ok(message) } else { Err(wrong_message(message, expected, field)) }
}

/// Checks who wrote the message, if it says so.
fn is_from(message: &Value, role: &str) -> Result<(), String> {
    match message.get("role") {
        None | Some(Value::Null) => Ok(()),
        Some(found) if found == role => Ok(()),
        Some(_) => Err(format!("the `role` of the message is not `{role}`")),
    }
}

/// Returns an array, which is empty if it is absent or `null`.
fn optional_array<'m>(object: &'m Value, name: &str) -> Result<&'m [Value], String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(elements)) => Ok(elements),
        Some(_) => Err(format!("`{name}` is not an array")),
    }
}

/// Returns the content of an Anthropic message. A string is one block of text.
fn blocks(message: &Value) -> Result<&[Value], String> {
    match message.get("content") {
        Some(Value::String(_)) => Ok(&[]),
        Some(Value::Array(blocks)) => Ok(blocks),
        _ => Err("`content` is neither a string nor an array".to_owned()),
    }
}

fn text<'m>(object: &'m Value, name: &str, of: &str) -> Result<&'m str, String> {
    object.get(name).and_then(Value::as_str).ok_or_else(|| format!("a `{of}` has no string `{name}`"))
}

/// Reads arguments that are JSON text. Some servers with this interface send an object instead.
fn json_text<'m>(call: &'m Value, of: &str) -> Result<ModelArguments<'m>, String> {
    match call.get("arguments") {
        Some(Value::String(text)) => Ok(ModelArguments::Text(text)),
        object @ (None | Some(Value::Null | Value::Object(_))) => Ok(value(object)),
        Some(_) => Err(format!("the `arguments` of a `{of}` are not a string")),
    }
}

fn value(arguments: Option<&Value>) -> ModelArguments<'_> {
    ModelArguments::Value(arguments.map_or_else(|| Cow::Owned(Value::Null), Cow::Borrowed))
}
