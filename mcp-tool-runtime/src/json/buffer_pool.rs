//! Lists that every call needs, reused by the next call on the same thread.
//!
//! There are three pools: for the slots of a document, for the text of a result, and for the structure that is recorded while
//! this text is written. Each holds one list per thread.
//!
//! A call of these benchmarks costs more without the pools:
//!
//! | benchmark | instructions | allocations |
//! | --- | --- | --- |
//! | `add` | 5.3 % more | 5 instead of 2 |
//! | `search` | 7.1 % more | 69 instead of 54 |
//! | `order` | 2.2 % more | 158 instead of 142 |
//!
//! To measure it again, let [`take`] return a new list, let [`put_back`] drop its list, and run
//! `python3 tests/bench/bench.py budget`.

use std::cell::Cell;
use std::thread::LocalKey;

pub(crate) type Pool<T> = LocalKey<Cell<Vec<T>>>;

/// The capacity in bytes up to which a list is kept. A larger one is freed.
const MAX_KEPT_BYTES: usize = 128 * 1_024;

/// Takes the list from the pool, or creates a new one. Either is empty.
pub(crate) fn take<T>(pool: &'static Pool<T>) -> Vec<T> {
    pool.try_with(Cell::take).unwrap_or_default()
}

/// Empties a list and puts it into the pool, replacing the one there.
pub(crate) fn put_back<T>(pool: &'static Pool<T>, mut list: Vec<T>) {
    if (1..=MAX_KEPT_BYTES).contains(&(list.capacity() * size_of::<T>())) {
        list.clear();
        // Fails while the thread ends, when there is no next call.
        let _ = pool.try_with(|pool| pool.set(list));
    }
}

/// Copies a short list out of a large buffer and puts the buffer back, so that a long-lived list does not keep the buffer.
pub(crate) fn shrink<T: Clone>(pool: &'static Pool<T>, list: Vec<T>) -> Vec<T> {
    /// A buffer of this size is not worth a copy.
    const SMALL_BYTES: usize = 4_096;
    if list.capacity() * size_of::<T>() <= SMALL_BYTES || list.len() >= list.capacity() / 2 {
        return list;
    }
    let copy = list.clone();
    put_back(pool, list);
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static POOL: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    }

    #[test]
    fn a_list_is_reused_unless_it_is_large() {
        put_back(&POOL, vec![1; 100]);
        // A list without capacity does not replace the one in the pool.
        put_back(&POOL, Vec::new());
        let list = take(&POOL);
        assert_eq!((list.len(), list.capacity()), (0, 100));
        assert_eq!(take(&POOL).capacity(), 0);
        put_back(&POOL, Vec::with_capacity(MAX_KEPT_BYTES + 1));
        assert_eq!(take(&POOL).capacity(), 0);
    }

    #[test]
    fn the_size_of_a_list_is_that_of_its_elements() {
        thread_local! {
            static NUMBERS: Pool64 = const { Cell::new(Vec::new()) };
        }
        type Pool64 = Cell<Vec<u64>>;
        put_back(&NUMBERS, Vec::with_capacity(MAX_KEPT_BYTES / 8));
        assert_eq!(take(&NUMBERS).capacity(), MAX_KEPT_BYTES / 8);
        put_back(&NUMBERS, Vec::with_capacity(MAX_KEPT_BYTES / 8 + 1));
        assert_eq!(take(&NUMBERS).capacity(), 0);
    }

    #[test]
    fn only_a_large_buffer_that_is_mostly_empty_is_copied() {
        thread_local! {
            static NUMBERS: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
        }
        let is_copied = |capacity, length| {
            let mut list = Vec::with_capacity(capacity);
            list.resize(length, 7);
            let address = list.as_ptr();
            let shrunk = shrink(&NUMBERS, list);
            assert_eq!(shrunk, vec![7; length]);
            shrunk.as_ptr() != address
        };
        assert!(!is_copied(512, 1) && is_copied(513, 1));
        assert!(is_copied(1_000, 499) && !is_copied(1_000, 500));
    }
}
