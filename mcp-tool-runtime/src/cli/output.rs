//! Prints the response of a tool.

use serde_json::Value;
use serde_json::value::RawValue;

use super::call::Call;
use super::{FAILURE, Io, SUCCESS, USAGE, message};
use crate::{CallToolResponse, Content, ProtocolVersion, ToolError};

/// The values of `--output`.
pub(super) const FORMATS: [&str; 3] = ["text", "json", "mcp"];

impl Call<'_> {
    /// Prints the response or its error, and returns the exit code.
    pub(super) fn print_response(&self, response: &CallToolResponse, io: &Io) -> u8 {
        let code = match response.error() {
            Some(error) if error.has_invalid_arguments() => USAGE,
            Some(_) => FAILURE,
            None => SUCCESS,
        };
        let written = match (self.format(io), response.error()) {
            ("mcp", _) => match serde_json::to_value(response.to_mcp(ProtocolVersion::LATEST)) {
                Ok(document) => message::print_json(io, &format_json(&document, io)),
                Err(error) => return message::fail(io, &error.to_string()),
            },
            (_, Some(error)) => {
                self.report(error, io);
                return code;
            }
            ("text", None) => message::print(io, &format_text(response)),
            _ => message::print_json(io, &format_value(response, io)),
        };
        if self.format(io) == "text" && response.next_cursor().is_some() {
            message::note(io, "help", "there may be more: `--all` prints all pages");
        }
        if written == SUCCESS { code } else { written }
    }

    /// Returns `true` if an error is printed as JSON on standard output, not as a sentence on standard error.
    pub(super) fn prints_document(&self, io: &Io) -> bool {
        self.format(io) == "mcp"
    }

    /// Returns the value of `--output`.
    pub(super) fn format(&self, io: &Io) -> &str {
        self.options.text("output").unwrap_or(if io.output_width.is_some() { "text" } else { "json" })
    }

    /// Prints why the tool failed, and what the user can do.
    fn report(&self, error: &ToolError, io: &Io) {
        if error.has_invalid_arguments() {
            self.refuse(io, &self.bad_flags(error), Some(error));
            return;
        }
        message::error(io, error.message());
        if let Some(help) = error.additional_prompt_content() {
            message::note(io, "help", help);
        }
        if let Some(after) = error.retry_after_ms() {
            message::note(io, "note", &format!("the same call may succeed in {after} ms"));
        } else if error.can_retry() {
            message::note(io, "note", "the same call may succeed later");
        }
        if let Some(cause) = error.developer_message() {
            if self.options.is_set("debug") {
                message::note(io, "cause", cause);
            } else {
                message::note(io, "note", "the cause is hidden from models; `call --debug` shows it");
            }
        }
    }
}

/// Formats JSON: on several lines for a terminal, and on one line for another program.
pub(super) fn format_json(document: &Value, io: &Io) -> String {
    match io.output_width {
        Some(_) => format!("{document:#}\n"),
        None => format!("{document}\n"),
    }
}

/// Formats the value of a response as JSON.
fn format_value(response: &CallToolResponse, io: &Io) -> String {
    let text = response.value().map_or("null", |value| value.get());
    match io.output_width.and_then(|_| serde_json::from_str::<Value>(text).ok()) {
        Some(value) => format_json(&value, io),
        // The original text, because parsing it could change the digits of a number.
        None => format!("{text}\n"),
    }
}

/// Formats a response for people: texts unchanged, and a line about each image, audio or file.
fn format_text(response: &CallToolResponse) -> String {
    let value = response.value().map(RawValue::get);
    let lines: Vec<_> = match response.content() {
        // `[]` is the value of a result without blocks.
        [] => value.filter(|value| *value != "[]").map(format_for_people).into_iter().collect(),
        blocks => blocks
            .iter()
            .map(|block| match block {
                // The text block of a structured value contains the JSON of the value.
                Content::Text(text) if value == Some(text.text()) => format_for_people(text.text()),
                block => block.to_text(),
            })
            .collect(),
    };
    lines.into_iter().map(|line| if line.ends_with('\n') { line } else { line + "\n" }).collect()
}

/// Formats a JSON value for people: a string without quotes, an array or an object on several lines.
fn format_for_people(json: &str) -> String {
    match serde_json::from_str(json) {
        Ok(Value::String(text)) => text,
        Ok(value @ (Value::Array(_) | Value::Object(_))) => format!("{value:#}"),
        _ => json.to_owned(),
    }
}
