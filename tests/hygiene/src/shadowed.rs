//! A module in which every name of the prelude is shadowed.

#![allow(dead_code, unused_macros)]

use ::mcp_tool_runtime::{mcp_tool, mcp_tools};

use crate::types::{Failure, Place, Unit};

mod alloc {}
mod core {}
mod mcp_tool_runtime {}
mod schemars {}
mod serde {}
mod serde_json {}
mod std {}

struct Box;
struct Err;
struct None;
struct Ok;
struct Option;
struct Result;
struct Some;
struct String;
struct ToolError;
struct Vec;
trait AsRef {}
trait Clone {}
trait Default {}
trait Drop {}
trait Fn {}
trait FnOnce {}
trait From {}
trait Future {}
trait Into {}
trait Iterator {}
trait Send {}
trait Sized {}
trait Sync {}
trait ToString {}

macro_rules! concat {
    ($($tokens:tt)*) => {
        ::std::compile_error!("the author's own macro")
    };
}

macro_rules! format {
    ($($tokens:tt)*) => {
        ::std::compile_error!("the author's own macro")
    };
}

macro_rules! panic {
    ($($tokens:tt)*) => {
        ::std::compile_error!("the author's own macro")
    };
}

macro_rules! unreachable {
    ($($tokens:tt)*) => {
        ::std::compile_error!("the author's own macro")
    };
}

macro_rules! vec {
    ($($tokens:tt)*) => {
        ::std::compile_error!("the author's own macro")
    };
}

/// Every kind of argument.
///
/// # Errors
///
/// When there is no such place.
#[mcp_tool]
pub async fn everything(
    text: &str,
    place: &Place,
    #[serde(default)] unit: Unit,
    #[serde(rename = "all")] list: &[Place],
    maybe: ::std::option::Option<&str>,
    #[serde(flatten)] rest: ::std::collections::BTreeMap<::std::string::String, u8>,
) -> ::std::result::Result<Place, Failure> {
    let _ = (unit, list, rest);
    match maybe {
        ::std::option::Option::Some(_) => ::std::result::Result::Ok(Place { name: text.into() }),
        ::std::option::Option::None => ::std::result::Result::Err(Failure::NoPlace(place.name.clone())),
    }
}

/// Nothing at all.
#[mcp_tool]
pub async fn nothing() {}

/// One parameter is the whole arguments object.
#[mcp_tool(input_schema = schema, output = ::std::string::String, text = words)]
pub async fn whole(#[mcp_tool(arguments)] place: Place) -> ::std::string::String {
    place.name
}

fn schema() -> ::mcp_tool_runtime::serde_json::Value {
    ::mcp_tool_runtime::json!({"type": "object", "properties": {"name": {"type": "string"}}})
}

fn words(name: &str) -> ::std::string::String {
    name.to_uppercase()
}

/// An error in the same module.
#[derive(::std::fmt::Debug, ::mcp_tool_runtime::IntoToolError)]
#[tool_error(retry_after_ms = 5, developer_message = "{code}")]
pub struct Busy {
    /// Its number.
    pub code: u8,
}

impl ::std::fmt::Display for Busy {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str("busy")
    }
}

/// Parameters that are not arguments, and optional ones.
#[mcp_tool(
    icon(src = "https://example.com/icon.png", mime_type = "image/png", sizes = "48x48 any", theme = "light"),
    meta("com.example/key" = "value"),
    meta("com.example/list" = ::mcp_tool_runtime::json!([1]))
)]
pub async fn marked(
    #[mcp_tool(context)] context: &::mcp_tool_runtime::CallContext,
    #[mcp_tool(state)] state: &Place,
    #[mcp_tool(extension)] extension: ::std::option::Option<&u8>,
    #[mcp_tool(default = "there", example = "here", header = "Place")] text: ::std::string::String,
    #[mcp_tool(default = 5)] number: ::std::option::Option<u8>,
    #[mcp_tool(default = "lent")] lent: &str,
) -> ::std::string::String {
    let extension = extension.is_some();
    ::std::format!("{} {} {extension} {text} {number:?} {lent}", context.tool_name(), state.name)
}

/// A service.
pub struct Service {
    /// Its value.
    pub value: u8,
}

#[mcp_tools(prefix = "service_")]
impl Service {
    /// The default value.
    pub const VALUE: u8 = 3;

    /// A method.
    ///
    /// # Errors
    ///
    /// When there is no such place.
    #[mcp_tool(meta("com.example/value" = Self::VALUE))]
    pub async fn method(
        &self,
        #[mcp_tool(state)] state: &Place,
        #[mcp_tool(default = Self::VALUE)] value: u8,
        list: &[Place],
    ) -> ::std::result::Result<u8, Failure> {
        if list.is_empty() {
            return ::std::result::Result::Ok(self.value + value);
        }
        ::std::result::Result::Err(Failure::NoPlace(state.name.clone()))
    }

    /// A shared service.
    #[mcp_tool]
    pub async fn shared(self: ::std::sync::Arc<Self>) -> u8 {
        self.value
    }

    /// A function without a receiver.
    #[mcp_tool]
    pub async fn alone(#[serde(default)] value: u8) -> u8 {
        value
    }
}

/// A service of any type.
pub struct Generic<T>(pub T);

#[mcp_tools(prefix = "generic_")]
impl<T> Generic<T>
where
    T: ::std::marker::Send + ::std::marker::Sync + ::std::fmt::Display + 'static,
{
    /// Its value.
    #[mcp_tool]
    pub async fn shown(&self, #[mcp_tool(default = "!")] end: &str) -> ::std::string::String {
        ::std::format!("{}{end}", self.0)
    }
}

/// Returns all tools.
#[must_use]
pub fn tools() -> ::std::vec::Vec<::std::boxed::Box<dyn ::mcp_tool_runtime::ToolHandler>> {
    ::mcp_tool_runtime::tools![everything, nothing, self::whole, marked]
}
