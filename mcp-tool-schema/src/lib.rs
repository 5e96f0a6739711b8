#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

use std::fmt;

use serde_json::Value;

pub mod accepted;
pub mod branch;
pub mod json;
pub mod pattern;
pub mod reference;
mod validate;
pub mod walk;

#[cfg(test)]
mod tests;

pub use json::path::{Path, Step};
pub use json::violation::Violation;
pub use validate::Validator;

use json::violation::MAX_LISTED;

/// The keyword that lets a property be `null` although the rest of its schema refuses `null`.
///
/// ```
/// use mcp_tool_schema::{NULLABLE, Schema};
/// use serde_json::json;
///
/// let schema = Schema::compile(&json!({ "properties": { "due": { "type": "string", NULLABLE: true } } }))?;
/// assert!(schema.check(&json!({ "due": null })).is_ok());
/// # Ok::<(), mcp_tool_schema::SchemaError>(())
/// ```
pub const NULLABLE: &str = "x-mcp-tool-nullable";

/// A JSON Schema, compiled to check documents.
///
/// ```
/// use mcp_tool_schema::Schema;
/// use serde_json::json;
///
/// let schema = Schema::compile(&json!({
///     "type": "object",
///     "properties": { "limit": { "type": "integer", "maximum": 50 } },
///     "additionalProperties": false
/// }))?;
/// assert!(schema.check(&json!({ "limit": 20 })).is_ok());
///
/// let violations = schema.check_text(r#"{ "limit": 80, "ofset": 1 }"#).expect_err("two mistakes");
/// assert_eq!(violations.to_string(), "limit: expected 50 or less\nofset: not known");
/// # Ok::<(), mcp_tool_schema::SchemaError>(())
/// ```
///
/// It owns a copy of the schema, which the messages need. A program that keeps the schema anyway can use a
/// [`Validator`].
#[derive(Debug)]
pub struct Schema {
    source: Value,
    validator: Validator,
}

impl Schema {
    /// Compiles a schema in the 2020-12 dialect, or in draft 7 if its `$schema` says so. With the feature `jsonschema`,
    /// the `$schema` may also name another dialect.
    ///
    /// # Errors
    ///
    /// The schema is not valid, or this crate does not support it. The error says what is wrong with it, and where.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        Ok(Self { validator: Validator::compile(schema)?, source: schema.clone() })
    }

    /// Checks a value against the schema.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the value, up to 33 mistakes.
    pub fn check(&self, value: &Value) -> Result<(), Violations> {
        let document = json::reader::read_value(value)?;
        Violations::none_of(self.validator.violations(document.root(), &self.source))
    }

    /// Checks JSON text against the schema. A key that appears twice in an object is a violation too.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the text, up to 33 mistakes.
    pub fn check_text(&self, json: &str) -> Result<(), Violations> {
        let document = json::reader::read_text(json)?;
        Violations::none_of(self.validator.violations(document.root(), &self.source))
    }

    /// Returns the schema that was compiled.
    pub fn source(&self) -> &Value {
        &self.source
    }
}

/// Why a schema cannot be compiled.
///
/// ```
/// use mcp_tool_schema::Schema;
/// use serde_json::json;
///
/// let error = Schema::compile(&json!({ "properties": { "a": { "type": "text" } } })).expect_err("no such type");
/// let message = "`type` must be a type, such as \"string\", or a list of different types (at `/properties/a/type`)";
/// assert_eq!(error.to_string(), message);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SchemaError {}

/// What is wrong with a document: one or more violations. The displayed text has a line for each of the first 32
/// violations.
///
/// ```
/// use mcp_tool_schema::Schema;
/// use serde_json::json;
///
/// let schema = Schema::compile(&json!({ "items": { "enum": ["red", "green"] } }))?;
/// let violations = schema.check(&json!(["red", "blue"])).expect_err("a color that is not listed");
/// let [violation] = violations.as_slice() else { panic!("one mistake") };
/// assert_eq!(violation.path.to_string(), "[1]");
/// assert_eq!(violation.message, "expected one of \"red\", \"green\", got another string");
/// # Ok::<(), mcp_tool_schema::SchemaError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    fn none_of(found: Vec<Violation>) -> Result<(), Self> {
        if found.is_empty() { Ok(()) } else { Err(Self(found)) }
    }

    /// Returns the violations. There are at most 33, because the search stops once it has found that many.
    pub fn as_slice(&self) -> &[Violation] {
        &self.0
    }
}

impl From<Violation> for Violations {
    fn from(only: Violation) -> Self {
        Self(vec![only])
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, violation) in self.0.iter().take(MAX_LISTED).enumerate() {
            write!(f, "{}{violation}", if at > 0 { "\n" } else { "" })?;
        }
        if self.0.len() > MAX_LISTED { f.write_str("\nand more") } else { Ok(()) }
    }
}

impl std::error::Error for Violations {}
