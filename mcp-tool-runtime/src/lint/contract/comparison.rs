//! Checks that one schema, `outer`, accepts every value that another one, `inner`, accepts.
//!
//! The answer is never a wrong yes. Whatever the comparison does not understand, or cannot decide in a bounded number of
//! steps, is a break.
//!
//! This file compares schemas; `keywords` adds the method for one keyword. The two call each other, because the values of
//! keywords contain schemas.

use std::collections::HashSet;

use serde_json::Value;

use super::keywords::joined;
use super::references;
use super::report::{Report, Side};
use crate::schema::accepted::conjunction::{Conjunction, Schema};
use crate::schema::accepted::{Types, is_anything};
use crate::schema::check;

/// The largest number of comparisons of two schemas for one tool.
const MAX_STEPS: usize = 20_000;

/// The largest number of nested comparisons.
const MAX_DEPTH: usize = 200;

/// Keywords that change the meaning of references. They are not supported.
const UNSUPPORTED: [&str; 6] = ["$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "dependencies"];

/// Returns why `outer` does not accept every value that `inner` accepts: the position and the change of each reason.
/// Properties that neither schema describes are ignored.
pub(super) fn breaks(side: Side, inner: &Value, outer: &Value) -> Vec<String> {
    compare(side, inner, outer, false)
}

/// Does the same as [`breaks`]. If `strict` is set, properties that are not described may also be sent.
pub(super) fn compare(side: Side, inner: &Value, outer: &Value, strict: bool) -> Vec<String> {
    if inner == outer {
        return Vec::new();
    }
    let mut comparison = Comparison {
        strict,
        inner,
        outer,
        differing: references::differing(inner, outer),
        assumed: HashSet::new(),
        steps: 0,
        depth: 0,
        report: Report { side, breaks: Vec::new() },
    };
    match [inner, outer].into_iter().find_map(unsupported) {
        Some(keyword) => comparison.report.undecided("", &keyword),
        None => comparison.accept_inside(&Conjunction::of(inner, inner), outer, ""),
    }
    comparison.report.into_breaks()
}

/// Returns a keyword that makes it impossible to compare the whole schema.
fn unsupported(schema: &Value) -> Option<String> {
    let mut found = None;
    crate::schema::walk::visit(schema, &mut |schema| {
        let keyword = UNSUPPORTED.into_iter().find(|keyword| schema.get(*keyword).is_some());
        let dialect = schema.get("$schema").and_then(Value::as_str);
        let dialect = dialect.filter(|dialect| !dialect.contains("2020-12")).map(|_| "$schema");
        let list = schema.get("items").filter(|items| items.is_array()).map(|_| "items");
        let reference = schema.get("$ref").and_then(Value::as_str).filter(|target| !target.starts_with("#/"));
        let reference = reference.map(|_| "$ref");
        if let Some(keyword) = keyword.or(dialect).or(list).or(reference) {
            found = Some(keyword.to_owned());
        }
    });
    found.or_else(|| check::is_endless(schema).then(|| "$ref".to_owned()))
}

pub(super) struct Comparison<'a> {
    pub(super) strict: bool,
    pub(super) inner: &'a Value,
    pub(super) outer: &'a Value,
    /// The references with different targets in the two documents.
    differing: HashSet<&'a str>,
    /// The comparisons that are running or done, by the addresses of the schemas. A comparison that occurs again inside itself
    /// is taken to hold: it is about a smaller value then.
    assumed: HashSet<(Vec<usize>, usize)>,
    steps: usize,
    depth: usize,
    pub(super) report: Report,
}

impl<'a> Comparison<'a> {
    /// Compares two schemas of the same property or element: which values they accept, and which properties they describe.
    pub(super) fn accept_inside(&mut self, inner: &Conjunction<'a>, outer: &'a Value, path: &str) {
        if !self.strict && self.depth <= MAX_DEPTH {
            self.removed_properties(inner, outer, path);
        }
        self.accept(inner, outer, path);
    }

    /// Reports properties that only the old schema describes, if the new one says nothing about such properties: an argument
    /// would be ignored, and a client would not find a part of a result.
    fn removed_properties(&mut self, inner: &Conjunction<'a>, outer: &'a Value, path: &str) {
        let outer = Conjunction::of(outer, self.outer);
        let (then, now, text) = match self.report.side {
            Side::Arguments => (inner, &outer, "it was taken, and would be ignored now"),
            Side::Result => (&outer, inner, "it was described, and is not any more"),
            // The client gets the form with each question, so it does not ask for what is gone.
            Side::Answer => return,
        };
        if !now.types().intersects(Types::OBJECT) {
            return;
        }
        let now = now.with_variants();
        if !now.is_open() {
            return;
        }
        let (described, required) = (now.properties(), then.required());
        for name in then.properties().into_iter().filter(|name| !described.contains(name)) {
            // A required property of a result that is gone is reported as such.
            if self.report.side == Side::Arguments || !required.contains(name) {
                self.report.push(&joined(path, name), text);
            }
        }
    }

    /// Reports why `outer` refuses some values that match `inner`.
    pub(super) fn accept(&mut self, inner: &Conjunction<'a>, outer: &'a Value, path: &str) {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.depth > MAX_DEPTH {
            return self.report.undecided(path, "schema");
        }
        let mut schemas: Vec<_> = inner.schemas.iter().map(|schema| std::ptr::from_ref(*schema).addr()).collect();
        schemas.sort_unstable();
        let pair = (schemas, std::ptr::from_ref(outer).addr());
        if inner.is_never || is_anything(outer) || !self.assumed.insert(pair) {
            return;
        }
        self.depth += 1;
        match inner.union() {
            None => self.accept_all(inner, outer, path),
            Some(variants) => {
                // If the union as a whole is not known to be accepted, each of its variants may be.
                if !self.holds(|this| this.accept_all(inner, outer, path)) {
                    for variant in variants {
                        let mut one = inner.clone();
                        one.add(variant);
                        let before = self.report.breaks.len();
                        self.accept(&one, outer, path);
                        if self.report.breaks.len() == before && !self.strict {
                            self.removed_properties(&one, outer, path);
                        }
                    }
                }
            }
        }
        self.depth -= 1;
    }

    fn accept_all(&mut self, inner: &Conjunction<'a>, outer: &'a Value, path: &str) {
        let Value::Object(schema) = outer else {
            return if outer == &Value::Bool(false) {
                self.report.refused(path, "it");
            } else {
                self.report.undecided(path, "schema");
            };
        };
        if inner.schemas.contains(&schema) && !self.differ(references::of(schema)) {
            return;
        }
        for (keyword, value) in schema {
            self.keyword(inner, schema, (keyword, value), path);
        }
    }

    /// Runs a comparison and returns `true` if it holds. If it does not, its breaks and its assumptions are removed.
    pub(super) fn holds(&mut self, compare: impl FnOnce(&mut Self)) -> bool {
        let (breaks, assumed) = (self.report.breaks.len(), self.assumed.clone());
        compare(self);
        let holds = self.report.breaks.len() == breaks;
        if !holds {
            self.report.breaks.truncate(breaks);
            self.assumed = assumed;
        }
        holds
    }

    /// Reports keywords that cannot be compared, unless an inner schema has them with the same values.
    pub(super) fn require_same(&mut self, inner: &Conjunction<'a>, keywords: &[&str], schema: &Schema, path: &str) {
        let is_same = |known: &&Schema| keywords.iter().all(|keyword| known.get(*keyword) == schema.get(*keyword));
        let mut values = keywords.iter().filter_map(|keyword| schema.get(*keyword));
        let holds = inner.schemas.iter().any(is_same) && !values.any(|value| self.differ(references::below(value)));
        if !holds {
            self.report.undecided(path, keywords[0]);
        }
    }

    fn differ(&self, references: Vec<&str>) -> bool {
        references.into_iter().any(|reference| self.differing.contains(reference))
    }
}
