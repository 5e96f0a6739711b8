//! Writes what no caller is told: events of `tracing` with the feature `tracing`, and otherwise errors alone, to standard error.
//! Imports only `json`.

#[cfg(not(feature = "tracing"))]
mod standard_error;
#[cfg(feature = "tracing")]
mod traced;

#[cfg(not(feature = "tracing"))]
pub(crate) use standard_error::*;
#[cfg(feature = "tracing")]
pub(crate) use traced::*;
