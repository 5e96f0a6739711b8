//! Holds what a tool gives back.
//!
//! A tool returns an [`Output`](value::Output) or an [`error`]. An output has [`content`] or a [`structured`] value. An error has [`error_data`] for
//! programs, and an internal [`error_kind`]. Invalid arguments are an error with a [`parameter_error`] for each of them. The tool's own error
//! type becomes one with [`into_tool_error`].
//!
//! Imports only from `json`, except that an output can be an [`InputRequired`](crate::InputRequired) of `ask`.

pub(crate) mod content;
pub(crate) mod error;
mod error_data;
pub(crate) mod error_kind;
pub(crate) mod into_tool_error;
pub(crate) mod parameter_error;
pub(crate) mod structured;
pub(crate) mod value;
