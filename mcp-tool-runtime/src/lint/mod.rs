//! Finds what known clients would refuse in a list of tools, or drop from it, and which changes of the tools break a client.
//!
//! Tests and the command line ask. Of a running server, only its web page asks, when somebody opens the page. The methods of
//! [`Dispatcher`](crate::Dispatcher) are in [`mod@report`]. [`contract`] compares the tools with those of an earlier version.
//!
//! [`limits`] has the limits of each client as data. [`check`] checks definitions against one of them and returns a
//! [`Finding`] for each violation; [`nodes`] lists the subschemas that it looks at. [`mod@presence`] reports properties that the schema requires and the type does not. [`cost`] measures the size of definitions.
//!
//! [`Dispatcher::lint`](crate::Dispatcher::lint) and [`Dispatcher::costs`](crate::Dispatcher::costs) are the entry points.

pub(crate) mod check;
#[cfg(feature = "export")]
pub(crate) mod complexity;
pub mod contract;
mod cost;
#[cfg(feature = "export")]
mod export_effect;
pub(crate) mod limits;
pub(crate) mod names;
mod no_text;
mod nodes;
mod presence;
mod sample;
#[cfg(feature = "export")]
mod vendor;

mod questions;
mod report;
mod tool_questions;

use std::fmt;

pub use cost::Cost;
pub(crate) use cost::costs;
#[cfg(feature = "export")]
pub(crate) use export_effect::ExportEffect;
pub(crate) use no_text::no_text;
pub(crate) use presence::presence;
#[cfg(feature = "export")]
pub use vendor::Vendor;

#[cfg(feature = "export")]
pub(crate) use questions::finding as finding_about_question;
pub(crate) use questions::{LintedQuestion, StateSettings, questions};

use crate::mcp;
use limits::Limit;

/// A client that reads the definitions of tools, or the API of a model that clients send them to.
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
    /// Any client for the protocol versions 2025-06-18 and 2025-11-25, such as those built with the official TypeScript SDK.
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
    /// All clients. Few tools meet the limits of all of them: `OpenAI`'s strict mode refuses every optional argument.
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

/// The severity of a [`Finding`], in ascending order.
///
/// ```
/// use mcp_tool_runtime::Severity;
///
/// assert!(Severity::Advice < Severity::Lost && Severity::Refused < Severity::AllRefused);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The tool works, except with rare values or in some programs. For example, a client rounds integers beyond ±2^53, or an agent
    /// loop has nobody to answer the tool's question.
    Advice,
    /// The tool works, and the client drops a part of its definition.
    Lost,
    /// The client refuses the tool.
    Refused,
    /// The client refuses every tool of the server, or every request that contains the tool.
    AllRefused,
}

/// A part of a definition that a client refuses or drops.
///
/// `Display` writes all of it in one line. `Debug` writes the same line, so that a failed `assert_eq!` is readable.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Client, Dispatcher, Severity};
///
/// /// Read a file.
/// #[mcp_tool(name = "files.read")]
/// async fn read(path: String) -> String {
///     path
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![read]).build()?;
/// let findings = dispatcher.lint(&[Client::ClaudeApi]);
/// assert_eq!(findings[0].rule(), "tool-name");
/// assert_eq!(findings[0].severity(), Severity::AllRefused);
/// assert_eq!((findings[0].place(), findings[0].problem()), ("/name", "the name contains `.`"));
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Finding {
    pub(crate) reader: Reader,
    pub(crate) tool: Option<String>,
    pub(crate) effect: Effect,
    pub(crate) rule: &'static str,
    pub(crate) severity: Severity,
    pub(crate) place: String,
    pub(crate) problem: String,
    pub(crate) help: &'static str,
    pub(crate) source: &'static str,
    pub(crate) date: &'static str,
}

/// Who reads a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Nobody in particular: the finding is about the server itself.
    Server,
    Client(Client),
    #[cfg(feature = "export")]
    Vendor(Vendor),
}

/// What the problem does to the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The severity says it.
    OfSeverity,
    /// The tool never runs where nobody can be asked.
    MayNotRun,
    /// What an export does about it.
    #[cfg(feature = "export")]
    Exported(ExportEffect),
}

impl Finding {
    /// Returns the client, or `None` if the finding is about the server itself or about an export.
    #[must_use]
    pub fn client(&self) -> Option<Client> {
        if let Reader::Client(client) = self.reader { Some(client) } else { None }
    }

    /// Returns the model vendor, if an [`Export`](crate::Export) made the finding.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Vendor};
    ///
    /// /// Read a file.
    /// #[mcp_tool(name = "files.read")]
    /// async fn read(path: String) -> String {
    ///     path
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![read]).build()?;
    /// assert_eq!(dispatcher.export(Vendor::Bedrock).findings()[0].vendor(), Some(Vendor::Bedrock));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[cfg(feature = "export")]
    #[must_use]
    pub fn vendor(&self) -> Option<Vendor> {
        match self.reader {
            Reader::Vendor(vendor) => Some(vendor),
            _ => None,
        }
    }

    /// Returns the name of the tool, or `None` if the finding is about the list.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// Returns the name of the violated rule, such as `tool-name`.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// Returns the severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the position in the definition as a JSON pointer, such as `/inputSchema/properties/id`. It is empty for the
    /// definition as a whole.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Returns how to fix it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        self.help
    }

    /// Returns the address of the page that documents the limit. It is empty if the finding is about the server itself.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// Returns the date of the source as `YYYY-MM-DD`. It is empty if there is no source.
    #[must_use]
    pub fn date(&self) -> &'static str {
        self.date
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let client = match self.reader {
            Reader::Server => "this server".to_owned(),
            Reader::Client(client) => client.to_string(),
            #[cfg(feature = "export")]
            Reader::Vendor(vendor) => vendor.to_string(),
        };
        let tool = self.tool.as_ref().map_or_else(|| "the list".to_owned(), |tool| format!("`{tool}`"));
        match (self.effect, self.severity) {
            #[cfg(feature = "export")]
            (Effect::Exported(effect), _) => effect.write(f, &client, &tool)?,
            (Effect::MayNotRun, _) => write!(f, "{client} may be unable to call {tool}")?,
            (Effect::OfSeverity, Severity::Advice) if self.reader == Reader::Server => {
                write!(f, "advice for {client} about {tool}")?;
            }
            (Effect::OfSeverity, Severity::Advice) => write!(f, "{client} may misread {tool}")?,
            (Effect::OfSeverity, Severity::Lost) => write!(f, "{client} loses something of {tool}")?,
            (Effect::OfSeverity, Severity::Refused) => write!(f, "{client} refuses {tool}")?,
            (Effect::OfSeverity, Severity::AllRefused) => write!(f, "{client} refuses every tool because of {tool}")?,
        }
        if !self.place.is_empty() {
            let at = if self.effect == Effect::OfSeverity { "at" } else { "because of" };
            write!(f, " {at} {}", self.place)?;
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

/// Returns the findings of each client, in the order of the limits and then of the tools. `list` returns the definitions for
/// a client.
pub(crate) fn findings<'t>(clients: &[Client], list: impl Fn(Client) -> &'t [mcp::Tool]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for &client in clients {
        for limit in limits::limits_of(client) {
            check::check(limit, client, list(client), &mut findings);
        }
    }
    findings
}

/// Returns `true` for the API of a model, and `false` for a client of the Model Context Protocol.
pub(crate) fn is_api(client: Client) -> bool {
    matches!(client, Client::ClaudeApi | Client::OpenAi | Client::OpenAiStrict | Client::Gemini)
}
