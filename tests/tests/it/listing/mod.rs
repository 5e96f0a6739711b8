//! Lists: who sees which tools, over every transport, and how a list is written.

mod asked_once;
mod carried;
pub(crate) mod carriers;
mod closed;
mod random_rules;
mod random_rules_elsewhere;
mod random_servers;
mod refused;
mod repeated_lists;
mod rules;
mod scope_challenge;
mod tags_and_scopes;
pub(crate) mod transports;
mod why;
pub(crate) mod wrapped;

use mcp_tool_runtime::listing::HasScopes;

/// What the transport attaches to a caller's requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Caller {
    pub(crate) level: u8,
    pub(crate) scopes: Vec<String>,
}

impl Caller {
    pub(crate) fn with_scopes(scopes: &[&str]) -> Self {
        Self { level: 0, scopes: scopes.iter().map(ToString::to_string).collect() }
    }
}

impl HasScopes for Caller {
    fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|own| own == scope)
    }
}
