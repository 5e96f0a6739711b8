//! What the clients in the field would refuse of a list of tools, or lose.
//!
//! [`Dispatcher::lint`](crate::Dispatcher::lint) asks, `lint/limits.rs` knows, `lint/check.rs` looks.

mod check;
mod cost;
mod limits;
mod nodes;

use std::fmt;

pub use cost::Cost;

use crate::mcp;
use limits::{LIMITS, Limit};

/// A client that reads definitions of tools, or a service that clients pass them on to.
///
/// ```
/// use mcp_tool_runtime::Client;
///
/// assert_eq!(Client::ClaudeCode.to_string(), "Claude Code");
/// assert!(Client::ALL.contains(&Client::Gemini));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Client {
    /// Any client that speaks 2025-06-18 or 2025-11-25, as the official TypeScript SDK does.
    McpLegacy,
    /// The Claude API.
    ClaudeApi,
    /// Claude Code.
    ClaudeCode,
    /// The `OpenAI` API, functions that are not strict.
    OpenAi,
    /// The `OpenAI` API, functions with `strict: true`.
    OpenAiStrict,
    /// The Gemini API.
    Gemini,
    /// Visual Studio Code with Copilot.
    VsCode,
    /// Cursor.
    Cursor,
}

impl Client {
    /// All of them. No tool of any size pleases all: `OpenAI`'s strict mode alone refuses every optional argument.
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

/// How bad a [`Finding`] is, least first.
///
/// ```
/// use mcp_tool_runtime::Severity;
///
/// assert!(Severity::Advice < Severity::Lost && Severity::Refused < Severity::AllRefused);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Some values would go wrong that may never occur.
    Advice,
    /// The tool works, and the client leaves something of its definition out.
    Lost,
    /// The client refuses the tool.
    Refused,
    /// The client refuses every tool of the server, or each request with the tool in it.
    AllRefused,
}

/// What one client would refuse of one tool, or lose.
///
/// `Display` is one line with all of it, and `Debug` the same, so that a failed `assert_eq!` can be read.
#[derive(Clone, PartialEq, Eq)]
pub struct Finding {
    client: Option<Client>,
    tool: Option<String>,
    rule: &'static str,
    severity: Severity,
    place: String,
    problem: String,
    help: &'static str,
    source: &'static str,
    date: &'static str,
}

impl Finding {
    /// The client, unless it is the server itself that falls short.
    #[must_use]
    pub fn client(&self) -> Option<Client> {
        self.client
    }

    /// The tool, unless it is the list that is at fault.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// The rule that is broken, such as `tool-name`.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Where in the definition, as a JSON pointer: `/inputSchema/properties/id`. Empty for the definition as a whole.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        self.help
    }

    /// Who says that the client has this limit: an address. Empty for what the server itself knows.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// The day on which the source said so, `YYYY-MM-DD`. Empty where there is no source.
    #[must_use]
    pub fn date(&self) -> &'static str {
        self.date
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let client = self.client.map_or_else(|| "this server".to_owned(), |client| client.to_string());
        let tool = self.tool.as_ref().map_or_else(|| "the list".to_owned(), |tool| format!("`{tool}`"));
        match self.severity {
            Severity::Advice => write!(f, "{client} may misread {tool}")?,
            Severity::Lost => write!(f, "{client} loses something of {tool}")?,
            Severity::Refused => write!(f, "{client} refuses {tool}")?,
            Severity::AllRefused => write!(f, "{client} refuses every tool because of {tool}")?,
        }
        if !self.place.is_empty() {
            write!(f, " at {}", self.place)?;
        }
        write!(f, ": {}; {} [{}", self.problem, self.help, self.rule)?;
        if !self.source.is_empty() {
            write!(f, ", {} on {}", self.source, self.date)?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The findings of all clients, of each in the order of the limits and then of the tools. `list` gives the definitions
/// that a client is sent.
pub(crate) fn findings<'t>(clients: &[Client], list: impl Fn(Client) -> &'t [mcp::Tool]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for &client in clients {
        for limit in LIMITS.into_iter().flatten().filter(|limit| limit.clients.contains(&client)) {
            check::look(limit, client, list(client), &mut findings);
        }
    }
    findings
}

/// What is published and not enforced, when nothing checks the schemas.
#[cfg(not(feature = "validate"))]
pub(crate) fn not_enforced(tools: &[mcp::Tool]) -> Vec<Finding> {
    check::not_enforced(tools)
}

/// What a client is sent: all that `tools/list` has, or what a model's API takes of it.
pub(crate) fn is_api(client: Client) -> bool {
    matches!(client, Client::ClaudeApi | Client::OpenAi | Client::OpenAiStrict | Client::Gemini)
}

pub(crate) use cost::costs;
