//! Transports.

mod http;
mod identity;
mod rmcp;
mod stdio;
