//! Tools that ask their user.

#![allow(
    clippy::unused_self,
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    clippy::unused_async,
    reason = "tools and doubles that show what authors write"
)]

mod choices;
mod consent_first;
mod contract;
mod forgery;
mod forms;
mod in_place;
mod layers;
mod messages;
mod reports;
mod rmcp_client;
mod rounds;
mod signatures;
pub(crate) mod spans;
pub(crate) mod tools;
mod transports;
mod waiting;
