//! What a tool is and what it returns.

pub(crate) mod content;
pub(crate) mod error;
pub(crate) mod handler;
pub(crate) mod metadata;
pub(crate) mod output;
pub(crate) mod service;
pub(crate) mod state;
pub(crate) mod structured;
