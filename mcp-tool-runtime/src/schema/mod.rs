//! The JSON Schemas of a tool: what is published for a client, and what the dispatcher enforces.
//!
//! Both must be the same (rule T17). Everything here runs while a dispatcher is built. The engine checks documents.
//!
//! - [`generate`] asks schemars for the schema of a type, and [`normalise`] rewrites it. A hand-written schema is never
//!   rewritten (rule T15).
//! - [`check`] reports what `build()` refuses, for both kinds of schema.
//! - [`project`] adapts an output schema to a protocol version, and replaces references.
//!
//! Imports no other module. Whatever reads any schema, of a tool or not, is in the engine, `mcp-tool-schema`.

pub(crate) mod check;
pub(crate) mod generate;
pub(crate) mod normalise;
pub(crate) mod project;

pub(crate) use mcp_tool_schema::{accepted, branch, pattern, reference, walk};

/// The keyword that marks a [`Cursor`](crate::Cursor) in a derived schema. It is removed before the schema is
/// published.
pub(crate) const CURSOR: &str = "x-mcp-tool-cursor";

#[cfg(test)]
mod tests;

/// The direction in which the values of a schema travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Arguments: serde reads them, so the schema follows the deserialize contract.
    Input,
    /// Results: serde writes them, so the schema follows the serialize contract.
    Output,
    /// Answers of a user: like arguments, but the variants of an enum keep their descriptions, which become titles.
    Form,
}
