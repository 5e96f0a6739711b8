//! How do the arguments of a call become values of the author's types?
//!
//! 1. The module `json` reads the arguments as a document.
//! 2. [`nesting`] refuses what would take the type an exponential time to read.
//! 3. [`aliases`] replaces the aliases of parameters by the published names.
//! 4. The dispatcher validates the document against the input schema. Only if that fails, [`coerce`] changes what rule I3
//!    allows, and [`aliases`] excuses the aliases inside types.
//! 5. [`decode`] reads the author's types. A [`type_error`] says what a type refuses. [`messages`] writes it in the terms
//!    of JSON, and [`redact`] removes the values from it.
//!    [`parameters`] reads the arguments of `#[mcp_tool]` one by one.
//! 6. [`violations`] turns everything that is wrong into one error.
//!
//! All of it counts against the timeout of the call ([`deadline`]).
//!
//! Imports from `json`, `schema` and `output`.

pub(crate) mod aliases;
pub(crate) mod coerce;
pub(crate) mod deadline;
mod decode;
mod messages;
pub(crate) mod nesting;
pub(crate) mod parameters;
mod published;
mod redact;
mod type_error;
pub(crate) mod violations;

use serde::de::DeserializeOwned;
use serde_json::Value;
use type_error::TypeError;

use self::coerce::Coercions;
use crate::ToolError;
use crate::json::tape::{Tape, View, property_positions};

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
    schema: &'a Value,
    /// Strings may be coerced too.
    lax: bool,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(tape: &'a Tape<'a>, schema: &'a Value, lax: bool) -> Self {
        Self { tape, schema, lax }
    }

    /// Returns a copy of the document without the properties that a schema does not publish.
    pub(crate) fn published_in(&self, schema: &Value) -> Tape<'a> {
        let schemas = published::schemas_at(schema, &[]);
        self.with_properties(|name| published::publish(&schemas, name))
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

    /// Returns the names of the published arguments.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str())
    }

    /// Returns the same arguments with another document.
    pub(crate) fn with_document<'d>(&self, document: &'d Tape<'d>) -> Arguments<'d>
    where
        'a: 'd,
    {
        Arguments { tape: document, ..*self }
    }

    /// Returns the same arguments under the names of an inner tool.
    pub(crate) fn with_schema(self, schema: &'a Value) -> Self {
        Self { schema, ..self }
    }

    /// Reads the arguments into a type.
    ///
    /// Where the type expects an integer, a number such as `3.0` is accepted too.
    ///
    /// # Errors
    ///
    /// Returns an error if the type refuses an argument. The error is for the model. It contains the path of the first such
    /// argument, but never its value. Reading the arguments counts against the call's timeout: if it is over, the error ends the
    /// call as timed out.
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

    /// Reads the arguments with a function that reads a document.
    ///
    /// serde reads a flattened `Option` as `None` if it refuses a value in it, and from its buffer it refuses `3.0` for an integer. So such a
    /// number is replaced first, if the schema says that it is an integer.
    fn read<T>(&self, read: impl Fn(View<'_>) -> Result<T, TypeError>) -> Result<T, ToolError> {
        let mut document = self.tape.has_integral_float().then(|| self.tape.clone());
        let document = document.take_if(|document| coerce::apply(self.schema, document, Coercions::Floats));
        let arguments = document.as_ref().map_or(*self, |document| self.with_document(document));
        let mut value = None;
        arguments.read_coerced(&mut |root| {
            value = Some(read(root)?);
            Ok(())
        })?;
        Ok(value.expect("the arguments were read without an error"))
    }

    /// Reads the type. If it refuses the document, coerces what the schema refuses, then the value that the type refused, and reads the
    /// type again each time. Stops when the type accepts the document, nothing can be coerced, or the limit of rounds is reached.
    ///
    /// The error is the last violation: those before it were coerced, so they are none. The function is not generic, so that it is
    /// compiled once and not for each tool.
    fn read_coerced(&self, read: &mut dyn FnMut(View<'_>) -> Result<(), TypeError>) -> Result<(), ToolError> {
        let Err(mut error) = read(self.tape.root()) else { return Ok(()) };
        let mut document = self.tape.clone();
        let mut round = 0;
        loop {
            let may_be_of_unit_content = error.may_be_of_unit_content;
            let violation = error.into_violation(document.root());
            let mut has_changed =
                round == 0 && coerce::apply(self.schema, &mut document, Coercions::of_refused(self.lax));
            has_changed |= document.make_integers();
            has_changed |=
                may_be_of_unit_content && coerce::unit_content::remove(&mut document, &violation.path, self.schema);
            has_changed |=
                !has_changed && coerce::coerce(&mut document, std::slice::from_ref(&violation), self.lax, None);
            if !has_changed || round == coerce::TYPE_ROUNDS {
                return Err(violations::invalid_arguments(&[violation]));
            }
            match read(document.root()) {
                Ok(()) => return Ok(()),
                Err(refused) => error = refused,
            }
            round += 1;
        }
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
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.tape.root().to_value()
    }
}
