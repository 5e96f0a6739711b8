//! Calls by tools: errors for programs, nested calls, results of other services.

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
mod text_off;
