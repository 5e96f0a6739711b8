//! The limits of the `OpenAI` API, of which functions with `strict: true` have many of their own.

use super::{Check, ELEMENTS, FEWER, Limit, ONE_ARGUMENT, RENAME, SHORTEN};
use crate::lint::Client::{OpenAi, OpenAiStrict};
use crate::lint::Severity::AllRefused;

const NOT_STRICT: &str = "leave `strict` off for this tool, or write its schema by hand with `input_schema`";
const STRICT_GUIDE: &str = "https://developers.openai.com/api/docs/guides/structured-outputs";
/// The page above as it was noted down there, with its numbers.
const STRICT_LIMITS: &str = "https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai";

pub(super) const LIMITS: &[Limit] = &[
    // The OpenAI API.
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "tool-count",
        severity: AllRefused,
        check: Check::Tools(128),
        help: FEWER,
        source: "https://github.com/0x4m4/hexstrike-ai/issues/29",
        date: "2025-08-22",
    },
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "tool-name",
        severity: AllRefused,
        check: Check::Name { also: "_-", most: 64, starts_with_letter: false },
        help: RENAME,
        source: "https://www.rubydoc.info/gems/openapi_openai/1.1.0/OpenApiOpenAIClient%2FFunctionObject:name",
        date: "2026-11-20",
    },
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "description-length",
        severity: AllRefused,
        check: Check::Description(1024),
        help: SHORTEN,
        source: "https://github.com/rusiaaman/wcgw/issues/51",
        date: "2025-04-02",
    },
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "root-union",
        severity: AllRefused,
        check: Check::Root(&["oneOf", "anyOf", "allOf", "enum", "const", "not"]),
        help: ONE_ARGUMENT,
        source: "https://github.com/goruck/home-generative-agent/pull/545",
        date: "2026-08-12",
    },
    Limit {
        clients: &[OpenAi, OpenAiStrict],
        rule: "array-items",
        severity: AllRefused,
        check: Check::Items,
        help: ELEMENTS,
        source: "https://github.com/digitalocean-labs/mcp-digitalocean/issues/265",
        date: "2026-02-14",
    },
    // The OpenAI API, strict.
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-optional",
        severity: AllRefused,
        check: Check::OptionalProperties,
        help: NOT_STRICT,
        source: STRICT_GUIDE,
        date: "2026-11-20",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-closed",
        severity: AllRefused,
        check: Check::OpenObjects,
        help: NOT_STRICT,
        source: STRICT_GUIDE,
        date: "2026-11-20",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-keyword",
        severity: AllRefused,
        check: Check::Keywords(&["allOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else"]),
        help: NOT_STRICT,
        source: STRICT_LIMITS,
        date: "2026-02-01",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-keyword",
        severity: AllRefused,
        check: Check::Keywords(&["oneOf"]),
        help: NOT_STRICT,
        source: "https://github.com/openai/openai-agents-python/blob/main/src/agents/strict_schema.py",
        date: "2026-11-20",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-keyword",
        severity: AllRefused,
        check: Check::Keywords(&["uniqueItems"]),
        help: "take a list in place of a set, or leave `strict` off for this tool",
        source: "https://github.com/mastra-ai/mastra/issues/23321",
        date: "2026-11-20",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-format",
        severity: AllRefused,
        check: Check::Formats(&["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
        help: NOT_STRICT,
        source: STRICT_GUIDE,
        date: "2026-11-20",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        check: Check::Nesting(10),
        help: "make the arguments flatter",
        source: STRICT_LIMITS,
        date: "2026-02-01",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        check: Check::Properties(5000),
        help: "make the arguments fewer",
        source: STRICT_LIMITS,
        date: "2026-02-01",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        check: Check::EnumValues(1000),
        help: "take a string, and list the values with another tool",
        source: STRICT_LIMITS,
        date: "2026-02-01",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        check: Check::LongEnum { values: 250, characters: 15_000 },
        help: "take a string, and list the values with another tool",
        source: STRICT_LIMITS,
        date: "2026-02-01",
    },
    Limit {
        clients: &[OpenAiStrict],
        rule: "strict-size",
        severity: AllRefused,
        check: Check::Characters(120_000),
        help: "make names and values shorter or fewer",
        source: STRICT_LIMITS,
        date: "2026-02-01",
    },
];
