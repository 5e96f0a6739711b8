//! The limits of the `OpenAI` API. Functions with `strict: true` have many more than others.

use super::{ELEMENTS, FEWER, Limit, ONE_ARGUMENT, RENAME, Requirement};
use crate::lint::Client::{OpenAi, OpenAiStrict};
use crate::lint::Severity::AllRefused;

const NOT_STRICT: &str = "do not set `strict` for this tool, or write its schema with the key `input_schema`";
/// The guide that lists the supported types and keywords.
const SUPPORTED_SCHEMAS: &str = "https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas";
const READ: &str = "2026-11-22";

pub(super) const LIMITS: &[Limit] = &[
    // The OpenAI API.
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "tool-count",
        severity: AllRefused,
        requirement: Requirement::Tools(128),
        help: FEWER,
        source: "https://github.com/openai/openai-openapi",
        date: "2025-08-22",
    },
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "tool-name",
        severity: AllRefused,
        requirement: Requirement::Name { also: "_-", most: 64, starts_with_letter: false },
        help: RENAME,
        source: "https://github.com/openai/openai-python/blob/main/src/openai/types/shared_params/function_definition.py",
        date: "2026-11-23",
    },
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "root-union",
        severity: AllRefused,
        requirement: Requirement::RootWithout(&["oneOf", "anyOf", "allOf", "enum", "const", "not"]),
        help: ONE_ARGUMENT,
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "array-items",
        severity: AllRefused,
        requirement: Requirement::Items,
        help: ELEMENTS,
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    // The OpenAI API, strict.
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-optional",
        severity: AllRefused,
        requirement: Requirement::AllPropertiesRequired,
        help: NOT_STRICT,
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-closed",
        severity: AllRefused,
        requirement: Requirement::ClosedObjects,
        help: NOT_STRICT,
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-keyword",
        severity: AllRefused,
        requirement: Requirement::WithoutKeywords(&[
            "allOf",
            "not",
            "dependentRequired",
            "dependentSchemas",
            "if",
            "then",
            "else",
        ]),
        help: NOT_STRICT,
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-keyword",
        severity: AllRefused,
        requirement: Requirement::WithoutKeywords(&["oneOf"]),
        help: NOT_STRICT,
        source: "https://github.com/openai/openai-agents-python/blob/main/src/agents/strict_schema.py",
        date: "2026-11-20",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-keyword",
        severity: AllRefused,
        requirement: Requirement::WithoutKeywords(&["uniqueItems"]),
        help: "use a list instead of a set, or do not set `strict` for this tool",
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-format",
        severity: AllRefused,
        requirement: Requirement::Formats(&[
            "date-time",
            "time",
            "date",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uuid",
        ]),
        help: NOT_STRICT,
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        requirement: Requirement::Nesting(10),
        help: "nest the arguments less deeply",
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        requirement: Requirement::Properties(5000),
        help: "use fewer arguments",
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        requirement: Requirement::EnumValues(1000),
        help: "use a string, and list the values with another tool",
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        requirement: Requirement::LongEnum { values: 250, characters: 15_000 },
        help: "use a string, and list the values with another tool",
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        requirement: Requirement::Characters(120_000),
        help: "use fewer or shorter names and values",
        source: SUPPORTED_SCHEMAS,
        date: READ,
    },
];

/// What else the guide says about strict functions. An exported schema meets it. `lint` does not report it: agents that send
/// strict functions rewrite the schemas of a server in the same way.
pub(crate) const STRICT: &[Limit] = &[
    super::required(SUPPORTED_SCHEMAS),
    limit(
        "strict-keyword",
        Requirement::WithoutKeywords(&[
            "default",
            "prefixItems",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "unevaluatedProperties",
            "unevaluatedItems",
            "contains",
            "minContains",
            "maxContains",
        ]),
        SUPPORTED_SCHEMAS,
    ),
    limit("strict-untyped", Requirement::Typed, SUPPORTED_SCHEMAS),
    limit(
        "strict-reference",
        Requirement::LoneReferences,
        "https://github.com/openai/openai-python/blob/main/src/openai/lib/_pydantic.py",
    ),
];

const fn limit(rule: &'static str, requirement: Requirement, source: &'static str) -> Limit {
    Limit { clients: &[], rule, severity: AllRefused, requirement, help: NOT_STRICT, source, date: READ }
}

/// What an exported function without `strict` meets as well.
pub(crate) const EXPORTED: &[Limit] =
    &[super::required("https://developers.openai.com/api/docs/guides/function-calling#defining-functions")];
