//! What the Converse API of Amazon Bedrock accepts.
//!
//! For a tool with `strict: true`, its guide lists the subset of the Claude API. The service does not state how many strict tools
//! a request can have. The models that support `strict` include Claude, so the limits of the Claude API hold.

use super::{Limit, Requirement, anthropic};
use crate::lint::Severity::AllRefused;

const SUBSET: &str = "https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html";
const READ: &str = "2026-11-22";

/// The limits of every tool.
pub(crate) const LIMITS: &[Limit] = &[
    Limit {
        clients: &[],
        rule: "tool-name",
        severity: AllRefused,
        requirement: Requirement::Name { also: "_-", most: 64, starts_with_letter: false },
        help: super::RENAME,
        source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html",
        date: READ,
    },
    super::required("https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolInputSchema.html"),
];

/// What the models of Amazon Nova require beyond [`LIMITS`].
pub(crate) const NOVA: &[Limit] = &[
    nova("nova-root", Requirement::RootOnly(&["type", "properties", "required"])),
    nova("nova-recursion", Requirement::WithoutKeywords(&["$ref"])),
];

const fn nova(rule: &'static str, requirement: Requirement) -> Limit {
    let help = "give each argument its own property, without recursion";
    let source = "https://docs.aws.amazon.com/nova/latest/userguide/prompting-tool-troubleshooting.html";
    Limit { clients: &[], rule, severity: AllRefused, requirement, help, source, date: "2026-11-23" }
}

const fn limit(rule: &'static str, requirement: Requirement) -> Limit {
    let help = "send the tool without `strict`, or change its arguments";
    Limit { clients: &[], rule, severity: AllRefused, requirement, help, source: SUBSET, date: READ }
}

/// The limits of one strict tool.
pub(crate) const STRICT: &[Limit] = &[
    limit("strict-closed", Requirement::ClosedObjects),
    limit("strict-keyword", Requirement::WithoutKeywords(anthropic::KEYWORDS)),
    limit("strict-format", Requirement::Formats(anthropic::FORMATS)),
    limit("strict-untyped", Requirement::Typed),
    limit("strict-reference", Requirement::LoneReferences),
    limit("strict-recursion", Requirement::NoRecursion),
    limit("strict-keyword", Requirement::MinItems(1)),
    limit("strict-enum", Requirement::ScalarEnums),
    limit("strict-pattern", Requirement::Patterns(100)),
];
