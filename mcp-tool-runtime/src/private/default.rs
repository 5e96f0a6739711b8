//! Defaults of arguments: their values, and their place in the schema.

use serde::Serialize;
use serde_json::Value;

use super::{PhantomData, Schema};

/// A type with a value for an absent argument.
#[diagnostic::on_unimplemented(
    message = "an argument of type `{Self}` has no default",
    label = "does not implement `Default`",
    note = "help: derive `Default` for it, or write `#[serde(default = \"function\")]`"
)]
pub trait DefaultArgument {
    fn default_argument() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> DefaultArgument for T {
    fn default_argument() -> Self {
        Self::default()
    }
}

/// A type that can be created from a default that is a string literal.
#[diagnostic::on_unimplemented(
    message = "the default is a string literal, and `{Self}` cannot be created from one",
    label = "does not implement `From<&str>`",
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

/// The type of a parameter, created from a default of type `D`: the type itself, or the inner type of an `Option`.
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

/// Converts a default of type `T` into JSON if `T` implements `Serialize`. Method resolution decides, as in
/// `probe`.
pub struct DefaultOf<T>(PhantomData<fn() -> T>);

impl<T> DefaultOf<T> {
    pub const fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

pub trait ProbeSerializableDefault<T> {
    fn __mcp_tool_default_json(&self, default: &T) -> Option<Value>;
}

impl<T: Serialize> ProbeSerializableDefault<T> for &DefaultOf<T> {
    fn __mcp_tool_default_json(&self, default: &T) -> Option<Value> {
        serde_json::to_value(default).ok()
    }
}

pub trait ProbeUnserializableDefault<T> {
    fn __mcp_tool_default_json(&self, _: &T) -> Option<Value> {
        None
    }
}

impl<T> ProbeUnserializableDefault<T> for DefaultOf<T> {}

/// Puts the default into the schema of a property, unless it is `null`, which only says that the argument may be absent.
pub fn set_default(schema: &mut Schema, property: &str, default: Option<Value>) {
    if let (Some(property), Some(default)) =
        (property_of(schema, property), default.filter(|default| !default.is_null()))
    {
        property.insert("default".to_owned(), default);
    }
}

/// Names the header that repeats an argument.
pub fn set_header(schema: &mut Schema, property: &str, header: &str) {
    if let Some(property) = property_of(schema, property) {
        property.insert("x-mcp-header".to_owned(), header.into());
    }
}

/// Returns the schema of a property. The schema `true` becomes an object, which can have keywords.
pub(super) fn property_of<'s>(schema: &'s mut Schema, name: &str) -> Option<&'s mut serde_json::Map<String, Value>> {
    let property = schema.get_mut("properties")?.get_mut(name)?;
    if *property == Value::Bool(true) {
        *property = Value::Object(serde_json::Map::new());
    }
    property.as_object_mut()
}
