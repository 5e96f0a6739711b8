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

/// Returns `small`, or `large` if the environment variable `LARGE` is set, as it is at night.
#[must_use]
pub fn size<T>(small: T, large: T) -> T {
    if std::env::var_os("LARGE").is_some_and(|value| !value.is_empty()) { large } else { small }
}
