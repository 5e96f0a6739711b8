//! `Excerpt`: a long text of which as much is sent as fits.

use memchr::memchr_iter;

use super::cursor_text::Start;
use super::page::Page;
use super::unfinished::{Finish, Finished, Finishing};
use crate::output::value::Body;
use crate::{Text, ToolError};

/// A long text as the result of a tool: each call sends as much of it as fits the budget.
///
/// If the text does not fit, a second block says which part of it was sent, and with which `cursor` the next part comes. The tool gets
/// this optional argument by returning this type. The function runs again for each part.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, Excerpt};
///
/// /// Read the log.
/// #[mcp_tool(read_only_hint, budget = 1_000)]
/// async fn read_log() -> Excerpt {
///     Excerpt::lines((1..=10_000).map(|n| format!("request {n} was served\n")).collect::<String>())
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![read_log]).build()?;
/// let first = dispatcher.call(CallToolRequest::new("read_log", json!({}))).await?;
/// let [_, note] = first.content() else { unreachable!() };
/// assert!(serde_json::to_string(note)?.contains("of 10000"));
/// let cursor = first.next_cursor().unwrap();
/// assert!(dispatcher.call(CallToolRequest::new("read_log", json!({"cursor": cursor}))).await?.is_success());
/// # Ok(())
/// # }
/// ```
///
/// The budget is the same as that of [`Paged`](crate::Paged).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    text: String,
    unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Lines,
    Chars,
}

impl Excerpt {
    /// Sends whole lines. A line that alone is over the budget is sent alone.
    #[must_use]
    pub fn lines(text: impl Into<String>) -> Self {
        Self { text: text.into(), unit: Unit::Lines }
    }

    /// Sends whole characters, for text without lines.
    #[must_use]
    pub fn chars(text: impl Into<String>) -> Self {
        Self { text: text.into(), unit: Unit::Chars }
    }
}

impl Finish for Excerpt {
    fn finish<'a>(self: Box<Self>, page: &'a Page<'a>) -> Finishing<'a> {
        Box::pin(std::future::ready(match self.unit {
            Unit::Lines => cut_lines(&self.text, page),
            Unit::Chars => Ok(cut_chars(&self.text, page)),
        }))
    }
}

fn cut_lines(text: &str, page: &Page<'_>) -> Result<Finished, ToolError> {
    let first = usize::try_from(page.position()).unwrap_or(usize::MAX);
    let skipped = match first.checked_sub(1) {
        Some(last) => memchr_iter(b'\n', text.as_bytes()).nth(last).map_or(text.len(), |end| end + 1),
        None => 0,
    };
    let rest = &text[skipped..];
    if first == 0 && is_whole(text, page) {
        return Ok(whole(text));
    }
    let unended = usize::from(!text.is_empty() && !text.ends_with('\n'));
    let total = memchr_iter(b'\n', text.as_bytes()).count() + unended;
    let note_size = page.size_of_text(&note(page, ("Lines", total, total), total, Some(u64::MAX)).0);
    let (mut size, mut end, mut count) = (note_size, 0, 0);
    for line in rest.split_inclusive('\n') {
        let with_line = size + page.size_of_text(line);
        if !page.fits(with_line) && count > 0 {
            break;
        }
        if count == 0 && with_line.bytes > page.max_bytes {
            let (bytes, max_bytes) = (with_line.bytes, page.max_bytes);
            let text = format!("line {} alone has {bytes} bytes, and at most {max_bytes} are sent", first + 1);
            return Err(ToolError::invalid_result(text));
        }
        (size, end, count) = (with_line, end + line.len(), count + 1);
    }
    if end == text.len() {
        return Ok(whole(text));
    }
    let last = first.saturating_add(count);
    let next = (last < total).then_some(last as u64);
    Ok(part(&rest[..end], note(page, ("Lines", first.saturating_add(1), last), total, next)))
}

fn cut_chars(text: &str, page: &Page<'_>) -> Finished {
    let start = boundary(text, usize::try_from(page.position()).unwrap_or(usize::MAX));
    let rest = &text[start..];
    if start == 0 && is_whole(text, page) {
        return whole(text);
    }
    let total = text.chars().count();
    let note_size = page.size_of_text(&note(page, ("Characters", total, total), total, Some(u64::MAX)).0);
    let fits = |end: usize| page.fits(note_size + page.size_of_text(&rest[..end]));
    // Doubles the length until it does not fit, so that what is measured is about as long as what is sent.
    let (mut fitting, mut end) = (0, rest.len().min(1_024));
    while fits(boundary(rest, end)) && end < rest.len() {
        (fitting, end) = (end, rest.len().min(end * 2));
    }
    if !fits(boundary(rest, end)) {
        while fitting + 1 < end {
            let middle = fitting.midpoint(end);
            if fits(boundary(rest, middle)) { fitting = middle } else { end = middle }
        }
        end = boundary(rest, fitting);
    }
    // A page has at least one character.
    let end = end.max(rest.chars().next().map_or(0, char::len_utf8));
    let first = text[..start].chars().count();
    let last = first + rest[..end].chars().count();
    let next = (start + end < text.len()).then_some((start + end) as u64);
    part(&rest[..end], note(page, ("Characters", first + 1, last), total, next))
}

/// Returns `true` if the text needs no cut. Of a text that is much too long, nothing is counted.
fn is_whole(text: &str, page: &Page<'_>) -> bool {
    text.len() <= page.max_bytes && page.fits(page.size_of_text(text))
}

/// Returns the last boundary of a character that is not after `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// Returns the note about a part, and the cursor of the next one.
fn note(
    page: &Page<'_>,
    (unit, first, last): (&str, usize, usize),
    total: usize,
    next: Option<u64>,
) -> (String, Option<String>) {
    let what = if first > last {
        format!("There is nothing after the cursor. The text has {total} {}.", unit.to_lowercase())
    } else {
        format!("{unit} {first} to {last} of {total}.")
    };
    let Some(next) = next else { return (what, None) };
    let cursor = page.cursors.write(&Start::Position(next));
    let (tool, argument) = (page.tool, page.argument);
    let text =
        format!("{what} For the next part, call `{tool}` with the same arguments and `{argument}`: \"{cursor}\"");
    (text, Some(cursor))
}

fn whole(text: &str) -> Finished {
    Finished { body: Body::Blocks, content: vec![Text::new(text).into()], next_cursor: None, text: None }
}

fn part(text: &str, (note, next_cursor): (String, Option<String>)) -> Finished {
    let content = vec![Text::new(text).into(), Text::new(note).into()];
    Finished { body: Body::Blocks, content, next_cursor, text: None }
}
