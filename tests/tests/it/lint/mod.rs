//! Findings for clients, and changes that break clients.

mod changes;
pub(crate) mod contract;
mod findings;
