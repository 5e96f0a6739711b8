//! Shared parts of the tests that use `mcp-tool` from outside. `tests/README.md` describes the folders.
//!
//! - [`zoo`]: a tool for each way in which serde and schemars can describe a value. Each returns its arguments.
//! - [`values`]: arguments for these tools, generated from a schema or by mutation.
//! - [`oracle`]: the expected answer of a dispatcher, computed without it.
//! - [`hand_written`]: tools with schemas that no type has.
//! - [`vendors`]: the parts of an exported definition.

pub mod hand_written;
pub mod oracle;
pub mod values;
pub mod vendors;
pub mod zoo;
