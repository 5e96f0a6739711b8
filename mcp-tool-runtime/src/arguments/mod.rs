//! Turns the arguments of a call into values of the author's types.
//!
//! 1. The module `json` reads the arguments as a document.
//! 2. [`nesting`] refuses documents that a type would take exponential time to read.
//! 3. [`aliases`] replaces the aliases of parameters with the published names.
//! 4. The dispatcher validates the document against the input schema. If that fails, [`coerce`] makes the changes that
//!    rule I3 allows, and [`aliases`] excuses aliases inside types.
//! 5. [`decode`] deserializes the author's types, and [`parameters`] does so for the parameters of `#[mcp_tool]`, one
//!    by one. [`type_error`] describes in terms of JSON what a type refuses, and [`redact`] removes values from
//!    messages that authors wrote.
//! 6. [`type_error`] puts all mistakes into one error.
//!
//! All of this counts against the timeout of the call. [`canonical`] compares the arguments of two calls.
//!
//! Imports from `json`, `schema` and `output`.

pub(crate) mod aliases;
pub(crate) mod canonical;
pub(crate) mod coerce;
mod decode;
pub(crate) mod nesting;
pub(crate) mod nullable;
pub(crate) mod parameters;
mod redact;
pub(crate) mod type_error;

use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde_json::Value;
use type_error::TypeError;

use self::coerce::Coercions;
use crate::ToolError;
use crate::json::tape::{Tape, View, property_positions};
use crate::output::error_kind::ToolErrorKind;
use crate::schema::reference;
use crate::schema::walk::keyword_or_null;

/// The arguments of one call, checked against the tool's input schema.
///
/// A [`ToolHandler`](crate::ToolHandler) that is written by hand receives them. `#[mcp_tool]` reads them for you.
///
/// ```
/// use mcp_tool_runtime::{json, mcp, Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler, ToolMetadata};
///
/// struct Shout;
///
/// impl ToolHandler for Shout {
///     fn definition(&self) -> mcp::Tool {
///         let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
///         mcp::Tool::new("shout", "Return a text in capitals.", schema)
///     }
///
///     fn metadata(&self) -> ToolMetadata {
///         ToolMetadata::new()
///     }
///
///     fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
///         Box::pin(async move {
///             let text = arguments.to_value()["text"].as_str().unwrap_or_default().to_uppercase();
///             Ok(Output::content(vec![mcp_tool_runtime::Text::new(text).into()]))
///         })
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a> {
    tape: &'a Tape<'a>,
    pub(crate) schema: &'a Value,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(tape: &'a Tape<'a>, schema: &'a Value) -> Self {
        Self { tape, schema }
    }

    /// Returns a copy of the document with only the properties that `schema` publishes, or with all properties if it
    /// accepts arguments of any name.
    pub(crate) fn published_in(&self, schema: &Value) -> Tape<'a> {
        if accepts_any_name(schema) {
            return self.tape.clone();
        }
        let published = published_names(schema);
        self.with_properties(|name| published.contains(name))
    }

    /// Returns a copy of the document with only the properties whose names `is_kept` accepts.
    pub(crate) fn with_properties(&self, is_kept: impl Fn(&str) -> bool) -> Tape<'a> {
        let mut document = self.tape.clone();
        for (key, name, _) in property_positions(self.tape.slots_from(0), 0) {
            if !is_kept(name) {
                document.remove_property(0, key);
            }
        }
        document
    }

    pub(crate) fn root(&self) -> View<'a> {
        self.tape.root()
    }

    /// Returns the names in the `properties` of the input schema.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str())
    }

    /// Returns arguments with another document and the same schema.
    pub(crate) fn with_document<'d>(&self, document: &'d Tape<'d>) -> Arguments<'d>
    where
        'a: 'd,
    {
        Arguments { tape: document, ..*self }
    }

    /// Reads the arguments into a type.
    ///
    /// Where the type expects an integer, a number such as `3.0` is accepted too.
    ///
    /// # Errors
    ///
    /// Returns an error if the type refuses an argument. The error is for the model. It contains the path of the first
    /// such argument, but never its value. Reading the arguments counts against the call's timeout: once the time is
    /// up, the error ends the call as timed out.
    ///
    /// # Examples
    ///
    /// ```
    /// use mcp_tool_runtime::serde::Deserialize;
    /// use mcp_tool_runtime::{Arguments, Output, ToolError};
    ///
    /// #[derive(Deserialize)]
    /// # #[serde(crate = "mcp_tool_runtime::serde")]
    /// struct Sum {
    ///     a: i64,
    ///     b: i64,
    /// }
    ///
    /// fn add(arguments: Arguments<'_>) -> Result<Output, ToolError> {
    ///     let Sum { a, b } = arguments.deserialize()?;
    ///     Output::value(a + b)
    /// }
    /// ```
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        self.read(decode::decode)
    }

    /// Reads the arguments with `read`. If the type refuses them, removes `null`s or replaces numbers such as `3.0`
    /// with `3`, and reads them again.
    ///
    /// serde buffers the value of an untagged enum or a flattened field before it knows the types inside, and then
    /// refuses `3.0` for an integer. A flattened `Option` even becomes `None` without an error. So where the schema
    /// asks for an integer, `3.0` is replaced with `3` first. If the schema accepts anything, the type gets `3.0`
    /// first, and then `3` if it refuses that.
    fn read<T>(&self, read: impl Fn(View<'_>) -> Result<T, TypeError>) -> Result<T, ToolError> {
        let mut document = Cow::Borrowed(self.tape);
        if self.tape.has_integral_float() {
            coerce::apply(self.schema, &[], document.to_mut(), Coercions::Floats, None);
        }
        let mut value = read(document.root());
        let mut attempts = 0;
        while let Err(error) = &value {
            // Remove a `null` only at the path of the error, because another `null` may be meant to clear something. If
            // the type buffers a value, the path ends at that value, and any `null` inside it may be removed. If there
            // is none to remove there, or after `MAX_NULLS` attempts, search the whole document.
            let Some(path) = error.unread() else { break };
            if !coerce::remove_nulls(self.schema, &mut document, (attempts < MAX_NULLS).then_some(&path)) {
                break;
            }
            attempts += 1;
            value = read(document.root());
        }
        if value.is_err() && document.has_integral_float() {
            document.to_mut().make_integers();
            value = read(document.root());
        }
        value.map_err(|error| type_error::invalid_arguments(&[error.into_violation(&document)]))
    }

    /// Returns the arguments as a JSON value, which is always an object.
    ///
    /// ```
    /// use mcp_tool_runtime::{Arguments, Output, ToolError};
    ///
    /// fn echo(arguments: Arguments<'_>) -> Result<Output, ToolError> {
    ///     Output::value(arguments.to_value())
    /// }
    /// ```
    pub fn to_value(&self) -> Value {
        self.tape.root().to_value()
    }
}

/// The maximum number of attempts that remove only the `null` that the type refuses, or the `null`s inside a value that
/// it refuses. After that, all remaining `null`s are removed at once.
const MAX_NULLS: usize = 4;

/// Returns the names of the arguments that an input schema lists.
fn published_names(input_schema: &Value) -> HashSet<&str> {
    let properties = in_place(input_schema).into_iter().map(|schema| keyword_or_null(schema, "properties"));
    properties.filter_map(Value::as_object).flatten().map(|(name, _)| name.as_str()).collect()
}

/// Returns `true` if an input schema accepts arguments that it does not list, because it has an `additionalProperties`
/// or `unevaluatedProperties` other than `false`.
pub(crate) fn accepts_any_name(input_schema: &Value) -> bool {
    in_place(input_schema).into_iter().any(|schema| {
        let others = ["additionalProperties", "unevaluatedProperties"].map(|keyword| schema.get(keyword));
        others.into_iter().flatten().any(|others| *others != false)
    })
}

/// Returns the schemas that may apply to the arguments object as a whole: the input schema, and those that it refers to
/// or combines with `allOf`, `anyOf` or `oneOf`.
fn in_place(input_schema: &Value) -> Vec<&Value> {
    let (mut found, mut seen, mut pending) = (Vec::new(), HashSet::new(), vec![input_schema]);
    while let Some(schema) = pending.pop() {
        if seen.insert(std::ptr::from_ref(schema)) {
            found.push(schema);
            pending.extend(reference::target(schema, input_schema));
            let combined = ["allOf", "anyOf", "oneOf"].map(|keyword| keyword_or_null(schema, keyword).as_array());
            pending.extend(combined.into_iter().flatten().flatten());
        }
    }
    found
}

/// Returns the time on the clock that timeouts use, which a test may have paused.
pub(crate) fn now() -> Instant {
    #[cfg(feature = "tokio")]
    return tokio::time::Instant::now().into_std();
    #[cfg(not(feature = "tokio"))]
    Instant::now()
}

/// Returns an error if the deadline of a call has passed, so that its tool does not start. The check of the arguments
/// never waits, so the call's timer cannot interrupt it, and the deadline may pass meanwhile. The call's timeout
/// replaces this error with its own.
#[inline]
pub(crate) fn check_deadline(deadline: Option<Instant>) -> Result<(), ToolError> {
    match deadline {
        Some(deadline) if now() >= deadline => {
            Err(ToolError::new("timed out before the tool could start").with_kind(ToolErrorKind::Late))
        }
        _ => Ok(()),
    }
}
