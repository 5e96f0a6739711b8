//! What of a call a function gets that is no argument, and what the attribute adds to a schema.

use serde::Serialize;
use serde_json::Value;

use super::{CallContext, PhantomData, Schema, ToolError, type_name};

/// A value that was registered with the builder.
pub fn state<T: Send + Sync + 'static>(cx: &CallContext) -> Option<&T> {
    cx.states().get()
}

/// A value that was attached to the request.
pub fn extension<T: Send + Sync + 'static>(cx: &CallContext) -> Option<&T> {
    cx.extensions().get()
}

/// What `build`, or the dispatcher before the call, has looked for and found.
pub fn required<T>(found: Option<&T>) -> Result<&T, ToolError> {
    found.ok_or_else(|| ToolError::masked(format!("there is no value of type `{}`", type_name::<T>())))
}

/// A parameter's type, made of its default: the type itself, or what an `Option` holds.
#[diagnostic::on_unimplemented(
    message = "the default is of type `{D}`, the parameter of type `{Self}`",
    label = "not of the parameter's type"
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
pub const fn with_tokio() {
    panic!("the keys `timeout` and `blocking` need the feature `tokio` of `mcp-tool-runtime`")
}
