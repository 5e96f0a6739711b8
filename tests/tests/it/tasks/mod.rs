//! Calls that outlast their request.

mod client;
mod memory;
mod worker;
