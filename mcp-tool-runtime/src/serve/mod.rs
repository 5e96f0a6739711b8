//! How a dispatcher answers messages.
//!
//! [`protocol`] turns one JSON-RPC message into its answer. [`http`] and [`stdio`] carry messages to it, and [`rmcp`]
//! serves a dispatcher with the official SDK instead.

#[cfg(feature = "http")]
pub mod http;
pub mod protocol;
#[cfg(any(feature = "http", feature = "rmcp"))]
mod repeated_arguments;
#[cfg(feature = "rmcp")]
pub mod rmcp;
#[cfg(feature = "stdio")]
pub mod stdio;
