//! A bar chart as a PNG image.

use mcp_tool_runtime::ToolError;
use tiny_skia::{Color, Paint, Pixmap, Rect, Transform};

const BAR: f32 = 24.0;
const GAP: f32 = 8.0;
const HEIGHT: f32 = 160.0;

/// Draws one bar for each number. The largest number is as high as the image.
pub(crate) fn bars(numbers: &[u32]) -> Result<Vec<u8>, ToolError> {
    let highest = numbers.iter().copied().max().unwrap_or(0).max(1);
    #[expect(clippy::cast_precision_loss, reason = "a few bars of a few pixels")]
    let (width, scale) = (GAP + numbers.len().max(1) as f32 * (BAR + GAP), HEIGHT / highest as f32);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive integer")]
    let pixmap = Pixmap::new(width as u32, HEIGHT as u32);
    let mut pixmap = pixmap.ok_or_else(|| ToolError::internal("the image has no size"))?;
    pixmap.fill(Color::WHITE);
    let mut paint = Paint::default();
    paint.set_color_rgba8(40, 90, 160, 255);
    let mut left = GAP;
    for number in numbers {
        #[expect(clippy::cast_precision_loss, reason = "a few pixels")]
        let height = (*number as f32 * scale).max(1.0);
        if let Some(bar) = Rect::from_xywh(left, HEIGHT - height, BAR, height) {
            pixmap.fill_rect(bar, &paint, Transform::identity(), None);
        }
        left += BAR + GAP;
    }
    Ok(pixmap.encode_png()?)
}
