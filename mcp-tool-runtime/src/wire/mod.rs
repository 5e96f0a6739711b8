//! The outcome of a call on the wire: one module for each form. An outcome itself belongs to none of them.

pub(crate) mod mcp;
pub(crate) mod otc;
