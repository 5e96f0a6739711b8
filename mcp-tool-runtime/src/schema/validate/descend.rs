//! Finds violations by following a document and its schema together, one branch of each union.
//!
//! [`errors`](super::errors) collects the errors of every value and every branch. That is too much in a large document, and for unions
//! that contain themselves the time for it grows exponentially with the depth.
//! Here the search ends when enough violations are found, and each value is validated once for each invalid value around it, up to
//! a number of steps that is proportional to the document. If its tag, its type or its required properties select a branch of a
//! union, only that branch is followed. Otherwise the violation lists the branches.

use serde_json::Value;

use super::checker::{Checker, ROOT};
use super::errors::Collector;
use super::memo::{LargeFloats, Memo};
use super::messages;
use super::node::{Keyword, Node, NodeId};
use super::object::{Additional, ObjectShape};
use crate::json::path::{Path, Step};
use crate::json::tape::{Item, View};
use crate::json::violation::{MAX_FOUND, Violation};
use crate::schema::branch::{Branch, select_branch};
use crate::schema::walk::{self, keyword};

/// Returns `true` if the schema has unions and references, so that a union may contain itself.
pub(super) fn unions_may_recurse(schema: &Value) -> bool {
    let (mut unions, mut references) = (false, false);
    walk::visit(schema, &mut |subschema| {
        unions |= keyword(subschema, "anyOf").is_some() || keyword(subschema, "oneOf").is_some();
        references |= keyword(subschema, "$ref").is_some();
    });
    unions && references
}

/// Returns the violations of a document that the schema refuses.
pub(super) fn violations(
    checker: &Checker,
    schema: &Value,
    document: View<'_>,
    large_floats: LargeFloats,
) -> Vec<Violation> {
    let memo = Memo::of_search(document).reading(large_floats);
    let steps = MIN_STEPS + STEPS_PER_SLOT * document.slot_count();
    let mut search = Search { checker, schema, memo, steps, violations: Vec::new() };
    search.visit(ROOT, document, &mut Path::default());
    // Two subschemas may refuse the same value for the same reason.
    search.violations.dedup();
    if search.violations.is_empty() {
        search.violations.push(Violation::root("does not match the published schema"));
    }
    search.violations
}

/// The steps for every document. The search in a document that is not large is complete, however deep it is.
const MIN_STEPS: usize = 65_536;

/// The additional steps for each slot. A violation in the middle of a large document that is more levels deep may be reported for a
/// value around it.
const STEPS_PER_SLOT: usize = 8;

struct Search<'s> {
    checker: &'s Checker,
    schema: &'s Value,
    memo: Memo,
    /// The steps that are left. Validating a value takes one for each of its slots.
    steps: usize,
    violations: Vec<Violation>,
}

impl<'s> Search<'s> {
    /// Adds the violations of a value against a node.
    fn visit(&mut self, id: NodeId, view: View<'_>, path: &mut Path) {
        if self.refuses(id, view) {
            self.explain(id, view, path);
            self.memo.leave();
        }
    }

    /// Adds the violations of a value inside the one at `path`. The step is only created for a value that is refused.
    fn visit_inside(&mut self, id: NodeId, view: View<'_>, step: impl FnOnce() -> Step, path: &mut Path) {
        if self.refuses(id, view) {
            path.push(step());
            self.explain(id, view, path);
            self.memo.leave();
            path.pop();
        }
    }

    /// Returns `true` if the search goes on with this value. [`Memo::leave`] must follow then.
    fn refuses(&mut self, id: NodeId, view: View<'_>) -> bool {
        if self.is_over() {
            return false;
        }
        self.steps = self.steps.saturating_sub(view.slot_count());
        !self.checker.accepts(id, view, &mut self.memo) && self.memo.enter()
    }

    /// Adds the violations of a value that a node refuses.
    fn explain(&mut self, id: NodeId, view: View<'_>, path: &mut Path) {
        let before = self.violations.len();
        let node = self.checker.node(id);
        for keyword in &node.keywords {
            if let Keyword::Reference(target) = keyword {
                self.visit(*target, view, path);
            }
        }
        for keyword in &node.keywords {
            self.visit_in_place(node, keyword, view, path);
        }
        match view.item() {
            Item::Object(_) => {
                for keyword in &node.keywords {
                    if let Keyword::Object(shape) = keyword {
                        self.visit_properties(node, shape, view, path);
                    }
                }
            }
            Item::Array(elements) => {
                for keyword in &node.keywords {
                    let Keyword::Array(shape) = keyword else { continue };
                    for (index, element) in elements.clone().enumerate() {
                        if self.is_over() {
                            break;
                        }
                        if let Some(id) = shape.element(index) {
                            self.visit_inside(id, element, || Step::Index(index), path);
                        }
                    }
                }
            }
            // Scalars have no values inside them, so collecting all errors is cheap.
            _ if self.violations.len() == before => {
                let errors = Collector::new(self.checker, self.memo_of(view)).collect(id, view, path);
                self.violations.extend(messages::violations(&errors, self.schema));
            }
            _ => {}
        }
        if self.violations.len() == before {
            self.steps = self.steps.saturating_sub(view.slot_count());
            let errors = Collector::new(self.checker, self.memo_of(view)).collect_own(id, view, path);
            self.violations.extend(messages::violations(&errors, self.schema));
        }
        if self.violations.len() == before {
            self.violations.push(Violation::new(path.clone(), "does not match the published schema"));
        }
    }

    /// Returns the memo of a search in one value.
    fn memo_of(&self, view: View<'_>) -> Memo {
        Memo::of_search(view).reading(self.memo.large_floats())
    }

    /// Returns `true` if enough violations are found, or no steps are left.
    fn is_over(&self) -> bool {
        self.violations.len() >= MAX_FOUND || self.steps == 0 || self.memo.is_too_deep()
    }

    /// Visits the schemas that a keyword applies to the same value.
    fn visit_in_place(&mut self, node: &'s Node, keyword: &'s Keyword, view: View<'_>, path: &mut Path) {
        let (name, nodes) = match keyword {
            Keyword::AllOf(nodes) => return nodes.iter().for_each(|id| self.visit(*id, view, path)),
            Keyword::If { condition, then, otherwise } => {
                let branch = if self.checker.accepts(*condition, view, &mut self.memo) { then } else { otherwise };
                return branch.iter().for_each(|id| self.visit(*id, view, path));
            }
            Keyword::AnyOf(nodes) => ("anyOf", nodes),
            Keyword::OneOf(nodes) => ("oneOf", nodes),
            _ => return,
        };
        let schemas = self.schema.pointer(&format!("{}/{name}", node.pointer)).and_then(Value::as_array);
        let schemas = schemas.map_or(&[][..], Vec::as_slice);
        let branches: Vec<_> = schemas.iter().map(|branch| Branch::of(branch, self.schema)).collect();
        if let Some(id) = select_branch(view, branches.iter().zip(nodes)) {
            self.visit(*id, view, path);
        } else {
            let violation = messages::no_branch(path.clone(), schemas, self.schema, view.describe_type());
            self.violations.push(violation);
        }
    }

    fn visit_properties(&mut self, node: &'s Node, shape: &'s ObjectShape, view: View<'_>, path: &mut Path) {
        let remaining = MAX_FOUND.saturating_sub(self.violations.len());
        for name in shape.required.iter().filter(|name| view.get(name).is_none()).take(remaining) {
            self.violations.push(messages::missing_property(path, name, node, self.schema));
        }
        for (name, value) in view.properties().into_iter().flatten() {
            if self.is_over() {
                return;
            }
            let listed = shape.find(name, 0).map(|at| shape.properties[at].node);
            let mut is_listed = false;
            for id in shape.matching(name).chain(listed) {
                is_listed = true;
                self.visit_inside(id, value, || Step::Key(name.into()), path);
            }
            match shape.additional {
                _ if is_listed => {}
                Additional::Any | Additional::Open => {}
                Additional::Closed { .. } => {
                    self.violations.push(messages::unknown_property(path, name, node, self.schema));
                }
                Additional::Schema(id) => self.visit_inside(id, value, || Step::Key(name.into()), path),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader;
    use crate::schema::validate::compile;

    #[test]
    fn a_step_is_created_only_for_a_value_that_is_refused() {
        let schema = json!({ "type": "integer" });
        let checker = compile::compile(&schema).expect("a schema");
        let (valid, invalid) = (json!(1), json!("x"));
        let valid = reader::read_value(&valid).expect("a document");
        let invalid = reader::read_value(&invalid).expect("a document");
        let mut search = Search {
            checker: &checker,
            schema: &schema,
            memo: Memo::new(invalid.root()),
            steps: MIN_STEPS,
            violations: Vec::new(),
        };
        let mut path = Path::default().property("list");
        search.visit_inside(ROOT, valid.root(), || unreachable!("the value is valid"), &mut path);
        search.visit_inside(ROOT, invalid.root(), || Step::Index(7), &mut path);
        assert_eq!(path, Path::default().property("list"));
        let [violation] = &search.violations[..] else { panic!("{:?}", search.violations) };
        assert_eq!(violation.path.to_string(), "list[7]");
    }

    #[test]
    fn no_more_missing_properties_are_listed_than_the_limit() {
        let names: Vec<_> = (0..500).map(|n| format!("r{n}")).collect();
        let schema = json!({ "type": "object", "required": names });
        let checker = compile::compile(&schema).expect("a schema");
        let value = json!({});
        let document = reader::read_value(&value).expect("a document");
        let violations = violations(&checker, &schema, document.root(), LargeFloats::Inexact);
        assert_eq!(violations.len(), MAX_FOUND);
        assert_eq!(violations[32].path.to_string(), "r32");
    }
}
