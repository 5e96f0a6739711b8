//! One page: the call that returns the page, how much fits on the page, how much is already used, and the output that
//! becomes the page.

use serde_json::Value;

use super::cursor::{CursorArgument, CursorCodec, DAMAGED, MAX_KEY_BYTES, MAX_POSITION_BYTES, Start};
use crate::arguments::type_error::invalid_arguments;
use crate::call::budget::{PARTS, bytes_of, estimate, most};
use crate::json::path::Path;
use crate::json::reader;
use crate::json::violation::Violation;
use crate::output::value::Body;
use crate::{Arguments, BoxFuture, CallContext, Content, Output, ToolError, ToolHandler, log};

pub(crate) struct Page<'a> {
    pub(super) budget: u32,
    pub(super) max_bytes: usize,
    pub(super) start: Start,
    pub(super) cursors: CursorCodec,
    pub(super) call: &'a PagedCall<'a>,
}

/// The size of a text: its estimated tokens, in [`PARTS`], and its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    pub(super) tokens: u64,
    pub(super) bytes: usize,
}

impl std::ops::Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { tokens: self.tokens + other.tokens, bytes: self.bytes + other.bytes }
    }
}

impl Page<'_> {
    /// Returns the sentence that says how to get the next page. It is appended to a text that does not contain the
    /// cursor.
    pub(super) fn how_to_continue(&self, cursor: &str) -> String {
        let (tool, argument) = (self.call.cx.tool_name(), &self.call.argument.name);
        format!("\n\nThere may be more: call `{tool}` with the same arguments and `{argument}`: \"{cursor}\"")
    }

    /// Returns how many items of a list or bytes of a text come before the page, or 0 if the page starts after a key.
    pub(super) fn position(&self) -> u64 {
        match self.start {
            Start::Position(position) => position,
            Start::Key(_) => 0,
        }
    }

    /// Measures JSON text.
    pub(super) fn size(json: &[u8]) -> Size {
        Size { tokens: estimate(json), bytes: json.len() }
    }

    /// Measures text that is sent as a JSON string.
    pub(super) fn size_of_text(text: &str) -> Size {
        Size { tokens: estimate(text.as_bytes()), bytes: crate::json::writer::json_length(text) }
    }

    /// Returns the maximum size of the property `next_cursor` for a cursor in which the start of the next page takes
    /// this many bytes.
    fn size_of_cursor(&self, bytes: usize) -> Size {
        let bytes = r#","next_cursor":"""#.len() + self.cursors.length(bytes);
        Size { tokens: most(bytes), bytes }
    }

    /// Returns the budget in [`PARTS`].
    pub(super) fn budget(&self) -> u64 {
        u64::from(self.budget) * PARTS
    }

    pub(super) fn fits(&self, size: Size) -> bool {
        size.tokens <= self.budget() && size.bytes <= self.max_bytes
    }
}

/// The part of a page that its items already take up.
pub(super) struct Used<'p> {
    page: &'p Page<'p>,
    /// The size of what follows the items, apart from the cursor.
    end: Size,
    /// The maximum size of the property `next_cursor`.
    longest: Size,
    /// The estimated tokens of the first `counted` bytes, in parts of a token (see [`PARTS`]).
    tokens: u64,
    counted: usize,
    /// Items with at most this many bytes in total are sure to fit, so their tokens need not be counted.
    fitting: usize,
}

impl<'p> Used<'p> {
    pub(super) fn new(page: &'p Page<'p>, end: Size, is_keyed: bool) -> Self {
        let longest = page.size_of_cursor(if is_keyed { MAX_KEY_BYTES } else { MAX_POSITION_BYTES });
        let mut used = Self { page, end, longest, tokens: 0, counted: 0, fitting: 0 };
        used.fitting = used.fitting_with(longest);
        used
    }

    /// Returns how many bytes of items are sure to fit on the page if a cursor of this size follows.
    fn fitting_with(&self, cursor: Size) -> usize {
        let used = Size { tokens: self.tokens, bytes: 0 } + self.end + cursor;
        let left = self.page.budget().checked_sub(used.tokens);
        left.map_or(0, |left| self.counted.saturating_add(bytes_of(left)))
            .min(self.page.max_bytes.saturating_sub(used.bytes))
    }

    /// Returns the size of the items and the cursor after them, if that size is over the limits. For several items, the
    /// size may lack the cursor, because errors show only the size of a single item. `start` returns what the
    /// cursor contains: where the next page starts.
    ///
    /// Does not count tokens if the number of bytes alone shows that the items fit.
    #[inline]
    pub(super) fn excess<'s>(
        &mut self,
        items: &[u8],
        is_single: bool,
        start: impl FnOnce() -> Result<&'s Start, ToolError>,
    ) -> Result<Option<Size>, ToolError> {
        if items.len() <= self.fitting {
            return Ok(None);
        }
        self.tokens += estimate(&items[self.counted..]);
        self.counted = items.len();
        self.fitting = self.fitting_with(self.longest);
        if items.len() <= self.fitting {
            return Ok(None);
        }
        let size = Size { tokens: self.tokens, bytes: items.len() } + self.end;
        if !is_single && !self.page.fits(size) {
            return Ok(Some(size));
        }
        let start = start()?;
        if items.len() <= self.fitting_with(self.page.size_of_cursor(start.max_bytes())) {
            return Ok(None);
        }
        let cursor = format!(r#","next_cursor":"{}""#, self.page.cursors.write(start));
        let size = size + Page::size(cursor.as_bytes());
        Ok((!self.page.fits(size)).then_some(size))
    }
}

/// A call to a tool that returns pages.
pub(super) struct PagedCall<'a> {
    pub(super) handler: &'a dyn ToolHandler,
    pub(super) argument: &'a CursorArgument,
    pub(super) cx: &'a CallContext,
    pub(super) arguments: Arguments<'a>,
}

impl PagedCall<'_> {
    /// Runs the tool for the page that begins at `start`, or for the first page if `start` is `None`.
    pub(super) async fn run(&self, start: Option<&Start>) -> Result<Output, ToolError> {
        let Self { handler, argument: CursorArgument { name, .. }, cx, arguments } = self;
        // A tool that reads its cursor argument expects the key alone, not the cursor that contains the key.
        let key: Option<Value> = match start {
            None => return handler.call(cx, *arguments).await,
            Some(Start::Key(key)) => Some(String::from_utf8_lossy(key).into()),
            Some(Start::Position(_)) => None,
        };
        let mut document = arguments.with_properties(|other| other != name);
        if let Some(key) = &key {
            let key = reader::read_value(key).map_err(|violation| self.invalid(&violation.message))?;
            document.push_property(name, key);
        }
        let output = handler.call(cx, arguments.with_document(&document)).await;
        let is_of_key = |error: &ToolError| {
            let mut arguments = error.errors().iter().map(|error| error.pointer().split('/').nth(1));
            key.is_some() && arguments.len() > 0 && arguments.all(|argument| argument == Some(name))
        };
        match output {
            // The violations are about the key, but the client sent a cursor, so say that the cursor is wrong. Either
            // an earlier version of the tool wrote the key, or the function reads keys of a different type than it
            // writes.
            Err(error) if is_of_key(&error) => {
                let message = format!("the key in a cursor is not what `Cursor<…>` reads: {}", error.message());
                log::wrong_page(cx.tool_name(), &message);
                Err(self.invalid(DAMAGED).with_developer_message(message))
            }
            output => output,
        }
    }

    /// Returns `false` if there is certainly nothing after `start`. Runs the tool again to find out, unless the tool
    /// asks questions.
    pub(super) fn may_continue(&self, start: Start) -> BoxFuture<'_, bool> {
        Box::pin(async move {
            // A tool that asks the user questions would ask them again. Do not run it, and assume that there are more
            // items.
            let output = if self.cx.asking.is_none() { self.run(Some(&start)).await.ok() } else { None };
            let Some(Output { body: Body::Unfinished(list), .. }) = output else { return true };
            let Some(list) = list.take::<Box<dyn Finish>>() else { return true };
            list.may_have_items().await
        })
    }

    /// Returns the error of a call with a wrong cursor.
    pub(super) fn invalid(&self, message: &str) -> ToolError {
        invalid_arguments(&[Violation::new(Path::default().property(&self.argument.name), message)])
    }
}

/// A list or text from which one page is cut.
pub(crate) trait Finish: Send {
    fn finish<'a>(self: Box<Self>, page: &'a Page<'a>) -> Finishing<'a>;

    /// Returns `false` if there is certainly nothing to send.
    fn may_have_items(self: Box<Self>) -> BoxFuture<'static, bool> {
        Box::pin(std::future::ready(true))
    }
}

/// Returns an output that becomes one page once it is known how much of it fits.
pub(crate) fn unfinished(finish: impl Finish + 'static) -> Output {
    Output::unfinished(Box::new(finish) as Box<dyn Finish>)
}

pub(crate) type Finishing<'a> = BoxFuture<'a, Result<Finished, ToolError>>;

/// A page that is ready to be sent.
pub(crate) struct Finished {
    pub(crate) body: Body,
    pub(crate) content: Vec<Content>,
    pub(crate) next_cursor: Option<String>,
    /// The text that the function under the key `text` returned, or `None` if the tool has no such key.
    pub(crate) text: Option<String>,
}
