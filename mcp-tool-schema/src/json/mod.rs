//! The JSON representation that the other modules share: how is a document read, addressed and written?
//!
//! Reading order: the [`scanner`] reads tokens. [`reader`] reads text or a `Value` into a [`tape`] (one list of slots, borrowing
//! from the input) of scalars and [`number`]s. A [`violation`] is what is wrong at a [`path`]. Its message quotes text from
//! outside as [`safe_text`], and may contain a [`suggestion`]. [`json_pointer`] has the escapes of JSON Pointers. [`writer`]
//! writes a tool's value once, as compact JSON.
//!
//! This module imports nothing from the other modules.

pub mod checked_value;
pub mod number;
pub mod path;
pub mod reader;
pub mod scanner;
pub mod tape;
pub mod violation;
pub mod writer;
