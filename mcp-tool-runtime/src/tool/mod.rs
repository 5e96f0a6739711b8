//! What a tool is and what it returns.
//!
//! [`handler`] is the trait of every tool, [`service`] an object with several, [`state`] the values that tools share, and
//! [`metadata`] what the attributes know besides the definition. [`info`] and [`visibility`] decide which callers see a tool, a
//! [`selection`] is the tools that one caller sees, and [`shape`] gives a tool another form. A call ends with an [`output`], made
//! of [`content`] or a [`structured`] value, or with an [`error`], whose [`error_data`] is for programs and whose
//! [`error_kind`] is internal. An author's own error becomes one with [`into_tool_error`].

pub(crate) mod content;
pub(crate) mod error;
mod error_data;
mod error_kind;
pub(crate) mod handler;
pub(crate) mod info;
pub(crate) mod into_tool_error;
pub(crate) mod metadata;
pub(crate) mod output;
pub(crate) mod selection;
pub(crate) mod service;
pub(crate) mod shape;
pub(crate) mod state;
pub(crate) mod structured;
pub(crate) mod title;
pub(crate) mod visibility;
