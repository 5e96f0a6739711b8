//! The tools that the Open Tool Calling and Model Context Protocol documents use as their examples, written as a user of
//! this library writes them.

mod open_tool_calling;
mod output_schema;

use mcp_tool_runtime::{ToolHandler, tools};
pub use open_tool_calling::fix_clock;

/// Returns all of these tools.
#[must_use]
pub fn all() -> Vec<Box<dyn ToolHandler>> {
    tools![
        open_tool_calling::calculator_add,
        open_tool_calling::doorbell_ring,
        open_tool_calling::system_get_timestamp,
        open_tool_calling::gmail_get_emails,
        open_tool_calling::sms_send,
        output_schema::get_weather_data,
        output_schema::list_users,
        output_schema::find_resource,
        output_schema::calculate_bmi,
    ]
}
