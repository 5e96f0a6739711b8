//! Shared parts of the tests that use `mcp-tool` from outside. `tests/README.md` describes the folders.
//!
//! - [`zoo`]: a tool for each way in which serde and schemars can describe a value. Each returns its arguments.
//! - [`values`]: arguments for these tools, generated from a schema or by mutation.
//! - [`oracle`]: the expected answer of a dispatcher, computed without it.

pub mod oracle;
pub mod values;
pub mod zoo;
