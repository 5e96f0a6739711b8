//! How much of a page its items take.

use super::cursor_text::{CursorCodec, MAX_KEY_BYTES, MAX_POSITION_BYTES, Start};
use super::page::{Page, Size};
use crate::ToolError;
use crate::call::tokens::{bytes_of, estimate, most};

/// What the items so far take of a page.
pub(super) struct Used<'p> {
    page: &'p Page<'p>,
    /// What follows the items.
    end: Size,
    /// What the longest cursor takes.
    longest: Size,
    /// The tokens of the first `counted` bytes.
    tokens: u64,
    counted: usize,
    /// This many bytes surely fit.
    fitting: usize,
}

impl<'p> Used<'p> {
    pub(super) fn new(page: &'p Page<'p>, end: Size, is_keyed: bool) -> Self {
        let longest = size_of_cursor(if is_keyed { MAX_KEY_BYTES } else { MAX_POSITION_BYTES });
        let mut used = Self { page, end, longest, tokens: 0, counted: 0, fitting: 0 };
        used.fitting = used.fitting_with(longest);
        used
    }

    /// Returns a number of bytes that fit, if a cursor of this size follows.
    fn fitting_with(&self, cursor: Size) -> usize {
        let used = Size { tokens: self.tokens, bytes: 0 } + self.end + cursor;
        let left = self.page.budget().checked_sub(used.tokens);
        left.map_or(0, |left| self.counted.saturating_add(bytes_of(left)))
            .min(self.page.max_bytes.saturating_sub(used.bytes))
    }

    /// Returns the size of the items and of the cursor after them, if it is over the limits. Only the size of a single item is shown, in
    /// an error, so it always includes the cursor. Other sizes do not if the items are over the limits without it. `start` returns what
    /// the cursor holds.
    ///
    /// It does not count tokens when the bytes alone tell that the items fit.
    #[inline]
    pub(super) fn excess<'s>(
        &mut self,
        items: &[u8],
        is_single: bool,
        start: impl FnOnce() -> Result<&'s Start, ToolError>,
    ) -> Result<Option<Size>, ToolError> {
        if items.len() <= self.fitting {
            return Ok(None);
        }
        self.tokens += estimate(&items[self.counted..]);
        self.counted = items.len();
        self.fitting = self.fitting_with(self.longest);
        if items.len() <= self.fitting {
            return Ok(None);
        }
        let size = Size { tokens: self.tokens, bytes: items.len() } + self.end;
        if !is_single && !self.page.fits(size) {
            return Ok(Some(size));
        }
        let start = start()?;
        if items.len() <= self.fitting_with(size_of_cursor(start.max_bytes())) {
            return Ok(None);
        }
        let cursor = format!(r#","next_cursor":"{}""#, self.page.cursors.write(start));
        let size = size + Page::size(cursor.as_bytes());
        Ok((!self.page.fits(size)).then_some(size))
    }
}

/// Returns the most that a cursor with a start of this many bytes takes.
fn size_of_cursor(bytes: usize) -> Size {
    let bytes = r#","next_cursor":"""#.len() + CursorCodec::length(bytes);
    Size { tokens: most(bytes), bytes }
}
