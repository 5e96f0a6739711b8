//! Checks documents against schemas.
//!
//! - [`dialect`] checks that a schema is valid JSON Schema; [`compile`] turns it into the [`node`]s of a [`checker`], while a
//!   dispatcher is built; [`compiler`] compiles each distinct schema once.
//! - [`accept`] decides if a document is valid, in one pass over it. It uses [`types`], [`number`], [`equality`], [`object`],
//!   [`pattern`], [`formats`] and [`unevaluated`].
//! - [`errors`] collects what is wrong with a document that is not valid; [`messages`] turns that into violations for a model, and
//!   [`branches`] does so for unions. [`descend`] finds the violations where collecting all errors would be too expensive.
//!
//! The crate `jsonschema` did this before. It is generic over the representation of documents, so it was compiled for ours and for
//! `serde_json::Value`. In a program that does nothing else, it costs 62 CPU seconds to build and 6.1 MiB; `regex` with the features
//! that are used here costs 6.5 CPU seconds and 0.8 MiB. This module has 3,200 lines besides tests; with `jsonschema` it had 840. It must decide like
//! `jsonschema`: `schema/tests/differential.rs` compares the two, and the agreement test compares the dispatcher with `jsonschema` and
//! Ajv. To measure again, build a program with one call of each crate, with `cargo build` from an empty target directory and with
//! `cargo build --release` and `strip = true`.

use std::sync::OnceLock;

use serde_json::Value;

use self::accept::Memo;
use self::checker::{Checker, ROOT};
use self::errors::Collector;
use crate::document::path::Path;
use crate::document::tape::View;
use crate::document::violation::Violation;

mod accept;
mod branches;
mod checker;
mod compile;
mod compiler;
mod descend;
mod dialect;
mod equality;
mod errors;
mod formats;
mod messages;
mod node;
mod number;
mod object;
mod pattern;
mod types;
mod unevaluated;

pub(crate) use compiler::SchemaCompiler;

/// A schema that is compiled to check documents.
#[derive(Debug)]
pub(crate) struct CompiledSchema {
    checker: Checker,
    /// Computed when a document is first refused.
    unions_may_recurse: OnceLock<bool>,
}

/// The number of slots from which a document counts as large.
const LARGE_DOCUMENT: usize = 512;

impl CompiledSchema {
    /// Compiles a schema.
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        Ok(Self { checker: compile::compile(schema)?, unions_may_recurse: OnceLock::new() })
    }

    /// Returns `true` if the schema accepts the document.
    pub(crate) fn accepts(&self, document: View<'_>) -> bool {
        self.checker.accepts(ROOT, document, &mut Memo::default())
    }

    /// Returns the violations of the schema in a document.
    ///
    /// `schema` must be the schema that was compiled. Its property names are suggested for unknown names.
    pub(crate) fn violations(&self, document: View<'_>, schema: &Value) -> Vec<Violation> {
        if self.accepts(document) {
            return Vec::new();
        }
        let may_recurse = *self.unions_may_recurse.get_or_init(|| descend::unions_may_recurse(schema));
        if may_recurse || document.slot_count() > LARGE_DOCUMENT {
            return descend::violations(&self.checker, schema, document);
        }
        messages::violations(&Collector::new(&self.checker).collect(ROOT, document, &Path::default()), schema)
    }
}
