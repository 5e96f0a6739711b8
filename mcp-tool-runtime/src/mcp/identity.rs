//! How a server introduces itself: its identity, the results of `server/discover` and `initialize`, and the hints in
//! its definitions for some clients. The identity is the same in every transport, document and command.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::version::supported_versions;
use super::{CacheScope, Tool};
use crate::call::add_property;

/// The name and version of a server, its title and its instructions.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Identity {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    pub(crate) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<String>,
}

impl Identity {
    /// Returns the title, or else the name.
    pub(crate) fn display_name(&self) -> &str {
        self.title.as_ref().unwrap_or(&self.name)
    }
}

pub(crate) const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Returns the entry with the server's identity for the `_meta` of a result. Results have this entry from protocol
/// version 2026-07-28 on. It is JSON text with a comma before it.
pub(crate) fn server_info(identity: &Identity) -> String {
    format!(r#","io.modelcontextprotocol/serverInfo":{}"#, Value::from(info(identity).0))
}

/// Returns the result of `initialize` with the negotiated version.
pub(crate) fn initialize(identity: &Identity, version: &str) -> Vec<u8> {
    let (info, instructions) = info(identity);
    let mut result = json!({ "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": info });
    add_property(&mut result, "instructions", instructions);
    result.to_string().into_bytes()
}

/// Returns the result of `server/discover`.
pub(crate) fn discover(identity: &Identity, (ttl, scope): (Duration, CacheScope), has_tasks: bool) -> Vec<u8> {
    let (info, instructions) = info(identity);
    let mut result = json!({
        "resultType": "complete",
        "supportedVersions": supported_versions(),
        "capabilities": { "tools": {} },
        "ttlMs": u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX),
        "cacheScope": scope,
        "_meta": { "io.modelcontextprotocol/serverInfo": info },
    });
    let extensions = has_tasks.then(|| json!({ TASKS_EXTENSION: {} }));
    add_property(&mut result["capabilities"], "extensions", extensions);
    add_property(&mut result, "instructions", instructions);
    result.to_string().into_bytes()
}

/// Returns the object with the server's name, title and version, and separately its instructions.
fn info(identity: &Identity) -> (Map<String, Value>, Option<Value>) {
    // Serializing strings cannot fail.
    let Ok(Value::Object(mut info)) = serde_json::to_value(identity) else { return Default::default() };
    let instructions = info.shift_remove("instructions");
    (info, instructions)
}

// Claude Code reads these keys in `_meta`, according to <https://code.claude.com/docs/en/mcp> and version 2.1.330 of
// its package, both read on 2026-11-29. Other clients ignore them.

/// The key whose value `true` tells the client to load the tool at the start of each session, without a tool search.
pub(crate) const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";
/// The key for words by which the client's tool search finds the tool.
pub(crate) const SEARCH_HINT: &str = "anthropic/searchHint";
/// The key for the number of characters that a result may have before the client moves it into a file.
const MAX_RESULT_SIZE_CHARS: &str = "anthropic/maxResultSizeChars";
/// The maximum value of `anthropic/maxResultSizeChars`. The client reduces a larger value to this one.
const MOST_CHARACTERS: u64 = 500_000;

/// Hints about all tools for the clients that read them. [`client_hints`](crate::DispatcherBuilder::client_hints) sets
/// them.
///
/// ```
/// use mcp_tool_runtime::{mcp, mcp_tool, tools, Dispatcher, Paged};
///
/// /// List prime numbers.
/// #[mcp_tool(read_only_hint, budget = 30_000)]
/// async fn list_primes(below: u32) -> Paged<u32> {
///     Paged::new((2..below).filter(|number| (2..*number).all(|factor| number % factor != 0)))
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![list_primes]).client_hints(mcp::ClientHints::sizes()).build()?;
/// assert_eq!(dispatcher.list()[0].meta["anthropic/maxResultSizeChars"], 100_000);
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "hints are set with `client_hints` of the builder"]
pub struct ClientHints(());

impl ClientHints {
    /// Tells clients how large the results of a tool may be, so that the clients show such results whole. The size is
    /// the tool's budget, or else the budget of all results, converted to characters. A tool without a budget gets no
    /// hint.
    ///
    /// Claude Code reads the size as `anthropic/maxResultSizeChars`, and shows up to 500,000 characters. Without this
    /// hint, it moves results over 50,000 characters into a file. So pages of an [`Excerpt`](crate::Excerpt) or a
    /// [`Paged`](crate::Paged) are kept smaller for Claude Code, whatever their budget is. With this hint, the budget
    /// applies.
    pub const fn sizes() -> Self {
        Self(())
    }

    /// Adds the hint about the size of results to the definition of a tool, if the tool has a budget and its author has
    /// not set the hint.
    #[expect(clippy::unused_self, reason = "there is one kind of hint so far")]
    pub(crate) fn write(self, tool: &mut Tool, budget: Option<u32>) {
        if let Some(tokens) = budget {
            // Ten characters are always estimated at three tokens or more, so a result within the budget has at most
            // `tokens * 10 / 3` characters.
            let characters = (u64::from(tokens) * 10).div_ceil(3).min(MOST_CHARACTERS);
            tool.meta.entry(MAX_RESULT_SIZE_CHARS).or_insert(Value::from(characters));
        }
    }
}
