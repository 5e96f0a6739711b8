//! Tools in modules where generated code cannot rely on the usual names. Everything compiles without a warning of any lint, and the tests
//! call every tool.

#![deny(
    warnings,
    missing_docs,
    unsafe_code,
    unreachable_pub,
    unused_qualifications,
    single_use_lifetimes,
    clippy::pedantic,
    clippy::nursery
)]

pub mod bodies;
pub mod courtesy;
pub mod hijacked;
pub mod restrictions;
pub mod shadowed;
pub mod types;

#[cfg(test)]
mod calls;
