//! Tools in surroundings that generated code cannot count on. Everything here compiles without a warning of any lint, and
//! every tool is called by the tests.

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
