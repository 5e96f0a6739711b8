//! The tools: a ledger for each tenant.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use mcp_tool_runtime::{Consent, IntoToolError, mcp_tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the token of every caller says. Nothing else decides whose ledger a tool reads.
#[derive(Clone, Deserialize)]
pub(crate) struct Caller {
    sub: String,
    pub(crate) tenant: String,
}

/// An entry of a ledger.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Entry {
    text: String,
    cents: i64,
    /// Who booked it.
    user: String,
}

#[derive(Debug, thiserror::Error, IntoToolError)]
pub(crate) enum LedgerError {
    #[error("the ledger is empty: there is nothing to close")]
    Empty,
}

/// The ledgers, by tenant. A tool reaches a ledger only through the tenant of the caller's token.
#[derive(Default)]
pub(crate) struct Ledger {
    entries: Mutex<HashMap<String, Vec<Entry>>>,
}

impl Ledger {
    fn of<R>(&self, caller: &Caller, work: impl FnOnce(&mut Vec<Entry>) -> R) -> R {
        let mut ledgers = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        work(ledgers.entry(caller.tenant.clone()).or_default())
    }
}

#[mcp_tools(open_world_hint = false, timeout = "10s", scopes("ledger:read"))]
impl Ledger {
    /// Read the entries of your ledger.
    #[mcp_tool(read_only_hint)]
    async fn read_entries(&self, #[mcp_tool(extension)] caller: &Caller) -> Vec<Entry> {
        self.of(caller, |entries| entries.clone())
    }

    /// Add an entry to your ledger. Returns the new balance in cents.
    #[mcp_tool(scopes("ledger:write"))]
    async fn add_entry(
        &self,
        /// What it is for.
        #[schemars(length(min = 1, max = 200))]
        text: String,
        /// The amount; negative for an expense.
        cents: i64,
        #[mcp_tool(extension)] caller: &Caller,
    ) -> i64 {
        self.of(caller, |entries| {
            entries.push(Entry { text, cents, user: caller.sub.clone() });
            entries.iter().fold(0_i64, |balance, entry| balance.saturating_add(entry.cents))
        })
    }

    /// Close the month: sum up all entries and remove them.
    #[mcp_tool(destructive_hint, tags("tenant:acme"), scopes("ledger:write"))]
    async fn close_month(
        &self,
        #[mcp_tool(ask = "Close the month, and remove all entries?")] _sure: Consent,
        #[mcp_tool(extension)] caller: &Caller,
    ) -> Result<i64, LedgerError> {
        let entries = self.of(caller, std::mem::take);
        if entries.is_empty() {
            return Err(LedgerError::Empty);
        }
        Ok(entries.iter().fold(0_i64, |balance, entry| balance.saturating_add(entry.cents)))
    }

    /// Export the ledger as lines of text.
    #[mcp_tool(read_only_hint, tags("tenant:globex"))]
    async fn export_lines(&self, #[mcp_tool(extension)] caller: &Caller) -> String {
        self.of(caller, |entries| {
            let lines: Vec<_> = entries.iter().map(|entry| format!("{}\t{}", entry.cents, entry.text)).collect();
            lines.join("\n")
        })
    }
}
