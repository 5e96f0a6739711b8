//! A dispatcher behind a transport.

#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "http")]
pub mod protocol;
#[cfg(feature = "rmcp")]
pub mod rmcp;
#[cfg(feature = "http")]
pub mod stdio;
