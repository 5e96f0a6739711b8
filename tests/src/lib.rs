//! What tests of `mcp-tool` from outside share; see `tests/README.md` for what stands where.
//!
//! - [`zoo`]: a tool for each way in which serde and schemars can describe a value. Each gives back what it was given.
//! - [`values`]: arguments for them: made from a schema, or one mutation away from others.
//! - [`judge`]: what a dispatcher has to answer, found without it.

pub mod judge;
pub mod values;
pub mod zoo;
