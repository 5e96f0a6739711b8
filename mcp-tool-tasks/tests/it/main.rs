//! What the engines promise, for each database.
//!
//! Workers are processes of their own, so that they can be killed and suspended: this binary, started again.

mod behaviour;
mod database;
mod worker;
