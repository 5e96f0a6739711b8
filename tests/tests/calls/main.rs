//! Calls by tools: errors for programs, nested calls, results of other services.

#![allow(clippy::similar_names, clippy::too_many_arguments, reason = "tools and doubles that show what authors write")]

#[allow(dead_code, reason = "shared with the test `it`, which uses more of it")]
#[path = "../it/run.rs"]
mod run;

mod error_data;
mod lenient;
mod lists;
mod nested;
mod of_rmcp;
mod passed_on;
mod requests;
mod return_types_of_rmcp;
mod text_off;
