//! What each client is known to refuse or to lose: data, each with who says so and when.
//!
//! A limit stands here only with a source. What is known to be refused by a field that no client has to use is left
//! out: the `parameters` of the Gemini API refuses `additionalProperties`, which every closed tool has, so that whoever
//! passes tools on to it takes that keyword out.

mod openai;

use super::{Client, Severity};

/// One limit of some clients.
pub(super) struct Limit {
    pub(super) clients: &'static [Client],
    pub(super) rule: &'static str,
    pub(super) severity: Severity,
    pub(super) check: Check,
    /// What to do about it.
    pub(super) help: &'static str,
    pub(super) source: &'static str,
    /// When the source said so: the day of the report, or the day on which the page was read.
    pub(super) date: &'static str,
}

/// What is looked at, with the numbers and words of the limit.
pub(super) enum Check {
    /// At most so many tools.
    Tools(usize),
    /// A name of ASCII letters, digits and these characters, of at most so many, that starts with a letter or `_` if
    /// need be.
    Name { also: &'static str, most: usize, starts_with_letter: bool },
    /// A description of the tool of at most so many characters.
    Description(usize),
    /// Arguments named by ASCII letters, digits and these characters, at most so many.
    Arguments { also: &'static str, most: usize },
    /// Arguments whose names have none of these characters.
    ArgumentsWithout(&'static str),
    /// None of these keywords at the root of the input schema.
    Root(&'static [&'static str]),
    /// None of these keywords anywhere in the input schema.
    Keywords(&'static [&'static str]),
    /// No other formats.
    Formats(&'static [&'static str]),
    /// No property with a boolean for a schema, in either schema.
    BooleanProperties,
    /// Every array says what its elements are.
    Items,
    /// `type` is one word.
    TypeLists,
    /// Whatever is required is a property.
    RequiredWithoutProperty,
    /// Every property is required.
    OptionalProperties,
    /// Every object says `"additionalProperties": false`.
    OpenObjects,
    /// At most so many objects inside each other.
    Nesting(usize),
    /// At most so many properties in all.
    Properties(usize),
    /// At most so many values of enums in all.
    EnumValues(usize),
    /// An enum with more than so many values has at most so many characters.
    LongEnum { values: usize, characters: usize },
    /// At most so many characters in all names and values.
    Characters(usize),
    /// Integers that a double holds.
    Integers,
}

use Client::{ClaudeApi, ClaudeCode, Cursor, Gemini, McpLegacy, VsCode};
use Severity::{Advice, AllRefused, Lost, Refused};

const RENAME: &str = "rename the tool, or its prefix";
const FEWER: &str = "serve fewer tools, or split the server";
const SHORTEN: &str = "say it in fewer words, and first what matters most";
const ARGUMENT: &str = "give the argument another name with `#[serde(rename = \"…\")]`";
const ONE_ARGUMENT: &str = "take the union as one argument, in place of a flattened one or of all arguments";
const ELEMENTS: &str = "add `items`; `\"items\": {}` admits anything";
const AS_TEXT: &str = "take it as a string, or bound it: `#[schemars(range(min = -9007199254740991_i64, max = 9007199254740991_i64))]`, \
                       with `min = 0` for an unsigned one";
/// What to do about an integer of a result, which no attribute of the function can bound.
pub(super) const RETURNED_AS_TEXT: &str = "return it as a string or in a smaller type such as `i32`, `u32`; the field of a struct can be bounded with \
                                           `#[schemars(range(…))]` on it";

/// All limits, in groups.
pub(super) const LIMITS: [&[Limit]; 2] = [CLIENTS, openai::LIMITS];

const CLIENTS: &[Limit] = &[
    // Legacy clients.
    Limit {
        clients: &[McpLegacy],
        rule: "boolean-property",
        severity: AllRefused,
        check: Check::BooleanProperties,
        help: "write `{}` for `true`, and leave out what is `false`",
        source: "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/2025-06-18/schema.json",
        date: "2025-06-18",
    },
    Limit {
        clients: &[McpLegacy],
        rule: "integer-range",
        severity: Advice,
        check: Check::Integers,
        help: AS_TEXT,
        source: "https://www.rfc-editor.org/rfc/rfc8259#section-6",
        date: "2017-12-01",
    },
    // The Claude API, and what sends to it.
    Limit {
        clients: &[ClaudeApi],
        rule: "tool-name",
        severity: AllRefused,
        check: Check::Name { also: "_-", most: 128, starts_with_letter: false },
        help: RENAME,
        source: "https://platform.claude.com/docs/agents-and-tools/tool-use/define-tools",
        date: "2026-11-20",
    },
    Limit {
        clients: &[ClaudeApi, ClaudeCode],
        rule: "argument-name",
        severity: AllRefused,
        check: Check::Arguments { also: "_.-", most: 64 },
        help: ARGUMENT,
        source: "https://github.com/ComposioHQ/composio/issues/3500",
        date: "2026-06-02",
    },
    Limit {
        clients: &[ClaudeApi, ClaudeCode],
        rule: "root-union",
        severity: AllRefused,
        check: Check::Root(&["oneOf", "allOf", "anyOf"]),
        help: ONE_ARGUMENT,
        source: "https://github.com/aliargun/mcp-server-gemini/issues/14",
        date: "2026-05-24",
    },
    // Claude Code.
    Limit {
        clients: &[ClaudeCode],
        rule: "tool-name",
        severity: Refused,
        // It is called `mcp__server__tool`, of which 128 characters are accepted: this is what the shortest server leaves.
        check: Check::Name { also: "_.-", most: 120, starts_with_letter: false },
        help: RENAME,
        source: "https://github.com/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime",
        date: "2026-10-19",
    },
    Limit {
        clients: &[ClaudeCode],
        rule: "boolean-property",
        severity: AllRefused,
        check: Check::BooleanProperties,
        help: "write `{}` for `true`, and leave out what is `false`",
        source: "https://github.com/anthropics/claude-code/issues/92900",
        date: "2026-09-08",
    },
    Limit {
        clients: &[ClaudeCode],
        rule: "description-length",
        severity: Lost,
        check: Check::Description(2048),
        help: SHORTEN,
        source: "https://github.com/ayushcodes10/echo-mem/pull/38",
        date: "2026-11-20",
    },
    Limit {
        clients: &[ClaudeCode],
        rule: "integer-range",
        severity: Advice,
        check: Check::Integers,
        help: AS_TEXT,
        source: "https://github.com/anthropics/claude-code/issues/78762",
        date: "2026-07-18",
    },
    // The Gemini API.
    Limit {
        clients: &[Gemini],
        rule: "tool-name",
        severity: AllRefused,
        check: Check::Name { also: "_-.", most: 64, starts_with_letter: true },
        help: RENAME,
        source: "https://pub.dev/documentation/googleapis/latest/aiplatform_v1/GoogleCloudAiplatformV1FunctionDeclaration/name.html",
        date: "2026-11-20",
    },
    Limit {
        clients: &[Gemini],
        rule: "gemini-keyword",
        severity: AllRefused,
        check: Check::Keywords(&["const"]),
        help: "write an `enum` of one value, or an enum of plain variants in place of a tagged one",
        source: "https://github.com/zed-industries/zed/issues/45552",
        date: "2025-12-23",
    },
    Limit {
        clients: &[Gemini],
        rule: "gemini-keyword",
        severity: AllRefused,
        check: Check::Keywords(&["propertyNames", "exclusiveMinimum"]),
        help: "take a list of pairs in place of a map with such keys; `range` in place of an exclusive bound",
        source: "https://github.com/zendev-sh/zenflow/issues/14",
        date: "2026-06-19",
    },
    Limit {
        clients: &[Gemini],
        rule: "gemini-type-list",
        severity: AllRefused,
        check: Check::TypeLists,
        help: "admit one type, or write `anyOf`",
        source: "https://github.com/zed-industries/zed/issues/44875",
        date: "2026-02-14",
    },
    // Visual Studio Code with Copilot.
    Limit {
        clients: &[VsCode],
        rule: "tool-count",
        severity: AllRefused,
        check: Check::Tools(128),
        help: FEWER,
        source: "https://github.com/microsoft/vscode/issues/261213",
        date: "2025-08-12",
    },
    Limit {
        clients: &[VsCode],
        rule: "array-items",
        severity: AllRefused,
        check: Check::Items,
        help: ELEMENTS,
        source: "https://github.com/db-lyon/ue-mcp/issues/936",
        date: "2026-08-19",
    },
    Limit {
        clients: &[VsCode],
        rule: "root-union",
        severity: Lost,
        check: Check::Root(&["oneOf", "anyOf", "allOf", "not", "if", "then", "else"]),
        help: ONE_ARGUMENT,
        source: VS_CODE,
        date: "2026-11-20",
    },
    Limit {
        clients: &[VsCode],
        rule: "required-property",
        severity: Lost,
        check: Check::RequiredWithoutProperty,
        help: "describe under `properties` whatever is required",
        source: VS_CODE,
        date: "2026-11-20",
    },
    // Cursor.
    Limit {
        clients: &[Cursor],
        rule: "tool-count",
        severity: Lost,
        check: Check::Tools(80),
        help: FEWER,
        source: "https://github.com/Snowflake-Labs/mcp/issues/77",
        date: "2025-09-02",
    },
    Limit {
        clients: &[Cursor],
        rule: "tool-name",
        severity: Refused,
        // The names of server and tool must stay below 60 characters together: this is what the shortest server leaves.
        check: Check::Name { also: "_.-", most: 58, starts_with_letter: false },
        help: RENAME,
        source: "https://github.com/ComposioHQ/composio/issues/2788",
        date: "2026-02-27",
    },
    Limit {
        clients: &[Cursor],
        rule: "argument-name",
        severity: Refused,
        check: Check::ArgumentsWithout("[]"),
        help: ARGUMENT,
        source: "https://forum.cursor.com/t/top-level-properties-with-brackets-in-tools-lists-inputschema-in-mcp-are-incorrectly-rejected/130573",
        date: "2026-11-20",
    },
];

/// The source of what it does to schemas before it sends them on.
const VS_CODE: &str =
    "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts";
