//! Cuts one page from a list.

use serde::Serialize;

use super::cursor::{DAMAGED, MAX_KEY_BYTES, Start};
use super::page::{Finish, Finished, Finishing, Page, Used};
use super::paged::{KeyOf, Paged, PagedItems, Source};
use crate::call::catch_panic::yield_now;
use crate::json::writer::{ListWriter, WriteError};
use crate::output::value::{Body, forget_if_deep, not_json};
use crate::{BoxFuture, ToolError, log};

/// A list from which one page is cut, and the function that the key `text` of `#[mcp_tool]` names, if there is one.
pub(crate) struct Cutting<T> {
    pub(crate) list: Paged<T>,
    pub(crate) text: Option<TextOfPage<T>>,
}

type TextOfPage<T> = Box<dyn FnOnce(&Paged<T>) -> String + Send>;

impl<T: Serialize + Send + 'static> Finish for Cutting<T> {
    fn finish<'a>(self: Box<Self>, page: &'a Page<'a>) -> Finishing<'a> {
        Box::pin(cut(*self, page))
    }

    fn may_have_items(mut self: Box<Self>) -> BoxFuture<'static, bool> {
        Box::pin(async move { !matches!(self.list.0.source.next().await, Ok(None)) })
    }
}

/// The number of items that are skipped before other tasks are allowed to run, so that timeouts and cancellations work.
const YIELD_AFTER: u64 = 16_384;

const REPEATED: &str = "the page begins with the item that the last page ended with: return only items after the cursor's key, not from it";

async fn skip<T>(items: &mut Source<T>, position: u64) -> Result<(), ToolError> {
    for skipped in 0..position {
        if items.next().await?.is_none() {
            break;
        }
        // A client can forge a cursor with any position, and an endless list may always have an item ready, so let
        // other tasks run from time to time.
        if skipped % YIELD_AFTER == YIELD_AFTER - 1 {
            yield_now().await;
        }
    }
    Ok(())
}

async fn cut<T: Serialize>(Cutting { list, text }: Cutting<T>, page: &Page<'_>) -> Result<Finished, ToolError> {
    let PagedItems { source: mut items, key, mut total, is_last } = list.0;
    let key = key.filter(|_| page.call.argument.is_keyed);
    // The list ends where the source ends if the author says so (`is_last`), if the list is paged by position, or if
    // the source is a stream. Otherwise, the source may contain only some of the remaining items.
    let mut ends_with_source = is_last || key.is_none() || matches!(items, Source::Stream(_));
    let position = page.position();
    if key.is_some() && position > 0 {
        // The cursor comes from an earlier version of the tool, which was paged by position.
        return Err(page.call.invalid(DAMAGED));
    }
    skip(&mut items, position).await?;
    let mut written = ListWriter::new("items").map_err(not_json)?;
    let mut kept = Vec::new();
    let total_text = total.map_or_else(String::new, |total| format!(r#","total":{total}"#));
    let end = Page::size(format!("]{total_text}}}").as_bytes());
    let mut used = Used::new(page, end, key.is_some());
    let mut start = if key.is_some() { Start::Key(Vec::new()) } else { Start::Position(position) };
    let is_later = matches!(page.start, Start::Key(_));
    let (mut last, mut unsent, mut has_more) = (None, None, false);
    loop {
        let item = match items.next().await {
            Ok(Some(item)) => item,
            Ok(None) => break,
            Err(error) if last.is_none() => return Err(error),
            // Send the items before the error. The call for the next page will report it.
            Err(_) => {
                has_more = true;
                break;
            }
        };
        if let Err(error) = written.push(&item) {
            if matches!(error, WriteError::TooDeep) {
                forget_if_deep(item);
                // Do not drop the later items either: one of them may also nest so deeply that dropping it overflows
                // the stack.
                std::mem::forget(items);
            }
            return Err(not_json(error));
        }
        let next = position + written.count() as u64;
        let is_single = written.count() == 1;
        // Ignore a key that cannot be written: it is an error only if a cursor needs the key.
        let has_key = is_single && is_later && set_start(&mut start, key.as_ref(), &item, next).is_ok();
        if has_key && start == page.start {
            return Err(ToolError::invalid_result(REPEATED));
        }
        let excess = used.excess(written.text(), is_single, || {
            set_start(&mut start, key.as_ref(), &item, next)?;
            Ok(&start)
        });
        if let Some(size) = excess? {
            if !is_single {
                written.undo();
                (has_more, unsent) = (true, Some(item));
                break;
            }
            if size.bytes > page.max_bytes {
                return Err(too_large(next, &page.start, size.bytes, page.max_bytes));
            }
        }
        if let Some(item) = last.replace(item).filter(|_| text.is_some()) {
            kept.push(item);
        }
    }
    // If the number of items on the first page equals the total, the page has all items, unless the author passed the
    // length of a batch as the total by mistake. Run the tool for the next page to find out.
    let has_all = page.start == Start::Position(0) && total == Some(written.count() as u64);
    if has_all && !ends_with_source && !has_more {
        let next = last.as_ref().map(|item| set_start(&mut start, key.as_ref(), item, 0)).transpose()?;
        has_more = next.is_some() && page.call.may_continue(start.clone()).await;
        ends_with_source = true;
    }
    let next_cursor = match &last {
        Some(item) if has_more || !ends_with_source => {
            set_start(&mut start, key.as_ref(), item, position + written.count() as u64)?;
            if start == page.start {
                let text = "the page ends with the key that it starts after, so the list would never end: return only items after the cursor's key, sorted by the key";
                return Err(ToolError::invalid_result(text));
            }
            if let Some(item) = unsent.filter(|_| key.is_some()) {
                let mut next = start.clone();
                set_start(&mut next, key.as_ref(), &item, 0)?;
                if next == start {
                    let text =
                        "two items have the same key, so the next page would start after both: page by a unique key";
                    return Err(ToolError::invalid_result(text));
                }
            }
            Some(page.cursors.write(&start))
        }
        _ => None,
    };
    // With keys, `position` is 0 on every page, so count at least one item for the earlier pages, if there are any. If
    // the list goes on, also count at least one item for the pages that follow.
    let others = u64::from(is_later) + u64::from(has_more);
    if last.is_some() && total.is_some_and(|total| total < position + written.count() as u64 + others) {
        let problem = "`with_total` is left out: it is less than the items so far; pass the number of items on all pages, not in one batch";
        log::wrong_page(page.call.cx.tool_name(), problem);
        total = None;
    }
    let mut properties = Vec::new();
    properties.extend(next_cursor.as_deref().map(|cursor| ("next_cursor", cursor.into())));
    properties.extend(total.map(|total| ("total", total.into())));
    let body = Body::Value(written.finish(&properties).map_err(not_json)?);
    let text = text.map(|text| {
        kept.extend(last);
        text(&Paged::new(kept))
    });
    Ok(Finished { body, content: Vec::new(), next_cursor, text })
}

/// Sets `start` to where the page after `item` starts.
fn set_start<T>(start: &mut Start, key: Option<&KeyOf<T>>, item: &T, next: u64) -> Result<(), ToolError> {
    let (Some(key), Start::Key(text)) = (key, &mut *start) else {
        *start = Start::Position(next);
        return Ok(());
    };
    text.clear();
    key(item, text).map_err(|error| {
        ToolError::invalid_result("the key of an item cannot be written as JSON")
            .with_developer_message(error.to_string())
    })?;
    if text == b"null" {
        // A cursor with the key `null` would restart the list.
        return Err(ToolError::invalid_result("the key of an item is `null`"));
    }
    if text.len() > MAX_KEY_BYTES {
        let text = format!("the key of an item has {} bytes, and a cursor has at most {MAX_KEY_BYTES}", text.len());
        return Err(ToolError::invalid_result(text));
    }
    Ok(())
}

fn too_large(next: u64, start: &Start, bytes: usize, max_bytes: usize) -> ToolError {
    let item = match start {
        Start::Position(_) => format!("item {next} of the list"),
        Start::Key(_) => "the first item after the cursor".to_owned(),
    };
    ToolError::invalid_result(format!("{item} alone has {bytes} bytes, and at most {max_bytes} are sent"))
}
