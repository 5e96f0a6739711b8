//! Parameters that are not arguments: the call's context, states, extensions, and the user's answers.

use super::{CallContext, DeserializeOwned, Extensions, JsonSchema, Need, States, ToolError, type_name};
use crate::Ask;
use crate::ask::answer::AskedParameter;
use crate::ask::asking::{Asking, unanswered};
use crate::ask::question::{QuestionFor, QuestionSpec};

/// The type that a parameter with `#[mcp_tool(context)]` borrows.
#[diagnostic::on_unimplemented(
    message = "the context of a call is a `CallContext`, and the parameter takes `{Self}`",
    label = "not the context of a call",
    note = "help: write `&mcp_tool_runtime::CallContext`"
)]
pub trait ContextOfCall {
    fn of(cx: &CallContext) -> &Self;
}

impl ContextOfCall for CallContext {
    fn of(cx: &CallContext) -> &Self {
        cx
    }
}

/// The type of a state, a value that is registered with the builder.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a state of tools",
    label = "cannot be shared between calls",
    note = "a state is `Send + Sync + 'static`, since calls on other threads use it at the same time",
    note = "help: put what changes behind a lock (`Mutex`, `RwLock`), and write `Arc` instead of `Rc`"
)]
pub trait StateOfTools: 'static {
    const NEED: Need<States>;

    fn find(cx: &CallContext) -> Option<&Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> StateOfTools for T {
    const NEED: Need<States> = Need::<States>::state::<T>();

    fn find(cx: &CallContext) -> Option<&T> {
        cx.tool.states.get()
    }
}

/// The type of an extension, a value that is attached to a request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an extension of requests",
    label = "cannot be sent between threads with a request",
    note = "an extension is `Send + Sync + 'static`",
    note = "help: put what changes behind a lock (`Mutex`, `RwLock`), and write `Arc` instead of `Rc`"
)]
pub trait ExtensionOfRequests: 'static {
    const NEED: Need<Extensions>;

    fn find(cx: &CallContext) -> Option<&Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> ExtensionOfRequests for T {
    const NEED: Need<Extensions> = Need::<Extensions>::extension::<T>();

    fn find(cx: &CallContext) -> Option<&T> {
        cx.extensions().get()
    }
}

/// Returns a state or an extension, or a masked error if it is missing. It should never be missing: `build` checks the
/// states, and the dispatcher checks the extensions before each call.
pub fn required<T: ?Sized>(found: Option<&T>) -> Result<&T, ToolError> {
    found.ok_or_else(|| ToolError::masked(format!("there is no value of type `{}`", type_name::<T>())))
}

type_markers! {
    /// The type of an asked parameter.
    AskedType<P>
    /// A type that implements [`AskedParameter`].
    AnswerType<P>
    /// A type that does not implement [`AskedParameter`]. The only compile error about it is the one at the parameter.
    NoAnswerType<P>
}

probes! {
    __mcp_tool_asked:
    ProbeAsked<P> -> AnswerType<P>
    ProbeUnaskable<P> -> NoAnswerType<P>
}

impl<P: AskedParameter> ProbeAsked<P> for &AskedType<P> {}
impl<P> ProbeUnaskable<P> for AskedType<P> {}

/// The form is read into the struct `W`, and `field` takes the answer out of it.
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

/// The type of an asked parameter must implement [`AskedParameter`], or else the program does not compile. So these
/// methods never run.
impl<P> NoAnswerType<P> {
    /// Stops the build if a method below is used.
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
