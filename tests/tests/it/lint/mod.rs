//! Findings for clients, and changes that break clients.

mod changes;
mod contract;
mod findings;
