//! `call --all`: follows the pages of a tool, and prints one list or one text.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::call::{Call, not_dispatched, unless_interrupted};
use super::questions::Questions;
use super::{Cli, INTERRUPTED, Io, SUCCESS, message};
use crate::{CallToolRequest, CallToolResponse, Content};

/// The items of a page, as they were written.
#[derive(Deserialize)]
struct Page<'p> {
    #[serde(borrow)]
    items: Vec<&'p RawValue>,
}

impl Cli {
    /// Prints each page when it arrives. If the list is not complete, its last bracket is missing, so that no program takes it for the whole.
    pub(super) async fn run_all(
        &self,
        call: &Call<'_>,
        request: CallToolRequest,
        questions: &Questions,
        io: &Io,
    ) -> u8 {
        // Not an error: a script can pass the option to every tool.
        if self.dispatcher.cursor_of(call.tool).is_none() {
            message::note(io, "note", &format!("{} has no pages, so `--all` changes nothing", call.tool));
        }
        let mut pages = self.dispatcher.pages(request);
        let mut printed = Printed { is_text: call.format(io) == "text", items: 0, is_list: false };
        loop {
            let Some(next) = unless_interrupted(io, pages.next()).await else {
                message::error(io, &format!("interrupted after {}", message::counted(printed.items, "item")));
                return INTERRUPTED;
            };
            let code = match next {
                Some(Ok(response)) if response.is_success() => match printed.page(&response) {
                    Some(text) if printed.is_list => message::print_json(io, &text),
                    Some(text) => message::print(io, &text),
                    // A tool without pages.
                    None => return call.print_answer(&response, questions, io),
                },
                Some(Ok(response)) => return call.print_answer(&response, questions, io),
                Some(Err(error)) => return not_dispatched(&error, io),
                None if printed.is_list => return message::print_json(io, printed.end()),
                None => return SUCCESS,
            };
            if code != SUCCESS {
                return code;
            }
        }
    }
}

/// What was printed of a list.
struct Printed {
    /// Each item is on a line.
    is_text: bool,
    items: usize,
    is_list: bool,
}

impl Printed {
    /// Returns the text of a page: its items, or the part of a text without the note.
    fn page(&mut self, response: &CallToolResponse) -> Option<String> {
        let Some(Page { items }) = response.value().and_then(|value| serde_json::from_str(value.get()).ok()) else {
            let is_part = response.next_cursor().is_some() || self.items > 0;
            self.items += 1;
            return match response.content() {
                [Content::Text(text), ..] if is_part => Some(text.text().to_owned()),
                _ => None,
            };
        };
        let (separator, first) = if self.is_text { (",\n  ", "[\n  ") } else { (",", "[") };
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

    fn end(&self) -> &'static str {
        if self.is_text && self.items > 0 { "\n]\n" } else { "]\n" }
    }
}
