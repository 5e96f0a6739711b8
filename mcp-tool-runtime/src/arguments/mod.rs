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
//! All of this counts against the timeout of the call.
//!
//! Imports from `json`, `schema` and `output`.

pub(crate) mod aliases;
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
use crate::json::number::Numeral;
use crate::json::tape::{Slot, Tape, View, property_positions};
use crate::output::error_kind::ToolErrorKind;
use crate::schema::normalise::NullablePlace;
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

    /// Returns the arguments in a form that is the same for equal calls: a `null` that means absence is removed, and an
    /// absent property gets its default.
    pub(crate) fn canonical(&self, nullable: &[NullablePlace]) -> Value {
        let mut document = Cow::Borrowed(self.tape);
        if self.tape.slots_from(0).iter().any(|slot| matches!(slot, Slot::Null)) {
            let own_nulls = nullable.iter().filter(|(_, is_absence)| !is_absence);
            coerce::apply(self.schema, own_nulls, document.to_mut(), Coercions::Nulls, None);
        }
        let mut arguments = document.root().to_value();
        fill_defaults(&mut arguments, self.schema, self.schema, 0);
        make_canonical(&mut arguments);
        arguments
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

/// The maximum number of added defaults and union branches around a default. A recursive type could otherwise add
/// defaults without end.
const MAX_INSIDE: usize = 6;

/// Adds the defaults of absent properties to objects at any depth, except defaults of `null`. `inside` says how many
/// added defaults and branches of unions are around the value.
fn fill_defaults(value: &mut Value, schema: &Value, root: &Value, inside: usize) {
    let schema = reference::follow(schema, root);
    for (keyword, inner) in schema.as_object().into_iter().flatten() {
        match (keyword.as_str(), inner, &mut *value) {
            ("oneOf" | "anyOf", Value::Array(branches), value) if inside < MAX_INSIDE => {
                for branch in branches {
                    if is_named(value, reference::follow(branch, root)) {
                        fill_defaults(value, branch, root, inside + 1);
                    }
                }
            }
            ("items", _, Value::Array(elements)) => {
                for element in elements {
                    fill_defaults(element, inner, root, inside);
                }
            }
            ("properties", Value::Object(properties), Value::Object(object)) => {
                for (name, property) in properties {
                    if let Some(value) = object.get_mut(name) {
                        fill_defaults(value, property, root, inside);
                    } else if let Some(default) = property.get("default").filter(|default| !default.is_null())
                        && inside < MAX_INSIDE
                    {
                        let value = object.entry(name).or_insert_with(|| default.clone());
                        fill_defaults(value, property, root, inside + 1);
                    }
                }
            }
            ("additionalProperties", Value::Object(_), Value::Object(object)) => {
                let others = object.iter_mut().filter(|(name, _)| schema["properties"].get(name.as_str()).is_none());
                others.for_each(|(_, value)| fill_defaults(value, inner, root, inside));
            }
            _ => {}
        }
    }
}

/// Returns `true` if `value` names `branch`, a branch of a union: it has all tags of the branch. If the branch has no
/// tags, the value must have the only property that the branch allows and requires.
fn is_named(value: &Value, branch: &Value) -> bool {
    let properties = branch["properties"].as_object();
    let tags: Vec<_> =
        properties.into_iter().flatten().filter_map(|(name, property)| Some((name, property.get("const")?))).collect();
    if !tags.is_empty() {
        return tags.iter().all(|(name, tag)| value.get(name.as_str()) == Some(tag));
    }
    let required = branch["required"].as_array().map(Vec::as_slice);
    let Some([Value::String(name)]) = required else { return false };
    let is_closed = branch["additionalProperties"] == false;
    is_closed && properties.is_some_and(|all| all.len() == 1) && value.get(name).is_some()
}

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

/// Rewrites a value so that equal values become identical: `1.0` becomes `1`, and properties are sorted.
pub(crate) fn make_canonical(value: &mut Value) {
    fn unify_numbers(value: &mut Value) {
        match value {
            Value::Object(properties) => properties.values_mut().for_each(unify_numbers),
            Value::Array(elements) => elements.iter_mut().for_each(unify_numbers),
            Value::Number(number) => {
                if let Some(integer) = Numeral::read(number).and_then(Numeral::to_integer) {
                    *number = integer.to_json();
                }
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    unify_numbers(value);
    value.sort_all_objects();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::json::reader::read_value;

    fn canonical(arguments: &Value, schema: &Value) -> String {
        let document = read_value(arguments).expect("a document");
        Arguments::new(&document, schema).canonical(&[]).to_string()
    }

    #[test]
    fn equal_arguments_are_written_alike() {
        let schema = json!({"properties": {
            "size": {"type": "integer", "default": 3},
            "page": {"type": "object", "properties": {"number": {"type": "number", "default": 1}}},
        }});
        let expected = canonical(&json!({"page": {"number": 1}, "size": 3, "to": [1, {"a": 2, "b": -3}]}), &schema);
        for same in [
            json!({"to": [1.0, {"b": -3.0, "a": 2}], "page": {}}),
            json!({"size": 3.0, "page": {"number": 1.0}, "to": [1e0, {"a": 2, "b": -3}]}),
        ] {
            assert_eq!(canonical(&same, &schema), expected);
        }
        for other in [
            json!({"page": {"number": 1}, "size": 3, "to": [{"a": 2, "b": -3}, 1]}),
            json!({"page": {"number": 1}, "size": 4, "to": [1, {"a": 2, "b": -3}]}),
            json!({"page": {"number": 1}, "size": 3, "to": ["1", {"a": 2, "b": -3}]}),
            json!({"page": {"number": 1}, "size": 3, "to": [1, {"a": 2, "b": -3}], "x": null}),
        ] {
            assert_ne!(canonical(&other, &schema), expected);
        }
    }

    #[test]
    fn defaults_in_maps_and_in_named_variants_are_filled() {
        let size = json!({"type": "integer", "default": 3});
        let with_size = json!({"type": "object", "properties": {"size": size}});
        let schema = json!({"properties": {
            "map": {"type": "object", "additionalProperties": with_size},
            "tagged": {"oneOf": [
                {"properties": {"kind": {"const": "box"}, "size": size}, "required": ["kind"]},
                {"properties": {"kind": {"const": "dot"}}, "required": ["kind"]},
            ]},
            "keyed": {"oneOf": [{"properties": {"box": with_size}, "required": ["box"], "additionalProperties": false}]},
            "untagged": {"anyOf": [with_size, {"type": "object"}]},
        }});
        for (short, long) in [
            (json!({"map": {"a": {}}}), json!({"map": {"a": {"size": 3}}})),
            (json!({"tagged": {"kind": "box"}}), json!({"tagged": {"kind": "box", "size": 3}})),
            (json!({"keyed": {"box": {}}}), json!({"keyed": {"box": {"size": 3}}})),
        ] {
            assert_eq!(canonical(&short, &schema), long.to_string());
        }
        // If a value has no tag, the schema does not say which variant serde takes. The variant `dot` has no defaults.
        for other in [json!({"untagged": {}}), json!({"tagged": {"kind": "dot"}})] {
            assert_eq!(canonical(&other, &schema), other.to_string());
        }
    }

    /// Serde fills in no defaults inside a default.
    #[test]
    fn the_default_of_a_recursive_type_ends() {
        let schema = json!({"properties": {
            "left": {"$ref": "#", "default": {}},
            "right": {"$ref": "#", "default": {}},
        }});
        assert!(canonical(&json!({}), &schema).len() < 10_000);
    }
}
