//! Lists that each call needs one of, kept by each thread from call to call: to ask the allocator for a large one, and to
//! give it back, costs more than to fill it.

use std::cell::Cell;
use std::thread::LocalKey;

/// Where a thread keeps a list.
pub(crate) type Keeper<T> = LocalKey<Cell<Vec<T>>>;

/// A list with room for more bytes goes back to the allocator.
const MOST: usize = 128 * 1_024;

/// The list that is kept, or a new one; either is empty.
pub(crate) fn take<T>(keeper: &'static Keeper<T>) -> Vec<T> {
    keeper.try_with(Cell::take).unwrap_or_default()
}

/// Keeps a list in the place of the one before.
pub(crate) fn keep<T>(keeper: &'static Keeper<T>, mut list: Vec<T>) {
    if (1..=MOST).contains(&(list.capacity() * size_of::<T>())) {
        list.clear();
        // A thread that ends keeps nothing.
        let _ = keeper.try_with(|kept| kept.set(list));
    }
}

/// The same list, to be held for long: one that fills little of much room leaves the room to the thread.
pub(crate) fn fitting<T: Clone>(keeper: &'static Keeper<T>, list: Vec<T>) -> Vec<T> {
    /// So many bytes of room are not much.
    const LITTLE: usize = 4_096;
    if list.capacity() * size_of::<T>() <= LITTLE || list.len() >= list.capacity() / 2 {
        return list;
    }
    let fitting = list.clone();
    keep(keeper, list);
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static KEPT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
    }

    #[test]
    fn a_list_comes_back_empty_and_a_large_one_does_not() {
        keep(&KEPT, vec![1; 100]);
        // One without room does not push out another.
        keep(&KEPT, Vec::new());
        let list = take(&KEPT);
        assert_eq!((list.len(), list.capacity()), (0, 100));
        assert_eq!(take(&KEPT).capacity(), 0);
        keep(&KEPT, Vec::with_capacity(MOST + 1));
        assert_eq!(take(&KEPT).capacity(), 0);
    }
}
