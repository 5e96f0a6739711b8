//! A dispatcher attacked from outside: everything that a caller can send, and everything that a tool can return, ends in an answer.

mod battery;
mod bytes;
mod deep_results;
mod forged_text;
mod linear_work;
mod slow_checks;
mod unreadable_types;
mod untagged_enums;
