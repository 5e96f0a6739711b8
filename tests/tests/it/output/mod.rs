//! What a tool gives back: return types, content blocks and errors.

mod content_blocks;
mod derived_errors;
mod error_data;
mod errors;
mod escaped_text;
mod foreign_json;
mod return_types;
mod rmcp_return_types;
mod text_off;
