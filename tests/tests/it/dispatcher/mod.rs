//! The dispatcher: what `build` reports, and how calls run.

mod build_errors;
mod concurrency;
mod merged_builders;
mod nested_calls;
mod panics;
mod settings;
pub(crate) mod spans;
mod timeouts;
mod without_a_runtime;
