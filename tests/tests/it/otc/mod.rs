//! Open Tool Calling.

mod protocol;
mod strict_reading;
