//! Who reads definitions: clients, and the interfaces of model vendors.

use std::fmt;

/// A client that reads tool definitions, or a model API that clients send them to.
///
/// ```
/// use mcp_tool_runtime::lint::Client;
///
/// assert_eq!(Client::ClaudeCode.to_string(), "Claude Code");
/// assert!(Client::ALL.contains(&Client::Gemini));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Client {
    /// Any client for the protocol versions 2025-06-18 and 2025-11-25, such as those built with the official TypeScript
    /// SDK.
    McpLegacy,
    /// The Claude API.
    ClaudeApi,
    /// Claude Code.
    ClaudeCode,
    /// The `OpenAI` API, with functions that are not strict.
    OpenAi,
    /// The `OpenAI` API, with functions that have `strict: true`.
    OpenAiStrict,
    /// The Gemini API.
    Gemini,
    /// Visual Studio Code with Copilot.
    VsCode,
    /// Cursor.
    Cursor,
}

impl Client {
    /// All clients. Few tools meet the limits of all of them. For example, `OpenAI`'s strict mode refuses every
    /// optional argument.
    pub const ALL: &'static [Self] = &[
        Self::McpLegacy,
        Self::ClaudeApi,
        Self::ClaudeCode,
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::Gemini,
        Self::VsCode,
        Self::Cursor,
    ];
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::McpLegacy => "MCP before 2026-07-28",
            Self::ClaudeApi => "Claude API",
            Self::ClaudeCode => "Claude Code",
            Self::OpenAi => "OpenAI",
            Self::OpenAiStrict => "OpenAI (strict)",
            Self::Gemini => "Gemini",
            Self::VsCode => "VS Code",
            Self::Cursor => "Cursor",
        })
    }
}

/// A tool-calling interface of a model vendor.
///
/// ```
/// use mcp_tool_runtime::export::Vendor;
///
/// assert_eq!(Vendor::OpenAiResponses.to_string(), "OpenAI Responses");
/// assert_eq!(Vendor::ALL.len(), 5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Vendor {
    /// The Responses API of `OpenAI`.
    OpenAiResponses,
    /// The Chat Completions API of `OpenAI`, which many other vendors and local servers also offer.
    OpenAiChat,
    /// The Messages API of Anthropic.
    Anthropic,
    /// The Gemini API of Google.
    Gemini,
    /// The Converse API of Amazon Bedrock.
    Bedrock,
}

impl Vendor {
    /// All vendors.
    pub const ALL: &'static [Self] =
        &[Self::OpenAiResponses, Self::OpenAiChat, Self::Anthropic, Self::Gemini, Self::Bedrock];

    pub(crate) fn is_open_ai(self) -> bool {
        matches!(self, Self::OpenAiResponses | Self::OpenAiChat)
    }
}

impl fmt::Display for Vendor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenAiResponses => "OpenAI Responses",
            Self::OpenAiChat => "OpenAI Chat",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
            Self::Bedrock => "Bedrock",
        })
    }
}
