//! What the engines promise, for each database.
//!
//! Each worker is a process, so that it can be killed and suspended: this binary, started again.

mod behaviour;
mod database;
mod figures;
mod once;
mod one_database;
mod worker;
