//! The library from outside, as its users see it: one module for each room of `mcp-tool-runtime/src`.
//!
//! All modules are one binary, because linking takes most of the time. A test of a rule in `docs/rules.md` begins with the id of the rule.

mod arguments;
mod ask;
mod call;
mod cli;
mod compile_errors;
mod dispatcher;
mod export;
mod hostile;
mod lint;
mod listing;
mod mcp;
mod operations;
mod otc;
mod output;
mod paging;
mod schema;
mod serve;
mod tasks;
mod tool;

mod one_argument;
mod run;
mod sample_tools;
mod specification;
mod subscribers;
mod wait;
mod wire;
