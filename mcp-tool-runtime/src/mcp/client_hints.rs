//! What the definition of a tool says to some clients, in `_meta`.
//!
//! The keys and their meaning are those of Claude Code: <https://code.claude.com/docs/en/mcp>, and its package 2.1.330,
//! read on 2026-11-29. Other clients ignore them.

use serde_json::Value;

use super::Tool;

/// `true` if the client loads the tool at the start instead of leaving it to its tool search.
pub(crate) const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";
/// The words that the search compares.
pub(crate) const SEARCH_HINT: &str = "anthropic/searchHint";
/// How many characters a result may have before the client moves it into a file.
const MAX_RESULT_SIZE_CHARS: &str = "anthropic/maxResultSizeChars";
/// The client reduces a larger value to this.
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
    /// Tells clients how large the results of a tool may be, so that they show them whole: the budget of the tool, or
    /// else of all results, in characters. Nothing is said about a tool without a budget.
    ///
    /// Claude Code reads it as `anthropic/maxResultSizeChars`, and shows up to 500,000 characters. Otherwise, it moves
    /// results over 50,000 characters into a file, so pages of an [`Excerpt`](crate::Excerpt) or a
    /// [`Paged`](crate::Paged) are kept smaller for it, whatever their budget is. With this hint, the budget applies.
    pub const fn sizes() -> Self {
        Self(())
    }

    /// Writes the hints of a tool with this budget.
    pub(crate) fn write(self, tool: &mut Tool, budget: Option<u32>) {
        if let Some(tokens) = budget {
            // Ten characters are always estimated at three tokens or more.
            let characters = (u64::from(tokens) * 10).div_ceil(3).min(MOST_CHARACTERS);
            tool.meta.entry(MAX_RESULT_SIZE_CHARS).or_insert(Value::from(characters));
        }
    }
}
