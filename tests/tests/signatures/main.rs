//! Functions as people write them, above all those who come from another library: what their parameters publish.
//!
//! A binary of its own, so that it links fast. The modules `parameters` and `optional` of `it` have the rules.

#![allow(clippy::too_many_arguments, reason = "tools and doubles that show what authors write")]

#[allow(dead_code)]
#[path = "../it/run.rs"]
mod run;

mod docs;
mod examples;
mod names;
mod of_rmcp;
mod optional;
mod parts;
mod presence;
