//! Questions: what a question function returns, and what an asker gets.

#![allow(missing_docs, reason = "generated code alone calls what has no documentation, and it is hidden")]

use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::answer::{Askable, AskedParameter};
use super::form::{Choice, Form};
use super::message::{self, Message};
use crate::call::add_property;
use crate::{ProtocolVersion, ToolError};

/// A call fails if it still has no valid answer after this many rounds, or after one question was asked in place this
/// many times.
pub(super) const MAX_ROUNDS: u32 = 8;

/// The developer message for a question that changes in every round. No answer to such a question ever counts.
pub(super) const CHANGING: &str = "a sealed question, or one for a `Consent`, was another one in each round; a question about the same \
                        arguments must always be the same: without a time, a random number or a price that changes";

/// The return value of a question function: a question for the user, or an answer that is already known.
///
/// The function runs again in every round of a call, so it must have no side effects.
///
/// ```
/// use mcp_tool_runtime::{Ask, Consent, mcp_tool};
///
/// fn ask_before_a_large_order(amount: &u32) -> Ask<Consent> {
///     if *amount < 100 { Ask::known(Consent) } else { Ask::new(format!("Order {amount} pieces?")) }
/// }
///
/// /// Order pieces.
/// #[mcp_tool]
/// async fn order(amount: u32, #[mcp_tool(ask = ask_before_a_large_order(amount))] _sure: Consent) -> String {
///     format!("{amount} pieces are ordered")
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Ask<T>(pub(super) Decision<T>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision<T> {
    Question(String),
    Choice { message: String, choices: Vec<Choice<T>> },
    Known(T),
}

impl<T> Ask<T> {
    /// Creates a question for the user, with this message.
    ///
    /// Control and bidirectional characters in the message are escaped, but line breaks are not. At most 4,000
    /// characters are shown. Put text that a model wrote into quotes: [`quote`](crate::ask::quote) escapes and shortens
    /// it.
    pub fn new(message: impl Into<String>) -> Self {
        Self::with_message(message::escape_author_text(&message.into()))
    }

    /// Lets the user choose one of these values, which are known only when the tool is called.
    ///
    /// Each option is a value and its title. The client shows the titles, and the answer must be one of the values.
    /// Titles are shortened and escaped like the values in `ask = "…"`. Without any options, the user is not asked: a
    /// parameter of type `T` ends the call with an error, and an [`Answer<T>`](crate::Answer) is `Unavailable`.
    ///
    /// ```
    /// use mcp_tool_runtime::{Ask, mcp_tool};
    ///
    /// struct Calendars(Vec<(String, String)>);
    ///
    /// fn which_calendar(calendars: &Calendars) -> Ask<String> {
    ///     Ask::choose("Which of your calendars?", calendars.0.clone())
    /// }
    ///
    /// /// Add an event.
    /// #[mcp_tool]
    /// async fn add_event(
    ///     title: String,
    ///     #[mcp_tool(ask = which_calendar(calendars))] calendar: String,
    ///     #[mcp_tool(state)] calendars: &Calendars,
    /// ) -> String {
    ///     format!("{title} is in {calendar}")
    /// }
    /// ```
    pub fn choose<V: Into<T>, L: Into<String>>(
        message: impl Into<String>,
        options: impl IntoIterator<Item = (V, L)>,
    ) -> Self
    where
        T: fmt::Display,
    {
        let mut choices: Vec<Choice<T>> = Vec::new();
        for (value, title) in options {
            let value = value.into();
            let (text, title) = (value.to_string(), Message::shown(&title.into()));
            if choices.iter().all(|choice| choice.text != text) {
                choices.push(Choice { value, text, title });
            }
        }
        let message = message::bounded(message::escape_author_text(&message.into()));
        Self(Decision::Choice { message, choices })
    }

    /// Skips the question, because the answer is already known.
    pub const fn known(value: T) -> Self {
        Self(Decision::Known(value))
    }

    /// Creates a question whose message is already escaped.
    pub(crate) fn with_message(message: String) -> Self {
        Self(Decision::Question(message::bounded(message)))
    }
}

/// A type that the expression in `ask = path(…)` can have: a question, or a `Result` with one.
#[diagnostic::on_unimplemented(
    message = "the function of `ask` returns `{Self}`, and the parameter needs a question for `{T}`",
    label = "not `Ask<{T}>`",
    note = "help: return `Ask<{T}>` or `Result<Ask<{T}>, E>`; write `.await` after the call of an async function"
)]
pub trait QuestionFor<T> {
    fn into_ask(self) -> Ask<T>;
}

impl<T> QuestionFor<T> for Ask<T> {
    fn into_ask(self) -> Self {
        self
    }
}

/// A question with its message, as an [`Asker`](crate::ask::Asker) receives it.
#[derive(Debug, Clone)]
pub struct Question {
    pub(super) tool: Arc<str>,
    pub(super) key: &'static str,
    /// Whether the answer is a [`Consent`](crate::Consent).
    pub(crate) is_consent: bool,
    pub(super) message: String,
    pub(super) form: Arc<Form>,
}

impl Question {
    /// Returns the name of the tool that asks.
    pub fn tool_name(&self) -> &str {
        &self.tool
    }

    /// Returns the key of the question: the name of the parameter that it is for.
    pub fn key(&self) -> &str {
        self.key
    }

    /// Returns the text for the user.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the schema of the form: an object with the properties that the user fills in.
    pub fn schema(&self) -> &Value {
        self.form.schema()
    }

    /// Returns the `params` of `elicitation/create` for a protocol version, or `None` if that version cannot express
    /// the form.
    pub(crate) fn params(&self, version: ProtocolVersion) -> Option<Value> {
        let schema = self.form.schema_for(version)?;
        let mut params = json!({});
        add_property(&mut params, "mode", (version > ProtocolVersion::V2025_06_18).then_some("form"));
        params["message"] = self.message.as_str().into();
        params["requestedSchema"] = schema.clone();
        Some(params)
    }
}

/// A question as it is known before any call: `#[mcp_tool]` creates one at compile time for each asked parameter, and a
/// dispatcher creates one for its own question.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct QuestionSpec {
    pub(crate) key: &'static str,
    pub(crate) is_consent: bool,
    /// Whether the tool can run without an answer.
    pub(crate) is_optional: bool,
    pub(crate) is_sealed: bool,
    /// The title for the only property of the form, if the author has set one.
    pub(super) title: Option<&'static str>,
    /// The names of the arguments that the text of the question shows without quotes.
    pub(crate) unquoted: &'static [&'static str],
    /// The function that returns the schema of an object whose only property is named after the key.
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
}

impl QuestionSpec {
    /// Creates the question with this key. Its form is read into `W`, a struct with a single field.
    pub const fn new<P: AskedParameter, W: JsonSchema>(key: &'static str, is_sealed: bool) -> Self {
        let is_consent = <P::Inner as Askable>::IS_CONSENT;
        Self {
            key,
            is_consent,
            is_optional: P::DECIDES,
            is_sealed: is_sealed || is_consent,
            title: None,
            unquoted: &[],
            schema: W::json_schema,
        }
    }

    pub const fn with_title(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }

    pub const fn with_unquoted(self, arguments: &'static [&'static str]) -> Self {
        Self { unquoted: arguments, ..self }
    }
}

/// Appends to the message of a question what was wrong with the last answer. The web page of the HTTP server finds that
/// part of the message by its first line (`questions.js`).
pub(super) fn with_problem(mut question: Question, problem: Option<&str>) -> Question {
    if let Some(problem) = problem {
        question.message.push_str("\n\nThe last answer was not valid:\n");
        question.message.push_str(problem);
    }
    question
}

pub(super) fn too_many_rounds(question: &Question) -> ToolError {
    let message = format!("the user gave no valid answer in {MAX_ROUNDS} rounds: {}", question.message);
    ToolError::new(message).with_code("invalid_answer")
}
