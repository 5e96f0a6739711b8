//! What the code that the macros write calls. Nothing here is part of the public contract.

#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
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

/// The attribute for methods, for where the author has not imported it.
pub mod attributes {
    pub use mcp_tool_macros::mcp_tool;
}

pub use schemars::{self, JsonSchema, Schema, SchemaGenerator};
pub use serde;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
pub use std::any::type_name;
pub use std::boxed::Box;
pub use std::clone::Clone;
pub use std::convert::{From, Into};
pub use std::default::Default;
pub use std::format;
pub use std::iter::{IntoIterator, Iterator};
pub use std::marker::{Send, Sync};
pub use std::option::Option;
pub use std::result::Result;
pub use std::string::String;
pub use std::string::ToString;
pub use std::sync::Arc;
pub use std::time::Duration;
pub use std::vec::Vec;

pub use crate::Extensions;
pub use crate::mcp::Icon;
pub use crate::mcp::Tool;
pub use crate::tool::metadata::ToolMetadata;
pub use crate::tool::service::{OneBlockWithItsParts, SharedService, ToolService};
pub use crate::tool::state::{Need, States};
pub use crate::{Arguments, BoxFuture, CallContext, IntoToolError, Output, ToolError, ToolHandler};
use crate::{ToolOutput, mcp, schema};

#[cfg(rust_analyzer)]
pub mod keys;
pub mod step;

mod argument;
mod blame;
mod blocking;
mod builder;
mod content;
mod failure;
mod list;
mod parts;
mod probe;
mod result;

pub use argument::{DefaultArgument, Lend, ToolArgument, lend_option};
pub use blame::*;
pub use blocking::blocking;
pub use builder::*;
pub use content::*;
pub use failure::{DisplayedError, FailureOfTool, Milliseconds, masked};
pub use list::{Named, SecondOfOneName, hash, is_first};
pub use parts::*;
pub use probe::*;
pub use result::{DescribedOutput, SentOutput, StructuredOutput, TextOfResult, text_of};

/// A definition as the attribute wrote it down.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'n> {
    pub prefix: &'n str,
    pub name: &'n str,
    pub title: Option<&'n str>,
    pub description: &'n str,
    /// The note of `#[deprecated]`, which may be empty.
    pub deprecated: Option<&'n str>,
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
pub fn define(draft: &Draft<'_>, input: Source<'_, Schema>, output: Source<'_, Option<Schema>>) -> Tool {
    let input = match input {
        Source::Derived(root) => Value::Object(schema::generate::input(root, draft.allow_unknown)),
        Source::Written(schema) => schema,
    };
    let name = format!("{}{}", draft.prefix, draft.name);
    let title = draft.title.map_or_else(|| title_of(&name), str::to_owned);
    let description = match draft.deprecated.map(str::trim) {
        None => draft.description.trim().to_owned(),
        Some("") => format!("[DEPRECATED] {}", draft.description.trim()),
        Some(note) => format!("[DEPRECATED: {note}] {}", draft.description.trim()),
    };
    let mut tool = Tool::new(name, description, input).with_title(title);
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

/// The future of a call, which may move between threads. Where it cannot, the compiler shows the line of the bound.
#[rustfmt::skip]
pub fn boxed<'f, T>(
    // help: put what is not `Send` into a block `{ … }` that ends before `.await`; `drop` alone does not end it
    future: impl Future<Output = T> + Send + 'f, // help: or write `Arc` for `Rc`, and an async lock for one of `std`
) -> BoxFuture<'f, T> {
    Box::pin(future)
}

/// A schema that the author wrote: a function that returns it, or its text.
#[diagnostic::on_unimplemented(
    message = "a schema cannot come from `{Self}`",
    label = "neither a `fn() -> Value` nor a `&str`",
    note = "help: name a function without parameters that returns a `serde_json::Value`, or a constant of JSON text"
)]
pub trait WrittenSchema<Form: ?Sized> {
    fn schema(self) -> Value;
}

impl<F: FnOnce() -> R, R: SchemaOfFunction> WrittenSchema<fn() -> R> for F {
    fn schema(self) -> Value {
        self().into_value()
    }
}

/// What a function returns that gives a schema.
#[diagnostic::on_unimplemented(
    message = "the function returns `{Self}`, and a schema is a `serde_json::Value`",
    label = "does not return a schema",
    note = "help: write a function without parameters that returns a `serde_json::Value`"
)]
pub trait SchemaOfFunction {
    fn into_value(self) -> Value;
}

impl SchemaOfFunction for Value {
    fn into_value(self) -> Value {
        self
    }
}

impl SchemaOfFunction for Schema {
    fn into_value(self) -> Value {
        self.into()
    }
}

impl WrittenSchema<str> for &str {
    /// A text that is not JSON stays a text, which `build` refuses by name.
    fn schema(self) -> Value {
        serde_json::from_str(self).unwrap_or_else(|_| Value::String(self.to_owned()))
    }
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
