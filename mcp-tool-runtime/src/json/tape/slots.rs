//! The list of slots of a document, in a buffer from the pool.
//!
//! With a plain `Vec` instead, a call of the benchmark `add` takes 3 allocations instead of 2 and 1.0 % more instructions;
//! `search` takes 2 allocations and 0.1 % more. To measure it again, let [`Slots::with_capacity`] return a new list, remove
//! `Drop`, and run `python3 tests/bench/bench.py budget`.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

use super::slot::Slot;
use crate::json::buffer_pool;

thread_local! {
    static POOL: Cell<Vec<Slot<'static>>> = const { Cell::new(Vec::new()) };
}

/// A list of slots.
#[derive(Debug, Clone)]
pub(crate) struct Slots<'a>(Vec<Slot<'a>>);

impl Slots<'_> {
    pub(crate) fn with_capacity(slots: usize) -> Self {
        let mut list: Vec<Slot<'_>> = buffer_pool::take(&POOL);
        list.reserve(slots);
        Self(list)
    }
}

impl Default for Slots<'_> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Drop for Slots<'_> {
    fn drop(&mut self) {
        buffer_pool::put_back(&POOL, clear(std::mem::take(&mut self.0)));
    }
}

/// Empties a list, so that nothing is borrowed any more.
///
/// The standard library collects an iterator over a `Vec` in the memory of that `Vec`. It does not guarantee this: if it ever
/// stops, a call takes one allocation more, and the test below fails.
fn clear(mut list: Vec<Slot<'_>>) -> Vec<Slot<'static>> {
    list.clear();
    list.into_iter().map(|_| Slot::Null).collect()
}

impl<'a> Deref for Slots<'a> {
    type Target = Vec<Slot<'a>>;

    fn deref(&self) -> &Vec<Slot<'a>> {
        &self.0
    }
}

impl<'a> DerefMut for Slots<'a> {
    fn deref_mut(&mut self) -> &mut Vec<Slot<'a>> {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_list_reuses_the_memory_of_a_dropped_one() {
        let mut first = Slots::with_capacity(100);
        first.push(Slot::String(String::from("x").into()));
        let address = first.as_ptr().addr();
        drop(first);
        let text = String::from("y");
        let mut second = Slots::default();
        assert_eq!(second.len(), 0);
        second.push(Slot::String(text.as_str().into()));
        assert_eq!((second.as_ptr().addr(), second.capacity()), (address, 100));
        // While that one is alive, another list has memory of its own.
        assert_ne!(Slots::with_capacity(1).as_ptr().addr(), address);
    }
}
