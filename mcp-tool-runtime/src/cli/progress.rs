//! Draws the progress of a call as a bar.

use std::io;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::Io;
use super::io::is_control;
use crate::Progress;

/// How often the spinner turns.
const SPIN: Duration = Duration::from_millis(120);

/// A progress bar. It appears with the first report of the tool.
#[derive(Clone)]
pub(super) struct Bar {
    bar: ProgressBar,
    columns: usize,
}

impl Bar {
    /// Creates a bar if standard error is a terminal.
    pub(super) fn new(io: &Io) -> Option<Self> {
        // Leave room for `^C` after the bar. A bar that wraps to the next line cannot be erased.
        let columns = io.error_width.filter(|_| io.moves_cursor)?.saturating_sub(3);
        let terminal = Terminal { io: io.clone(), columns };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::term_like(Box::new(terminal)));
        Some(Self { bar, columns })
    }

    /// Draws a report.
    pub(super) fn show(&self, progress: &Progress) {
        let Progress { done, total, message, .. } = progress;
        let total = total.filter(|total| *total > 0.0);
        let template = match (total, self.columns) {
            (Some(_), ..25) => "{percent:>3}% {wide_msg}",
            (Some(_), ..60) => "[{bar:10}] {percent:>3}% {wide_msg}",
            (Some(_), _) => "[{bar:30}] {percent:>3}% {wide_msg}",
            (None, _) => "{spinner} {wide_msg}",
        };
        // Set the style first, because each of the following calls draws the bar.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("=> ").tick_chars("|/-\\ "));
        }
        let numbers = || total.map_or_else(|| done.to_string(), |total| format!("{done}/{total}"));
        // The message comes from the tool, so make sure that it cannot move the cursor.
        let message =
            message.as_ref().map_or_else(numbers, |text| text.replace(|c: char| c.is_control() || is_control(c), " "));
        self.bar.set_message(message);
        if let Some(total) = total {
            // Count in thousandths, because tools may report fractions.
            self.bar.set_length(1000);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1000")]
            self.bar.set_position((done / total * 1000.0).clamp(0.0, 1000.0) as u64);
        } else {
            self.bar.enable_steady_tick(SPIN);
        }
    }

    /// Removes the bar from the terminal.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The error stream, as `indicatif` draws on it.
#[derive(Debug)]
struct Terminal {
    io: Io,
    columns: usize,
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        u16::try_from(self.columns).unwrap_or(u16::MAX)
    }

    // The bar is a single line, so the cursor never moves up.
    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.io.tell(&format!("{text}\n"));
        Ok(())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.io.tell(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.io.tell("\r\x1b[2K");
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
