//! Reads the message of a model and the calls in it.

use serde_json::{Value, json};

use super::calls::ExportedCall;
use crate::arguments::type_error;
use crate::json::reader;
use crate::{ToolError, export::Vendor};

/// The stop reasons after which the last call of a message may be incomplete: those of the Chat Completions API, of
/// Anthropic and Bedrock, and of Gemini.
const CUT_OFF: [&[&str]; 3] = [
    &["length", "content_filter"],
    &["max_tokens", "model_context_window_exceeded", "refusal", "malformed_tool_use", "malformed_model_output"],
    &["MAX_TOKENS", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"],
];

/// A message of a model. If the response contains the reason why the model stopped, that reason is here too.
pub(super) struct Message<'m> {
    vendor: Vendor,
    body: &'m Value,
    /// The name of the field of `body` that lists the calls. For most vendors, the list also has texts and other
    /// elements. For the Responses API, `body` itself is this list.
    elements: &'static str,
    stop: Option<&'m str>,
}

impl<'m> Message<'m> {
    /// Finds the message in `value`, which is a response, one of the alternatives in a response (`choices` or
    /// `candidates`), or the message itself.
    ///
    /// Fails if `value` is an error of the vendor, has several alternatives, or has no message in the vendor's format.
    /// The error says which of these it is.
    pub(super) fn find(vendor: Vendor, value: &'m Value) -> Result<Self, String> {
        if let Some(error) = error_of(vendor, value) {
            return Err(format!("the vendor answered with an error: {error}"));
        }
        // For each vendor: the field that lists the alternatives (a response with several is refused), the path from an
        // alternative to the message, the field with the stop reason, and the field with the elements of the message.
        let (choices, path, stop, elements) = match vendor {
            Vendor::OpenAiResponses => ("", "/output", "status", "output"),
            Vendor::OpenAiChat => ("choices", "/message", "finish_reason", "tool_calls"),
            Vendor::Anthropic => ("", "", "stop_reason", "content"),
            Vendor::Gemini => ("candidates", "/content", "finishReason", "parts"),
            Vendor::Bedrock => ("", "/output/message", "stopReason", "content"),
        };
        let choice = match value.get(choices).and_then(Value::as_array).map(Vec::as_slice) {
            None => value,
            Some([only]) => only,
            Some(others) => return Err(format!("`{choices}` has {} elements; pass one of them", others.len())),
        };
        let stop = choice.get(stop).and_then(Value::as_str);
        let body = match (choice.pointer(path), stop) {
            (Some(body), _) => body,
            (None, Some(stop)) => {
                return Err(format!("the response has no message, because the model stopped with `{stop}`"));
            }
            (None, None) => choice,
        };
        // A message of this vendor never has these fields, but a message of another vendor may have them.
        let foreign = match vendor {
            Vendor::OpenAiResponses if body.is_array() => [""; 2],
            Vendor::OpenAiResponses => return Err("expected the response, or its array `output`".to_owned()),
            _ if !body.is_object() => return Err("expected the response, or the model's message in it".to_owned()),
            Vendor::OpenAiChat => ["parts", "stop_reason"],
            Vendor::Gemini => ["tool_calls", "content"],
            Vendor::Anthropic | Vendor::Bedrock => ["parts", "tool_calls"],
        };
        let present = |name: &str| body.get(name).filter(|value| !value.is_null());
        if let Some(foreign) = foreign.into_iter().find(|name| present(name).is_some()) {
            return Err(format!("the field `{foreign}` is not in a message of {vendor}"));
        }
        let role = if vendor == Vendor::Gemini { "model" } else { "assistant" };
        if present("role").is_some_and(|found| found != role) {
            return Err(format!("the `role` of the message is not `{role}`"));
        }
        Ok(Self { vendor, body, elements, stop })
    }

    /// Returns what the message adds to the conversation: the output items for the Responses API, and a single message
    /// for every other vendor.
    pub(super) fn turn(&self) -> Vec<Value> {
        match (self.vendor, self.body) {
            (Vendor::OpenAiResponses, items) => items.as_array().cloned().unwrap_or_default(),
            // Copy only these fields: a response has other fields that a message in a request must not have.
            (Vendor::Anthropic, message) => vec![json!({ "role": "assistant", "content": message["content"] })],
            (_, message) => vec![message.clone()],
        }
    }

    /// Returns the calls of the message, in order.
    pub(super) fn calls(&self) -> Result<Vec<ExportedCall>, String> {
        let elements = self.elements()?;
        let mut calls = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            if !element.is_object() {
                return Err(format!("an element of `{}` is not an object", self.elements));
            }
            let Some(mut call) = read(self.vendor, element)? else { continue };
            let is_last = index + 1 == elements.len();
            let is_cut_off =
                is_last && self.stop.is_some_and(|reason| CUT_OFF.iter().any(|reasons| reasons.contains(&reason)));
            call.is_complete &= !is_cut_off;
            calls.push(call);
        }
        Ok(calls)
    }

    fn elements(&self) -> Result<&'m [Value], String> {
        let (name, message) = (self.elements, self.body);
        if self.vendor == Vendor::OpenAiChat {
            check_texts_of_chat(message)?;
        }
        match (self.vendor, message.get(name)) {
            (Vendor::OpenAiResponses, _) => Ok(message.as_array().map_or(&[], Vec::as_slice)),
            (_, Some(Value::Array(elements))) => Ok(elements),
            (Vendor::OpenAiChat, None | Some(Value::Null)) | (Vendor::Anthropic, Some(Value::String(_))) => Ok(&[]),
            (Vendor::Gemini, None | Some(Value::Null)) if message.get("role").is_some() => Ok(&[]),
            _ => Err(format!("`{name}` is not an array")),
        }
    }
}

/// Adds the name of another vendor to `problem` if `value` looks like a response of that vendor.
pub(super) fn name_other_vendor(problem: String, vendor: Vendor, value: &Value) -> String {
    const FIELDS: [(&str, Vendor); 5] = [
        ("choices", Vendor::OpenAiChat),
        ("candidates", Vendor::Gemini),
        ("stop_reason", Vendor::Anthropic),
        ("stopReason", Vendor::Bedrock),
        ("output", Vendor::OpenAiResponses),
    ];
    match FIELDS.into_iter().find(|(field, _)| value.get(field).is_some()) {
        Some((_, other)) if other != vendor => {
            format!("{problem}; it looks like a response of {other}, and the export is for {vendor}")
        }
        _ => problem,
    }
}

/// If `value` is an error and not a response, returns the message of the error, or its JSON if it has no message. An
/// error of Bedrock is recognized by `message`, its only field.
fn error_of(vendor: Vendor, value: &Value) -> Option<String> {
    if vendor == Vendor::Bedrock
        && value.get("output").is_none()
        && let Some(words) = value.get("message").or_else(|| value.get("Message"))
    {
        return words.as_str().map(str::to_owned);
    }
    // Gemini's streaming endpoint answers with an array, even for an error.
    let first = if vendor == Vendor::Gemini { value.get(0).unwrap_or(value) } else { value };
    let error = first.get("error").filter(|error| !error.is_null())?;
    let words = error.get("message").unwrap_or(error);
    Some(words.as_str().map_or_else(|| words.to_string(), str::to_owned))
}

/// Refuses a message without content, or with content that no message of the Chat Completions API has, because the
/// message may come from another vendor.
fn check_texts_of_chat(message: &Value) -> Result<(), String> {
    const OTHERS: [&str; 4] = ["tool_calls", "refusal", "audio", "function_call"];
    match message.get("content") {
        Some(Value::Array(parts)) => {
            let known = |part: &Value| part["type"] == "text" || part["type"] == "refusal";
            parts.iter().all(known).then_some(()).ok_or("a part of `content` is neither text nor a refusal".to_owned())
        }
        Some(Value::Null | Value::String(_)) => Ok(()),
        None if OTHERS.iter().any(|name| message.get(*name).is_some()) => Ok(()),
        _ => Err("the message has neither `content` nor `tool_calls`".to_owned()),
    }
}

/// If the input of a call is not JSON, its text is stored under this key in an otherwise empty object. Anthropic uses
/// the same key.
pub(super) const INVALID_JSON: &str = "INVALID_JSON";

/// Reads an element of a message. Returns `None` if the element is not a function call.
fn read(vendor: Vendor, element: &Value) -> Result<Option<ExportedCall>, String> {
    let present = |name: &str| element.get(name).filter(|value| !value.is_null());
    // `call` is the object with the name and the arguments, `of` is its type, and `id` is the id that the vendor gave
    // the call.
    let (call, of, id) = match vendor {
        Vendor::OpenAiResponses => match text(element, "type", "output item")? {
            of @ "function_call" => (element, of, Some(text(element, "call_id", of)?)),
            other @ ("text" | "tool_use" | "function" | "thinking") => {
                return Err(format!("an item of the type `{other}` is not in an output of {vendor}"));
            }
            _ => return Ok(None),
        },
        Vendor::OpenAiChat => match present("function") {
            Some(function) => (function, "function", Some(text(element, "id", "tool_calls")?)),
            // A custom tool takes free text. An export has no custom tools, so the program that uses the export must
            // handle this call.
            None if element["type"] == "custom" => return Ok(None),
            None => return Err("an element of `tool_calls` has no `function`".to_owned()),
        },
        Vendor::Anthropic => match text(element, "type", "content block")? {
            of @ "tool_use" => (element, of, Some(text(element, "id", of)?)),
            _ => return Ok(None),
        },
        Vendor::Gemini => {
            let Some(function) = present("functionCall") else { return Ok(None) };
            let id = function.get("id").filter(|id| !id.is_null());
            let id = id.map(|id| id.as_str().ok_or("the `id` of a `functionCall` is not a string")).transpose()?;
            (function, "functionCall", id)
        }
        Vendor::Bedrock if present("type").is_some() => {
            return Err(format!("a content block of {vendor} has no `type`"));
        }
        Vendor::Bedrock => {
            let Some(block) = present("toolUse") else { return Ok(None) };
            (block, "toolUse", Some(text(block, "toolUseId", "toolUse")?))
        }
    };
    let name = text(call, "name", of)?.to_owned();
    let arguments = match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => &call["arguments"],
        Vendor::Gemini => &call["args"],
        Vendor::Anthropic | Vendor::Bedrock => &call["input"],
    };
    let broken = arguments.get(INVALID_JSON).and_then(Value::as_str);
    let arguments = match arguments {
        Value::String(text) if vendor.is_open_ai() => parse(text),
        Value::Object(_) if broken.is_some() => parse(broken.unwrap_or_default()),
        // Vendors other than OpenAI send the arguments as JSON, not as text. Some OpenAI-compatible servers send an
        // object instead of a string, or nothing at all.
        arguments if !vendor.is_open_ai() || arguments.is_null() || arguments.is_object() => Ok(arguments.clone()),
        _ => return Err(format!("the `arguments` of a `{of}` are not a string")),
    };
    let is_complete = match vendor {
        Vendor::OpenAiResponses => present("status").is_none_or(|status| status == "completed"),
        Vendor::Gemini => call["willContinue"] != true,
        _ => true,
    };
    let id = id.map(str::to_owned);
    Ok(Some(ExportedCall { id, name, arguments, is_complete, tool: None, has_invalid_arguments: false }))
}

fn parse(text: &str) -> Result<Value, ToolError> {
    // Some models write nothing for a tool without arguments.
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    let document = reader::read_text(text).map_err(|violation| type_error::invalid_arguments(&[violation]))?;
    Ok(document.root().to_value())
}

fn text<'m>(object: &'m Value, name: &str, of: &str) -> Result<&'m str, String> {
    object.get(name).and_then(Value::as_str).ok_or_else(|| format!("a `{of}` has no string `{name}`"))
}
