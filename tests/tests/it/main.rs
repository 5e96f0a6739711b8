//! A dispatcher from outside: what it lists, what it answers, what it refuses. Each test is named for the rule it holds.
//!
//! One binary, since linking is what costs time here; `tests/README.md` says which module holds what.

mod run;
mod zoo;

mod arguments;
mod attributes;
mod build_errors;
mod call_ids;
mod conformance;
mod content;
mod definitions;
mod errors;
mod fixtures;
mod hostile;
mod open_tool_calling;
mod optional;
mod panics;
mod parameters;
mod projection;
mod requests;
mod responses;
mod results;
mod schemas;
mod settings;
mod truth;
mod values;
