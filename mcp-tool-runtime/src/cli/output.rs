//! How the answer of a tool is printed.

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
        let mut folder = self.options.get_one::<String>("save").map(|directory| Folder::new(Path::new(directory)));
        let mut unsaved = Vec::new();
        let written = match document {
            Some(Err(error)) => return message::fail(io, &error.to_string()),
            None if format == "text" => message::print(io, &text(folder.as_mut(), response, &mut unsaved)),
            document => {
                self.save_all(folder.as_mut(), response, &mut unsaved, io);
                let text = document.and_then(Result::ok).map_or_else(|| value(response, io), |all| json(&all, io));
                message::print_json(io, &text)
            }
        };
        // After the answer, which a missing file must not take away.
        unsaved.dedup();
        for problem in &unsaved {
            message::error(io, problem);
        }
        match (written, code) {
            (SUCCESS, SUCCESS) if !unsaved.is_empty() => FAILURE,
            (SUCCESS, code) => code,
            (failed, _) => failed,
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
    fn save_all(
        &self,
        folder: Option<&mut Folder<'_>>,
        response: &CallToolResponse,
        unsaved: &mut Vec<String>,
        io: &Io,
    ) {
        let Some(folder) = folder else { return };
        for file in blocks(response).iter().filter_map(File::of) {
            match folder.save(&file) {
                Ok(path) if self.options.get_flag("quiet") => drop(path),
                Ok(path) => message::note(io, "saved", &path.display().to_string()),
                Err(problem) => unsaved.push(problem),
            }
        }
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

/// Writes the answer for people: texts as they are, and files by their paths. Adds why a file is not saved to `unsaved`.
fn text(mut folder: Option<&mut Folder<'_>>, response: &CallToolResponse, unsaved: &mut Vec<String>) -> String {
    let value = response.value().map(RawValue::get);
    let blocks = blocks(response);
    let mut lines = Vec::new();
    if blocks.is_empty() {
        lines.extend(value.filter(|value| *value != "[]").map(readable));
    }
    for block in &blocks {
        lines.push(match (block["type"].as_str(), File::of(block)) {
            (_, Some(file)) => match folder.as_mut().map(|folder| folder.save(&file)) {
                Some(Ok(path)) => path.display().to_string(),
                Some(Err(problem)) => {
                    unsaved.push(problem);
                    format!("[{}]", file.description())
                }
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
    lines.into_iter().map(|line| if line.ends_with('\n') { line } else { line + "\n" }).collect()
}

/// Writes a JSON value for people: a string without quotes, an object in several lines.
fn readable(json: &str) -> String {
    match serde_json::from_str(json) {
        Ok(Value::String(text)) => text,
        Ok(value @ (Value::Array(_) | Value::Object(_))) => format!("{value:#}"),
        _ => json.to_owned(),
    }
}
