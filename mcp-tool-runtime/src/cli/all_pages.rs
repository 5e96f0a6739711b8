//! Prints the answer of a tool, or, with `call --all`, all its pages as one list or one text.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::call::Call;
use super::progress::Bar;
use super::{Io, SUCCESS, message};
use crate::dispatcher::Pages;
use crate::{CallToolResponse, Content};

/// The items of a page, as they were written.
#[derive(Deserialize)]
struct Page<'p> {
    #[serde(borrow)]
    items: Vec<&'p RawValue>,
}

impl Call<'_> {
    /// Prints the first answer, or each page when it arrives. If the list is not complete, its last bracket is missing, so
    /// that no program takes it for the whole.
    pub(super) async fn print_pages(&self, mut pages: Pages, bar: Option<&Bar>, printed: &mut Printed, io: &Io) -> u8 {
        let is_text = self.format(io) == "text";
        while let Some(answer) = pages.next().await {
            let page = answer.as_ref().ok().filter(|response| printed.is_all && response.is_success());
            let Some(text) = page.and_then(|response| printed.page(response, is_text)) else {
                // One answer is wanted, or it is an error, or it is the only part of a text.
                bar.into_iter().for_each(Bar::clear);
                return self.print_answer(&answer, io);
            };
            let code = if printed.is_list { message::print_json(io, &text) } else { message::print(io, &text) };
            if code != SUCCESS {
                return code;
            }
        }
        match printed {
            Printed { is_list: false, .. } => SUCCESS,
            Printed { items: 1.., .. } if is_text => message::print_json(io, "\n]\n"),
            _ => message::print_json(io, "]\n"),
        }
    }
}

/// What was printed of the pages.
#[derive(Default)]
pub(super) struct Printed {
    /// Whether all pages are wanted, of a tool that has pages.
    pub(super) is_all: bool,
    pub(super) items: usize,
    pub(super) is_list: bool,
}

impl Printed {
    /// Returns the text of a page: its items, each on a line if `is_text`, or the part of a text without the note.
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
