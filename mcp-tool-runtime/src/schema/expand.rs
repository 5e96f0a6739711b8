//! Replaces references with the schemas that they lead to, for readers that do not support references.

use serde_json::Value;

use super::normalise::merge_into;
use super::{reference, walk};

/// The number of replaced references that may be nested. If there were more, the schema could not be visited.
const MOST_NESTED: usize = 32;

/// Which references are replaced.
pub(crate) struct Expansion {
    /// At most this many are replaced. A schema that doubles with each definition would otherwise fill the memory.
    pub(crate) most: usize,
    /// Replace only those with nothing but a description beside them.
    pub(crate) only_described: bool,
    /// What replaces a reference inside its own target, or beyond the limits. Without it, such a reference stays.
    pub(crate) summary: Option<fn(&Value) -> Value>,
}

impl Expansion {
    /// Replaces the references in a schema. The definitions stay, and keep their references unless those are only
    /// described.
    pub(crate) fn apply(self, schema: &mut Value) {
        let root = schema.clone();
        Expander { left: self.most, rules: self, root: &root, open: Vec::new() }.visit(schema);
    }
}

struct Expander<'s> {
    rules: Expansion,
    root: &'s Value,
    left: usize,
    /// The references around the schema that is visited.
    open: Vec<String>,
}

impl Expander<'_> {
    /// Recursive, because the depth of a schema and the number of references are limited.
    fn visit(&mut self, schema: &mut Value) {
        let replacement = self.target_of(schema);
        walk::visit_children_mut(schema, |location, child| {
            if self.rules.only_described || !matches!(location.keyword, "$defs" | "definitions") {
                self.visit(child);
            }
        });
        if let Some(target) = replacement {
            merge_into(schema, "$ref", target);
        }
    }

    /// Returns what replaces the reference of a schema, if it is replaced.
    fn target_of(&mut self, schema: &Value) -> Option<Value> {
        let reference = walk::keyword(schema, "$ref")?.as_str()?;
        let is_described = schema.as_object().is_some_and(|all| all.len() == 2 && all.contains_key("description"));
        let target = reference::resolve(self.root, reference).filter(|_| is_described || !self.rules.only_described)?;
        let is_open = self.open.iter().any(|open| open == reference);
        if is_open || self.left == 0 || self.open.len() >= MOST_NESTED {
            return self.rules.summary.map(|summary| summary(target));
        }
        self.left -= 1;
        self.open.push(reference.to_owned());
        let mut target = target.clone();
        self.visit(&mut target);
        self.open.pop();
        Some(target)
    }
}
