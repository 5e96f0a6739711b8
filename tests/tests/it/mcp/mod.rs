//! The Model Context Protocol: messages, results and versions, also against the documents of the specification.

mod conformance;
pub(crate) mod messages;
mod projection;
mod replay;
mod results;
mod specification_examples;
