//! Checks documents against schemas.
//!
//! - [`dialect`] checks that a schema is valid JSON Schema; [`compile`] turns it into the [`node`]s of a [`checker`], while a
//!   dispatcher is built.
//! - [`accept`] decides if a document is valid. A [`memo`] keeps that linear in the document times the schema. It uses [`number`], [`equality`], [`object`],
//!   [`pattern`], [`formats`] and [`unevaluated`].
//! - [`errors`] collects what is wrong with a document that is not valid; [`messages`] turns that into violations for a model, and
//!   [`branches`] does so for unions. [`descend`] finds the violations where collecting all errors would be too expensive.
//!
//! The crate `jsonschema` did this before. It is generic over the representation of documents, so it was compiled for [`View`] and for
//! `serde_json::Value`. In a program that does nothing else, it costs 62 CPU seconds to build and 6.1 MiB; `regex` with the features
//! that are used here costs 6.5 CPU seconds and 0.8 MiB. This module has 3,900 lines besides tests; with `jsonschema` it had 840. It must decide like
//! `jsonschema`: `schema/tests/differential.rs` compares the two, and the agreement test compares the dispatcher with `jsonschema` and
//! Ajv. To measure again, build a program with one call of each crate, with `cargo build` from an empty target directory and with
//! `cargo build --release` and `strip = true`.

use std::sync::OnceLock;

use serde_json::Value;

use self::checker::{Checker, ROOT};
use self::errors::Collector;
use self::memo::{LargeFloats, Memo};
use crate::json::path::Path;
use crate::json::tape::View;
use crate::json::violation::Violation;

mod accept;
#[cfg(test)]
mod boundaries;
mod branches;
mod checker;
mod compile;
mod descend;
mod dialect;
mod equality;
mod errors;
mod formats;
mod memo;
mod messages;
mod meta_schema;
mod node;
mod number;
mod object;
mod pattern;
#[cfg(test)]
mod steps;
mod unevaluated;

/// A schema that is compiled to check documents.
#[derive(Debug)]
pub(crate) struct CompiledSchema {
    checker: Checker,
    /// Computed when a document is first refused.
    unions_may_recurse: OnceLock<bool>,
}

/// A document with more slots, that is, values and keys, counts as large.
const LARGE_DOCUMENT: usize = 512;

impl CompiledSchema {
    /// Compiles a schema.
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        Ok(Self { checker: compile::compile(schema)?, unions_may_recurse: OnceLock::new() })
    }

    /// Returns `true` if the schema accepts the document.
    pub(crate) fn accepts(&self, document: View<'_>) -> bool {
        matches!(self.check(document), Verdict::Accepted)
    }

    fn check(&self, document: View<'_>) -> Verdict {
        match self.check_reading(document, LargeFloats::Inexact) {
            (Verdict::Accepted, LargeFloats::Found) => self.check_reading(document, LargeFloats::Integers).0,
            (verdict, _) => verdict,
        }
    }

    fn check_reading(&self, document: View<'_>, large_floats: LargeFloats) -> (Verdict, LargeFloats) {
        let mut memo = Memo::new(document).reading(large_floats);
        let verdict = match self.checker.accepts(ROOT, document, &mut memo) {
            _ if memo.is_too_deep() => Verdict::TooDeep,
            true => Verdict::Accepted,
            false => Verdict::Refused(large_floats),
        };
        (verdict, memo.large_floats())
    }

    /// Returns the violations of the schema in a document.
    ///
    /// `schema` must be the schema that was compiled. Its property names are suggested for unknown names.
    pub(crate) fn violations(&self, document: View<'_>, schema: &Value) -> Vec<Violation> {
        let large_floats = match self.check(document) {
            Verdict::Accepted => return Vec::new(),
            Verdict::TooDeep => return vec![too_deep()],
            Verdict::Refused(large_floats) => large_floats,
        };
        let may_recurse = *self.unions_may_recurse.get_or_init(|| descend::unions_may_recurse(schema));
        if !may_recurse && document.slot_count() <= LARGE_DOCUMENT {
            let mut collector = Collector::new(&self.checker, Memo::of_search(document).reading(large_floats));
            let errors = collector.collect(ROOT, document, &Path::default());
            if !collector.is_exhausted() {
                // The search also reads values that the check did not reach. It finds nothing only if these are nested too deeply.
                return if errors.kept.is_empty() { vec![too_deep()] } else { messages::violations(&errors, schema) };
            }
        }
        descend::violations(&self.checker, schema, document, large_floats)
    }
}

/// The result of a check.
enum Verdict {
    Accepted,
    /// Refused by this reading of large floats.
    Refused(LargeFloats),
    /// The document and the schema are nested too deeply together.
    TooDeep,
}

fn too_deep() -> Violation {
    Violation::root("nested too deeply for the published schema")
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use crate::json::reader::read_text;

    /// A chain of `length` links, which leads to arrays of the same. An array must not be empty.
    fn recursive_chain(length: usize, link: impl Fn(Value) -> Value) -> Value {
        let mut definitions = Map::new();
        for at in 0..length {
            definitions.insert(format!("d{at}"), link(json!({"$ref": format!("#/$defs/d{}", at + 1)})));
        }
        let last = json!({"type": ["array", "integer"], "minItems": 1, "items": {"$ref": "#/$defs/d0"}});
        definitions.insert(format!("d{length}"), last);
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    }

    /// Returns the violations, found with 1.5 MiB of stack: three quarters of what a thread has by default.
    fn violations(schema: Value, document: String) -> Vec<String> {
        let check = move || {
            let compiled = CompiledSchema::new(&schema).expect("it compiles");
            let document = read_text(&document).expect("JSON");
            let found = compiled.violations(document.root(), &schema);
            found.into_iter().map(|violation| violation.message).collect()
        };
        let thread = std::thread::Builder::new().stack_size(3 << 19).spawn(check);
        thread.expect("a thread").join().expect("no panic")
    }

    fn nested(depth: usize, innermost: &str, beside: &str) -> String {
        format!("{{\"a\":{}{innermost}{}{beside}}}", "[".repeat(depth), "]".repeat(depth))
    }

    type Link = fn(Value) -> Value;
    const LINKS: [Link; 6] = [
        |next| json!({"allOf": [next]}),
        |next| json!({"anyOf": [next]}),
        |next| json!({"oneOf": [{"const": 7}, next]}),
        |next| json!({"not": {"not": next}}),
        |next| json!({"if": next, "then": next, "else": false}),
        |next| json!({"allOf": [next], "unevaluatedItems": false}),
    ];

    #[test]
    fn deep_values_and_long_chains_do_not_overflow_the_stack() {
        let large = format!(",\"b\":[{}0]", "0,".repeat(LARGE_DOCUMENT));
        for (at, link) in LINKS.into_iter().enumerate() {
            for innermost in ["1", "\"no\"", "[]"] {
                for beside in ["", &large] {
                    let found = violations(recursive_chain(30, link), nested(117, innermost, beside));
                    assert_eq!(found.len(), 1, "{at} {innermost}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn a_document_that_is_too_deep_for_the_check_is_refused_whatever_excludes_it() {
        // Each length ends the check below another number of `not`.
        for length in 20..28 {
            let found = violations(recursive_chain(length, |next| json!({"not": next})), nested(117, "1", ""));
            assert_eq!(found, ["nested too deeply for the published schema"], "{length}");
        }
    }

    #[test]
    fn the_search_for_errors_does_not_overflow_the_stack() {
        let large = format!(",\"b\":[{}0]", "0,".repeat(LARGE_DOCUMENT));
        for link in LINKS {
            let mut schema = recursive_chain(30, link);
            schema["minProperties"] = json!(3);
            // The check ends before the elements, but the search for errors goes on.
            schema["$defs"]["d30"]["minItems"] = json!(2);
            for beside in ["", &large] {
                assert!(!violations(schema.clone(), nested(117, "1", beside)).is_empty());
            }
        }
    }

    #[test]
    fn a_large_float_is_an_integer_wherever_that_refuses_it() {
        let integer = json!({"type": "integer"});
        let large = |property: &Value| {
            let schema = json!({"type": "object", "properties": {"a": property}});
            (violations(schema.clone(), r#"{"a":1e20}"#.to_owned()), violations(schema, r#"{"a":1.5e0}"#.to_owned()))
        };
        let several = "expected exactly one of the published forms, but several match";
        for (property, message) in [
            (json!({"oneOf": [integer, {"type": "number"}]}), Some(several)),
            (json!({"not": integer}), Some("expected a value that the schema does not exclude")),
            (json!({"if": integer, "then": {"maximum": 7}}), Some("expected 7 or less")),
            (json!({"anyOf": [{"oneOf": [integer, {"type": "number"}]}, {"type": "null"}]}), Some(several)),
            (json!({"anyOf": [integer, {"type": "number"}]}), None),
            (json!({"type": "number"}), None),
        ] {
            let (found, small) = large(&property);
            assert_eq!(found, message.into_iter().collect::<Vec<_>>(), "{property}");
            assert_eq!(small, [""; 0], "{property}");
        }
        assert_eq!(large(&integer).0, ["expected an integer, got an integer that 64 bits do not hold"]);
    }

    #[test]
    fn deep_values_of_recursive_types_are_accepted() {
        for link in [LINKS[0], LINKS[1], LINKS[2]] {
            assert_eq!(violations(recursive_chain(2, link), nested(117, "1", "")), [""; 0]);
        }
        let found = violations(recursive_chain(2, LINKS[0]), nested(117, "\"no\"", ""));
        assert!(matches!(found.as_slice(), [only] if !only.contains("too deeply")), "{found:?}");
    }
}
