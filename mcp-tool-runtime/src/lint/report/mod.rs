//! Reports on the tools of a dispatcher, for the people who write them: what clients would refuse or lose, and how
//! large the definitions are.

use serde::Serialize;
use serde_json::{Value, json};

use super::check::{check, describes_null};
use super::limits::{Requirement, limits_of};
use super::{Client, Finding, Reader, Severity};
use crate::call::budget::LIMITS;
use crate::dispatcher::ToolEntry;
use crate::json::path::escape_token;
use crate::schema::reference;
use crate::{Dispatcher, ProtocolVersion, mcp};

mod questions;

impl Dispatcher {
    /// Returns findings about the tools: what these clients would refuse in the definitions or drop from them, and what
    /// is wrong with the server itself.
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
    /// assert_eq!(findings[0].rule, "tool-name");
    /// assert_eq!(findings[0].severity, Severity::AllRefused);
    /// assert!(findings[0].to_string().starts_with(
    ///     "Claude API refuses every tool because of `files.read` at /name: the name contains `.`; rename the tool"
    /// ));
    /// assert_eq!(findings[1].place, "/inputSchema/properties/limit");
    /// assert!(findings[1].problem.contains("beyond ±2^53"));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    ///
    /// Name the clients that matter to you, because few servers satisfy [all](Client::ALL) of them. Findings with
    /// [`Severity::Advice`] may never matter. For example, JavaScript clients round 64-bit integers beyond
    /// ±2^53. To omit such findings, filter by `finding.severity > Severity::Advice`.
    ///
    /// These rules go beyond the limits of clients:
    ///
    /// - `no-text` reports a tool with `text = off`, because clients that read only the text of a result show nothing.
    /// - `lost-content` reports a tool whose text or blocks say more than its value (`text = …`,
    ///   [`Structured`](crate::Structured), or your own [`ToolOutput`](crate::ToolOutput)), for clients that show their
    ///   model the value alone.
    /// - `unbounded-result` reports a result that is a list of any length, for clients that refuse long results. The
    ///   list is the whole result, or a list of objects directly in it, and has no `maxItems`. Return a
    ///   [`Paged`](crate::Paged), or set a `budget`.
    /// - `unpublished-null` reports a field of the type `Option` in your own struct if the field's description speaks
    ///   of `null`, although an `Option` does not tell `null` from absence. Write [`Nullable`](crate::Nullable).
    /// - `no-tasks` reports a tool with the key `task` if the builder has no `tasks` (feature `tasks`).
    /// - `random-state-key` reports that each process signs the state of questions with its own random key.
    /// - `no-principal` reports that the state of a question, or a task, may not be bound to its caller, although the
    ///   server tells callers apart.
    /// - `shared-limit` and `shared-once` report that all callers share the limits, or the results of tools with
    ///   `once`, because the server does not know who they are.
    /// - `asks-for-secret` reports a form that asks for a password, a key or a token. The protocol forbids such forms.
    /// - `unquoted-in-consent` reports a [`Consent`](crate::Consent) that shows a text argument without quotes, so that
    ///   a model can continue your sentence.
    ///
    /// Each limit of a client has a source and a date. New versions of this crate can change the limits.
    #[must_use]
    pub fn lint(&self, clients: &[Client]) -> Vec<Finding> {
        let mut findings = Vec::new();
        for &client in clients {
            for limit in limits_of(client) {
                // Look for integers in `list_all`. The list for older clients wraps some results in an object, so the
                // integers in these results would be reported a second time, under another path.
                let is_about_values = matches!(limit.requirement, Requirement::SafeIntegers);
                let tools = if is_about_values { self.list_all() } else { self.list_of(client) };
                check(limit, client, tools, &mut findings);
            }
        }
        for (entry, tool) in self.entries().iter().zip(self.list_all()) {
            let metadata = entry.handler.metadata();
            if metadata.text_off {
                findings.extend(no_text(&tool.name, clients));
            }
            if metadata.results.adds_content && tool.output_schema.is_some() {
                findings.extend(lost_content(&tool.name, clients));
            }
            let is_limited = entry.cursor.is_some() || metadata.budget.is_some() || self.settings().budgets.is_set();
            findings.extend(unbounded(tool, is_limited, clients));
            findings.extend(unpublished_nulls(entry, tool));
        }
        findings.extend(self.lint_questions(clients));
        findings.extend(self.lint_tasks());
        findings.extend(self.lint_shared());
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
    /// let all: usize = dispatcher.costs(&[Client::ClaudeApi]).iter().map(|cost| cost.bytes).sum();
    /// assert!(all < 1_000, "the tools fill the context of the model");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn costs(&self, clients: &[Client]) -> Vec<Cost> {
        clients.iter().flat_map(|&client| self.list_of(client).iter().map(move |tool| cost(client, tool))).collect()
    }

    /// Returns the definitions as this client receives them.
    fn list_of(&self, client: Client) -> &[mcp::Tool] {
        match client {
            Client::McpLegacy => self.list_all_for(ProtocolVersion::V2025_06_18),
            client if is_api(client) => self.list_all(),
            _ => self.list_all_for(ProtocolVersion::LATEST),
        }
    }

    /// Returns `true` if callers differ, but the builder does not say who the caller is.
    ///
    /// Callers differ if the dispatcher has visibility rules, if a tool needs scopes, or if a tool reads what is attached
    /// to a request. If a tool or a rule reads the claims of `http::Bearer`, the claims say who the caller is.
    fn lacks_principal(&self) -> bool {
        let has_callers = self.has_rules() || self.entries().iter().any(|entry| entry.metadata.depends_on_caller());
        has_callers && !self.knows_callers()
    }

    fn knows_callers(&self) -> bool {
        self.reads_claims() || self.settings().ask.principal.is_some()
    }

    /// Returns the findings about what all callers share: limits, and the results of tools with `once`. Each finding
    /// names the first tool that it applies to.
    fn lint_shared(&self) -> impl Iterator<Item = Finding> {
        let once = self.entries().iter().find(|entry| entry.metadata.once.is_some());
        let of_acts = if self.lacks_principal() { Severity::Lost } else { Severity::Advice };
        let limits = "all callers share one limit, because the server does not know who they are";
        let acts = "all callers are one to `once`, because the server does not know who they are: a caller gets the result of another";
        let found = [
            (self.limited_tool(), ("shared-limit", Severity::Advice), limits),
            (once.map(ToolEntry::name), ("shared-once", of_acts), acts),
        ];
        found.into_iter().filter(|_| !self.knows_callers()).filter_map(|(tool, rule, problem)| {
            Some(Finding::new(Reader::Server, tool?, rule, String::new(), problem, NAME_THE_CALLER))
        })
    }

    /// Returns a finding for each tool with the key `task` if the builder has no `tasks`. Otherwise, returns one
    /// finding if nothing binds a task to its caller.
    fn lint_tasks(&self) -> Vec<Finding> {
        let tools = self.entries().iter().filter(|entry| entry.handler.metadata().task.is_some());
        let finding =
            |tool: &str, rule, problem, help| Finding::new(Reader::Server, tool, rule, String::new(), problem, help);
        if !self.has_tasks() {
            let problem = "the key `task` has no effect: the builder has no `tasks`";
            let help = "call `tasks` on the builder, or remove `task`";
            return tools.map(|tool| finding(tool.name(), ("no-tasks", Severity::Advice), problem, help)).collect();
        }
        let problem = "callers differ, and nothing binds a task to its caller: anybody who knows its id can read it";
        let rule = ("no-principal", Severity::Lost);
        let first = tools.take(usize::from(self.lacks_principal()));
        first.map(|tool| finding(tool.name(), rule, problem, NAME_THE_CALLER)).collect()
    }
}

/// Returns `true` for the API of a model, and `false` for a client of the Model Context Protocol.
fn is_api(client: Client) -> bool {
    matches!(client, Client::ClaudeApi | Client::OpenAi | Client::OpenAiStrict | Client::Gemini)
}

/// Returns the findings about a tool with `text = off`: one for each client of the protocol that may need the text.
///
/// The specification asks for text in addition to a structured value ("SHOULD"), because versions before 2025-06-18
/// have no structured values. Claude Code shows its model the value. What VS Code and Cursor show was not checked, so
/// their findings have the severity [`Severity::Advice`].
fn no_text(tool: &str, clients: &[Client]) -> impl Iterator<Item = Finding> {
    clients.iter().filter(|client| !is_api(**client) && **client != Client::ClaudeCode).map(move |client| {
        let severity = if *client == Client::McpLegacy { Severity::Lost } else { Severity::Advice };
        let problem = "`text = off` leaves the result without text, and a client that reads only text shows nothing";
        let help = "remove `text = off`, unless you know that your clients read structured values";
        Finding::new(Reader::Client(*client), tool, ("no-text", severity), String::new(), problem, help).with_source(
            "https://modelcontextprotocol.io/specification/2025-06-18/server/tools#structured-content",
            "2025-06-18",
        )
    })
}

/// For a tool with content beside its structured value: returns a finding if one of the clients shows its model only
/// the value.
fn lost_content(tool: &str, clients: &[Client]) -> Option<Finding> {
    let client = clients.iter().find(|client| **client == Client::ClaudeCode)?;
    let problem = "the client shows its model the structured value alone: the text of `text`, and blocks beside the value, are lost";
    let help = "put what a model must read into the value, or write `output = off` and send only blocks";
    let rule = ("lost-content", Severity::Lost);
    let finding = Finding::new(Reader::Client(*client), tool, rule, String::new(), problem, help);
    Some(finding.with_source("https://github.com/anthropics/claude-code/issues/79944", "2026-09-22"))
}

/// Returns a finding if Claude Code is among the clients, and the result has a list of any length. If `is_limited` is
/// `true`, something else limits the size of the result, so the function returns `None`.
fn unbounded(tool: &mcp::Tool, is_limited: bool, clients: &[Client]) -> Option<Finding> {
    let place = place_of_list(tool.output_schema.as_ref().filter(|_| !is_limited)?)?;
    let limit = LIMITS.iter().find(|limit| limit.client == "claude-code")?;
    let client = clients.iter().find(|client| **client == Client::ClaudeCode)?;
    let problem =
        format!("the list may have any length, and the client refuses a result of more than {} tokens", limit.tokens);
    let help = "return a `Paged<…>`, limit the list with `#[schemars(length(max = …))]`, or set a `budget`";
    let rule = ("unbounded-result", Severity::Advice);
    let finding =
        Finding::new(Reader::Client(*client), &tool.name, rule, format!("/outputSchema{place}"), problem, help);
    Some(finding.with_source(limit.source, limit.date))
}

/// Returns the place of a list of any length: the result itself, or a property that is a list of objects. A list of
/// numbers or strings inside an object is usually short.
fn place_of_list(schema: &Value) -> Option<String> {
    let is_list = |schema: &Value| {
        schema["type"] == "array" && schema.get("maxItems").is_none() && schema.get("prefixItems").is_none()
    };
    if is_list(schema) {
        return Some(String::new());
    }
    let mut properties = schema["properties"].as_object().into_iter().flatten();
    let has_objects = |list: &Value| reference::follow(&list["items"], schema)["type"] == "object";
    let found = properties.find(|(_, property)| is_list(property) && has_objects(property));
    found.map(|(name, _)| format!("/properties/{}", escape_token(name)))
}

/// Returns a finding for each field whose description mentions `null`, although its schema does not publish `null`.
fn unpublished_nulls(entry: &ToolEntry, tool: &mcp::Tool) -> Vec<Finding> {
    let is_described = |place: &str| tool.input_schema.pointer(place).is_some_and(describes_null);
    let places = entry.nullable.iter().map(|(place, _)| place).filter(|place| is_described(place));
    let finding = |place: &String| {
        let problem =
            "the description speaks of `null`, which is not published, and which serde by itself reads as absence";
        let help = "if `null` means something else, give a field `Option<Option<T>>` the attribute `#[serde(default, with = \"mcp_tool_runtime::Nullable::<T>\")]`, \
                    and a parameter this type by its own name, not by an alias; otherwise, do not speak of `null`";
        let rule = ("unpublished-null", Severity::Lost);
        Finding::new(Reader::Server, &tool.name, rule, format!("/inputSchema{place}"), problem, help)
    };
    places.map(finding).collect()
}

/// The help of findings about servers that do not know who their callers are.
const NAME_THE_CALLER: &str =
    "call `principal` on the builder with what identifies the caller, unless `http::Bearer` checks the tokens";

/// The size of one tool's definition for one client, in bytes of compact JSON.
///
/// A client of the Model Context Protocol receives the whole definition in `tools/list`. A model API receives only the
/// name, the description and the input schema. One token is about four bytes.
///
/// ```
/// use mcp_tool_runtime::{lint::Client, mcp_tool, tools, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// for cost in dispatcher.costs(&[Client::ClaudeApi, Client::ClaudeCode]) {
///     println!("{}: {} costs {} bytes", cost.client, cost.tool, cost.bytes);
///     assert_eq!(cost.description, "Add two numbers.".len());
///     assert!(cost.bytes > cost.description + cost.input_schema + cost.output_schema);
/// }
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// The client.
    pub client: Client,
    /// The name of the tool.
    pub tool: String,
    /// The size of the whole definition.
    pub bytes: usize,
    /// The size of the tool's description, in bytes of UTF-8.
    pub description: usize,
    /// The size of the input schema.
    pub input_schema: usize,
    /// The size of the output schema, or 0 if the client does not receive it.
    pub output_schema: usize,
}

/// Returns the cost of one tool for a client that receives this definition.
fn cost(client: Client, tool: &mcp::Tool) -> Cost {
    let description = tool.description.as_deref().unwrap_or_default();
    let (bytes, output) = if is_api(client) {
        // The APIs differ mainly in the name of the third property, so measure all of them in the same form.
        let function = json!({ "name": tool.name, "description": description, "input_schema": tool.input_schema });
        (length(&function), None)
    } else {
        (length(tool), tool.output_schema.as_ref())
    };
    Cost {
        client,
        tool: tool.name.clone(),
        bytes,
        description: description.len(),
        input_schema: length(&tool.input_schema),
        output_schema: output.map_or(0, length),
    }
}

fn length(value: &impl Serialize) -> usize {
    serde_json::to_vec(value).unwrap_or_default().len()
}
