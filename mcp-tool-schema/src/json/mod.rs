//! Reads, addresses and writes JSON.
//!
//! The [`scanner`] reads tokens. The [`reader`] reads JSON text or a `Value` into a [`tape`]: one list of slots that
//! borrows from the input. A [`violation`] is what is wrong at a [`path`], in words that are safe to show to a model.
//! The [`writer`] writes a value as compact JSON.

pub mod number;
pub mod path;
pub mod reader;
pub mod scanner;
mod string;
pub mod tape;
pub mod violation;
pub mod writer;
