//! A dispatcher attacked from outside: everything that a caller can send, and everything that a tool can return, ends in an answer.

#[path = "../it/run.rs"]
#[expect(dead_code, reason = "the tests of `it` use the rest")]
mod run;

mod battery;
mod before;
mod depth;
mod documents;
mod forged;
mod keys;
mod linear;
mod server;
mod untagged;
