//! What the code that the macros write calls. Nothing here is part of the public contract.

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::new_without_default,
    clippy::return_self_not_must_use,
    clippy::unused_self,
    reason = "hidden"
)]

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::Deref;

pub use mcp_tool_macros::__tools;
pub use schemars::{self, JsonSchema, Schema, SchemaGenerator};
pub use serde;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
pub use std::any::type_name;
pub use std::boxed::Box;
pub use std::convert::Into;
pub use std::default::Default;
pub use std::format;
pub use std::option::Option;
pub use std::result::Result;
pub use std::string::String;
pub use std::string::ToString;
pub use std::time::Duration;
pub use std::vec::Vec;

use crate::arguments::lenient::Alias;
pub use crate::mcp::Tool;
pub use crate::{Arguments, BoxFuture, CallContext, IntoToolError, Output, ToolError, ToolHandler};
use crate::{ToolOutput, mcp, schema};

mod list;
mod probe;

pub use list::{Named, hash, is_first};
pub use probe::*;

/// What the attribute knows of a tool beside its definition.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Facts {
    pub(crate) type_name: &'static str,
    pub(crate) hand_written_input: bool,
    pub(crate) hand_written_output: bool,
    pub(crate) root_union: bool,
    pub(crate) aliases: &'static [Alias],
}

impl Facts {
    pub(crate) const fn hand_written(type_name: &'static str) -> Self {
        Self { type_name, hand_written_input: true, hand_written_output: true, root_union: true, aliases: &[] }
    }

    pub const fn derived(type_name: &'static str, root_union: bool, aliases: &'static [Alias]) -> Self {
        Self { type_name, hand_written_input: false, hand_written_output: false, root_union, aliases }
    }

    pub const fn with_hand_written(mut self, input: bool, output: bool) -> Self {
        self.hand_written_input = input;
        self.hand_written_output = output;
        self
    }
}

/// A definition as the attribute wrote it down.
#[derive(Debug, Clone, Copy)]
pub struct Draft {
    pub name: &'static str,
    pub title: Option<&'static str>,
    pub description: &'static str,
    pub read_only_hint: Option<bool>,
    pub destructive_hint: Option<bool>,
    pub idempotent_hint: Option<bool>,
    pub open_world_hint: Option<bool>,
    pub allow_unknown: bool,
}

/// Where a schema comes from.
pub enum Source<'g, S> {
    Derived(&'g mut dyn FnMut(&mut SchemaGenerator) -> S),
    Written(Value),
}

/// Makes the definition. Not generic, so that it is compiled once and not for each tool.
pub fn define(draft: &Draft, input: Source<'_, Schema>, output: Source<'_, Option<Schema>>) -> Tool {
    let input = match input {
        Source::Derived(root) => Value::Object(schema::generate::input(root, draft.allow_unknown)),
        Source::Written(schema) => schema,
    };
    let mut tool = Tool::new(draft.name, draft.description.trim(), input);
    tool.title = Some(draft.title.map_or_else(|| title_of(draft.name), str::to_owned));
    tool.output_schema = match output {
        Source::Derived(root) => schema::generate::output(root),
        Source::Written(schema) => Some(schema),
    };
    let annotations = mcp::ToolAnnotations {
        title: None,
        read_only_hint: draft.read_only_hint,
        destructive_hint: draft.destructive_hint,
        idempotent_hint: draft.idempotent_hint,
        open_world_hint: draft.open_world_hint,
    };
    tool.annotations = (annotations != mcp::ToolAnnotations::default()).then_some(annotations);
    tool
}

/// `get_weather` is shown as `Get Weather`.
fn title_of(name: &str) -> String {
    let mut title = String::with_capacity(name.len());
    for word in name.split(['_', '-', '.']).filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        if !title.is_empty() {
            title.push(' ');
        }
        title.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        title.push_str(letters.as_str());
    }
    if title.is_empty() { name.to_owned() } else { title }
}

/// A schema that the author wrote: a function that returns it, or its text.
pub trait WrittenSchema<Form: ?Sized> {
    fn schema(self) -> Value;
}

impl<F: FnOnce() -> Value> WrittenSchema<fn() -> Value> for F {
    fn schema(self) -> Value {
        self()
    }
}

impl WrittenSchema<str> for &str {
    /// A text that is not JSON stays a text, which `build` refuses by name.
    fn schema(self) -> Value {
        serde_json::from_str(self).unwrap_or_else(|_| Value::String(self.to_owned()))
    }
}

/// A type that an argument is lent as: the call owns `Owned`, the function gets a reference.
pub trait Lend {
    type Owned;

    fn lend(owned: &Self::Owned) -> &Self;
}

impl<T> Lend for T {
    type Owned = T;

    fn lend(owned: &T) -> &T {
        owned
    }
}

impl Lend for str {
    type Owned = String;

    fn lend(owned: &String) -> &str {
        owned
    }
}

impl<T> Lend for [T] {
    type Owned = Vec<T>;

    fn lend(owned: &Vec<T>) -> &[T] {
        owned
    }
}

impl Lend for std::path::Path {
    type Owned = std::path::PathBuf;

    fn lend(owned: &std::path::PathBuf) -> &std::path::Path {
        owned
    }
}

/// A type that an argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "cannot be read from a client's arguments",
    note = "help: derive `serde::Deserialize` and `schemars::JsonSchema` (version 1) for it",
    note = "help: a value that the client does not send is not an argument; an owned type is needed where data is borrowed inside"
)]
pub trait ToolArgument {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArgument for T {}

pub const fn assert_argument<T: ToolArgument>() {}

/// A type that can be the structured value of a result.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "cannot be sent as a structured value",
    note = "help: derive `serde::Serialize` and `schemars::JsonSchema` (version 1) for it, or implement `mcp_tool_runtime::ToolOutput`"
)]
pub trait StructuredOutput {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> StructuredOutput for T {}

/// The masked error of a variant that is `internal`.
pub fn masked(message: String) -> ToolError {
    ToolError::masked(message)
}

/// A number of milliseconds, of any integer type or behind a reference to one.
pub trait Milliseconds {
    fn milliseconds(self) -> u64;
}

macro_rules! milliseconds {
    ($($integer:ty)+) => {$(
        impl Milliseconds for $integer {
            /// Below zero is no time at all.
            fn milliseconds(self) -> u64 {
                u64::try_from(self).unwrap_or(0)
            }
        }
    )+};
}

milliseconds!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl Milliseconds for Duration {
    fn milliseconds(self) -> u64 {
        u64::try_from(self.as_millis()).unwrap_or(u64::MAX)
    }
}

/// A function, or the text that it makes of a value.
pub fn text_of<T: ?Sized>(value: &T, text: impl FnOnce(&T) -> String) -> String {
    text(value)
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn a_title_is_made_of_the_words_of_a_name() {
        assert_eq!(title_of("get_weather"), "Get Weather");
        assert_eq!(title_of("Calculator.Add"), "Calculator Add");
        assert_eq!(title_of("a--b_c.d"), "A B C D");
        assert_eq!(title_of("___"), "___");
    }
}
