//! Calls that outlast their request.

mod client;
mod engine;
mod http;
mod memory;
mod protocol;
mod questions;
mod queue;
mod sdk;
mod tools;
