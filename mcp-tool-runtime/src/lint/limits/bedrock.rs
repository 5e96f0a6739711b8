//! What the Converse API of Amazon Bedrock accepts.
//!
//! For a tool with `strict: true`, its guide lists the subset of the Claude API. The service does not state how many strict tools
//! a request can have. The models that support `strict` include Claude, so the limits of the Claude API hold.

use super::{Alphabet, Limit, RENAME, Requirement, Source, anthropic};

/// The limits of every tool.
pub(crate) const LIMITS: &[Limit] = &[
    Limit::new("tool-name", Requirement::Name(Alphabet::new("_-", 64)), RENAME, SPECIFICATION),
    Limit::required("https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolInputSchema.html"),
];

const SPECIFICATION: Source =
    ("https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html", "2026-11-22");

/// The limits of one strict tool.
pub(crate) const STRICT: &[Limit] =
    &anthropic::strict(("https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html", "2026-11-22"));
