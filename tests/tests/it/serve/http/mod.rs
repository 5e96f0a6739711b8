//! HTTP: the MCP endpoint, plain HTTP, and the web page.

mod bearer;
mod callers;
mod endpoint;
mod page;
mod repeated_headers;
mod rest;
mod streams;
