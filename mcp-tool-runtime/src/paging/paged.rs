//! `Paged`: a list that is sent in pages, each with as many items as fit.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::task::{Context, Poll};

use futures_core::Stream;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ToolError;

/// A list of any length as the result of a tool: each call sends as many of its items as fit the budget, and a cursor
/// for the rest.
///
/// The value is `{"items": […], "next_cursor": "…", "total": …}`. `next_cursor` is present if there may be more items.
/// To get the next page, a model passes it as the optional argument `cursor`, which every tool that returns this type
/// has. The descriptions in the schemas say so.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, Paged};
///
/// /// List the squares of the first million numbers.
/// #[mcp_tool(read_only_hint)]
/// async fn squares() -> Paged<u64> {
///     Paged::new((0..1_000_000).map(|n| n * n)).with_total(1_000_000)
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![squares]).build()?;
/// let first = dispatcher.call(CallToolRequest::new("squares", json!({}))).await?;
/// let cursor = first.next_cursor().unwrap();
/// let second = dispatcher.call(CallToolRequest::new("squares", json!({"cursor": cursor}))).await?;
/// assert!(second.is_success());
/// # Ok(())
/// # }
/// ```
///
/// - [`new`](Self::new) pages by position. The function runs again for each page.
/// - [`by`](Self::by) pages by key, with a parameter [`Cursor`](crate::Cursor). So a database can skip what was sent.
/// - [`stream`](Self::stream) takes items until the page is full, so that the rest is never loaded. It pages by
///   position, or with [`.by(key)`](PagedItems::by) by key.
///
/// The budget is that of the key `budget` of `#[mcp_tool]`, or of
/// [`result_budget`](crate::DispatcherBuilder::result_budget), or else 20,000 tokens. It is smaller for a client that
/// is known to accept less, unless [`result_budget_for`](crate::DispatcherBuilder::result_budget_for) sets the budget
/// for that client. No item is ever truncated. An item that is over the budget on its own is sent alone. An item that
/// is over [`max_result_bytes`](crate::DispatcherBuilder::max_result_bytes) on its own is an error.
pub struct Paged<T>(pub(super) PagedItems<T>);

/// The items of a [`Paged`]. Its methods can also be called on the `Paged`.
pub struct PagedItems<T> {
    pub(super) source: Source<T>,
    pub(super) key: Option<KeyOf<T>>,
    pub(super) total: Option<u64>,
    /// Whether the whole list ends with these items.
    pub(super) is_last: bool,
}

/// The largest integer that every client reads exactly.
const MAX_TOTAL: u64 = (1 << 53) - 1;

/// A function that writes the key of an item as JSON.
pub(super) type KeyOf<T> = Box<dyn Fn(&T, &mut Vec<u8>) -> Result<(), serde_json::Error> + Send>;

impl<T> Paged<T> {
    /// Pages a list by position. For the next page, the tool's function runs again, and the items already sent are
    /// skipped.
    ///
    /// Items that are added or removed between two calls shift the other items. Use [`by`](Self::by) for such lists,
    /// and also for long lists, because the iterator is collected.
    pub fn new(items: impl IntoIterator<Item = T>) -> Self {
        Self::of(Source::List(items.into_iter().collect::<Vec<_>>().into_iter()))
    }

    /// Pages a list by a key of its items. The tool's function takes a [`Cursor`](crate::Cursor) with the key of the
    /// last item that was sent, and returns items after it: as many as you like, sorted by a unique key.
    ///
    /// The items may be all that are left or only some of them. So every page has a `next_cursor` unless it is empty,
    /// or [`is_last`](Self::is_last) or [`with_total`](Self::with_total) shows that the list ends with it.
    ///
    /// The key has at most 512 bytes of JSON, since a model has to repeat it. Without a parameter `Cursor`, the list is
    /// paged by position, as with [`new`](Self::new).
    pub fn by<K: Serialize + DeserializeOwned>(
        items: impl IntoIterator<Item = T>,
        key: impl Fn(&T) -> K + Send + 'static,
    ) -> Self {
        Self::new(items).by(key)
    }

    /// Reads items from a stream until the page is full, and then drops the stream. The list ends when the stream ends.
    /// If the items are `Result`s, use [`try_stream`](Self::try_stream).
    ///
    /// ```
    /// use std::pin::Pin;
    /// use std::task::{Context, Poll};
    /// use futures_core::Stream;
    /// use mcp_tool_runtime::{mcp_tool, Cursor, Paged};
    ///
    /// /// The numbers after `next`, one by one.
    /// struct Numbers { next: u64 }
    ///
    /// impl Stream for Numbers {
    ///     type Item = u64;
    ///
    ///     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<u64>> {
    ///         self.next += 1;
    ///         Poll::Ready(Some(self.next))
    ///     }
    /// }
    ///
    /// /// List all numbers.
    /// #[mcp_tool(read_only_hint)]
    /// async fn numbers(after: Cursor<u64>) -> Paged<u64> {
    ///     Paged::stream(Numbers { next: after.position().copied().unwrap_or(0) }).by(|number| *number)
    /// }
    /// ```
    pub fn stream(items: impl Stream<Item = T> + Send + 'static) -> Self
    where
        T: 'static,
    {
        let mut items = Box::pin(items);
        Self::of(Source::Stream(Box::new(move |cx| items.as_mut().poll_next(cx).map(|item| item.map(Ok)))))
    }

    /// Takes items from a stream that can fail, such as the rows of a database. See [`stream`](Self::stream).
    ///
    /// An error before the first item is the error of the call. A later error ends the page: the items so far are sent,
    /// and the call for the next page reports the error.
    ///
    /// Every [`std::error::Error`] is masked, as by `?`, even if it has `#[derive(IntoToolError)]`. To send what such
    /// an error says, map it with `TryStreamExt` of the crate `futures`:
    /// `rows.map_err(IntoToolError::into_tool_error)`.
    ///
    /// Map an error of another type, such as `String`, `Box<dyn Error + Send + Sync>` or `anyhow::Error`:
    /// `rows.map_err(ToolError::internal)` masks it, and for a `String`, `rows.map_err(ToolError::new)` sends it.
    ///
    /// ```
    /// use futures_util::TryStreamExt as _;
    /// use mcp_tool_runtime::{mcp_tool, Paged, ToolError};
    /// # use futures_util::stream::{empty, Empty};
    /// # fn open(_: &str) -> Empty<std::io::Result<String>> { empty() }
    /// # fn fetch(_: &str) -> Empty<Result<String, String>> { empty() }
    ///
    /// /// List the lines of a file.
    /// #[mcp_tool(read_only_hint)]
    /// async fn lines(path: String) -> Paged<String> {
    ///     Paged::try_stream(open(&path))
    /// }
    ///
    /// /// List the lines of a page, or say what is wrong with its address.
    /// #[mcp_tool(read_only_hint)]
    /// async fn lines_of_page(address: String) -> Paged<String> {
    ///     Paged::try_stream(fetch(&address).map_err(ToolError::new))
    /// }
    /// ```
    pub fn try_stream<E: Into<ToolError> + 'static>(items: impl Stream<Item = Result<T, E>> + Send + 'static) -> Self
    where
        T: 'static,
    {
        let mut items = Box::pin(items);
        Self::of(Source::Stream(Box::new(move |cx| items.as_mut().poll_next(cx).map_err(Into::into))))
    }

    fn of(source: Source<T>) -> Self {
        Self(PagedItems { source, key: None, total: None, is_last: false })
    }

    /// Says whether the items of a list [by key](Self::by) are all that are left. If they are, the page with the last
    /// of them has no cursor. Otherwise, a client learns that the list has ended only from an empty page, unless
    /// [`with_total`](Self::with_total) shows it.
    ///
    /// ```
    /// use mcp_tool_runtime::Paged;
    ///
    /// let limit = 500;
    /// let rows: Vec<u64> = (1..=20).collect(); // at most `limit` rows from a database
    /// let is_last = rows.len() < limit;
    /// let page = Paged::by(rows, |id| *id).is_last(is_last);
    /// ```
    #[must_use]
    pub fn is_last(mut self, is_last: bool) -> Self {
        self.is_last = is_last;
        self
    }

    /// Sets the number of items in the whole list, not in one batch. If the first page of a list [by key](Self::by) has
    /// that many items, the tool's function may run once more, and the list ends if it then returns nothing.
    ///
    /// A number below 0 or above 2^53 - 1, which not every client can read, is left out. A number that is less than the
    /// number of items so far is left out too, and this is logged.
    #[must_use]
    pub fn with_total(mut self, total: impl TryInto<u64>) -> Self {
        self.total = total.try_into().ok().filter(|total| *total <= MAX_TOTAL);
        self
    }
}

impl<T> PagedItems<T> {
    /// Pages the items by a key: `Paged::stream(rows).by(|row| row.id)`. See [`Paged::by`].
    pub fn by<K: Serialize + DeserializeOwned>(&mut self, key: impl Fn(&T) -> K + Send + 'static) -> Paged<T> {
        let source = std::mem::replace(&mut self.source, Source::List(Vec::new().into_iter()));
        let key: KeyOf<T> = Box::new(move |item, out| serde_json::to_writer(out, &key(item)));
        Paged(Self { source, key: Some(key), total: self.total, is_last: self.is_last })
    }

    /// Returns all items, before they are cut into pages, for tests that call the tool's function directly. The slice
    /// is empty for a stream.
    pub fn items(&self) -> &[T] {
        match &self.source {
            Source::List(items) => items.as_slice(),
            Source::Stream(_) => &[],
        }
    }
}

impl<T> Deref for Paged<T> {
    type Target = PagedItems<T>;

    fn deref(&self) -> &PagedItems<T> {
        &self.0
    }
}

impl<T> DerefMut for Paged<T> {
    fn deref_mut(&mut self) -> &mut PagedItems<T> {
        &mut self.0
    }
}

/// Shows the number of items, which is `None` for a stream, and the total.
impl<T> fmt::Debug for Paged<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<T> fmt::Debug for PagedItems<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = match &self.source {
            Source::List(items) => Some(items.len()),
            Source::Stream(_) => None,
        };
        f.debug_struct("Paged").field("len", &len).field("total", &self.total).finish_non_exhaustive()
    }
}

/// The items that are left, as a list or as a stream.
pub(super) enum Source<T> {
    List(std::vec::IntoIter<T>),
    /// The function that polls a stream for its next item.
    Stream(Box<PollNext<T>>),
}

type PollNext<T> = dyn FnMut(&mut Context<'_>) -> Poll<Option<Result<T, ToolError>>> + Send;

impl<T> Source<T> {
    pub(super) async fn next(&mut self) -> Result<Option<T>, ToolError> {
        match self {
            Self::List(items) => Ok(items.next()),
            Self::Stream(poll) => std::future::poll_fn(poll).await.transpose(),
        }
    }
}

/// Returns the schema of a page. Its descriptions tell a model to continue with an argument named `cursor`.
pub(crate) fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<Vec<T>>();
    json_schema!({
        "type": "object",
        "properties": {
            "items": items,
            "next_cursor": { "type": "string", "description": super::fitted_tool::next_cursor("cursor") },
            "total": {
                "type": "integer",
                "minimum": 0,
                "maximum": MAX_TOTAL,
                "description": "The number of items on all pages.",
            },
        },
        "required": ["items"],
    })
}
