//! The JSON representation that the other modules share: how is a document read, addressed and written?
//!
//! Reading order: the [`scanner`] reads tokens. [`reader`] reads text or a `Value` into a [`tape`] (one list of slots, borrowing
//! from the input) of scalars and [`number`]s. A [`violation`] is what is wrong at a [`path`]. Its message quotes text from
//! outside as [`safe_text`], and may contain a [`suggestion`]. [`json_pointer`] has the escapes of JSON Pointers. [`writer`]
//! writes a tool's value once, as compact JSON.
//!
//! This module imports nothing from the other modules.

pub(crate) mod checked_value;
mod duplicate_keys;
pub(crate) mod json_pointer;
pub(crate) mod number;
pub(crate) mod path;
pub(crate) mod raw_json;
pub(crate) mod reader;
pub(crate) mod safe_text;
pub(crate) mod scanner;
pub(crate) mod suggestion;
pub(crate) mod tape;
pub(crate) mod violation;
pub(crate) mod writer;
