//! Asks for a parameter with `ask`, unless its type makes this impossible (feature `ask`).

use super::{PhantomData, ToolError, type_markers};
use crate::Ask;
use crate::ask::answer::AskedParameter;
use crate::ask::asking::{Asking, unanswered};
use crate::ask::question::{QuestionFor, QuestionSpec};
use crate::private::{DeserializeOwned, JsonSchema};

type_markers! {
    /// The type of an asked parameter.
    AskedType<P>
    /// A type that a form can be read into.
    AnswerType<P>
    /// Any other type. The only compile error is the one at the parameter (see [`AskedParameter`]).
    NoAnswerType<P>
}

impl<P> AskedType<P> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

pub trait ProbeAsked<P> {
    fn __mcp_tool_asked(&self) -> AnswerType<P>;
}

impl<P: AskedParameter> ProbeAsked<P> for &AskedType<P> {
    fn __mcp_tool_asked(&self) -> AnswerType<P> {
        AnswerType(PhantomData)
    }
}

pub trait ProbeUnaskable<P> {
    fn __mcp_tool_asked(&self) -> NoAnswerType<P>;
}

impl<P> ProbeUnaskable<P> for AskedType<P> {
    fn __mcp_tool_asked(&self) -> NoAnswerType<P> {
        NoAnswerType(PhantomData)
    }
}

/// `W` is the struct that the form is read into, and `field` takes the answer out of it.
impl<P: AskedParameter> AnswerType<P> {
    pub fn spec<W: JsonSchema>(self, key: &'static str, is_sealed: bool, _field: fn(W) -> P::Form) -> QuestionSpec {
        QuestionSpec::new::<P, W>(key, is_sealed)
    }

    pub fn into_ask<Q: QuestionFor<P::Inner>>(self, question: Q) -> Ask<P::Inner> {
        question.into_ask()
    }

    pub fn ask<W: DeserializeOwned>(
        self,
        asking: &mut Asking<'_>,
        index: usize,
        ask: Ask<P::Inner>,
        field: fn(W) -> P::Form,
    ) -> Result<Option<P>, ToolError> {
        asking.ask::<P, W>(index, ask, field)
    }
}

/// What these methods return does not matter: a program with such a type does not compile.
impl<P> NoAnswerType<P> {
    /// Evaluated only if a method below is used.
    const UNSUPPORTED: () = panic!("the answer to a question of this tool cannot be read from a form");

    pub fn spec<W>(self, _: &'static str, _: bool, _: fn(W)) -> QuestionSpec {
        let () = Self::UNSUPPORTED;
        unreachable!()
    }

    pub fn into_ask<Q>(self, _: Q) -> Ask<()> {
        let () = Self::UNSUPPORTED;
        unreachable!()
    }

    pub fn ask<W>(self, _: &mut Asking<'_>, _: usize, _: Ask<()>, _: fn(W)) -> Result<Option<P>, ToolError> {
        let () = Self::UNSUPPORTED;
        Err(unanswered())
    }
}
