//! The results of `tools/list` that callers ask for again and again, each with its bytes in one piece.
//!
//! The callers of a server mostly belong to a few groups, each of which sees the same tools. The key is what the rules answered for
//! this request, so a kept list is right whatever the rules depend on.
//!
//! The benchmark `list-1000-mixed` takes 43 µs with it and 79 µs without, on a busy machine. To measure it again, let
//! [`ListCache::get_or_admit`] return `None`, and run `python3 tests/bench/bench.py table --only checked list-1000-mixed`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::tool::selection::Selection;

/// The number of lists that are kept.
const MAX_LISTS: usize = 8;

/// The bytes that all kept lists may have together.
const MAX_BYTES: usize = 4 << 20;

/// The number of selections that are remembered without their list. A selection that is asked for only once is never kept.
const MAX_RECENT: usize = 16;

/// After this many misses, drops the lists that nobody has asked for since the last cleanup. Until then a kept list
/// stays, so that many groups in turn do not replace the lists of each other.
const MISSES_UNTIL_CLEANUP: usize = 64;

#[derive(Default)]
pub(super) struct ListCache(RwLock<State>);

#[derive(Default)]
struct State {
    lists: Vec<KeptList>,
    /// The selections of the last misses.
    recent: VecDeque<Selection>,
    misses: usize,
}

struct KeptList {
    selection: Selection,
    bytes: Arc<[u8]>,
    /// Somebody asked for it since the last cleanup.
    is_in_use: AtomicBool,
}

impl ListCache {
    /// Returns the list of a selection, if it is kept. Keeps it from the second request on, if there is room.
    ///
    /// `length` returns the most bytes that the list can have, and is called on each miss. `write` creates the list, and is called
    /// only if it is kept.
    pub(super) fn get_or_admit(
        &self,
        selection: &Selection,
        length: impl FnOnce() -> usize,
        write: impl FnOnce() -> Vec<u8>,
    ) -> Option<Arc<[u8]>> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).find(selection);
        if kept.is_some() {
            return kept;
        }
        let length = length();
        if !self.0.write().unwrap_or_else(PoisonError::into_inner).admits(selection, length) {
            return None;
        }
        // Other callers get their lists meanwhile.
        let bytes: Arc<[u8]> = write().into();
        self.0.write().unwrap_or_else(PoisonError::into_inner).keep(selection, &bytes);
        Some(bytes)
    }
}

impl State {
    fn find(&self, selection: &Selection) -> Option<Arc<[u8]>> {
        let list = self.lists.iter().find(|list| list.selection == *selection)?;
        // A store of the same value by each reader would pass the memory from processor to processor.
        if !list.is_in_use.load(Ordering::Relaxed) {
            list.is_in_use.store(true, Ordering::Relaxed);
        }
        Some(Arc::clone(&list.bytes))
    }

    /// Counts a miss, and returns `true` if the list may be kept.
    fn admits(&mut self, selection: &Selection, length: usize) -> bool {
        self.misses += 1;
        if self.misses.is_multiple_of(MISSES_UNTIL_CLEANUP) {
            self.lists.retain_mut(|list| std::mem::take(list.is_in_use.get_mut()));
        }
        if !self.has_room(length) {
            return false;
        }
        if self.recent.iter().any(|recent| *recent == *selection) {
            return true;
        }
        self.recent.truncate(MAX_RECENT - 1);
        self.recent.push_front(selection.clone());
        false
    }

    fn has_room(&self, length: usize) -> bool {
        let kept: usize = self.lists.iter().map(|list| list.bytes.len()).sum();
        self.lists.len() < MAX_LISTS && kept + length <= MAX_BYTES
    }

    /// Keeps a list, unless another thread has kept it or taken the room.
    fn keep(&mut self, selection: &Selection, bytes: &Arc<[u8]>) {
        self.recent.retain(|recent| *recent != *selection);
        if self.has_room(bytes.len()) && self.find(selection).is_none() {
            let (bytes, is_in_use) = (Arc::clone(bytes), AtomicBool::new(true));
            self.lists.push(KeptList { selection: selection.clone(), bytes, is_in_use });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Selects one tool.
    fn only(tool: usize) -> Selection {
        let mut selection = Selection::all(100);
        (0..100).filter(|at| *at != tool).for_each(|at| selection.remove(at));
        selection
    }

    /// Asks for the list of a selection with one tool, and returns `true` if it is kept.
    fn ask(kept: &ListCache, tool: usize, bytes: usize) -> bool {
        let selection = only(tool);
        let found = kept.get_or_admit(&selection, || bytes, || vec![u8::try_from(tool).expect("a byte"); bytes]);
        if let Some(found) = &found {
            assert_eq!(found.len(), bytes);
            assert!(found.iter().all(|byte| usize::from(*byte) == tool));
        }
        found.is_some()
    }

    #[test]
    fn a_list_is_kept_from_the_second_request_on() {
        let kept = ListCache::default();
        assert!(!ask(&kept, 1, 10));
        assert!(!ask(&kept, 2, 10));
        assert!(ask(&kept, 1, 10));
        let again = kept.get_or_admit(&only(1), || unreachable!("it is kept"), || unreachable!("it is kept"));
        assert_eq!(again.as_deref(), Some(&[1; 10][..]));
    }

    #[test]
    fn the_number_and_the_bytes_of_kept_lists_are_bounded() {
        let kept = ListCache::default();
        for tool in 0..MAX_LISTS + 3 {
            ask(&kept, tool, 10);
            assert_eq!(ask(&kept, tool, 10), tool < MAX_LISTS);
        }
        let kept = ListCache::default();
        for _ in 0..3 {
            assert!(!ask(&kept, 1, MAX_BYTES + 1));
        }
        for (tool, is_kept) in [(1, true), (2, true), (3, false)] {
            ask(&kept, tool, MAX_BYTES / 2);
            assert_eq!(ask(&kept, tool, MAX_BYTES / 2), is_kept);
        }
    }

    #[test]
    fn selections_that_differ_each_time_are_not_kept() {
        let kept = ListCache::default();
        for round in 0..3 {
            for tool in 0..=MAX_RECENT {
                assert!(!ask(&kept, tool, 10), "{round} {tool}");
            }
        }
        assert_eq!(kept.0.read().expect("no panic").recent.len(), MAX_RECENT);
    }

    #[test]
    fn lists_that_nobody_asks_for_any_more_make_room() {
        let kept = ListCache::default();
        for tool in 0..MAX_LISTS {
            ask(&kept, tool, 10);
            assert!(ask(&kept, tool, 10));
        }
        for miss in 0..3 * MISSES_UNTIL_CLEANUP {
            // The first list stays in use.
            assert!(ask(&kept, 0, 10), "{miss}");
            ask(&kept, 90, 10);
        }
        assert!(ask(&kept, 90, 10));
        assert!(ask(&kept, 0, 10));
        assert!(!ask(&kept, 1, 10));
    }
}
