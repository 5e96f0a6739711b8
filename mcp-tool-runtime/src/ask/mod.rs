//! Helpers for the messages of questions.
//!
//! Tools ask with the key `ask` of `#[mcp_tool]`. Its types, such as [`Consent`](crate::Consent) and [`Ask`], are at
//! the root of the crate.

// How does a tool ask its user, and how does the answer come back? (feature `ask`)
//
// Generated code drives `asking`: it runs every question function, and ends with all the answers, with an error, or with an
// `InputRequired` for the client. `in_place` asks one open question, and all of them run again. `session` is what one call knows
// about its questions: the replies that arrived, or the `Asker` that answers in place. `state` is the signed text that the client
// holds between two rounds.
//
// `question` and `answer` are the types of the author, `message` writes the text of a question, and `form` turns the schema of a
// type into the small subset that clients show as a form. `waiting` pauses the timeout of a call and gives up its permit while a
// user thinks. `consent_first` asks for a dispatcher that wants a consent before a tool runs.
//
// Imports from `arguments`, `call`, `json`, `mcp`, `output` and `schema`.

pub(crate) mod answer;
pub(crate) mod asker;
pub(crate) mod asking;
mod bounded;
pub(crate) mod client;
mod compiled;
pub(crate) mod consent_first;
mod content;
pub(crate) mod form;
mod in_place;
pub(crate) mod input_required;
pub(crate) mod message;
mod outcome;
pub(crate) mod question;
mod responses;
pub(crate) mod scripted;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod state;
pub(crate) mod waiting;

pub(crate) use answer::Answer;
pub(crate) use asker::{Asker, Reply};
pub(crate) use bounded::BoundedAsker;
pub(crate) use client::ClientInfo;
pub(crate) use client::admits_forms;
pub(crate) use compiled::CompiledQuestion;
pub(crate) use input_required::InputRequired;
pub use message::quote;
pub(crate) use outcome::NoAnswer;
pub(crate) use outcome::unavailable;
pub(crate) use question::{Ask, Question};
