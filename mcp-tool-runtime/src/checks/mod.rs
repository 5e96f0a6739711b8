//! What tests and tools call, never a running server.

pub mod contract;
pub(crate) mod lint;
