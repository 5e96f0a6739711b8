//! An allocator that counts allocations, used by every program of this workspace.
//!
//! Counting must cost almost nothing while it is off, because the same programs measure time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static TIMES: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(times: u64, change: i64) {
    if ON.load(Relaxed) {
        TIMES.fetch_add(times, Relaxed);
        LIVE.fetch_add(change, Relaxed);
    }
}

#[expect(clippy::cast_possible_wrap, reason = "no layout is longer than isize::MAX")]
fn signed(bytes: usize) -> i64 {
    bytes as i64
}

// SAFETY: every method passes its arguments to the system's allocator and returns its result.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, signed(layout.size()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, signed(layout.size()));
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, signed(size) - signed(layout.size()));
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -signed(layout.size()));
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The number of allocations and reallocations of some work, and the bytes that it kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Allocations and reallocations.
    pub times: u64,
    /// Bytes that were asked for and not given back.
    pub kept: i64,
}

/// Counts the allocations of some work on all threads.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, Counted) {
    let before = (TIMES.load(Relaxed), LIVE.load(Relaxed));
    ON.store(true, Relaxed);
    let result = work();
    ON.store(false, Relaxed);
    (result, Counted { times: TIMES.load(Relaxed) - before.0, kept: LIVE.load(Relaxed) - before.1 })
}
