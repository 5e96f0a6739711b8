//! `Excerpt`: a long text that is sent in parts, each with as many lines as fit.

use memchr::memchr_iter;

use super::cursor::Start;
use super::page::{Finish, Finished, Finishing, Page};
use crate::Text;
use crate::output::value::Body;

/// A long text as the result of a tool: each call sends as much of it as fits the budget.
///
/// If the text does not fit, a second block says which part of it was sent, and which `cursor` gets the next part. A
/// tool that returns this type gets the optional argument `cursor` automatically. The function runs again for each
/// part.
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
}

impl Excerpt {
    /// Cuts the text between lines. A single line that is over the budget is cut between two characters.
    pub fn lines(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

impl Finish for Excerpt {
    fn finish<'a>(self: Box<Self>, page: &'a Page<'a>) -> Finishing<'a> {
        Box::pin(std::future::ready(Ok(cut(&self.text, page))))
    }
}

fn cut(text: &str, page: &Page<'_>) -> Finished {
    let start = boundary(text, usize::try_from(page.position()).unwrap_or(usize::MAX));
    if start == 0 && is_whole(text, page) {
        return Finished { body: Body::Blocks, content: vec![Text::new(text).into()], next_cursor: None, text: None };
    }
    let rest = &text[start..];
    let is_inside_line = |at: usize| (1..text.len()).contains(&at) && !text[..at].ends_with('\n');
    let total = newlines(text.as_bytes()) + usize::from(!text.is_empty() && !text.ends_with('\n'));
    let longest = Lines { first: total.saturating_sub(1), last: total, total, starts_inside: true, ends_inside: false };
    let mut note_size = Page::size_of_text(&note(page, &longest, Some(u64::MAX)).0);
    // Even if the budget is barely larger than the note, leave room for some text.
    note_size.tokens = note_size.tokens.min(page.budget() / 2);
    note_size.bytes += r#"[{"type":"text","text":},{"type":"text","text":}]"#.len();
    let (mut size, mut end) = (note_size, 0);
    for line in rest.split_inclusive('\n') {
        size = size + Page::size_of_text(line);
        if !page.fits(size) {
            break;
        }
        end += line.len();
    }
    if end == 0 {
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        end = longest_start(line, |start| page.fits(note_size + Page::size_of_text(start)));
    }
    let (part, end) = (&rest[..end], start + end);
    let lines_before = newlines(&text.as_bytes()[..start]);
    let lines = Lines {
        first: lines_before + 1,
        // Do not count a line break at the end of the part: it belongs to the part's last line.
        last: lines_before + part.as_bytes().split_last().map_or(0, |(_, part)| 1 + newlines(part)),
        total,
        starts_inside: is_inside_line(start),
        ends_inside: is_inside_line(end),
    };
    let (note, next_cursor) = note(page, &lines, (end < text.len()).then_some(end as u64));
    let content = vec![Text::new(part).into(), Text::new(note).into()];
    Finished { body: Body::Blocks, content, next_cursor, text: None }
}

/// Returns the length of the longest prefix of `line` for which `fits` returns `true`, but at least the length of the
/// first character.
fn longest_start(line: &str, fits: impl Fn(&str) -> bool) -> usize {
    let fits = |end: usize| fits(&line[..boundary(line, end)]);
    // Double the length until it no longer fits, so that we never measure much more than we send.
    let (mut fitting, mut end) = (0, line.len().min(1_024));
    while fits(end) && end < line.len() {
        (fitting, end) = (end, line.len().min(end * 2));
    }
    while fitting + 1 < end {
        let middle = fitting.midpoint(end);
        if fits(middle) { fitting = middle } else { end = middle }
    }
    boundary(line, fitting).max(line.chars().next().map_or(0, char::len_utf8))
}

fn newlines(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count()
}

/// Returns `true` if the whole text fits on the page. Counts the tokens only if the number of bytes is within the
/// limit.
fn is_whole(text: &str, page: &Page<'_>) -> bool {
    text.len() <= page.max_bytes && page.fits(Page::size_of_text(text))
}

/// Returns the last character boundary at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// The range of lines that a part contains, counted from 1, and the number of lines in the text.
struct Lines {
    first: usize,
    last: usize,
    total: usize,
    /// Whether the part starts inside its first line.
    starts_inside: bool,
    /// Whether the part ends inside its last line. If so, it consists of that line only.
    ends_inside: bool,
}

/// Returns the note about a part, and the cursor of the next part if there is one.
fn note(page: &Page<'_>, lines: &Lines, next: Option<u64>) -> (String, Option<String>) {
    let Lines { first, last, total, starts_inside, ends_inside } = *lines;
    let what = if first > last {
        format!("There is nothing after the cursor. The text has {total} lines.")
    } else if ends_inside || starts_inside && first == last {
        format!("Part of line {first} of {total}.")
    } else if starts_inside {
        format!("The rest of line {first} and the lines up to {last} of {total}.")
    } else {
        format!("Lines {first} to {last} of {total}.")
    };
    let Some(next) = next else { return (what, None) };
    let cursor = page.cursors.write(&Start::Position(next));
    let (tool, argument) = (page.call.cx.tool_name(), &page.call.argument.name);
    let text =
        format!("{what} For the next part, call `{tool}` with the same arguments and `{argument}`: \"{cursor}\"");
    (text, Some(cursor))
}
