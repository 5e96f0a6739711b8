//! Reports about the tools of a dispatcher, for the people who write them.

mod callers;
mod cost;
mod presence;
mod questions;
mod results;
mod sample;

use serde_json::Value;

pub use cost::Cost;

use super::check::check;
use super::limits::{Requirement, limits_of};
use super::{Client, Finding};
use crate::json::reader;
use crate::tool::argument_shape::TypeCheck;
use crate::{Arguments, Dispatcher, Extensions, ProtocolVersion, mcp};

impl Dispatcher {
    /// Returns what these clients would refuse in the definitions or drop from them.
    ///
    /// Call this method in a test, to keep the tools usable for the clients that your server supports:
    ///
    /// ```
    /// use mcp_tool_runtime::lint::{Client, Severity};
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
    ///
    /// /// Read a file.
    /// #[mcp_tool(name = "files.read")]
    /// async fn read(path: &std::path::Path, limit: Option<u64>) -> String {
    ///     format!("{limit:?} bytes of {}", path.display())
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![read]).build()?;
    /// assert_eq!(dispatcher.lint(&[Client::VsCode, Client::Cursor]), []);
    ///
    /// let findings = dispatcher.lint(&[Client::ClaudeApi, Client::ClaudeCode]);
    /// assert_eq!(findings[0].rule(), "tool-name");
    /// assert_eq!(findings[0].severity(), Severity::AllRefused);
    /// assert!(findings[0].to_string().starts_with(
    ///     "Claude API refuses every tool because of `files.read` at /name: the name contains `.`; rename the tool"
    /// ));
    /// assert_eq!(findings[1].place(), "/inputSchema/properties/limit");
    /// assert!(findings[1].problem().contains("beyond ±2^53"));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    ///
    /// Name the clients that matter to you, because few servers satisfy [all](Client::ALL) of them. Findings with
    /// [`Severity::Advice`](crate::lint::Severity::Advice) may never matter. For example, JavaScript clients round 64-bit integers beyond
    /// ±2^53. To omit such findings, filter by `finding.severity() > Severity::Advice`.
    ///
    /// Eight rules go beyond the limits of clients:
    ///
    /// - `presence` reports a property that the schema requires and the type does not, or the other way round. This happens if
    ///   `#[serde(with)]` or `#[schemars(with)]` changes a field for only one of serde and schemars. To find such properties, this method
    ///   reads made-up arguments into the types. It calls no tool.
    /// - `no-text` reports a tool with `text = off`, because clients that read only the text of a result show nothing.
    /// - `unbounded-result` reports a result that is a list of any length, for clients that refuse long results. The list is the whole
    ///   result, or a list of objects directly in it, and has no `maxItems`. Return a [`Paged`](crate::Paged), or set a `budget`.
    /// - `no-tasks` reports a tool with the key `task` if the builder has no `tasks` (feature `tasks`).
    /// - `random-state-key` reports that each process signs the state of questions with its own random key.
    /// - `no-principal` reports that nothing may bind the state of a question, or a task, to its caller, although callers differ.
    /// - `asks-for-secret` reports a form that asks for a password, a key or a token. The protocol forbids such forms.
    /// - `unquoted-in-consent` reports a [`Consent`](crate::Consent) that shows a text argument without quotes, so that a model can
    ///   continue your sentence.
    ///
    /// The limits of each client have a source and a date. New versions of this crate can change them.
    #[must_use]
    pub fn lint(&self, clients: &[Client]) -> Vec<Finding> {
        let mut findings = Vec::new();
        for &client in clients {
            for limit in limits_of(client) {
                // Older clients get a result that is not an object inside an object. Their list would report its integers a second time.
                let is_about_values = matches!(limit.requirement, Requirement::SafeIntegers);
                let tools = if is_about_values { self.list() } else { self.list_of(client) };
                check(limit, client, tools, &mut findings);
            }
        }
        for (entry, tool) in self.entries().iter().zip(self.list()) {
            let metadata = entry.handler.metadata();
            if metadata.text_off {
                findings.extend(results::no_text(&tool.name, clients));
            }
            let is_limited = entry.cursor.is_some() || metadata.budget.is_some() || self.settings().budgets.is_set();
            findings.extend(results::unbounded(tool, is_limited, clients));
            let Some(type_check) = TypeCheck::of(&metadata).filter(|check| !check.needs_call()) else { continue };
            let accepts = |arguments: &Value| {
                // What the type reads is not the text of a cursor, but the key in it.
                let mut arguments = arguments.clone();
                if let (Some(cursor), Some(arguments)) = (&entry.cursor, arguments.as_object_mut()) {
                    arguments.remove(&**cursor);
                }
                let Ok(document) = reader::read_value(&arguments) else { return false };
                type_check.accepts(&Arguments::new(&document, &tool.input_schema), &Extensions::new())
            };
            findings.extend(presence::presence(tool, &accepts));
        }
        findings.extend(self.lint_questions(clients));
        findings.extend(self.lint_tasks());
        findings.shrink_to_fit();
        findings
    }

    /// Returns the size of each tool's definition for each of these clients, in bytes.
    ///
    /// ```
    /// # use mcp_tool_runtime::{lint::Client, mcp_tool, tools, Dispatcher};
    /// # /// Add two numbers.
    /// # #[mcp_tool]
    /// # async fn add(a: i64, b: i64) -> i64 {
    /// #     a + b
    /// # }
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// let all: usize = dispatcher.costs(&[Client::ClaudeApi]).iter().map(|cost| cost.bytes()).sum();
    /// assert!(all < 1_000, "the tools fill the context of the model");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn costs(&self, clients: &[Client]) -> Vec<Cost> {
        let of_client = |client: &Client| {
            let client = *client;
            self.list_of(client).iter().map(move |tool| cost::cost(client, tool))
        };
        clients.iter().flat_map(of_client).collect()
    }

    /// Returns the definitions as this client receives them.
    fn list_of(&self, client: Client) -> &[mcp::Tool] {
        match client {
            Client::McpLegacy => self.list_for(ProtocolVersion::V2025_06_18),
            client if is_api(client) => self.list(),
            _ => self.list_for(ProtocolVersion::LATEST),
        }
    }
}

/// Returns `true` for the API of a model, and `false` for a client of the Model Context Protocol.
fn is_api(client: Client) -> bool {
    matches!(client, Client::ClaudeApi | Client::OpenAi | Client::OpenAiStrict | Client::Gemini)
}
