//! Transports.

mod http;
mod rmcp;
mod stdio;
