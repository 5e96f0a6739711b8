//! What the Claude API accepts in a tool with `strict: true`.
//!
//! The limits of [`Client::ClaudeApi`](crate::lint::Client::ClaudeApi) hold as well.

use super::{Limit, Requirement};
use crate::lint::Severity::AllRefused;

const NOT_STRICT: &str = "send the tool without `strict`, or change its arguments";
const SUBSET: &str = "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations";
const COMPLEXITY: &str =
    "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits";
const READ: &str = "2026-11-22";

/// The values of `format` that strict tools may have.
pub(super) const FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

/// The keywords that strict tools may not have.
pub(super) const KEYWORDS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "prefixItems",
    "contains",
    "unevaluatedItems",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "dependentRequired",
    "dependentSchemas",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
];

const fn limit(rule: &'static str, requirement: Requirement, source: &'static str) -> Limit {
    Limit { clients: &[], rule, severity: AllRefused, requirement, help: NOT_STRICT, source, date: READ }
}

/// What an exported tool without `strict` meets as well.
pub(crate) const EXPORTED: &[Limit] =
    &[super::required("https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools")];

/// The limits of one strict tool.
pub(crate) const STRICT: &[Limit] = &[
    limit("strict-closed", Requirement::ClosedObjects, SUBSET),
    limit("strict-keyword", Requirement::WithoutKeywords(KEYWORDS), SUBSET),
    limit("strict-format", Requirement::Formats(FORMATS), SUBSET),
    limit("strict-untyped", Requirement::Typed, SUBSET),
    limit("strict-reference", Requirement::LoneReferences, SUBSET),
    limit("strict-recursion", Requirement::NoRecursion, SUBSET),
    limit("strict-keyword", Requirement::MinItems(1), SUBSET),
    limit("strict-enum", Requirement::ScalarEnums, SUBSET),
    limit("strict-pattern", Requirement::Patterns(100), SUBSET),
];

/// The limit of all strict tools of a request together.
pub(crate) const STRICT_REQUEST: &Limit = &Limit {
    clients: &[],
    rule: "strict-request",
    severity: AllRefused,
    requirement: Requirement::StrictRequest { tools: 20, optional: 24, unions: 16 },
    help: "export the tools that need `strict` alone, or make optional arguments required",
    source: COMPLEXITY,
    date: READ,
};
