//! One page: how much may be on it, and where it starts.

use super::cursor_text::{CursorCodec, Start};
use crate::call::tokens::{PARTS, estimate};

pub(crate) struct Page<'a> {
    pub(super) budget: u32,
    pub(super) max_bytes: usize,
    pub(super) start: Start,
    /// The tool has a parameter that is a [`Cursor`](super::cursor::Cursor).
    pub(super) is_keyed: bool,
    pub(super) cursors: CursorCodec,
    pub(super) tool: &'a str,
    /// The name of the argument for the cursor.
    pub(super) argument: &'a str,
}

/// The tokens, in parts, and the bytes of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    pub(super) tokens: u64,
    pub(super) bytes: usize,
}

impl std::ops::Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { tokens: self.tokens + other.tokens, bytes: self.bytes + other.bytes }
    }
}

impl Page<'_> {
    /// Returns how many items of a list or bytes of a text come before the page.
    pub(super) fn position(&self) -> u64 {
        match self.start {
            Start::Position(position) => position,
            Start::Key(_) => 0,
        }
    }

    /// Measures a text of JSON.
    pub(super) fn size(json: &[u8]) -> Size {
        Size { tokens: estimate(json), bytes: json.len() }
    }

    /// Measures a text that is sent as a string of JSON.
    pub(super) fn size_of_text(text: &str) -> Size {
        Size { tokens: estimate(text.as_bytes()), bytes: crate::json::writer::json_length(text) }
    }

    /// Returns the budget in [`PARTS`].
    pub(super) fn budget(&self) -> u64 {
        u64::from(self.budget) * PARTS
    }

    pub(super) fn fits(&self, size: Size) -> bool {
        size.tokens <= self.budget() && size.bytes <= self.max_bytes
    }
}
