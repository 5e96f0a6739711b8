//! The limits of the `OpenAI` API. Functions with `strict: true` have many more than others.

use super::{Alphabet, ELEMENTS, FEWER, Keywords, Limit, ONE_ARGUMENT, RENAME, Requirement, Source};

const NOT_STRICT: &str = "do not set `strict` for this tool, or write its schema with the key `input_schema`";
const NO_SET: &str = "use a list instead of a set, or do not set `strict` for this tool";
const FEWER_VALUES: &str = "use a string, and list the values with another tool";
/// Later versions do not name the limit, but the API had it on 2025-10-09: <https://github.com/HolmesGPT/holmesgpt/issues/1050>.
const TOOLS: Source = (
    "https://github.com/openai/openai-python/blob/v1.98.0/src/openai/types/chat/completion_create_params.py",
    "2025-07-30",
);
/// The guide that lists the supported types and keywords.
const GUIDE: Source =
    ("https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas", "2026-11-22");

pub(super) const LIMITS: &[Limit] = &[
    Limit::new("tool-count", Requirement::Tools(128), FEWER, TOOLS),
    Limit::new("tool-name", Requirement::Name(Alphabet::new("_-", 64)), RENAME, DEFINITION),
    Limit::new("root-union", Requirement::RootWithout(NOT_IN_ROOT), ONE_ARGUMENT, GUIDE),
    Limit::new("array-items", Requirement::Items, ELEMENTS, GUIDE),
];

const DEFINITION: Source = (
    "https://github.com/openai/openai-python/blob/main/src/openai/types/shared_params/function_definition.py",
    "2026-11-23",
);
const NOT_IN_ROOT: &[&str] = &["oneOf", "anyOf", "allOf", "enum", "const", "not"];

/// The further limits of functions with `strict: true`.
pub(super) const STRICT: &[Limit] = &[
    Limit::new("strict-optional", Requirement::AllPropertiesRequired, NOT_STRICT, GUIDE),
    Limit::new("strict-closed", Requirement::ClosedObjects, NOT_STRICT, GUIDE),
    Limit::new("strict-keyword", Requirement::WithoutKeywords(KEYWORDS), NOT_STRICT, GUIDE),
    Limit::new("strict-keyword", Requirement::WithoutKeywords(&[&["oneOf"]]), NOT_STRICT, STRICT_SCHEMA),
    Limit::new("strict-keyword", Requirement::WithoutKeywords(&[&["uniqueItems"]]), NO_SET, GUIDE),
    Limit::new("strict-format", Requirement::Formats(FORMATS), NOT_STRICT, GUIDE),
    Limit::new("strict-size", Requirement::Nesting(10), "nest the arguments less deeply", GUIDE),
    Limit::new("strict-size", Requirement::Properties(5000), "use fewer arguments", GUIDE),
    Limit::new("strict-size", Requirement::EnumValues(1000), FEWER_VALUES, GUIDE),
    Limit::new("strict-size", Requirement::LongEnum { values: 250, characters: 15_000 }, FEWER_VALUES, GUIDE),
    Limit::new("strict-size", Requirement::Characters(120_000), "use fewer or shorter names and values", GUIDE),
];

const STRICT_SCHEMA: Source =
    ("https://github.com/openai/openai-agents-python/blob/main/src/agents/strict_schema.py", "2026-11-20");

/// The keywords that strict functions may not have.
const KEYWORDS: Keywords = &[&["allOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else"]];

/// The values of `format` that strict functions may have.
const FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// The keywords that strict functions may not have either, but that agents remove before they send a function.
const REMOVED_KEYWORDS: Keywords = &[
    &["default", "prefixItems", "patternProperties", "propertyNames", "minProperties", "maxProperties"],
    &["unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains"],
];

/// What else the guide says about strict functions. An exported schema meets it. `lint` does not report it: agents that send
/// strict functions rewrite the schemas of a server in the same way.
pub(crate) const EXPORTED_STRICT: &[Limit] = &[
    Limit::required(GUIDE.0),
    Limit::new("strict-keyword", Requirement::WithoutKeywords(REMOVED_KEYWORDS), NOT_STRICT, GUIDE),
    Limit::new("strict-untyped", Requirement::Typed, NOT_STRICT, GUIDE),
    Limit::new("strict-reference", Requirement::LoneReferences, NOT_STRICT, PYDANTIC),
];

const PYDANTIC: Source = ("https://github.com/openai/openai-python/blob/main/src/openai/lib/_pydantic.py", GUIDE.1);

/// What an exported function without `strict` meets as well.
pub(crate) const EXPORTED: &[Limit] =
    &[Limit::required("https://developers.openai.com/api/docs/guides/function-calling#defining-functions")];
