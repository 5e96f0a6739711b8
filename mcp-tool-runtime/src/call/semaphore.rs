//! A fair semaphore: bounds how many calls run at once (`max_concurrency`).
//!
//! Permits are granted in the order of the requests. It is written by hand because the crate has no async runtime
//! without the feature `tokio`, so `tokio::sync::Semaphore` is not always there.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

#[derive(Debug)]
pub(crate) struct Semaphore {
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    free_permits: usize,
    next_ticket: u64,
    waiting: VecDeque<(u64, Waker)>,
}

impl Semaphore {
    pub(crate) fn new(permits: usize) -> Self {
        Self { queue: Mutex::new(Queue { free_permits: permits, next_ticket: 0, waiting: VecDeque::new() }) }
    }

    /// Waits for a permit. Dropping the [`Permit`] returns it.
    pub(crate) fn acquire(self: &Arc<Self>) -> Acquire {
        Acquire { semaphore: Arc::clone(self), ticket: None }
    }

    /// Returns `true` if the next call has to wait.
    #[cfg(debug_assertions)]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.queue().free_permits == 0
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a permit: it goes to the first waiter, which leaves the queue.
    fn release(&self) {
        let mut queue = self.queue();
        let first = queue.waiting.pop_front();
        if first.is_none() {
            queue.free_permits += 1;
        }
        drop(queue);
        if let Some((_, waker)) = first {
            waker.wake();
        }
    }
}

/// The future of [`Semaphore::acquire`].
#[derive(Debug)]
pub(crate) struct Acquire {
    semaphore: Arc<Semaphore>,
    /// The position in the queue, while this future waits.
    ticket: Option<u64>,
}

impl Future for Acquire {
    type Output = Permit;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permit> {
        let semaphore = Arc::clone(&self.semaphore);
        let mut queue = semaphore.queue();
        if let Some(ticket) = self.ticket {
            if let Some((_, waker)) = queue.waiting.iter_mut().find(|(waiting, _)| *waiting == ticket) {
                waker.clone_from(cx.waker());
                return Poll::Pending;
            }
            // `release` removed the ticket, so the permit is ours.
            self.ticket = None;
            drop(queue);
            return Poll::Ready(Permit { semaphore });
        }
        if queue.free_permits > 0 {
            queue.free_permits -= 1;
            drop(queue);
            return Poll::Ready(Permit { semaphore });
        }
        let ticket = queue.next_ticket;
        queue.next_ticket += 1;
        queue.waiting.push_back((ticket, cx.waker().clone()));
        drop(queue);
        self.ticket = Some(ticket);
        Poll::Pending
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut queue = self.semaphore.queue();
        let position = queue.waiting.iter().position(|(waiting, _)| *waiting == ticket);
        if let Some(position) = position {
            queue.waiting.remove(position);
        } else {
            // The permit was granted, but this future was not polled again: pass it on.
            drop(queue);
            self.semaphore.release();
        }
    }
}

/// The right to run one call. Dropping it returns the permit.
#[derive(Debug)]
pub(crate) struct Permit {
    semaphore: Arc<Semaphore>,
}

impl Permit {
    #[cfg(all(debug_assertions, feature = "tokio"))]
    pub(crate) fn semaphore(&self) -> &Arc<Semaphore> {
        &self.semaphore
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.semaphore.release();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Waker};

    use super::Semaphore;

    #[test]
    fn permits_are_granted_in_order_and_a_dropped_waiter_loses_none() {
        let semaphore = Arc::new(Semaphore::new(1));
        let mut cx = Context::from_waker(Waker::noop());
        let Poll::Ready(first) = pin!(semaphore.acquire()).poll(&mut cx) else { panic!("a permit is free") };
        let mut waiting: Vec<_> = (0..4).map(|_| Box::pin(semaphore.acquire())).collect();
        assert!(waiting.iter_mut().all(|acquire| acquire.as_mut().poll(&mut cx).is_pending()));

        drop(waiting.remove(1)); // dropped while it waits
        drop(first);
        assert!(waiting[1].as_mut().poll(&mut cx).is_pending(), "the first waiter has the permit");
        drop(waiting.remove(0)); // dropped after the permit was granted
        let Poll::Ready(second) = waiting[0].as_mut().poll(&mut cx) else { panic!("the permit is passed on") };
        assert!(waiting[1].as_mut().poll(&mut cx).is_pending());
        drop(second);
        assert!(waiting[1].as_mut().poll(&mut cx).is_ready());
        drop(waiting);
        assert!(pin!(semaphore.acquire()).poll(&mut cx).is_ready(), "the permit is free again");
    }
}
