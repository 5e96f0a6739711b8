//! Parameters that are not arguments: the call's context, states and extensions.

use super::{CallContext, Extensions, Need, States, ToolError, type_name};

/// The type behind the reference of a parameter with `#[mcp_tool(context)]`.
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
        cx.states().get()
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

/// Returns the state or the extension. It is there: `build` has checked the states, and the dispatcher has checked the
/// extensions before the call.
pub fn required<T: ?Sized>(found: Option<&T>) -> Result<&T, ToolError> {
    found.ok_or_else(|| ToolError::masked(format!("there is no value of type `{}`", type_name::<T>())))
}
