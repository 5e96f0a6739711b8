//! What of a call a function gets that is no argument, and what the attribute adds to a schema.

use serde::Serialize;
use serde_json::Value;

use super::{CallContext, Extensions, Need, PhantomData, Schema, States, ToolError, ToolHandler, type_name};

/// Stands for a block of methods that is not there, under the name that it was asked for.
pub struct NoPart<N>(PhantomData<N>);

impl<N> NoPart<N> {
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// The tools of a block of methods that is a part.
#[diagnostic::on_unimplemented(
    message = "no block of this type is the part of that name",
    label = "there is no such part",
    note = "help: write `#[mcp_tools(part = …)]` on the impl block that is meant, or remove the name here"
)]
pub trait ToolsOfPart {
    fn tools(self) -> Vec<Box<dyn ToolHandler>>;
}

impl ToolsOfPart for Vec<Box<dyn ToolHandler>> {
    fn tools(self) -> Vec<Box<dyn ToolHandler>> {
        self
    }
}

/// The type of the call's context.
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

/// What the key `description` names.
#[diagnostic::on_unimplemented(
    message = "the description of a tool is a text, not `{Self}`",
    label = "not a text",
    note = "help: name a `const` of type `&str`, or write the text itself"
)]
pub trait Description<'t> {
    fn text(self) -> &'t str;
}

impl<'t> Description<'t> for &'t str {
    fn text(self) -> &'t str {
        self
    }
}

/// A type of a value that is registered with the builder.
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

/// A type of a value that is attached to a request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an extension of requests",
    label = "cannot go with a request from thread to thread",
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

/// What `build`, or the dispatcher before the call, has looked for and found.
pub fn required<T: ?Sized>(found: Option<&T>) -> Result<&T, ToolError> {
    found.ok_or_else(|| ToolError::masked(format!("there is no value of type `{}`", type_name::<T>())))
}

/// A type that is made of a text, for a default that is written as one.
#[diagnostic::on_unimplemented(
    message = "the default is a text, and a parameter of type `{Self}` cannot be made of one",
    label = "not made of a text",
    note = "help: write a value of the parameter's type"
)]
pub trait FromText {
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> FromText for T {
    fn from_text(text: &'static str) -> T {
        T::from(text)
    }
}

/// A parameter's type, made of its default: the type itself, or what an `Option` holds.
#[diagnostic::on_unimplemented(
    message = "the default is of type `{D}`, the parameter of type `{Self}`",
    label = "not of the parameter's type",
    note = "help: write a value of the parameter's type, or of the type in its `Option`"
)]
pub trait FromDefault<D> {
    fn from_default(default: D) -> Self;
}

impl<T> FromDefault<T> for T {
    fn from_default(default: T) -> T {
        default
    }
}

impl<T> FromDefault<T> for Option<T> {
    fn from_default(default: T) -> Option<T> {
        Some(default)
    }
}

/// The value of a default, for the schema; none for a type that cannot be written.
pub struct Shown<T>(PhantomData<fn() -> T>);

impl<T> Shown<T> {
    pub const fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

pub trait SerializedDefault<T> {
    fn __mcp_tool_shown(&self, default: &T) -> Option<Value>;
}

impl<T: Serialize> SerializedDefault<T> for &Shown<T> {
    fn __mcp_tool_shown(&self, default: &T) -> Option<Value> {
        serde_json::to_value(default).ok().filter(|value| !value.is_null())
    }
}

pub trait HiddenDefault<T> {
    fn __mcp_tool_shown(&self, _: &T) -> Option<Value> {
        None
    }
}

impl<T> HiddenDefault<T> for Shown<T> {}

/// Publishes the default of a property.
pub fn set_default(schema: &mut Schema, property: &str, default: Option<Value>) {
    let property = schema.get_mut("properties").and_then(|properties| properties.get_mut(property));
    if let (Some(property), Some(default)) = (property, default) {
        if let Some(true) = property.as_bool() {
            *property = Value::Object(serde_json::Map::new());
        }
        if let Some(property) = property.as_object_mut() {
            property.insert("default".to_owned(), default);
        }
    }
}

/// Whether the keys `timeout` and `blocking` can be used; a constant, so that the answer comes while compiling.
#[cfg(feature = "tokio")]
pub const fn with_tokio() {}

/// Whether the keys `timeout` and `blocking` can be used; a constant, so that the answer comes while compiling.
#[cfg(not(feature = "tokio"))]
#[allow(clippy::missing_panics_doc, reason = "while compiling")]
pub const fn with_tokio() {
    panic!(
        "the keys `timeout` and `blocking` need the feature `tokio` of `mcp-tool-runtime`\n\
         help: add it to the dependency: `features = [\"tokio\"]`"
    )
}
