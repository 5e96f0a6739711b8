//! Types for the questions that tools ask their users, and [`quote`] for the messages of these questions.
//!
//! Tools ask with the key `ask` of `#[mcp_tool]`. The types for it, such as [`Consent`](crate::Consent) and [`Ask`],
//! are at the root of the crate.

// This module answers two questions: how does a tool ask its user, and how does the answer come back? (feature `ask`)
//
// Generated code runs every question function, and passes the questions to `asking`. The result is all the answers, an
// error, or an `InputRequired` for the client. If the call has an `Asker`, `in_place` uses it to ask one open question
// while the call is running, and then all question functions run again. The call's timeout is paused while the user is
// being asked. `session` holds the replies that arrived with a call, or the `Asker`. `state` is the signed text that
// the client keeps until it sends the answers.
//
// `question` and `answer` contain the types that authors use, `message` writes the text of a question, and `form`
// reduces the schema of a type to the small subset that clients can show as a form. `consent` asks on behalf of a
// dispatcher that wants consent before a tool runs, and `pages_consent` keeps that consent for the next pages of the
// same result.
//
// Imports from `arguments`, `call`, `json`, `mcp`, `output` and `schema`.

pub(crate) mod answer;
pub(crate) mod asker;
pub(crate) mod asking;
pub(crate) mod client;
mod compiled;
pub(crate) mod consent;
pub(crate) mod form;
pub(crate) mod in_place;
pub(crate) mod message;
pub(crate) mod pages_consent;
pub(crate) mod question;
pub(crate) mod responses;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod state;

pub(crate) use answer::{Answer, unavailable};
pub(crate) use asker::BoundedAsker;
pub use asker::{Asker, Reply, Scripted};
pub use client::ClientInfo;
pub(crate) use client::admits_forms;
pub(crate) use compiled::CompiledQuestion;
pub use message::quote;
pub(crate) use question::Ask;
pub use question::Question;
pub use responses::InputRequired;
