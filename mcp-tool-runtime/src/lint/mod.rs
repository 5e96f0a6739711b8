//! Finds what known clients would reject or drop in a list of tools, and which changes to the tools break clients.
//!
//! With the feature `lint`, [`Dispatcher::lint`](crate::Dispatcher::lint) and
//! [`Dispatcher::costs`](crate::Dispatcher::costs) report on the tools, and [`contract`] compares them with the tools
//! of an earlier version. Use them in tests and on the command line. With only the feature `export`, the module
//! contains just the findings of an [`Export`](crate::export::Export).

// `limits` has the limits of each client as data. `check` compares definitions with one limit and creates a finding for
// each violation. `complexity` examines schemas for vendors that compile them into a grammar. The exports use these
// modules.
pub(crate) mod check;
pub(crate) mod complexity;
pub(crate) mod limits;

#[cfg(feature = "lint")]
pub mod contract;
#[cfg(feature = "lint")]
mod report;

use std::fmt;

use limits::Limit;
#[cfg(feature = "lint")]
pub use report::Cost;

/// The severity of a [`Finding`]. The variants are in ascending order.
///
/// ```
/// use mcp_tool_runtime::lint::Severity;
///
/// assert!(Severity::Advice < Severity::Lost && Severity::Refused < Severity::AllRefused);
/// assert_eq!(Severity::AllRefused.to_string(), "all-refused");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The tool works, except with rare values or in some programs. For example, a client rounds integers beyond ±2^53,
    /// or an agent loop has nobody to answer the tool's question.
    Advice,
    /// The tool works, but the client drops a part of its definition, or the tool itself has a fault.
    Lost,
    /// The client refuses the tool.
    Refused,
    /// The client refuses every tool of the server, or every request that contains the tool.
    AllRefused,
}

display!(
    /// Writes the name that the command `lint` uses, such as `all-refused`.
    Severity, it => match it {
        Self::Advice => "advice",
        Self::Lost => "lost",
        Self::Refused => "refused",
        Self::AllRefused => "all-refused",
    }
);

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
    /// Any client for the protocol versions 2025-06-18 and 2025-11-25, such as a client built with the official
    /// TypeScript SDK.
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

    /// Returns the client's name, and the word for it on the command line.
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::McpLegacy => ("MCP before 2026-07-28", "mcp-legacy"),
            Self::ClaudeApi => ("Claude API", "claude-api"),
            Self::ClaudeCode => ("Claude Code", "claude-code"),
            Self::OpenAi => ("OpenAI", "openai"),
            Self::OpenAiStrict => ("OpenAI (strict)", "openai-strict"),
            Self::Gemini => ("Gemini", "gemini"),
            Self::VsCode => ("VS Code", "vscode"),
            Self::Cursor => ("Cursor", "cursor"),
        }
    }
}

display!(Client, it => it.names().0);

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

display!(
    Vendor, it => match it {
        Self::OpenAiResponses => "OpenAI Responses",
        Self::OpenAiChat => "OpenAI Chat",
        Self::Anthropic => "Anthropic",
        Self::Gemini => "Gemini",
        Self::Bedrock => "Bedrock",
    }
);

/// A problem with a tool or with the server, such as a part of a definition that a client refuses or drops.
///
/// `Display` writes the finding as one line. `Debug` writes the same line, so that a failed `assert_eq!` is readable.
///
/// ```
/// use mcp_tool_runtime::lint::{Client, Severity};
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
///
/// /// Read a file.
/// #[mcp_tool(name = "files.read")]
/// async fn read(path: String) -> String {
///     path
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![read]).build()?;
/// let findings = dispatcher.lint(&[Client::ClaudeApi]);
/// assert_eq!(findings[0].rule, "tool-name");
/// assert_eq!(findings[0].severity, Severity::AllRefused);
/// assert_eq!((findings[0].place.as_str(), findings[0].problem.as_str()), ("/name", "the name contains `.`"));
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    pub(crate) reader: Reader,
    pub(crate) effect: Effect,
    /// The name of the tool, or `None` if the finding is about the whole list of tools.
    pub tool: Option<String>,
    /// The name of the violated rule, such as `tool-name`.
    pub rule: &'static str,
    /// How severe the problem is.
    pub severity: Severity,
    /// The position in the definition as a JSON pointer, such as `/inputSchema/properties/id`, or `/questions/KEY` for
    /// a question to the user. It is empty if the finding is about the whole definition.
    pub place: String,
    /// What is wrong.
    pub problem: String,
    /// How to fix the problem.
    pub help: &'static str,
    /// The URL of the page that documents the limit. It is empty if the finding does not come from a page.
    pub source: &'static str,
    /// The date of the source as `YYYY-MM-DD`. It is empty if there is no source.
    pub date: &'static str,
}

/// The name of a rule, and how severe its violation is.
pub(crate) type LintRule = (&'static str, Severity);

/// Who reads the definition that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Nobody in particular: the finding is about the server itself.
    Server,
    Client(Client),
    Vendor(Vendor),
}

/// What the problem of a finding does to the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The effect that the severity describes.
    OfSeverity,
    /// The tool does not run if nobody can be asked.
    MayNotRun,
    /// An export leaves the tool out.
    LeftOut,
    /// An export has the tool without `strict`.
    NotStrict,
    /// An export has the tool under another name.
    Renamed,
    /// The exported definition lacks a part of the tool's definition, or has that part only in a description.
    Changed,
}

impl Finding {
    /// Creates a finding about a tool, without a source.
    pub(crate) fn new(
        reader: Reader,
        tool: &str,
        (rule, severity): LintRule,
        place: String,
        problem: impl Into<String>,
        help: &'static str,
    ) -> Self {
        let (tool, problem) = (Some(tool.to_owned()), problem.into());
        Self { reader, tool, effect: Effect::OfSeverity, rule, severity, place, problem, help, source: "", date: "" }
    }

    pub(crate) fn of_limit(limit: &Limit, reader: Reader, tool: &str, place: String, problem: String) -> Self {
        let finding = Self::new(reader, tool, (limit.rule, limit.severity), place, problem, limit.help);
        finding.with_source(limit.source, limit.date)
    }

    pub(crate) fn with_source(self, source: &'static str, date: &'static str) -> Self {
        Self { source, date, ..self }
    }

    /// Sets the effect, which also decides the severity.
    pub(crate) fn with_effect(self, effect: Effect) -> Self {
        let severity = match effect {
            Effect::OfSeverity => self.severity,
            Effect::LeftOut => Severity::Refused,
            Effect::NotStrict | Effect::Changed => Severity::Lost,
            Effect::MayNotRun | Effect::Renamed => Severity::Advice,
        };
        Self { effect, severity, ..self }
    }

    /// Returns the client, or `None` if the finding is about the server itself or about an export.
    pub fn client(&self) -> Option<Client> {
        if let Reader::Client(client) = self.reader { Some(client) } else { None }
    }

    /// Returns the model vendor, or `None` if the finding does not come from an [`Export`](crate::export::Export).
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, export::Vendor};
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
    pub fn vendor(&self) -> Option<Vendor> {
        if let Reader::Vendor(vendor) = self.reader { Some(vendor) } else { None }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let client = match self.reader {
            Reader::Server => "this server".to_owned(),
            Reader::Client(client) => client.to_string(),
            Reader::Vendor(vendor) => vendor.to_string(),
        };
        let tool = self.tool.as_ref().map_or_else(|| "the list".to_owned(), |tool| format!("`{tool}`"));
        match (self.effect, self.severity) {
            (Effect::LeftOut, _) => write!(f, "{tool} is not sent to {client}")?,
            (Effect::NotStrict, _) => write!(f, "{tool} is sent to {client} without `strict`")?,
            (Effect::Renamed, _) => write!(f, "{tool} is sent to {client} under another name")?,
            (Effect::Changed, _) => write!(f, "the definition of {tool} is changed for {client}")?,
            (Effect::MayNotRun, _) => write!(f, "{client} may be unable to call {tool}")?,
            (Effect::OfSeverity, Severity::Advice) if self.reader == Reader::Server => {
                write!(f, "advice for {client} about {tool}")?;
            }
            (Effect::OfSeverity, Severity::Advice) => write!(f, "{client} may misread {tool}")?,
            (Effect::OfSeverity, Severity::Lost) if self.reader == Reader::Server => write!(f, "{tool} has a fault")?,
            (Effect::OfSeverity, Severity::Lost) => write!(f, "{client} drops a part of {tool}")?,
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

debug_by_display!(Finding);
