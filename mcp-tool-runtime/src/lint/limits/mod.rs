//! The limits of each client, with their sources and dates.
//!
//! Limits of a field that a client need not use are left out. For example, the field `parameters` of the Gemini API
//! refuses `additionalProperties`, which every closed object has. A client that uses this field has to remove the
//! keyword anyway.

mod vendors;

pub(crate) use vendors::{anthropic, bedrock, gemini, openai};

use super::{Client, Severity};

use Severity::{Advice, AllRefused, Lost, Refused};

/// One limit of a client or of a model vendor.
pub(crate) struct Limit {
    pub(crate) rule: &'static str,
    pub(crate) severity: Severity,
    pub(crate) requirement: Requirement,
    /// How to meet the requirement.
    pub(crate) help: &'static str,
    pub(crate) source: &'static str,
    /// The date of the source: the day on which it was published, or the day on which the page was read.
    pub(crate) date: &'static str,
}

/// Keywords in groups, so that a long list is readable.
pub(crate) type Keywords = &'static [&'static [&'static str]];

/// What a client or a vendor requires of a list of tools, or of each definition in it.
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
    /// The input schema has only these keywords anywhere.
    OnlyKeywords(Keywords),
    /// The input schema has none of these keywords anywhere.
    WithoutKeywords(Keywords),
    /// The input schema has only these formats.
    Formats(&'static [&'static str]),
    /// In the input and the output schema, no schema under this keyword is `true` or `false`.
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
    /// At most this many objects are nested in each other.
    Nesting(usize),
    /// At most this many properties in total.
    Properties(usize),
    /// At most this many enum values in total.
    EnumValues(usize),
    /// If an enum has more than `values` strings, they have at most `characters` characters in total.
    LongEnum { values: usize, characters: usize },
    /// At most this many characters in total in the names of properties and definitions, and in the strings of `enum`
    /// and `const`.
    Characters(usize),
    /// A double can represent every integer that the input and the output schema accept.
    SafeIntegers,
    /// Every subschema says which type it accepts, directly or by a reference, a union or its values.
    Typed,
    /// A reference leads to a definition in `$defs`, and the only keyword that can be next to it is `$defs`.
    LoneReferences,
    /// No definition contains itself, directly or through other definitions, and every reference leads into a
    /// definition.
    NoRecursion,
    /// `minItems` is at most this number.
    MinItems(u64),
    /// The values of an enum are strings, numbers, booleans or `null`.
    ScalarEnums,
    /// A regular expression has no look-around, backreference or word boundary, and no repetition count above this
    /// number.
    Patterns(u32),
    /// A request has at most this many strict tools, which together have at most this many optional properties and
    /// unions.
    StrictRequest { tools: usize, optional: usize, unions: usize },
}

const RENAME: &str = "rename the tool, or its prefix";
const FEWER: &str = "serve fewer tools, or split the server";
const SHORTEN: &str = "shorten it, and put what matters most first";
const ARGUMENT: &str = "rename the argument with `#[serde(rename = \"…\")]`";
const ONE_ARGUMENT: &str = "make the union one argument, instead of flattening it or using it as the arguments object";
const BOOLEAN: &str = "write `{}` instead of `true`, and remove properties that are `false`";
const BOOLEAN_ITEMS: &str = "write `{}` instead of `true`, and `maxItems` instead of `false`";
const REQUIRED: &str = "describe every required property under `properties`";
const ELEMENTS: &str = "add `items`; `\"items\": {}` accepts anything";
const AS_TEXT: &str = "make it a string, or set bounds: `#[schemars(range(min = -9007199254740991_i64, max = 9007199254740991_i64))]`, \
                       with `min = 0` for an unsigned one";
/// The help for an integer in a result, where no attribute of the function can set bounds.
pub(super) const RETURNED_AS_TEXT: &str = "return a string or a smaller type such as `i32` or `u32`, or set bounds on the field of a struct: \
                                           `#[schemars(range(…))]`";

/// The address of the page that documents a limit, and the date of that source.
type Source = (&'static str, &'static str);

impl Limit {
    /// Creates a limit. If it is violated, the client refuses every tool, or every request that contains the tool.
    const fn new(rule: &'static str, requirement: Requirement, help: &'static str, (source, date): Source) -> Self {
        Self { rule, severity: AllRefused, requirement, help, source, date }
    }

    /// Sets a lower severity, for a client that does not refuse everything.
    const fn with(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// Creates a limit for exports: each required name is a property. Otherwise, a closed object would require a
    /// property that it refuses, and no value would be valid.
    const fn required(source: &'static str) -> Self {
        Self::new("required-property", Requirement::RequiredAreProperties, REQUIRED, (source, "2026-11-23"))
    }
}

pub(crate) fn limits_of(client: Client) -> impl Iterator<Item = &'static Limit> {
    let groups: &[&'static [Limit]] = match client {
        Client::McpLegacy => &[MCP_LEGACY],
        Client::ClaudeApi => &[CLAUDE_API, CLAUDE],
        Client::ClaudeCode => &[CLAUDE, CLAUDE_CODE],
        Client::OpenAi => &[openai::LIMITS],
        Client::OpenAiStrict => &[openai::LIMITS, openai::STRICT],
        Client::Gemini => &[gemini::LIMITS],
        Client::VsCode => &[VS_CODE],
        Client::Cursor => &[CURSOR],
    };
    groups.iter().copied().flatten()
}

const MCP_LEGACY: &[Limit] = &[
    Limit::new("boolean-property", Requirement::NoBooleansIn("properties"), BOOLEAN, SCHEMA_OF_MCP),
    Limit::new("integer-range", Requirement::SafeIntegers, AS_TEXT, RFC_8259).with(Advice),
];

const CLAUDE_API: &[Limit] =
    &[Limit::new("tool-name", Requirement::Name(Alphabet::new("_-", 128)), RENAME, anthropic::DEFINE_TOOLS)];

/// The limits of the Claude API that also apply to Claude Code.
const CLAUDE: &[Limit] = &[
    Limit::new("argument-name", Requirement::Arguments(Alphabet::new("_.-", 64)), ARGUMENT, CLAUDE_CODE_79418),
    Limit::new("root-union", Requirement::RootWithout(&["oneOf", "allOf", "anyOf"]), ONE_ARGUMENT, CLAUDE_CODE_44788),
];

const CLAUDE_CODE: &[Limit] = &[
    // The client's name for a tool is `mcp__SERVER__TOOL`, which must not have more than 128 characters. If the
    // server's name has one character, that leaves 120 characters for the tool's name.
    Limit::new("tool-name", Requirement::Name(Alphabet::new("_.-", 120)), RENAME, CLAUDETTO).with(Refused),
    Limit::new("boolean-property", Requirement::NoBooleansIn("properties"), BOOLEAN, CLAUDE_CODE_92900),
    Limit::new("boolean-items", Requirement::NoBooleansIn("items"), BOOLEAN_ITEMS, CLAUDE_CODE_92900),
    Limit::new("description-length", Requirement::Description(2048), SHORTEN, ECHO_MEM_38).with(Lost),
    Limit::new("integer-range", Requirement::SafeIntegers, AS_TEXT, CLAUDE_CODE_78762).with(Advice),
];

/// The limits of Visual Studio Code with Copilot.
const VS_CODE: &[Limit] = &[
    Limit::new("tool-count", Requirement::Tools(128), FEWER, VS_CODE_261213),
    Limit::new("array-items", Requirement::Items, ELEMENTS, UE_MCP_936),
    Limit::new("root-union", Requirement::RootWithout(UNIONS_AND_CONDITIONS), ONE_ARGUMENT, COPILOT).with(Lost),
    Limit::new("required-property", Requirement::RequiredAreProperties, REQUIRED, COPILOT).with(Lost),
];

const CURSOR: &[Limit] = &[
    Limit::new("tool-count", Requirement::Tools(80), FEWER, SNOWFLAKE_77).with(Lost),
    // Together, the names of the server and the tool must have fewer than 60 characters. If the server's name has one
    // character, that leaves 58 characters for the tool's name.
    Limit::new("tool-name", Requirement::Name(Alphabet::new("_.-", 58)), RENAME, COMPOSIO_2788).with(Refused),
    Limit::new("argument-name", Requirement::ArgumentsWithout("[]"), ARGUMENT, CURSOR_FORUM).with(Refused),
];

const UNIONS_AND_CONDITIONS: &[&str] = &["oneOf", "anyOf", "allOf", "not", "if", "then", "else"];

const SCHEMA_OF_MCP: Source = (
    "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/2025-06-18/schema.json",
    "2025-06-18",
);
const RFC_8259: Source = ("https://www.rfc-editor.org/rfc/rfc8259#section-6", "2017-12-01");
const CLAUDE_CODE_44788: Source = ("https://github.com/anthropics/claude-code/issues/44788", "2026-04-07");
const CLAUDE_CODE_78762: Source = ("https://github.com/anthropics/claude-code/issues/78762", "2026-07-18");
const CLAUDE_CODE_79418: Source = ("https://github.com/anthropics/claude-code/issues/79418", "2026-07-20");
const CLAUDE_CODE_92900: Source = ("https://github.com/anthropics/claude-code/issues/92900", "2026-09-08");
const CLAUDETTO: Source = ("https://github.com/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime", "2026-10-19");
const ECHO_MEM_38: Source = ("https://github.com/ayushcodes10/echo-mem/pull/38", "2026-11-20");
const VS_CODE_261213: Source = ("https://github.com/microsoft/vscode/issues/261213", "2025-08-12");
const UE_MCP_936: Source = ("https://github.com/db-lyon/ue-mcp/issues/936", "2026-08-19");
/// The source code that changes schemas before Copilot sends them to a model.
const COPILOT: Source = (
    "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
    "2026-11-20",
);
const SNOWFLAKE_77: Source = ("https://github.com/Snowflake-Labs/mcp/issues/77", "2025-09-02");
const COMPOSIO_2788: Source = ("https://github.com/ComposioHQ/composio/issues/2788", "2026-02-27");
const CURSOR_FORUM: Source = (
    "https://forum.cursor.com/t/top-level-properties-with-brackets-in-tools-lists-inputschema-in-mcp-are-incorrectly-rejected/130573",
    "2026-11-20",
);

/// What a client accepts as a name: ASCII letters, digits and the characters in `also`, at most `most` characters in
/// total. With `starts_with_letter`, the first character must be a letter or `_`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alphabet {
    also: &'static str,
    pub(crate) most: usize,
    starts_with_letter: bool,
}

impl Alphabet {
    pub(crate) const fn new(also: &'static str, most: usize) -> Self {
        Self { also, most, starts_with_letter: false }
    }

    /// Returns the alphabet for names that must also start with a letter or `_`.
    pub(super) const fn starting_with_letter(self) -> Self {
        Self { starts_with_letter: true, ..self }
    }

    fn accepts(self, character: char) -> bool {
        character.is_ascii_alphanumeric() || self.also.contains(character)
    }

    fn accepts_start(self, name: &str) -> bool {
        !self.starts_with_letter || name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    /// Replaces each character that is not in this alphabet with `_`, and puts a `_` before a name that may not start
    /// with its first character. The name may still be too long.
    pub(crate) fn fit(self, name: &str) -> String {
        let fitted: String = name.chars().map(|c| if self.accepts(c) { c } else { '_' }).collect();
        if self.accepts_start(&fitted) { fitted } else { format!("_{fitted}") }
    }

    /// Returns why a name is refused, if it is.
    pub(crate) fn problem(self, name: &str) -> Option<String> {
        if name.is_empty() {
            return Some("the name is empty".to_owned());
        }
        if let Some(character) = name.chars().find(|c| !self.accepts(*c)) {
            return Some(format!("the name contains `{character}`"));
        }
        let length = name.chars().count();
        if length > self.most {
            return Some(format!("the name has {length} characters; at most {} are accepted", self.most));
        }
        (!self.accepts_start(name)).then(|| "it does not start with a letter or `_`".to_owned())
    }
}

/// Writes up to eight names in backticks, and how many more there are.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = names.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}
