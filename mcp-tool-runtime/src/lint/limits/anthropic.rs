//! What the Claude API accepts in a tool with `strict: true`.
//!
//! The limits of [`Client::ClaudeApi`](crate::lint::Client::ClaudeApi) hold as well.

use super::{Keywords, Limit, Requirement, Source};

const NOT_STRICT: &str = "send the tool without `strict`, or change its arguments";
const SUBSET: Source =
    ("https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations", "2026-11-22");
const COMPLEXITY: Source =
    ("https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits", "2026-11-22");
pub(super) const DEFINE_TOOLS: Source =
    ("https://platform.claude.com/docs/agents-and-tools/tool-use/define-tools", "2026-11-20");

/// The values of `format` that strict tools may have.
const FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

/// The keywords that strict tools may not have.
const KEYWORDS: Keywords = &[
    &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"],
    &["maxItems", "uniqueItems", "prefixItems", "contains", "unevaluatedItems"],
    &["minProperties", "maxProperties", "patternProperties", "propertyNames", "unevaluatedProperties"],
    &["dependentRequired", "dependentSchemas", "oneOf", "allOf", "not", "if", "then", "else"],
];

/// What an exported tool without `strict` meets as well.
pub(crate) const EXPORTED: &[Limit] =
    &[Limit::required("https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools")];

/// The limits of one strict tool.
pub(crate) const STRICT: &[Limit] = &strict(SUBSET);

/// The limits of one strict tool, as this source lists them.
pub(super) const fn strict(source: Source) -> [Limit; 9] {
    [
        Limit::new("strict-closed", Requirement::ClosedObjects, NOT_STRICT, source),
        Limit::new("strict-keyword", Requirement::WithoutKeywords(KEYWORDS), NOT_STRICT, source),
        Limit::new("strict-format", Requirement::Formats(FORMATS), NOT_STRICT, source),
        Limit::new("strict-untyped", Requirement::Typed, NOT_STRICT, source),
        Limit::new("strict-reference", Requirement::LoneReferences, NOT_STRICT, source),
        Limit::new("strict-recursion", Requirement::NoRecursion, NOT_STRICT, source),
        Limit::new("strict-keyword", Requirement::MinItems(1), NOT_STRICT, source),
        Limit::new("strict-enum", Requirement::ScalarEnums, NOT_STRICT, source),
        Limit::new("strict-pattern", Requirement::Patterns(100), NOT_STRICT, source),
    ]
}

/// The limit of all strict tools of a request together.
pub(crate) const STRICT_REQUEST: &Limit = &Limit::new(
    "strict-request",
    Requirement::StrictRequest { tools: 20, optional: 24, unions: 16 },
    "export the tools that need `strict` alone, or make optional arguments required",
    COMPLEXITY,
);
