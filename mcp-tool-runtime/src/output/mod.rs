//! The outputs and errors that a tool returns.
//!
//! A tool returns an [`Output`](value::Output), a type that converts into one ([`tool_output`]), or an [`error`]. An
//! output has [`content`], a value, or both. An error has an internal [`error_kind`], and may come from an author's
//! type that implements `IntoToolError`.
//!
//! Imports only from `json`, except that an output can be an [`InputRequired`](crate::ask::InputRequired) of `ask`.

pub(crate) mod content;
pub(crate) mod error;
pub(crate) mod error_kind;
pub(crate) mod tool_output;
pub(crate) mod value;
