//! Combines the events of a stream into one response.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::answer::invalid;
use super::message::INVALID_JSON;
use crate::{DispatchError, export::Vendor};

/// The events of a stream, combined into one response. [`Export::answer`](crate::export::Export::answer) and
/// [`Export::turn`](crate::export::Export::turn) read the response. See
/// [`Export::assemble`](crate::export::Export::assemble).
///
/// ```
/// use mcp_tool_runtime::{json, Dispatcher, export::Vendor};
///
/// let mut stream = Dispatcher::builder().build()?.export(Vendor::Bedrock).assemble();
/// stream.push(&json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hel"}}}))?;
/// stream.push(&json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "lo!"}}}))?;
/// stream.push(&json!({"messageStop": {"stopReason": "end_turn"}}))?;
/// assert_eq!(stream.finish()?["output"]["message"]["content"], json!([{"text": "Hello!"}]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Assembly {
    vendor: Vendor,
    /// The response so far. The arguments of a call are a growing string until they are complete.
    response: Value,
    /// For the Chat Completions API: the position of the last call at each index.
    calls: HashMap<u64, usize>,
    is_finished: bool,
}

impl Assembly {
    pub(super) fn new(vendor: Vendor) -> Self {
        let response = match vendor {
            Vendor::OpenAiResponses => json!({ "output": [] }),
            Vendor::OpenAiChat => json!({ "choices": [{ "message": { "role": "assistant", "content": null } }] }),
            Vendor::Anthropic => Value::Null,
            Vendor::Gemini => json!({ "candidates": [{ "content": { "role": "model", "parts": [] } }] }),
            Vendor::Bedrock => json!({ "output": { "message": { "role": "assistant", "content": [] } } }),
        };
        Self { vendor, response, calls: HashMap::new(), is_finished: false }
    }

    /// Adds one event: the JSON of a server-sent event, or one element of Bedrock's stream.
    ///
    /// # Errors
    ///
    /// [`DispatchError::InvalidMessage`] if the vendor reports an error, or if the event does not have the vendor's
    /// format.
    pub fn push(&mut self, event: &Value) -> Result<(), DispatchError> {
        // The Responses API sends either `{"type": "error", …}` or an `error` inside the failed response.
        let whole = (event["type"] == "error").then_some(event);
        let errors = [event.get("error"), event.pointer("/response/error"), whole];
        if let Some(error) = errors.into_iter().flatten().find(|error| !error.is_null()) {
            return Err(invalid(format!("the stream ended with an error: {error}")));
        }
        let added = match self.vendor {
            Vendor::OpenAiResponses => self.responses(event),
            Vendor::OpenAiChat => self.chat(event),
            Vendor::Anthropic => self.anthropic(event),
            Vendor::Gemini => self.gemini(event),
            Vendor::Bedrock => self.bedrock(event),
        };
        added.ok_or_else(|| invalid(format!("the event is not one of {}: {event}", self.vendor)))
    }

    /// Adds one line of a stream of server-sent events. Ignores `data: [DONE]`, and lines without `data`.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push), and if the data is not JSON.
    pub fn push_line(&mut self, line: &str) -> Result<(), DispatchError> {
        let Some(data) = line.strip_prefix("data:").map(str::trim).filter(|data| *data != "[DONE]") else {
            return Ok(());
        };
        let event = serde_json::from_str(data).map_err(|error| invalid(format!("the event is not JSON: {error}")))?;
        self.push(&event)
    }

    /// Returns the response, as it would be without streaming.
    ///
    /// # Errors
    ///
    /// [`DispatchError::InvalidMessage`] if the stream ended early.
    pub fn finish(self) -> Result<Value, DispatchError> {
        if self.is_finished { Ok(self.response) } else { Err(invalid("the stream ended early".to_owned())) }
    }

    fn responses(&mut self, event: &Value) -> Option<()> {
        let (kind, index) = (event["type"].as_str()?, event["output_index"].as_u64());
        match kind {
            "response.created" | "response.in_progress" => copy(&mut self.response, &event["response"], "output"),
            "response.output_item.added" | "response.output_item.done" => {
                *element(&mut self.response["output"], index?)? = event["item"].clone();
            }
            "response.completed" | "response.incomplete" => {
                self.is_finished = true;
                copy(&mut self.response, &event["response"], "output");
                // Some servers leave out the items in the last event. Then keep the items from earlier events.
                if event["response"]["output"].as_array().is_some_and(|items| !items.is_empty()) {
                    self.response["output"] = event["response"]["output"].clone();
                }
            }
            "response.failed" => return None,
            _ => {}
        }
        Some(())
    }

    fn chat(&mut self, event: &Value) -> Option<()> {
        let mut choices = event["choices"].as_array()?.iter();
        copy(&mut self.response, event, "choices");
        self.response["object"] = "chat.completion".into();
        // The last chunk may contain only the usage. Ignore all choices but the first.
        let Some(choice) = choices.find(|choice| choice["index"].as_u64().unwrap_or(0) == 0) else { return Some(()) };
        let built = &mut self.response["choices"][0];
        for (name, value) in choice.get("delta").and_then(Value::as_object).into_iter().flatten() {
            match (name.as_str(), value) {
                ("role", _) | (_, Value::Null) => {}
                ("tool_calls", Value::Array(parts)) => {
                    for (position, part) in parts.iter().enumerate() {
                        let index = part["index"].as_u64().unwrap_or(position as u64);
                        let calls = &mut built["message"]["tool_calls"];
                        let next = calls.as_array().map_or(0, Vec::len);
                        let last = self.calls.entry(index).or_insert(next);
                        if begins_call(part, &calls[*last]) {
                            *last = next;
                        }
                        add_call(element(calls, *last as u64)?, part)?;
                    }
                }
                (_, Value::String(text)) => append(&mut built["message"][name], text),
                (_, value) => built["message"][name] = value.clone(),
            }
        }
        if let Some(reason) = choice.get("finish_reason").filter(|reason| !reason.is_null()) {
            built["finish_reason"] = reason.clone();
            self.is_finished = true;
        }
        Some(())
    }

    fn anthropic(&mut self, event: &Value) -> Option<()> {
        let kind = event["type"].as_str()?;
        match kind {
            "message_start" => self.response = event.get("message").filter(|message| message.is_object())?.clone(),
            "content_block_start" => *self.block(&event["index"])? = event["content_block"].clone(),
            "content_block_delta" => {
                let block = self.block(&event["index"])?;
                for (name, value) in event["delta"].as_object()? {
                    match (name.as_str(), value) {
                        ("type", _) => {}
                        ("partial_json", Value::String(text)) => {
                            if !block["input"].is_string() {
                                block["input"] = "".into();
                            }
                            append(&mut block["input"], text);
                        }
                        ("citation", citation) => match &mut block["citations"] {
                            Value::Array(citations) => citations.push(citation.clone()),
                            other => *other = json!([citation]),
                        },
                        (_, Value::String(text)) => append(&mut block[name], text),
                        _ => {}
                    }
                }
            }
            "content_block_stop" => parse_input(self.block(&event["index"])?),
            "message_delta" => {
                for (name, value) in event["delta"].as_object()? {
                    self.response[name] = value.clone();
                }
                // This event may have only some of the token counts, so keep the others, which came in `message_start`.
                if event["usage"].is_object() {
                    copy(&mut self.response["usage"], &event["usage"], "");
                }
            }
            "message_stop" => self.is_finished = self.response.is_object(),
            _ => {}
        }
        Some(())
    }

    fn gemini(&mut self, event: &Value) -> Option<()> {
        copy(&mut self.response, event, "candidates");
        let Some(candidate) = event.get("candidates") else { return event.is_object().then_some(()) };
        let candidate = candidate.as_array()?.first()?;
        let built = &mut self.response["candidates"][0];
        let parts = candidate["content"]["parts"].as_array().into_iter().flatten().cloned();
        built["content"]["parts"].as_array_mut()?.extend(parts);
        if let Some(reason) = candidate.get("finishReason").filter(|reason| !reason.is_null()) {
            built["finishReason"] = reason.clone();
            self.is_finished = true;
        }
        Some(())
    }

    fn bedrock(&mut self, event: &Value) -> Option<()> {
        let (kind, event) = event.as_object()?.iter().next()?;
        match kind.as_str() {
            "contentBlockStart" => {
                if let Some(call) = event["start"].get("toolUse") {
                    *self.block(&event["contentBlockIndex"])? = json!({ "toolUse": call });
                }
            }
            "contentBlockDelta" => {
                let block = self.block(&event["contentBlockIndex"])?;
                let (name, delta) = event["delta"].as_object()?.iter().next()?;
                match (name.as_str(), delta) {
                    (_, Value::String(text)) => append(&mut block[name], text),
                    ("toolUse", _) => append(&mut block["toolUse"]["input"], delta["input"].as_str()?),
                    ("reasoningContent", _) => {
                        for (name, value) in delta.as_object()? {
                            let reasoning = &mut block["reasoningContent"];
                            let parent =
                                if name == "redactedContent" { reasoning } else { &mut reasoning["reasoningText"] };
                            append(&mut parent[name], value.as_str()?);
                        }
                    }
                    _ => {}
                }
            }
            "contentBlockStop" => {
                let block = self.block(&event["contentBlockIndex"])?;
                if let Some(call) = block.get_mut("toolUse") {
                    parse_input(call);
                }
            }
            "messageStop" => {
                self.response["stopReason"] = event["stopReason"].clone();
                self.is_finished = true;
            }
            "metadata" => copy(&mut self.response, event, ""),
            kind if kind.ends_with("Exception") => return None,
            _ => {}
        }
        Some(())
    }

    /// Returns the content block at an index, which may be the index after the last block. In that case, appends an
    /// empty block.
    fn block(&mut self, index: &Value) -> Option<&mut Value> {
        let content = if self.vendor == Vendor::Anthropic { "/content" } else { "/output/message/content" };
        element(self.response.pointer_mut(content)?, index.as_u64()?)
    }
}

/// Copies the fields of an event that describe the whole response, such as the id, the model and the usage. Leaves out
/// the field whose name is `built`, because the events build that field piece by piece.
fn copy(to: &mut Value, fields: &Value, built: &str) {
    for (name, value) in fields.as_object().into_iter().flatten() {
        if name != built && !value.is_null() {
            to[name] = value.clone();
        }
    }
}

/// Returns an element of a list. If the index is just past the end, appends an empty object.
fn element(list: &mut Value, index: u64) -> Option<&mut Value> {
    if list.is_null() {
        *list = json!([]);
    }
    let list = list.as_array_mut()?;
    let index = usize::try_from(index).ok()?;
    if index == list.len() {
        list.push(Value::Object(Map::new()));
    }
    list.get_mut(index)
}

/// Appends text to a string, which may not exist yet.
fn append(to: &mut Value, text: &str) {
    match to {
        Value::String(known) => known.push_str(text),
        other => *other = text.into(),
    }
}

/// Returns `true` if a part in the Chat Completions API begins another call than the last one at its index. Some
/// servers leave out the index, or send the same one for every call.
fn begins_call(part: &Value, last: &Value) -> bool {
    fn text(value: &Value) -> Option<&str> {
        value.as_str().filter(|text| !text.is_empty())
    }
    // A new id alone does not begin a call: some servers send a new id with each part of the same call, but the name
    // only with the first part.
    let has_name = text(&part["function"]["name"]).or_else(|| text(&part["custom"]["name"])).is_some();
    has_name && text(&last["id"]).zip(text(&part["id"])).is_some_and(|(last, id)| last != id)
}

/// Adds a part of a call in the Chat Completions API.
fn add_call(call: &mut Value, part: &Value) -> Option<()> {
    add_fields(call, part)?;
    let call = call.as_object_mut()?;
    call.entry("type").or_insert_with(|| "function".into());
    if let Some(Value::Object(function)) = call.get_mut("function") {
        function.entry("arguments").or_insert_with(|| "".into());
    }
    Some(())
}

/// Adds the fields of a part to a call, or to the `function` in it. The arguments come in pieces, and all other fields
/// whole.
fn add_fields(to: &mut Value, part: &Value) -> Option<()> {
    let to = to.as_object_mut()?;
    for (name, value) in part.as_object()?.iter().filter(|(name, value)| *name != "index" && !value.is_null()) {
        let known = to.entry(name.as_str()).or_insert(Value::Null);
        match (name.as_str(), value) {
            ("function" | "custom", Value::Object(_)) => {
                if known.is_null() {
                    *known = json!({});
                }
                add_fields(known, value)?;
            }
            ("arguments" | "input", Value::String(piece)) => append(known, piece),
            ("id" | "type" | "name", _) if !known.is_null() && known != "" => {}
            _ => *known = value.clone(),
        }
    }
    Some(())
}

/// Parses the collected input of a call. If the text is not JSON, it becomes the value of the property
/// [`INVALID_JSON`].
fn parse_input(call: &mut Value) {
    if let Some(Value::String(text)) = call.get("input") {
        let text = if text.trim().is_empty() { "{}" } else { text };
        call["input"] = serde_json::from_str(text).unwrap_or_else(|_| json!({ INVALID_JSON: text }));
    } else if call.get("toolUseId").is_some() && call.get("input").is_none() {
        call["input"] = json!({});
    }
}
