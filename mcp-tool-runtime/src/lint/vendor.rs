//! The model vendors: the readers of an export.

use std::fmt;

/// A tool-calling interface of a model vendor.
///
/// ```
/// use mcp_tool_runtime::Vendor;
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
