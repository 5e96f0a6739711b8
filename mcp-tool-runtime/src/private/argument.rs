//! The traits that the type of a parameter must implement.
//!
//! Generated code requires each of them at one place only, so that a type without it is one compile error.

use serde_json::Value;

use super::{DeserializeOwned, JsonSchema, PhantomData, Schema};

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it (schemars of version 1)",
    note = "help: a type of another crate: turn on its features `serde` and `schemars1`, or convert it from types that have both",
    note = "help: a parameter that no client sends needs `#[mcp_tool(context)]`, `#[mcp_tool(state)]`, `#[mcp_tool(extension)]` or `#[mcp_tool(ask = …)]`"
)]
pub trait ToolArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArgument for T {}

/// A type of an argument that is spelt like an answer of the user.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "an answer of the user needs the key `ask`",
    note = "help: write `#[mcp_tool(ask = \"…\")]` before the parameter, with the question that the user is asked",
    note = "help: a type that the client sends: write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it"
)]
pub trait UnaskedArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> UnaskedArgument for T {}

/// A type that an argument can have whose schema is given by a key of `#[schemars]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: write `#[derive(serde::Deserialize)]` above it; a type of another crate: turn on its feature `serde`, or name a function with `#[serde(deserialize_with = \"…\")]`"
)]
pub trait ReadArgument {
    fn assert() {}
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> ReadArgument for T {}

/// A type of an argument, to find out if it is an `Option`. An inherent constant takes precedence over one of a trait.
pub struct ArgumentType<T>(PhantomData<fn() -> T>);

impl<T> ArgumentType<Option<T>> {
    pub const __MCP_TOOL_IS_OPTION: bool = true;
}

pub trait ProbeRequired {
    const __MCP_TOOL_IS_OPTION: bool = false;
}

impl<T> ProbeRequired for ArgumentType<T> {}

/// Removes a property from the required ones if it is optional.
pub fn set_optional(schema: &mut Schema, property: &str, is_optional: bool) {
    if is_optional && let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name != property);
        if required.is_empty() {
            schema.remove("required");
        }
    }
}

/// Removes the mark that schemars sets on a property whose default it must not publish.
pub fn remove_write_only(schema: &mut Schema, property: &str) {
    let property = schema.get_mut("properties").and_then(|properties| properties.get_mut(property));
    if let Some(property) = property.and_then(Value::as_object_mut) {
        property.shift_remove("writeOnly");
    }
}

/// The target of a parameter that is a reference: the call owns an `Owned`, and the function borrows it.
pub trait BorrowedArgument {
    type Owned;

    fn borrow(owned: &Self::Owned) -> &Self;
}

impl<T> BorrowedArgument for T {
    type Owned = T;

    fn borrow(owned: &T) -> &T {
        owned
    }
}

impl<T> BorrowedArgument for [T] {
    type Owned = Vec<T>;

    fn borrow(owned: &Vec<T>) -> &[T] {
        owned
    }
}

impl BorrowedArgument for str {
    type Owned = String;

    fn borrow(owned: &String) -> &str {
        owned
    }
}

impl BorrowedArgument for std::path::Path {
    type Owned = std::path::PathBuf;

    fn borrow(owned: &std::path::PathBuf) -> &std::path::Path {
        owned
    }
}

/// Borrows the argument of a parameter `Option<&T>`.
pub fn borrow_option<T: BorrowedArgument + ?Sized>(owned: &Option<T::Owned>) -> Option<&T> {
    owned.as_ref().map(T::borrow)
}
