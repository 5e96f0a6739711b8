//! Where the items of a list come from.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::ToolError;

/// The items that are left.
pub(super) enum Source<T> {
    List(std::vec::IntoIter<T>),
    Stream(Pin<Box<dyn Stream<Item = Result<T, ToolError>> + Send>>),
}

/// A stream of plain items that yields them as results.
pub(super) struct Fallible<S, F> {
    items: Pin<Box<S>>,
    into_result: F,
}

impl<S, F> Fallible<S, F> {
    pub(super) fn new(items: S, into_result: F) -> Self {
        Self { items: Box::pin(items), into_result }
    }
}

impl<S: Stream, T, F: Fn(S::Item) -> Result<T, ToolError> + Unpin> Stream for Fallible<S, F> {
    type Item = Result<T, ToolError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let item = ready!(self.items.as_mut().poll_next(cx));
        Poll::Ready(item.map(&self.into_result))
    }
}

impl<T> Source<T> {
    pub(super) async fn next(&mut self) -> Result<Option<T>, ToolError> {
        match self {
            Self::List(items) => Ok(items.next()),
            Self::Stream(items) => std::future::poll_fn(|cx| items.as_mut().poll_next(cx)).await.transpose(),
        }
    }
}
