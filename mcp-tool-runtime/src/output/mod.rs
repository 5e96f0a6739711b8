//! Holds what a tool gives back.
//!
//! A tool returns an [`Output`](value::Output) or an [`error`]. An output has [`content`] or a [`structured`] value. An
//! error has an internal [`error_kind`]. [`into_tool_error`] turns a tool's own error type into a `ToolError`.
//!
//! Imports only from `json`, except that an output can be an [`InputRequired`](crate::ask::InputRequired) of `ask`.

pub(crate) mod content;
pub(crate) mod error;
pub(crate) mod error_kind;
pub(crate) mod into_tool_error;
pub(crate) mod structured;
pub(crate) mod value;
