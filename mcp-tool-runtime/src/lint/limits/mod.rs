//! The limits of each client, each with its source and its date.
//!
//! Every limit has a source. Limits of a field that a client need not use are left out. For example, the field `parameters` of
//! the Gemini API refuses `additionalProperties`, which every closed object has. A client that uses this field has to remove
//! the keyword anyway.

pub(crate) mod anthropic;
pub(crate) mod bedrock;
pub(crate) mod gemini;
pub(crate) mod openai;

use super::{Client, Severity};

/// One limit of some clients.
pub(crate) struct Limit {
    /// Empty for a limit that only the export to a model vendor has to meet.
    pub(crate) clients: &'static [Client],
    pub(crate) rule: &'static str,
    pub(crate) severity: Severity,
    pub(crate) requirement: Requirement,
    /// How to meet the requirement.
    pub(crate) help: &'static str,
    pub(crate) source: &'static str,
    /// When the source said so: the day of the report, or the day on which the page was read.
    pub(crate) date: &'static str,
}

/// What the client requires of a list of tools, or of each definition in it.
pub(crate) enum Requirement {
    /// At most this many tools.
    Tools(usize),
    /// The tool's name has only ASCII letters, digits and the characters in `also`, and at most `most` of them.
    Name { also: &'static str, most: usize, starts_with_letter: bool },
    /// The tool's description has at most this many characters.
    Description(usize),
    /// The names of arguments have only ASCII letters, digits and the characters in `also`, and at most `most` of them.
    Arguments { also: &'static str, most: usize },
    /// The names of arguments have none of these characters.
    ArgumentsWithout(&'static str),
    /// The root of the input schema has none of these keywords.
    RootWithout(&'static [&'static str]),
    /// The root of the input schema has no other keywords.
    RootOnly(&'static [&'static str]),
    /// The input schema has no other keywords anywhere.
    OnlyKeywords(&'static [&'static str]),
    /// The input schema has none of these keywords anywhere.
    WithoutKeywords(&'static [&'static str]),
    /// The input schema has no other formats.
    Formats(&'static [&'static str]),
    /// No property has `true` or `false` as its schema, in the input and the output schema.
    NoBooleanProperties,
    /// Every array has `items`.
    Items,
    /// `type` is one type, not a list.
    SingleTypes,
    /// Every required name is a property.
    RequiredAreProperties,
    /// Every property is required.
    AllPropertiesRequired,
    /// Every object has `"additionalProperties": false`.
    ClosedObjects,
    /// At most this many nested objects.
    Nesting(usize),
    /// At most this many properties in total.
    Properties(usize),
    /// At most this many enum values in total.
    EnumValues(usize),
    /// An enum with more than `values` values has at most `characters` characters.
    LongEnum { values: usize, characters: usize },
    /// At most this many characters in all names and values together.
    Characters(usize),
    /// A double can represent every integer.
    SafeIntegers,
    /// Every subschema says which type it accepts, directly or by a reference, a union or its values.
    Typed,
    /// A reference has no other keyword beside it, and leads to a definition.
    LoneReferences,
    /// No definition refers to itself.
    NoRecursion,
    /// `minItems` is at most this.
    MinItems(u64),
    /// The values of an enum are strings, numbers, booleans or `null`.
    ScalarEnums,
    /// A regular expression has no look-around, no backreference, no word boundary and no repetition of more than this.
    Patterns(u32),
    /// All strict tools of one request together have at most this many tools, optional properties and unions.
    StrictRequest { tools: usize, optional: usize, unions: usize },
}

use Client::{ClaudeApi, ClaudeCode, Cursor, Gemini, McpLegacy, VsCode};
use Severity::{Advice, AllRefused, Lost, Refused};

const RENAME: &str = "rename the tool, or its prefix";
const FEWER: &str = "serve fewer tools, or split the server";
const SHORTEN: &str = "shorten it, and put what matters most first";
const ARGUMENT: &str = "rename the argument with `#[serde(rename = \"…\")]`";
const ONE_ARGUMENT: &str = "make the union one argument, instead of flattening it or using it as the arguments object";
const ELEMENTS: &str = "add `items`; `\"items\": {}` accepts anything";
const AS_TEXT: &str = "make it a string, or set bounds: `#[schemars(range(min = -9007199254740991_i64, max = 9007199254740991_i64))]`, \
                       with `min = 0` for an unsigned one";
/// The help for an integer in a result. No attribute of the function can set bounds there.
pub(super) const RETURNED_AS_TEXT: &str = "return a string or a smaller type such as `i32` or `u32`, or set bounds on the field of a struct: \
                                           `#[schemars(range(…))]`";

/// The limit of an export: each required name is a property. No value meets a closed object that requires another name.
const fn required(source: &'static str) -> Limit {
    Limit {
        clients: &[],
        rule: "required-property",
        severity: AllRefused,
        requirement: Requirement::RequiredAreProperties,
        help: "describe every required property under `properties`",
        source,
        date: "2026-11-23",
    }
}

/// All limits of clients, in groups.
const LIMITS: [&[Limit]; 2] = [CLIENTS, openai::LIMITS];

/// Returns the limits of one client.
pub(crate) fn limits_of(client: Client) -> impl Iterator<Item = &'static Limit> {
    LIMITS.into_iter().flatten().filter(move |limit| limit.clients.contains(&client))
}

const CLIENTS: &[Limit] = &[
    // Legacy clients.
    Limit {
        clients: &[McpLegacy],
        rule: "boolean-property",
        severity: AllRefused,
        requirement: Requirement::NoBooleanProperties,
        help: "write `{}` instead of `true`, and remove properties that are `false`",
        source: "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/2025-06-18/schema.json",
        date: "2025-06-18",
    },
    Limit {
        clients: &[McpLegacy],
        rule: "integer-range",
        severity: Advice,
        requirement: Requirement::SafeIntegers,
        help: AS_TEXT,
        source: "https://www.rfc-editor.org/rfc/rfc8259#section-6",
        date: "2017-12-01",
    },
    // The Claude API, and clients that use it.
    Limit {
        clients: &[ClaudeApi],
        rule: "tool-name",
        severity: AllRefused,
        requirement: Requirement::Name { also: "_-", most: 128, starts_with_letter: false },
        help: RENAME,
        source: "https://platform.claude.com/docs/agents-and-tools/tool-use/define-tools",
        date: "2026-11-20",
    },
    Limit {
        clients: &[ClaudeApi, ClaudeCode],
        rule: "argument-name",
        severity: AllRefused,
        requirement: Requirement::Arguments { also: "_.-", most: 64 },
        help: ARGUMENT,
        source: "https://github.com/anthropics/claude-code/issues/79418",
        date: "2026-07-20",
    },
    Limit {
        clients: &[ClaudeApi, ClaudeCode],
        rule: "root-union",
        severity: AllRefused,
        requirement: Requirement::RootWithout(&["oneOf", "allOf", "anyOf"]),
        help: ONE_ARGUMENT,
        source: "https://github.com/anthropics/claude-code/issues/44788",
        date: "2026-04-07",
    },
    // Claude Code.
    Limit {
        clients: &[ClaudeCode],
        rule: "tool-name",
        severity: Refused,
        // The client calls it `mcp__SERVER__TOOL` and accepts 128 characters. 120 are left if the server's name has one character.
        requirement: Requirement::Name { also: "_.-", most: 120, starts_with_letter: false },
        help: RENAME,
        source: "https://github.com/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime",
        date: "2026-10-19",
    },
    Limit {
        clients: &[ClaudeCode],
        rule: "boolean-property",
        severity: AllRefused,
        requirement: Requirement::NoBooleanProperties,
        help: "write `{}` instead of `true`, and remove properties that are `false`",
        source: "https://github.com/anthropics/claude-code/issues/92900",
        date: "2026-09-08",
    },
    Limit {
        clients: &[ClaudeCode],
        rule: "description-length",
        severity: Lost,
        requirement: Requirement::Description(2048),
        help: SHORTEN,
        source: "https://github.com/ayushcodes10/echo-mem/pull/38",
        date: "2026-11-20",
    },
    Limit {
        clients: &[ClaudeCode],
        rule: "integer-range",
        severity: Advice,
        requirement: Requirement::SafeIntegers,
        help: AS_TEXT,
        source: "https://github.com/anthropics/claude-code/issues/78762",
        date: "2026-07-18",
    },
    // The Gemini API.
    Limit {
        clients: &[Gemini],
        rule: "tool-name",
        severity: AllRefused,
        requirement: Requirement::Name { also: "_-.", most: 64, starts_with_letter: true },
        help: RENAME,
        source: "https://ai.google.dev/api/caching#FunctionDeclaration",
        date: "2026-11-20",
    },
    Limit {
        clients: &[Gemini],
        rule: "gemini-keyword",
        severity: AllRefused,
        requirement: Requirement::WithoutKeywords(&["const"]),
        help: "write an `enum` of one value, or use an enum of unit variants instead of a tagged one",
        source: gemini::SUBSET.source,
        date: gemini::SUBSET.date,
    },
    Limit {
        clients: &[Gemini],
        rule: "gemini-keyword",
        severity: AllRefused,
        requirement: Requirement::WithoutKeywords(&["propertyNames", "exclusiveMinimum"]),
        help: "use a list of pairs instead of a map with such keys, and `range` instead of an exclusive bound",
        source: gemini::SUBSET.source,
        date: gemini::SUBSET.date,
    },
    Limit {
        clients: &[Gemini],
        rule: "gemini-type-list",
        severity: AllRefused,
        requirement: Requirement::SingleTypes,
        help: "accept one type, or write `anyOf`",
        source: "https://github.com/zed-industries/zed/issues/44875",
        date: "2026-02-14",
    },
    // Visual Studio Code with Copilot.
    Limit {
        clients: &[VsCode],
        rule: "tool-count",
        severity: AllRefused,
        requirement: Requirement::Tools(128),
        help: FEWER,
        source: "https://github.com/microsoft/vscode/issues/261213",
        date: "2025-08-12",
    },
    Limit {
        clients: &[VsCode],
        rule: "array-items",
        severity: AllRefused,
        requirement: Requirement::Items,
        help: ELEMENTS,
        source: "https://github.com/db-lyon/ue-mcp/issues/936",
        date: "2026-08-19",
    },
    Limit {
        clients: &[VsCode],
        rule: "root-union",
        severity: Lost,
        requirement: Requirement::RootWithout(&["oneOf", "anyOf", "allOf", "not", "if", "then", "else"]),
        help: ONE_ARGUMENT,
        source: VS_CODE,
        date: "2026-11-20",
    },
    Limit {
        clients: &[VsCode],
        rule: "required-property",
        severity: Lost,
        requirement: Requirement::RequiredAreProperties,
        help: "describe every required property under `properties`",
        source: VS_CODE,
        date: "2026-11-20",
    },
    // Cursor.
    Limit {
        clients: &[Cursor],
        rule: "tool-count",
        severity: Lost,
        requirement: Requirement::Tools(80),
        help: FEWER,
        source: "https://github.com/Snowflake-Labs/mcp/issues/77",
        date: "2025-09-02",
    },
    Limit {
        clients: &[Cursor],
        rule: "tool-name",
        severity: Refused,
        // The names of server and tool must have fewer than 60 characters together. 58 are left if the server's name has one character.
        requirement: Requirement::Name { also: "_.-", most: 58, starts_with_letter: false },
        help: RENAME,
        source: "https://github.com/ComposioHQ/composio/issues/2788",
        date: "2026-02-27",
    },
    Limit {
        clients: &[Cursor],
        rule: "argument-name",
        severity: Refused,
        requirement: Requirement::ArgumentsWithout("[]"),
        help: ARGUMENT,
        source: "https://forum.cursor.com/t/top-level-properties-with-brackets-in-tools-lists-inputschema-in-mcp-are-incorrectly-rejected/130573",
        date: "2026-11-20",
    },
];

/// The code that changes schemas before Copilot sends them to a model.
const VS_CODE: &str =
    "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts";
