//! How the answer of a tool is printed.

use std::path::Path;

use serde_json::Value;
use serde_json::value::RawValue;

use super::call::Call;
use super::files::{self, File};
use super::{FAILURE, Io, SUCCESS, USAGE, message};
use crate::{CallToolResponse, ProtocolVersion, ToolError};

/// The values of `--output`.
pub(super) const FORMATS: [&str; 4] = ["text", "json", "otc", "mcp"];

impl Call<'_> {
    /// Prints the answer, or the error, and returns the exit code.
    pub(super) fn answer(&self, response: &CallToolResponse, io: &Io) -> u8 {
        let format = self.options.get_one::<String>("output").map(String::as_str);
        let format = format.unwrap_or(if io.output_columns().is_some() { "text" } else { "json" });
        let document = match format {
            "otc" => Some(serde_json::to_value(response)),
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
        let directory = self.options.get_one::<String>("save").map(Path::new);
        let printed = match document {
            Some(Ok(document)) => self.save_all(directory, response, io).map(|()| json(&document, io)),
            Some(Err(error)) => Err(error.to_string()),
            None if format == "json" => self.save_all(directory, response, io).map(|()| value(response, io)),
            None => {
                text(directory, response).map(|text| message::shown(&text, io.output_columns().is_some()).into_owned())
            }
        };
        match printed {
            Ok(text) => match message::print(io, &text) {
                SUCCESS => code,
                failed => failed,
            },
            Err(problem) => message::fail(io, &problem),
        }
    }

    /// Explains why the tool failed.
    fn report(&self, error: &ToolError, io: &Io) {
        if error.has_invalid_arguments() {
            let bad = self.bad_flags(error);
            if bad.is_empty() {
                self.refuse(io, &bad, error.message());
            } else {
                self.refuse(io, &bad, &format!("invalid arguments for {}", self.tool));
            }
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
            if self.options.get_flag("debug") {
                message::note(io, "cause", cause);
            } else {
                message::note(io, "note", "the cause is hidden from models; `call --debug` shows it");
            }
        }
    }

    /// Saves the files of an answer whose text does not name them.
    fn save_all(&self, directory: Option<&Path>, response: &CallToolResponse, io: &Io) -> Result<(), String> {
        let Some(directory) = directory else { return Ok(()) };
        for file in blocks(response).iter().filter_map(File::of) {
            let path = file.save(directory)?;
            if !self.options.get_flag("quiet") {
                message::note(io, "saved", &path.display().to_string());
            }
        }
        Ok(())
    }
}

/// Returns the content blocks as JSON: they have no readers for all of their fields.
fn blocks(response: &CallToolResponse) -> Vec<Value> {
    response.content().iter().filter_map(|block| serde_json::to_value(block).ok()).collect()
}

/// Writes JSON for a terminal in several lines, and in one line for a program.
fn json(document: &Value, io: &Io) -> String {
    match io.output_columns() {
        Some(_) => format!("{document:#}\n"),
        None => format!("{document}\n"),
    }
}

fn value(response: &CallToolResponse, io: &Io) -> String {
    let text = response.value().map_or("null", |value| value.get());
    match io.output_columns().and_then(|_| serde_json::from_str::<Value>(text).ok()) {
        Some(value) => json(&value, io),
        // The text as it is: a number keeps its digits.
        None => format!("{text}\n"),
    }
}

/// Writes the answer for people: texts as they are, and files by their paths.
fn text(directory: Option<&Path>, response: &CallToolResponse) -> Result<String, String> {
    let value = response.value().map(RawValue::get);
    let blocks = blocks(response);
    let mut lines = Vec::new();
    if blocks.is_empty() {
        lines.extend(value.filter(|value| *value != "[]").map(readable));
    }
    for block in &blocks {
        lines.push(match (block["type"].as_str(), File::of(block)) {
            (_, Some(file)) => match directory {
                Some(directory) => file.save(directory)?.display().to_string(),
                None => format!("[{}; `call --save DIR` saves it]", file.description()),
            },
            (Some("text"), _) => match block["text"].as_str() {
                // The text block of a structured value contains the JSON of the value.
                Some(text) if value == Some(text) => readable(text),
                text => text.unwrap_or_default().to_owned(),
            },
            (Some("resource_link"), _) => files::link(block),
            _ => block["resource"]["text"].as_str().unwrap_or_default().to_owned(),
        });
    }
    Ok(lines.into_iter().map(|line| if line.ends_with('\n') { line } else { line + "\n" }).collect())
}

/// Writes a JSON value for people: a string without quotes, an object in several lines.
fn readable(json: &str) -> String {
    match serde_json::from_str(json) {
        Ok(Value::String(text)) => text,
        Ok(value @ (Value::Array(_) | Value::Object(_))) => format!("{value:#}"),
        _ => json.to_owned(),
    }
}
