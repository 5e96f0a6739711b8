//! Notices a tool that calls its own dispatcher by hand while it holds a permit of `max_concurrency`. Only in debug builds.
//!
//! Such a call waits for a permit while its caller keeps one. If all permits are held by such callers, none of them ever
//! ends.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::semaphore::Semaphore;

thread_local! {
    /// The addresses of the semaphores of whose permits the code that runs now on this thread holds one.
    static HELD: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

fn address(semaphore: &Arc<Semaphore>) -> usize {
    Arc::as_ptr(semaphore).addr()
}

/// Returns `true` if the code that runs now holds a permit of this semaphore.
pub(crate) fn holds_permit(semaphore: &Arc<Semaphore>) -> bool {
    HELD.with_borrow(|held| held.contains(&address(semaphore)))
}

/// Marks this thread as holding a permit until it is dropped.
pub(crate) struct Holding(());

impl Holding {
    pub(crate) fn new(semaphore: &Arc<Semaphore>) -> Self {
        HELD.with_borrow_mut(|held| held.push(address(semaphore)));
        Self(())
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        HELD.with_borrow_mut(Vec::pop);
    }
}

/// A future that holds no permit while it is polled: a call waits for its user.
pub(crate) struct HoldingNone<F>(pub(crate) F);

impl<F: Future + Unpin> Future for HoldingNone<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        /// Restores what the thread held.
        struct Restore(Vec<usize>);

        impl Drop for Restore {
            fn drop(&mut self) {
                HELD.replace(std::mem::take(&mut self.0));
            }
        }

        let _restore = Restore(HELD.take());
        Pin::new(&mut self.0).poll(cx)
    }
}

/// A future that holds a permit while it is polled.
pub(crate) struct HoldingPermit<F> {
    pub(crate) semaphore: Option<Arc<Semaphore>>,
    pub(crate) future: F,
}

impl<F: Future + Unpin> Future for HoldingPermit<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let _holding = self.semaphore.as_ref().map(Holding::new);
        Pin::new(&mut self.future).poll(cx)
    }
}
