//! What belongs to one call: its request, id, context, progress and response.

mod debug_output;
mod edges;
mod fast_progress;
mod id_text;
mod ids;
mod progress;
mod request_values;
mod requests;
mod responses;
