//! The types of asked parameters, and the errors of a question without an answer.

#![allow(missing_docs, reason = "generated code alone calls what has no documentation, and it is hidden")]

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::ToolError;

/// The user's yes. A tool with a `Consent` parameter runs only if the user has agreed.
///
/// The client shows the question with one required choice. Only an accepted form with `true` counts. If the user
/// declines or closes the question or answers `false`, or if the client cannot ask, the call ends with an error, and
/// the function does not run.
///
/// ```
/// use mcp_tool_runtime::{Consent, mcp_tool};
///
/// /// Delete a note for good.
/// #[mcp_tool(destructive_hint)]
/// async fn delete_note(id: u32, #[mcp_tool(ask = "Delete note {id} for good?")] _sure: Consent) -> String {
///     format!("note {id} is deleted")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// // A unit test calls the function, and gives the consent itself.
/// assert_eq!(delete_note(7, Consent).await, "note 7 is deleted");
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(clippy::exhaustive_structs, reason = "unit tests of tools create it")]
pub struct Consent;

/// The outcome of a question. A tool with a parameter of this type runs even without an answer, and handles a refusal
/// itself. After 8 invalid answers, the call ends with an error.
///
/// With a parameter of type `T` or [`Consent`] instead, a question without an answer ends the call with an error.
///
/// ```
/// use mcp_tool_runtime::{Answer, Consent, mcp_tool};
///
/// /// Book a table.
/// #[mcp_tool]
/// async fn book(
///     #[mcp_tool(ask = "For which day, as in 2026-08-01?")] day: Answer<String>,
///     #[mcp_tool(ask = "Shall we send a reminder?")] remind: Answer<Consent>,
/// ) -> Result<String, String> {
///     let reminder = if let Answer::Given(Consent) = remind { "with a reminder" } else { "without a reminder" };
///     match day {
///         Answer::Given(day) => Ok(format!("booked for {day}, {reminder}")),
///         Answer::Declined | Answer::Cancelled => Err("the user did not choose a day".to_owned()),
///         Answer::Unavailable => Ok(format!("booked for today, {reminder}")),
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums, reason = "a tool must decide about every outcome")]
pub enum Answer<T> {
    /// The user answered.
    Given(T),
    /// The user said no: declined the form, or did not consent.
    Declined,
    /// The user closed the form without an answer.
    Cancelled,
    /// There is no answer, for example because the client cannot show forms, nobody answered in time, or there was
    /// nothing to choose from.
    Unavailable,
}

impl<T> Answer<T> {
    /// Returns the name of the outcome, for the call's span and the code of an error.
    pub(crate) const fn outcome(&self) -> &'static str {
        match self {
            Self::Given(_) => "accepted",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
        }
    }

    /// Returns the error for a call that needs an answer, if its question ended with this outcome instead.
    pub(super) fn error(&self, question: &str) -> ToolError {
        let message = match self {
            Self::Given(_) | Self::Declined => format!("the user declined: {question}"),
            Self::Cancelled => format!("the user closed the question without an answer: {question}"),
            Self::Unavailable => format!("this needs an answer from the user, and this client cannot ask: {question}"),
        };
        ToolError::new(message).with_code(self.outcome())
    }

    /// Returns the answer, if there is one.
    ///
    /// ```
    /// use mcp_tool_runtime::Answer;
    ///
    /// assert_eq!(Answer::Given(3).given(), Some(3));
    /// assert_eq!(Answer::<u8>::Declined.given(), None);
    /// ```
    pub fn given(self) -> Option<T> {
        if let Self::Given(value) = self { Some(value) } else { None }
    }
}

/// The form of a [`Consent`]. It is not public API, because authors could not use it: an answer type of their own with
/// this form would not count as consent.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ConsentForm {
    confirm: bool,
}

/// A type that a form can ask for.
///
/// `Consent` and `Answer` implement neither `Deserialize` nor `JsonSchema`. So the blanket implementation here does not
/// overlap with the implementation for `Consent`, and the blanket implementation of [`AskedParameter`] does not overlap
/// with the implementation for `Answer`.
pub trait Askable: Sized {
    type Form: DeserializeOwned + JsonSchema;
    const IS_CONSENT: bool;

    /// Returns the value that the form holds, or `None` if the user said no inside the form.
    fn from_form(form: Self::Form) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Askable for T {
    type Form = T;
    const IS_CONSENT: bool = false;

    fn from_form(form: T) -> Option<T> {
        Some(form)
    }
}

impl Askable for Consent {
    type Form = ConsentForm;
    const IS_CONSENT: bool = true;

    fn from_form(form: ConsentForm) -> Option<Self> {
        form.confirm.then_some(Self)
    }
}

/// A type that a parameter with `#[mcp_tool(ask = …)]` can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer of a user",
    label = "cannot be read from a form",
    note = "help: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it (schemars of version 1)",
    note = "help: for a yes or no write `Consent`; to decide about a \"no\" in the tool, write `Answer<…>`"
)]
pub trait AskedParameter: Sized {
    /// The type that a question function returns inside [`Ask`](crate::Ask).
    type Inner: Askable<Form = Self::Form>;
    type Form: DeserializeOwned + JsonSchema;
    /// Whether the tool itself decides what a "no" means.
    const DECIDES: bool;

    /// Returns the value of the parameter for this answer.
    ///
    /// # Errors
    ///
    /// Returns the outcome if the parameter needs an answer, and there is none.
    fn from_answer(answer: Answer<Self::Inner>) -> Result<Self, Answer<Self::Inner>>;

    /// Does nothing. Generated code calls this function with the span of the type, so that rustc reports a missing
    /// implementation at the type.
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<A: Askable> AskedParameter for A {
    type Inner = A;
    type Form = A::Form;
    const DECIDES: bool = false;

    fn from_answer(answer: Answer<A>) -> Result<A, Answer<A>> {
        match answer {
            Answer::Given(value) => Ok(value),
            none => Err(none),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<A: Askable> AskedParameter for Answer<A> {
    type Inner = A;
    type Form = A::Form;
    const DECIDES: bool = true;

    fn from_answer(answer: Self) -> Result<Self, Self> {
        Ok(answer)
    }
}

/// Returns the error for a call that needs answers over a protocol that has no questions.
pub(crate) fn unavailable(required: &super::InputRequired) -> ToolError {
    Answer::<()>::Unavailable.error(required.questions().first().map_or("", |question| question.message()))
}
