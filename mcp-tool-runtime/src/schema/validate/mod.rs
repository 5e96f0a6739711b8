//! Checks documents against schemas with the crate `jsonschema`.
//!
//! - [`compiler`] compiles each schema once, while a dispatcher is built.
//! - [`adapter`] lets `jsonschema` read a document from its tape, so that a call does not build a `serde_json::Value`.
//! - [`messages`] turns the errors of `jsonschema` into violations for a model. [`branches`] does this for unions.
//! - [`descend`] finds violations of schemas for which collecting all errors of `jsonschema` would be too expensive.

use std::sync::{Arc, OnceLock};

use jsonschema::{PatternOptions, Retrieve, ValidationError, ValidationOptions, Validator, ValidatorMap};
use serde_json::Value;

use self::adapter::TapeJson;
use crate::document::tape::View;
use crate::document::violation::Violation;

mod adapter;
mod branches;
mod compiler;
mod descend;
mod messages;

pub(crate) use compiler::SchemaCompiler;

/// A schema that is compiled to check documents.
#[derive(Debug)]
pub(crate) struct CompiledSchema {
    validator: Validator<TapeJson>,
    /// A validator for each subschema, for [`descend`]. Compiled when a document first needs it, which is rare.
    subschemas: OnceLock<Option<ValidatorMap<TapeJson>>>,
    /// Computed when a document is first refused.
    unions_may_recurse: OnceLock<bool>,
}

/// Formats are asserted, no remote schema is fetched, and patterns run in linear time.
fn options<'s>() -> ValidationOptions<'s, Arc<dyn Retrieve>, TapeJson> {
    jsonschema::options_for::<TapeJson>()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex())
        .offline()
}

/// The number of slots from which a document counts as large.
const LARGE_DOCUMENT: usize = 512;

impl CompiledSchema {
    /// Compiles a schema.
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        let message = |error: ValidationError<'_>| format!("{error} (at `{}`)", error.instance_path());
        let validator = options().build(schema).map_err(message)?;
        Ok(Self { validator, subschemas: OnceLock::new(), unions_may_recurse: OnceLock::new() })
    }

    /// Returns `true` if the schema accepts the document.
    pub(crate) fn accepts(&self, document: View<'_>) -> bool {
        self.validator.is_valid(document)
    }

    /// Returns the violations of the schema in a document.
    ///
    /// `schema` must be the schema that was compiled. Its property names are suggested for unknown names.
    pub(crate) fn violations(&self, document: View<'_>, schema: &Value) -> Vec<Violation> {
        if self.accepts(document) {
            return Vec::new();
        }
        let may_recurse = *self.unions_may_recurse.get_or_init(|| descend::unions_may_recurse(schema));
        let is_expensive = may_recurse || document.slot_count() > LARGE_DOCUMENT;
        // Compiling the subschemas succeeds for every schema that compiled as a whole.
        let subschemas = || self.subschemas.get_or_init(|| options().build_map(schema).ok()).as_ref();
        match is_expensive.then(subschemas).flatten() {
            Some(subschemas) => descend::violations(subschemas, schema, document),
            None => messages::violations(self.validator.iter_errors(document), document, schema),
        }
    }
}
