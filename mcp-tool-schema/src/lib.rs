//! Checks JSON documents against JSON Schema.

#![allow(missing_docs, unreachable_pub)]

pub mod accepted;
pub mod branch;
pub mod json;
pub mod pattern;
pub mod reference;
pub mod validate;
pub mod walk;

#[cfg(test)]
mod tests;
