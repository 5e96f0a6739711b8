//! A dispatcher from outside: what it lists, what it answers, what it refuses. Each test is named for the rule it holds.
//!
//! One binary, since linking is what costs time here; `tests/README.md` says which module holds what.

mod carry;
mod run;
mod wait;
mod zoo;

mod aliases;
mod arguments;
mod attributes;
mod bare;
mod blocks;
mod build_errors;
mod call_ids;
mod callers;
mod conformance;
mod content;
mod contract;
mod crowd;
mod definitions;
mod describe;
mod endpoint;
mod errors;
mod failures;
mod fixtures;
mod hostile;
mod keys;
mod lax;
mod layers;
mod lint;
mod messages;
mod mirrors;
mod open_tool_calling;
mod optional;
mod panics;
mod parameters;
mod process;
mod progress;
mod projection;
mod replay;
mod requests;
mod responses;
mod results;
mod running;
mod schemas;
mod sdk;
mod services;
mod settings;
mod spans;
mod states;
mod stdio;
mod streams;
mod table;
mod truth;
mod unions;
mod values;
