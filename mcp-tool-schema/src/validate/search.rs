//! Finds what is wrong with a document that a schema refuses.
//!
//! The search walks the document and the schema together, and enters only values that are refused. Of a union it enters the branch
//! that the value is most likely meant for, which [`distance`](super::distance) chooses.
//!
//! Each value is searched once against each node, validating it counts as steps, and the search ends when enough violations are
//! found. So it takes time linear in the document, however many ways lead to a value.

use std::collections::HashSet;

use serde_json::Value;

use super::checker::{Checker, ROOT};
use super::memo::Memo;
use super::messages;
use super::node::{ArrayShape, Dependency, Keyword, Node, NodeId, Unevaluated};
use super::object::{Additional, ObjectShape};
use crate::json::path::{Path, Step};
use crate::json::safe_text::quote_name;
use crate::json::suggestion::suggest;
use crate::json::tape::{Slot, View};
use crate::json::violation::{MAX_FOUND, Violation};

/// Shorter names are often similar by chance.
const MIN_MISSPELLED: usize = 4;

/// Returns the violations of a document that the schema refuses.
pub(super) fn violations(checker: &Checker, schema: &Value, document: View<'_>) -> Vec<Violation> {
    let mut search = Search::new(checker, schema, document);
    search.visit(ROOT, document, &mut Path::default());
    if search.found.is_empty() {
        // The search also reads values that the check did not reach.
        let is_too_deep = search.memo.is_too_deep();
        return vec![if is_too_deep { super::too_deep() } else { Violation::root(messages::NO_MATCH) }];
    }
    search.found.into_iter().map(|found| found.violation).collect()
}

/// The steps for every document. The search in a document that is not large is complete, however deep it is.
const MIN_STEPS: usize = 65_536;

/// The additional steps for each slot.
const STEPS_PER_SLOT: usize = 8;

pub(super) struct Search<'s> {
    pub(super) checker: &'s Checker,
    schema: &'s Value,
    pub(super) memo: Memo,
    /// The steps that are left. Validating a value takes one for each of its slots, unless the result is known.
    steps: usize,
    /// The nodes that may still be entered to choose between the branches of unions.
    pub(super) trials: usize,
    /// The nodes that were searched, each with the address of the value.
    visited: HashSet<(NodeId, *const Slot<'s>)>,
    found: Vec<Found>,
}

struct Found {
    violation: Violation,
    kind: Kind,
}

/// What a violation says. One mistake gives one violation: of those at the same path, a later kind makes the earlier ones
/// superfluous, except for `Other`.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Kind {
    Other,
    /// A bound of a number. It is of no use for a number of the wrong type.
    Bound,
    Type,
    /// It lists the accepted values, and so also says their type.
    Values,
}

impl<'s> Search<'s> {
    fn new(checker: &'s Checker, schema: &'s Value, document: View<'_>) -> Self {
        Self {
            checker,
            schema,
            memo: Memo::of_search(document),
            steps: MIN_STEPS + STEPS_PER_SLOT * document.slot_count(),
            trials: MIN_STEPS,
            visited: HashSet::new(),
            found: Vec::new(),
        }
    }

    pub(super) fn accepts(&mut self, id: NodeId, view: View<'_>) -> bool {
        self.checker.accepts(id, view, &mut self.memo)
    }

    /// Returns `true` if enough violations are found, or no steps are left.
    fn is_over(&self) -> bool {
        self.found.len() >= MAX_FOUND || self.steps == 0 || self.memo.is_too_deep()
    }

    fn push(&mut self, kind: Kind, path: &Path, message: impl Into<String>) {
        self.push_violation(kind, Violation::new(path.clone(), message));
    }

    fn push_violation(&mut self, kind: Kind, violation: Violation) {
        let is_same_path = |found: &Found| found.violation.path == violation.path;
        let is_said = |found: &Found| found.violation == violation || kind != Kind::Other && found.kind > kind;
        if self.is_over() || self.found.iter().any(|found| is_same_path(found) && is_said(found)) {
            return;
        }
        self.found.retain(|found| !is_same_path(found) || found.kind == Kind::Other || found.kind >= kind);
        self.found.push(Found { violation, kind });
    }

    /// Adds the violations of a value against a node, if it is refused.
    fn visit(&mut self, id: NodeId, view: View<'_>, path: &mut Path) {
        if self.refuses(id, view) {
            self.explain(id, view, path);
        }
    }

    /// Adds the violations of a value inside the one at `path`. The step is only created for a value that is refused.
    fn visit_inside(&mut self, id: NodeId, view: View<'_>, step: impl FnOnce() -> Step, path: &mut Path) {
        if self.refuses(id, view) {
            path.push(step());
            self.explain(id, view, path);
            path.pop();
        }
    }

    /// Returns `true` if the search enters the value. [`Self::explain`] must follow then.
    fn refuses(&mut self, id: NodeId, view: View<'_>) -> bool {
        if self.is_over() {
            return false;
        }
        let is_known = self.memo.result(id, view).is_some();
        self.steps = self.steps.saturating_sub(if is_known { 1 } else { view.slot_count() });
        let slot = std::ptr::from_ref(view.slot()).cast();
        !self.accepts(id, view) && self.visited.insert((id, slot)) && self.memo.enter()
    }

    fn explain(&mut self, id: NodeId, view: View<'_>, path: &mut Path) {
        let node = self.checker.node(id);
        if !node.types.accepts(view) {
            self.push(Kind::Type, path, format!("expected {}, got {}", node.types.describe(), view.describe_type()));
        }
        for keyword in &node.keywords {
            self.keyword(node, keyword, view, path);
        }
        self.memo.leave();
    }

    fn keyword(&mut self, node: &'s Node, keyword: &'s Keyword, view: View<'_>, path: &mut Path) {
        match keyword {
            Keyword::Object(shape) => self.object(node, shape, view, path),
            Keyword::Array(shape) => self.array(shape, view, path),
            Keyword::AllOf(nodes) => nodes.iter().for_each(|id| self.visit(*id, view, path)),
            Keyword::If { condition, then, otherwise } => {
                let branch = if self.accepts(*condition, view) { then } else { otherwise };
                if let Some(id) = branch {
                    self.visit(*id, view, path);
                }
            }
            Keyword::Reference(target) => self.visit(*target, view, path),
            Keyword::PropertyNames(id) => self.names(*id, view, path),
            Keyword::DependentRequired(all) => self.dependent_names(node, all, view, path),
            Keyword::DependentSchemas(all) => {
                for (name, id) in all.iter().filter(|(name, _)| view.get(name).is_some()) {
                    let before = self.found.len();
                    self.visit(*id, view, path);
                    self.found.iter_mut().skip(before).for_each(|found| {
                        found.violation.message += &because(name);
                    });
                }
            }
            Keyword::Unevaluated(rule) => self.unevaluated(rule, view, path),
            _ if self.checker.holds(keyword, view, &mut self.memo) || self.memo.is_too_deep() => {}
            Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => match self.likely_branch(nodes, view) {
                Some(likely) => self.visit(likely, view, path),
                None => self.own(node, keyword, view, path),
            },
            _ => self.own(node, keyword, view, path),
        }
    }

    /// Adds the violations of a keyword that the value does not meet, apart from those inside the value. Not a part of
    /// [`Self::keyword`], because that is recursive and its frame must stay small.
    #[inline(never)]
    fn own(&mut self, node: &'s Node, keyword: &'s Keyword, view: View<'_>, path: &Path) {
        let actual = view.describe_type();
        let (kind, message) = match keyword {
            Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => {
                let name = if matches!(keyword, Keyword::AnyOf(_)) { "anyOf" } else { "oneOf" };
                let branches = messages::branches(node, name, self.schema);
                let matching: Vec<_> = (0..nodes.len()).filter(|at| self.accepts(nodes[*at], view)).collect();
                if matching.is_empty() {
                    let kind = if messages::are_values(branches) { Kind::Values } else { Kind::Other };
                    (kind, messages::no_branch(branches, self.schema, actual))
                } else {
                    (Kind::Other, messages::several_forms(branches, &matching, self.schema))
                }
            }
            Keyword::Contains { node, minimum, maximum } => {
                let elements = view.elements().into_iter().flatten();
                let count = elements.filter(|element| self.accepts(*node, *element)).count() as u64;
                let element = messages::at(self.checker.node(*node), self.schema);
                (Kind::Other, messages::contains(element, self.schema, *minimum, *maximum, count))
            }
            Keyword::Not(node) => {
                let excluded = messages::at(self.checker.node(*node), self.schema);
                (Kind::Other, messages::excluded(excluded, self.schema))
            }
            _ => messages::of_keyword(keyword, actual),
        };
        self.push(kind, path, message);
    }

    #[inline(never)]
    fn dependent_names(&mut self, node: &Node, all: &[Dependency], view: View<'_>, path: &Path) {
        for (name, required) in all.iter().filter(|(name, _)| view.get(name).is_some()) {
            for missing in required.iter().filter(|name| view.get(name).is_none()) {
                let mut violation = messages::missing_property(path, missing, node, self.schema);
                violation.message += &because(name);
                self.push_violation(Kind::Other, violation);
            }
        }
    }

    fn unevaluated(&mut self, rule: &Unevaluated, view: View<'_>, path: &mut Path) {
        for (position, value) in self.checker.unevaluated(rule, view, &mut self.memo) {
            if self.is_over() {
                return;
            }
            let name = view.properties().and_then(|mut all| all.nth(position)).map(|(name, _)| name);
            if let Some(name) = name.filter(|_| self.checker.is_nothing(rule.node)) {
                let known = self.checker.known_names(rule.own);
                self.push_violation(Kind::Other, Violation::unknown_property(path, name, known.into_iter()));
            } else {
                let step = || name.map_or(Step::Index(position), |name| Step::Key(name.into()));
                self.visit_inside(rule.node, value, step, path);
            }
        }
    }

    fn object(&mut self, node: &'s Node, shape: &'s ObjectShape, view: View<'_>, path: &mut Path) {
        let Some(properties) = view.properties() else { return };
        let is_closed = shape.additional == Additional::Closed;
        // An unknown name is often a misspelling of the only one that is required, and then explains why that is missing.
        let is_required_last = shape.required.len() == 1 && shape.patterns.is_empty() && is_closed;
        if !is_required_last {
            self.missing(node, shape, view, path);
        }
        let mut unknown = Vec::new();
        for (name, value) in properties {
            if self.is_over() {
                return;
            }
            let applied = shape.applied_to(name);
            if applied.is_empty() && is_closed && unknown.len() < MAX_FOUND {
                unknown.push(name);
            }
            for id in applied {
                self.visit_inside(id, value, || Step::Key(name.into()), path);
            }
        }
        for name in unknown {
            if self.is_over() {
                return;
            }
            self.push_violation(Kind::Other, messages::unknown_property(path, name, node, self.schema));
        }
        if is_required_last {
            self.missing(node, shape, view, path);
        }
    }

    fn array(&mut self, shape: &'s ArrayShape, view: View<'_>, path: &mut Path) {
        for (index, element) in view.elements().into_iter().flatten().enumerate() {
            if self.is_over() {
                return;
            }
            let Some(id) = shape.element(index) else { return };
            if index >= shape.prefix.len() && self.checker.is_nothing(id) {
                let most = messages::count(shape.prefix.len() as u64, "element");
                return self.push(Kind::Other, path, format!("expected at most {most}"));
            }
            self.visit_inside(id, element, || Step::Index(index), path);
        }
    }

    fn missing(&mut self, node: &Node, shape: &ObjectShape, view: View<'_>, path: &Path) {
        for name in shape.required.iter().filter(|name| view.get(name).is_none()).take(MAX_FOUND) {
            let mut violation = messages::missing_property(path, name, node, self.schema);
            // A closed object refuses the misspelled name itself.
            if matches!(shape.additional, Additional::Any | Additional::Open) && name.len() >= MIN_MISSPELLED {
                let others = view.properties().into_iter().flatten().take(MAX_FOUND).map(|(other, _)| other);
                let others = others.filter(|other| shape.applied_to(other).is_empty());
                if let Some(other) = suggest(name, others) {
                    violation.message += &misspelled(other);
                }
            }
            self.push_violation(Kind::Other, violation);
        }
    }

    fn names(&mut self, id: NodeId, view: View<'_>, path: &Path) {
        for (name, _) in view.properties().into_iter().flatten() {
            if self.is_over() {
                return;
            }
            if self.checker.accepts_name(id, name) {
                continue;
            }
            let slot = [Slot::String(name.into())];
            let document = View::of_slots(&slot);
            let mut names = Search { steps: self.steps, ..Search::new(self.checker, self.schema, document) };
            names.visit(id, document, &mut Path::default());
            self.steps = names.steps;
            for Found { violation, .. } in names.found {
                let message = format!("the name is not allowed: {}", violation.message);
                self.push(Kind::Other, &path.property(name), message);
            }
        }
    }
}

/// Says which property a caller may have written for a missing one.
fn misspelled(name: &str) -> String {
    format!("; is {} a misspelling of it?", quote_name(name))
}

/// Says which property makes a requirement apply.
fn because(name: &str) -> String {
    format!(" (because {} is given)", quote_name(name))
}

#[cfg(test)]
mod tests;
