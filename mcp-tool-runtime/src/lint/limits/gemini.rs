//! The subset of JSON Schema that the Gemini API reads.
//!
//! The package of the vendor lists it as the fields of the class `JSONSchema`. The guide on structured output adds `prefixItems` and
//! `oneOf`. Neither has `not`, `if`, `allOf`, `patternProperties` and the other keywords that an export moves into descriptions.

use super::{Alphabet, Keywords, Limit, RENAME, Requirement, Source};

/// The limits of [`Client::Gemini`](crate::lint::Client::Gemini).
pub(super) const LIMITS: &[Limit] = &[
    Limit::new("tool-name", Requirement::Name(Alphabet::new("_-.", 64).starting_with_letter()), RENAME, DECLARATION),
    Limit::new(
        "gemini-keyword",
        Requirement::WithoutKeywords(&[&["const"]]),
        "write an `enum` of one value, or use an enum of unit variants instead of a tagged one",
        SOURCE,
    ),
    Limit::new(
        "gemini-keyword",
        Requirement::WithoutKeywords(&[&["propertyNames", "exclusiveMinimum"]]),
        "use a list of pairs instead of a map with such keys, and `range` instead of an exclusive bound",
        SOURCE,
    ),
    Limit::new("gemini-type-list", Requirement::SingleTypes, "accept one type, or write `anyOf`", ZED_44875),
];

const DECLARATION: Source = ("https://ai.google.dev/api/caching#FunctionDeclaration", "2026-11-20");
const SOURCE: Source = ("https://github.com/googleapis/python-genai/blob/main/google/genai/types.py", "2026-11-23");
const ZED_44875: Source = ("https://github.com/zed-industries/zed/issues/44875", "2026-02-14");

/// What an exported tool meets as well.
pub(crate) const EXPORTED: &[Limit] =
    &[SUBSET, Limit::required("https://ai.google.dev/gemini-api/docs/structured-output#json-schema-support")];

pub(crate) const SUBSET: Limit =
    Limit::new("gemini-keyword", Requirement::OnlyKeywords(KEYWORDS), "write the schema with fewer keywords", SOURCE);

const KEYWORDS: Keywords = &[
    &["type", "format", "description", "default", "enum"],
    &["minimum", "maximum", "minLength", "maxLength", "pattern"],
    &["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
    &["properties", "additionalProperties", "required", "minProperties", "maxProperties"],
    &["anyOf", "oneOf", "$ref", "$defs", "$id", "$anchor"],
];

/// Returns `true` if the API reads the keyword.
pub(crate) fn reads(keyword: &str) -> bool {
    KEYWORDS.iter().any(|group| group.contains(&keyword))
}
