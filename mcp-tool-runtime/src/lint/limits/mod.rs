//! The limits of each client, each with its source and its date.
//!
//! Every limit has a source. Limits of a field that a client need not use are left out. For example, the field `parameters` of
//! the Gemini API refuses `additionalProperties`, which every closed object has. A client that uses this field has to remove
//! the keyword anyway.

pub(crate) mod anthropic;
pub(crate) mod bedrock;
pub(crate) mod gemini;
pub(crate) mod openai;

use super::names::Alphabet;
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
    /// The tool's name is in this alphabet.
    Name(Alphabet),
    /// The tool's description has at most this many characters.
    Description(usize),
    /// The names of arguments are in this alphabet.
    Arguments(Alphabet),
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
    /// This keyword contains no `true` or `false` as a schema, in the input and the output schema.
    NoBooleansIn(&'static str),
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
const BOOLEAN: &str = "write `{}` instead of `true`, and remove properties that are `false`";
const REQUIRED: &str = "describe every required property under `properties`";
const ELEMENTS: &str = "add `items`; `\"items\": {}` accepts anything";
const AS_TEXT: &str = "make it a string, or set bounds: `#[schemars(range(min = -9007199254740991_i64, max = 9007199254740991_i64))]`, \
                       with `min = 0` for an unsigned one";
/// The help for an integer in a result. No attribute of the function can set bounds there.
pub(super) const RETURNED_AS_TEXT: &str = "return a string or a smaller type such as `i32` or `u32`, or set bounds on the field of a struct: \
                                           `#[schemars(range(…))]`";

/// Where a limit is documented, and the date of the source.
type Source = (&'static str, &'static str);

impl Limit {
    /// A limit for which a vendor refuses the whole request.
    const fn new(
        clients: &'static [Client],
        rule: &'static str,
        requirement: Requirement,
        help: &'static str,
        (source, date): Source,
    ) -> Self {
        Self { clients, rule, severity: AllRefused, requirement, help, source, date }
    }

    /// Sets what the clients do instead of refusing the whole request.
    const fn with(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// The limit of an export: each required name is a property. No value meets a closed object that requires another name.
    const fn required(source: &'static str) -> Self {
        Self::new(&[], "required-property", Requirement::RequiredAreProperties, REQUIRED, (source, "2026-11-23"))
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
    Limit::new(&[McpLegacy], "boolean-property", Requirement::NoBooleansIn("properties"), BOOLEAN, SCHEMA_OF_MCP),
    Limit::new(
        &[McpLegacy],
        "integer-range",
        Requirement::SafeIntegers,
        AS_TEXT,
        ("https://www.rfc-editor.org/rfc/rfc8259#section-6", "2017-12-01"),
    )
    .with(Advice),
    // The Claude API, and clients that use it.
    Limit::new(
        &[ClaudeApi],
        "tool-name",
        Requirement::Name(Alphabet::new("_-", 128)),
        RENAME,
        ("https://platform.claude.com/docs/agents-and-tools/tool-use/define-tools", "2026-11-20"),
    ),
    Limit::new(
        &[ClaudeApi, ClaudeCode],
        "argument-name",
        Requirement::Arguments(Alphabet::new("_.-", 64)),
        ARGUMENT,
        ("https://github.com/anthropics/claude-code/issues/79418", "2026-07-20"),
    ),
    Limit::new(
        &[ClaudeApi, ClaudeCode],
        "root-union",
        Requirement::RootWithout(&["oneOf", "allOf", "anyOf"]),
        ONE_ARGUMENT,
        ("https://github.com/anthropics/claude-code/issues/44788", "2026-04-07"),
    ),
    // Claude Code.
    Limit::new(
        &[ClaudeCode],
        "tool-name",
        // The client calls it `mcp__SERVER__TOOL` and accepts 128 characters. 120 are left if the server's name has one character.
        Requirement::Name(Alphabet::new("_.-", 120)),
        RENAME,
        ("https://github.com/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime", "2026-10-19"),
    )
    .with(Refused),
    Limit::new(
        &[ClaudeCode],
        "boolean-property",
        Requirement::NoBooleansIn("properties"),
        BOOLEAN,
        ("https://github.com/anthropics/claude-code/issues/92900", "2026-09-08"),
    ),
    Limit::new(
        &[ClaudeCode],
        "boolean-items",
        Requirement::NoBooleansIn("items"),
        "write `{}` instead of `true`, and `maxItems` instead of `false`",
        ("https://github.com/anthropics/claude-code/issues/92900", "2026-09-08"),
    ),
    Limit::new(
        &[ClaudeCode],
        "description-length",
        Requirement::Description(2048),
        SHORTEN,
        ("https://github.com/ayushcodes10/echo-mem/pull/38", "2026-11-20"),
    )
    .with(Lost),
    Limit::new(
        &[ClaudeCode],
        "integer-range",
        Requirement::SafeIntegers,
        AS_TEXT,
        ("https://github.com/anthropics/claude-code/issues/78762", "2026-07-18"),
    )
    .with(Advice),
    // The Gemini API.
    Limit::new(
        &[Gemini],
        "tool-name",
        Requirement::Name(Alphabet::new("_-.", 64).starting_with_letter()),
        RENAME,
        ("https://ai.google.dev/api/caching#FunctionDeclaration", "2026-11-20"),
    ),
    Limit::new(
        &[Gemini],
        "gemini-keyword",
        Requirement::WithoutKeywords(&["const"]),
        "write an `enum` of one value, or use an enum of unit variants instead of a tagged one",
        gemini::SOURCE,
    ),
    Limit::new(
        &[Gemini],
        "gemini-keyword",
        Requirement::WithoutKeywords(&["propertyNames", "exclusiveMinimum"]),
        "use a list of pairs instead of a map with such keys, and `range` instead of an exclusive bound",
        gemini::SOURCE,
    ),
    Limit::new(
        &[Gemini],
        "gemini-type-list",
        Requirement::SingleTypes,
        "accept one type, or write `anyOf`",
        ("https://github.com/zed-industries/zed/issues/44875", "2026-02-14"),
    ),
    // Visual Studio Code with Copilot.
    Limit::new(
        &[VsCode],
        "tool-count",
        Requirement::Tools(128),
        FEWER,
        ("https://github.com/microsoft/vscode/issues/261213", "2025-08-12"),
    ),
    Limit::new(
        &[VsCode],
        "array-items",
        Requirement::Items,
        ELEMENTS,
        ("https://github.com/db-lyon/ue-mcp/issues/936", "2026-08-19"),
    ),
    Limit::new(
        &[VsCode],
        "root-union",
        Requirement::RootWithout(&["oneOf", "anyOf", "allOf", "not", "if", "then", "else"]),
        ONE_ARGUMENT,
        VS_CODE,
    )
    .with(Lost),
    Limit::new(&[VsCode], "required-property", Requirement::RequiredAreProperties, REQUIRED, VS_CODE).with(Lost),
    // Cursor.
    Limit::new(
        &[Cursor],
        "tool-count",
        Requirement::Tools(80),
        FEWER,
        ("https://github.com/Snowflake-Labs/mcp/issues/77", "2025-09-02"),
    )
    .with(Lost),
    Limit::new(
        &[Cursor],
        "tool-name",
        // The names of server and tool must have fewer than 60 characters together. 58 are left if the server's name has one character.
        Requirement::Name(Alphabet::new("_.-", 58)),
        RENAME,
        ("https://github.com/ComposioHQ/composio/issues/2788", "2026-02-27"),
    )
    .with(Refused),
    Limit::new(&[Cursor], "argument-name", Requirement::ArgumentsWithout("[]"), ARGUMENT, CURSOR_FORUM).with(Refused),
];

const SCHEMA_OF_MCP: Source = (
    "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/2025-06-18/schema.json",
    "2025-06-18",
);
const CURSOR_FORUM: Source = (
    "https://forum.cursor.com/t/top-level-properties-with-brackets-in-tools-lists-inputschema-in-mcp-are-incorrectly-rejected/130573",
    "2026-11-20",
);
/// The code that changes schemas before Copilot sends them to a model.
const VS_CODE: Source = (
    "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
    "2026-11-20",
);
