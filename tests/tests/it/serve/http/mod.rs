//! HTTP: the MCP endpoint, plain HTTP, and the web page.

mod callers;
mod endpoint;
mod page;
mod repeated_headers;
mod rest;
mod streams;
