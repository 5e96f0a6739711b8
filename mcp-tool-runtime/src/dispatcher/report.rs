//! What a dispatcher tells of its tools to those who write them.

use super::Dispatcher;
use crate::checks::contract::Fingerprint;
use crate::checks::lint::{self, is_api};
use crate::{Client, Cost, Finding, ProtocolVersion, mcp};

impl Dispatcher {
    /// What these clients would refuse of the tools, or lose, by what is known of each on a given day.
    ///
    /// One line in a test holds a server to the clients that it is for:
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Client, Dispatcher, Severity};
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
    ///     "Claude API refuses every tool because of `files.read` at /name: the name has `.`; rename the tool"
    /// ));
    /// assert_eq!(findings[1].place(), "/inputSchema/properties/limit");
    /// assert!(findings[1].problem().contains("beyond ±2^53"));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    ///
    /// Choose the clients: no server pleases [all](Client::ALL). What may never matter is
    /// [`Severity::Advice`](crate::Severity::Advice): integers of 64 bits, which clients in JavaScript round beyond ±2^53. A list without advice
    /// is `dispatcher.lint(…).into_iter().filter(|finding| finding.severity() > Severity::Advice)`.
    ///
    /// Without the feature `validate` the constraints that are published and not enforced are found too, for whatever
    /// clients. The limits are data with a source and a date, and change with the versions of this crate.
    #[must_use]
    pub fn lint(&self, clients: &[Client]) -> Vec<Finding> {
        let mut findings = lint::findings(clients, |client| self.list_of(client));
        #[cfg(not(feature = "validate"))]
        findings.extend(lint::not_enforced(self.list()));
        findings.shrink_to_fit();
        findings
    }

    /// What the definition of each tool costs with each of these clients, in bytes.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, tools, Client, Dispatcher};
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
        lint::costs(clients, |client| self.list_of(client))
    }

    /// A few digits that stand for the definition of a tool: the same as long as clients are told the same, in whatever
    /// order, on every machine and in every run. `None` for a tool that there is not.
    ///
    /// ```
    /// # use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
    /// # /// Add two numbers.
    /// # #[mcp_tool]
    /// # async fn add(a: i64, b: i64) -> i64 {
    /// #     a + b
    /// # }
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// let fingerprint = dispatcher.fingerprint("add").unwrap();
    /// assert_eq!(fingerprint.to_string().len(), 32);
    /// assert_eq!(dispatcher.fingerprint("sub"), None);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn fingerprint(&self, tool: &str) -> Option<Fingerprint> {
        let index = self.inner.by_name.get(tool)?;
        self.list().get(*index).map(Fingerprint::of)
    }

    /// The definitions that a client is sent.
    fn list_of(&self, client: Client) -> &[mcp::Tool] {
        match client {
            Client::McpLegacy => self.list_for(ProtocolVersion::V2025_06_18),
            client if is_api(client) => self.list(),
            _ => self.list_for(ProtocolVersion::LATEST),
        }
    }
}
