//! Findings for clients, and changes that break clients.

mod contract;
mod contract_keywords;
mod findings;
