//! Prints the answer of a tool, or all pages of its answer, and draws the progress of a call as a bar.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::call::Call;
use super::io::is_control;
use super::list::cut;
use super::{FAILURE, Io, SUCCESS, USAGE};
use crate::dispatcher::Pages;
use crate::output::error_kind::wait_text;
use crate::{CallToolResponse, Content, Progress, ProtocolVersion, ToolError, call::lock};

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
                Ok(document) => io.print_json(&format_json(&document, io)),
                Err(error) => return io.fail(&error.to_string()),
            },
            (_, Some(error)) => {
                self.report(error, io);
                return code;
            }
            ("text", None) => io.print(&format_text(response)),
            _ => io.print_json(&format_value(response, io)),
        };
        if self.format(io) == "text" && response.next_cursor().is_some() {
            io.note("help", "there may be more: `--all` prints all pages");
        }
        if written == SUCCESS { code } else { written }
    }

    /// Returns the output format: the value of `--output`, or else the default. With `mcp`, errors are printed as JSON
    /// on standard output, and not as sentences on standard error.
    pub(super) fn format(&self, io: &Io) -> &str {
        self.options.text("output").unwrap_or(if io.output_width.is_some() { "text" } else { "json" })
    }

    /// Prints why the tool failed, and what to do about it.
    fn report(&self, error: &ToolError, io: &Io) {
        if error.has_invalid_arguments() {
            self.refuse(io, &self.bad_flags(error), Some(error));
            return;
        }
        io.error(error.message());
        if let Some(help) = error.additional_prompt_content() {
            io.note("help", help);
        }
        if let Some(after) = error.retry_after_ms() {
            io.note("note", &format!("the same call may succeed in {}", wait_text(after)));
        } else if error.can_retry() {
            io.note("note", "the same call may succeed later");
        }
        if let Some(cause) = error.developer_message() {
            if self.options.is_set("debug") {
                io.note("cause", cause);
            } else {
                io.note("note", "the cause is hidden from models; `call --debug` shows it");
            }
        }
    }

    /// Prints the first answer or, with `--all`, each page as it arrives. If the pages end early, the list is closed
    /// anyway, and the exit code says that the list is incomplete.
    pub(super) async fn print_pages(&self, mut pages: Pages, bar: Option<&Bar>, printed: &mut Printed, io: &Io) -> u8 {
        let is_text = self.format(io) == "text";
        while let Some(answer) = pages.next().await {
            let page = answer.as_ref().ok().filter(|response| printed.is_all && response.is_success());
            let Some(text) = page.and_then(|response| printed.page(response, is_text)) else {
                // Print the answer whole: the user wants only one page, or the answer is an error or has no pages.
                bar.into_iter().for_each(Bar::clear);
                printed.close(is_text, io);
                return self.print_answer(&answer, io);
            };
            let code = if printed.is_list { io.print_json(&text) } else { io.print(&text) };
            if code != SUCCESS {
                return code;
            }
        }
        printed.close(is_text, io)
    }
}

/// Formats JSON: indented for a terminal, and on one line for a program.
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
        // Print the original text. Parsing could change the digits of a number.
        None => format!("{text}\n"),
    }
}

/// Formats a response for people: text unchanged, a structured value indented, and one line about each image, audio or
/// file.
fn format_text(response: &CallToolResponse) -> String {
    let value = response.value().map(RawValue::get);
    let shown = |block: &Content| match block {
        // This block only repeats the structured value as JSON.
        Content::Text(text) if value == Some(text.text()) => format_for_people(text.text()),
        block => block.to_text(),
    };
    let lines: Vec<_> = match response.content() {
        // If a tool returns an empty list of blocks, its value is `[]`, which is not worth printing.
        [] => value.filter(|value| *value != "[]").map(format_for_people).into_iter().collect(),
        blocks => blocks.iter().map(shown).collect(),
    };
    lines.into_iter().map(|line| if line.ends_with('\n') { line } else { line + "\n" }).collect()
}

/// Formats a JSON value for people: a string without quotes, an array or an object on several lines, and any other
/// value unchanged.
fn format_for_people(json: &str) -> String {
    match serde_json::from_str(json) {
        Ok(Value::String(text)) => text,
        Ok(value @ (Value::Array(_) | Value::Object(_))) => format!("{value:#}"),
        _ => json.to_owned(),
    }
}

/// The items of a page, as the tool wrote them.
#[derive(Deserialize)]
struct Page<'p> {
    #[serde(borrow)]
    items: Vec<&'p RawValue>,
}

/// What has been printed of the pages so far.
#[derive(Default)]
pub(super) struct Printed {
    /// Whether the user wants all pages of a tool that has pages.
    pub(super) is_all: bool,
    pub(super) items: usize,
    pub(super) is_list: bool,
}

impl Printed {
    /// Prints the end of the list, if a list was begun.
    pub(super) fn close(&self, is_text: bool, io: &Io) -> u8 {
        match self {
            Self { is_list: false, .. } => SUCCESS,
            Self { items: 1.., .. } if is_text => io.print_json("\n]\n"),
            _ => io.print_json("]\n"),
        }
    }

    /// Returns what to print of a page: its items, one per line if `is_text`, or its part of a text. Returns `None` if
    /// the response is neither a list nor a part of a text.
    fn page(&mut self, response: &CallToolResponse, is_text: bool) -> Option<String> {
        let Some(Page { items }) = response.value().and_then(|value| serde_json::from_str(value.get()).ok()) else {
            let is_part = response.next_cursor().is_some() || self.items > 0;
            self.items += 1;
            return match response.content() {
                [Content::Text(text), ..] if is_part => Some(text.text().to_owned()),
                _ => None,
            };
        };
        let (separator, first) = if is_text { (",\n  ", "[\n  ") } else { (",", "[") };
        let mut text = String::new();
        if !self.is_list {
            self.is_list = true;
            text.push_str(if items.is_empty() { "[" } else { first });
        }
        for item in items {
            if self.items > 0 {
                text.push_str(separator);
            }
            self.items += 1;
            text.push_str(item.get());
        }
        Some(text)
    }
}

/// The shortest time between two drawings of the bar.
const MIN_INTERVAL: Duration = Duration::from_millis(50);

/// A progress bar on one line of the terminal. It appears with the first progress report.
#[derive(Clone)]
pub(super) struct Bar {
    io: Io,
    columns: usize,
    /// When the bar was last drawn.
    drawn: Arc<Mutex<Option<Instant>>>,
}

impl Bar {
    /// Creates a bar if standard error is a terminal that can move its cursor.
    pub(super) fn new(io: &Io) -> Option<Self> {
        // Leave room for `^C` after the bar. A bar that wraps to the next line cannot be erased.
        let columns = io.error_width.filter(|_| io.moves_cursor)?.saturating_sub(3);
        Some(Self { io: io.clone(), columns, drawn: Arc::default() })
    }

    /// Draws the bar for a report, unless the last drawing was less than [`MIN_INTERVAL`] ago.
    pub(super) fn show(&self, progress: &Progress) {
        let mut drawn = lock(&self.drawn);
        if drawn.is_some_and(|drawn| drawn.elapsed() < MIN_INTERVAL) {
            return;
        }
        *drawn = Some(Instant::now());
        let Progress { done, total, message, .. } = progress;
        let total = total.filter(|total| *total > 0.0);
        let numbers = || total.map_or_else(|| done.to_string(), |total| format!("{done}/{total}"));
        // The message comes from the tool, so make sure that it cannot move the cursor.
        let message =
            message.as_ref().map_or_else(numbers, |text| text.replace(|c: char| c.is_control() || is_control(c), " "));
        let line = total.map_or(message.clone(), |total| format!("{} {message}", self.part(done / total)));
        self.io.tell(&format!("{ERASE}{}", cut(&line, Some(self.columns))));
    }

    /// Returns the fraction `part` as a bar and a percentage or, on a narrow terminal, only as a percentage.
    fn part(&self, part: f64) -> String {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
        let percent = (part * 100.0).clamp(0.0, 100.0) as usize;
        let width = match self.columns {
            ..25 => return format!("{percent:>3}%"),
            25..60 => 10,
            _ => 30,
        };
        format!("[{:width$}] {percent:>3}%", "=".repeat(width * percent / 100))
    }

    /// Removes the bar from the terminal.
    pub(super) fn clear(&self) {
        if lock(&self.drawn).take().is_some() {
            self.io.tell(ERASE);
        }
    }
}

/// The control sequence that erases the terminal's current line.
const ERASE: &str = "\r\x1b[2K";
