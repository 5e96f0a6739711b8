//! The subset of JSON Schema that the Gemini API reads.
//!
//! The package of the vendor lists it as the fields of the class `JSONSchema`. The guide on structured output adds `prefixItems` and
//! `oneOf`. Neither has `not`, `if`, `allOf`, `patternProperties` and the other keywords that an export moves into descriptions.

use super::{Limit, Requirement, Source};

/// What an exported tool meets, apart from the limits of [`Client::Gemini`](crate::lint::Client::Gemini).
pub(crate) const EXPORTED: &[Limit] =
    &[SUBSET, Limit::required("https://ai.google.dev/gemini-api/docs/structured-output#json-schema-support")];

pub(super) const SOURCE: Source =
    ("https://github.com/googleapis/python-genai/blob/main/google/genai/types.py", "2026-11-23");

pub(crate) const SUBSET: Limit = Limit::new(
    &[],
    "gemini-keyword",
    Requirement::OnlyKeywords(KEYWORDS),
    "write the schema with fewer keywords",
    SOURCE,
);

const KEYWORDS: &[&str] = &[
    "type",
    "format",
    "description",
    "default",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "additionalProperties",
    "required",
    "minProperties",
    "maxProperties",
    "anyOf",
    "oneOf",
    "$ref",
    "$defs",
    "$id",
    "$anchor",
];

/// Returns `true` if the API reads the keyword.
pub(crate) fn reads(keyword: &str) -> bool {
    KEYWORDS.contains(&keyword)
}
