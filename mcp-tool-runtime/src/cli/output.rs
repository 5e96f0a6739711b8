//! Prints the response of a tool.

use std::path::Path;

use serde_json::Value;
use serde_json::value::RawValue;

use super::call::Call;
use super::files::{self, File, Folder};
use super::{FAILURE, Io, SUCCESS, USAGE, message};
use crate::{CallToolResponse, ProtocolVersion, ToolError};

/// The values of `--output`.
pub(super) const FORMATS: [&str; 4] = ["text", "json", "otc", "mcp"];

impl Call<'_> {
    /// Prints the response or its error, and returns the exit code.
    pub(super) fn print_response(&self, response: &CallToolResponse, io: &Io) -> u8 {
        let format = self.format(io);
        let document = match format {
            "otc" => Some(serde_json::to_value(response.to_otc())),
            "mcp" => Some(serde_json::to_value(response.to_mcp(ProtocolVersion::LATEST))),
            _ => None,
        };
        let code = match response.error() {
            Some(error) if error.has_invalid_arguments() => USAGE,
            Some(_) => FAILURE,
            None => SUCCESS,
        };
        if let (None, Some(error)) = (&document, response.error()) {
            self.report(error, io);
            return code;
        }
        let mut folder = Folder::new(self.options.text("save").map(Path::new));
        let written = match document {
            Some(Err(error)) => return message::fail(io, &error.to_string()),
            None if format == "text" => message::print(io, &format_text(&mut folder, response)),
            document => {
                // The JSON does not contain the paths.
                let blocks = blocks(response);
                let saved = blocks.iter().filter_map(File::of).filter_map(|file| folder.save(&file));
                for path in saved.filter(|_| !self.options.is_set("quiet")) {
                    message::note(io, "saved", &path.display().to_string());
                }
                let text = document
                    .and_then(Result::ok)
                    .map_or_else(|| format_value(response, io), |all| format_json(&all, io));
                message::print_json(io, &text)
            }
        };
        if format == "text" && response.next_cursor().is_some() {
            message::note(io, "help", "there may be more: `--all` prints all pages");
        }
        // The response is printed first, so that it appears even if a file cannot be saved.
        folder.unsaved.dedup();
        for problem in &folder.unsaved {
            message::error(io, problem);
        }
        match (written, code) {
            (SUCCESS, SUCCESS) if !folder.unsaved.is_empty() => FAILURE,
            (SUCCESS, code) => code,
            (failed, _) => failed,
        }
    }

    /// Returns `true` if an error is printed as JSON on standard output, not as a sentence on standard error.
    pub(super) fn prints_document(&self, io: &Io) -> bool {
        ["otc", "mcp"].contains(&self.format(io))
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

/// Returns the content blocks as JSON, because `Content` has no getters for some of its fields.
fn blocks(response: &CallToolResponse) -> Vec<Value> {
    response.content().iter().filter_map(|block| serde_json::to_value(block).ok()).collect()
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

/// Formats a response for people: texts unchanged, and the path of each file.
fn format_text(folder: &mut Folder<'_>, response: &CallToolResponse) -> String {
    let value = response.value().map(RawValue::get);
    let blocks = blocks(response);
    let mut lines = Vec::new();
    if blocks.is_empty() {
        // `[]` is the value of a result without blocks.
        lines.extend(value.filter(|value| *value != "[]").map(format_for_people));
    }
    for block in &blocks {
        lines.push(match (block["type"].as_str(), File::of(block)) {
            (_, Some(file)) => {
                let hint = if folder.directory.is_none() { "; `call --save DIR` saves it" } else { "" };
                let saved = folder.save(&file).map(|path| path.display().to_string());
                saved.unwrap_or_else(|| format!("[{}, {} bytes{hint}]", file.mime_type, file.bytes.len()))
            }
            (Some("text"), _) => match block["text"].as_str() {
                // The text block of a structured value contains the JSON of the value.
                Some(text) if value == Some(text) => format_for_people(text),
                text => text.unwrap_or_default().to_owned(),
            },
            (Some("resource_link"), _) => files::link(block),
            _ => block["resource"]["text"].as_str().unwrap_or_default().to_owned(),
        });
    }
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
