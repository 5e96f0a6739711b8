//! Calls that outlast their request.

mod acts;
mod carried;
mod client;
mod elsewhere;
mod engine;
mod http;
mod memory;
mod once;
mod once_faults;
mod once_stored;
mod protocol;
mod questions;
mod queue;
mod records;
mod sdk;
mod spans;
mod tools;
