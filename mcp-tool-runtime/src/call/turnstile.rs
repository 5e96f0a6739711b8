//! A bound on the calls that run at once; who came first goes first.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Lets a number of calls through at once, the others in the order in which they came. Needs no runtime.
#[derive(Debug)]
pub(crate) struct Turnstile {
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    free: usize,
    next: u64,
    waiting: VecDeque<(u64, Waker)>,
}

impl Turnstile {
    pub(crate) fn new(places: usize) -> Self {
        Self { queue: Mutex::new(Queue { free: places, next: 0, waiting: VecDeque::new() }) }
    }

    /// Waits for a place, which is given back when the [`Place`] is dropped.
    pub(crate) fn enter(self: &Arc<Self>) -> Enter {
        Enter { turnstile: Arc::clone(self), ticket: None }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a place to the one who has waited longest, who is no longer in the queue from then on.
    fn leave(&self) {
        let mut queue = self.queue();
        let first = queue.waiting.pop_front();
        if first.is_none() {
            queue.free += 1;
        }
        drop(queue);
        if let Some((_, waker)) = first {
            waker.wake();
        }
    }
}

/// Somebody at the turnstile.
#[derive(Debug)]
pub(crate) struct Enter {
    turnstile: Arc<Turnstile>,
    ticket: Option<u64>,
}

impl Future for Enter {
    type Output = Place;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Place> {
        let turnstile = Arc::clone(&self.turnstile);
        let mut queue = turnstile.queue();
        if let Some(ticket) = self.ticket {
            if let Some((_, waker)) = queue.waiting.iter_mut().find(|(waiting, _)| *waiting == ticket) {
                waker.clone_from(cx.waker());
                return Poll::Pending;
            }
            self.ticket = None;
            drop(queue);
            return Poll::Ready(Place { turnstile });
        }
        if queue.free > 0 {
            queue.free -= 1;
            drop(queue);
            return Poll::Ready(Place { turnstile });
        }
        let ticket = queue.next;
        queue.next += 1;
        queue.waiting.push_back((ticket, cx.waker().clone()));
        drop(queue);
        self.ticket = Some(ticket);
        Poll::Pending
    }
}

/// One who goes away while waiting leaves the queue; one who was just handed a place hands it on.
impl Drop for Enter {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut queue = self.turnstile.queue();
        let at = queue.waiting.iter().position(|(waiting, _)| *waiting == ticket);
        if let Some(at) = at {
            queue.waiting.remove(at);
        } else {
            drop(queue);
            self.turnstile.leave();
        }
    }
}

/// A place on the other side.
#[derive(Debug)]
pub(crate) struct Place {
    turnstile: Arc<Turnstile>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.turnstile.leave();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Waker};

    use super::Turnstile;

    #[test]
    fn who_came_first_goes_first_and_who_leaves_loses_no_place() {
        let turnstile = Arc::new(Turnstile::new(1));
        let mut cx = Context::from_waker(Waker::noop());
        let Poll::Ready(first) = pin!(turnstile.enter()).poll(&mut cx) else { panic!("there is a place") };
        let mut waiting: Vec<_> = (0..4).map(|_| Box::pin(turnstile.enter())).collect();
        assert!(waiting.iter_mut().all(|enter| enter.as_mut().poll(&mut cx).is_pending()));

        drop(waiting.remove(1)); // goes away while waiting
        drop(first);
        assert!(waiting[1].as_mut().poll(&mut cx).is_pending(), "not its turn");
        drop(waiting.remove(0)); // goes away just when it is its turn
        let Poll::Ready(second) = waiting[0].as_mut().poll(&mut cx) else { panic!("it is its turn") };
        assert!(waiting[1].as_mut().poll(&mut cx).is_pending());
        drop(second);
        assert!(waiting[1].as_mut().poll(&mut cx).is_ready());
        drop(waiting);
        assert!(pin!(turnstile.enter()).poll(&mut cx).is_ready(), "the place is free again");
    }
}
