//! Finds what is wrong with a document that a schema refuses.
//!
//! The search walks the document and the schema together, and enters only values that are refused. In a union, it
//! enters the branch that the value is most likely meant for, which [`unions`] chooses.
//!
//! The search takes time linear in the size of the document, however many ways lead to a value: it searches each value
//! once against each node, counts validations as steps, and ends when it has found enough violations or used up its
//! steps.

use std::collections::HashSet;

use serde_json::Value;

use super::checker::{Checker, Node, NodeId, ROOT};
use super::keywords::{Keyword, unions};
use super::memo::Memo;
use crate::accepted::Types;
use crate::json::path::{Path, Step};
use crate::json::tape::{Slot, View};
use crate::json::violation::{MAX_FOUND, Violation};

/// The message for a value that is refused although no keyword gives a reason.
pub(super) const NO_MATCH: &str = "does not match the published schema";

/// Returns the violations of a document that the schema refuses.
pub(super) fn violations(checker: &Checker, schema: &Value, document: View<'_>) -> Vec<Violation> {
    let mut search = Search::new(checker, schema, document);
    search.visit(ROOT, document, &mut Path::default());
    if search.found.is_empty() {
        // The search can be too deep although the check was not, because the search also reads values that the check
        // did not reach.
        let is_too_deep = search.memo.is_too_deep();
        return vec![if is_too_deep { super::too_deep() } else { Violation::root(NO_MATCH) }];
    }
    let is_complete = !search.is_over();
    let found = search.found.into_iter().map(|found| found.violation);
    found.map(|found| Violation { may_be_alias: found.may_be_alias && is_complete, ..found }).collect()
}

/// The number of steps that a search gets for every document. They are enough for a complete search in any small
/// document, however deep.
const MIN_STEPS: usize = 65_536;

/// How many more steps a search gets for each slot of the document.
const STEPS_PER_SLOT: usize = 8;

pub(super) struct Search<'s> {
    pub(super) checker: &'s Checker,
    pub(super) schema: &'s Value,
    pub(super) memo: Memo,
    /// The number of steps that are left. Validating a value takes one step for each of its slots, or a single step if
    /// the result is known.
    pub(super) steps: usize,
    /// How many nodes may still be entered to choose between the branches of unions.
    pub(super) trials: usize,
    /// The nodes that were searched, each with the address of the value.
    pub(super) visited: HashSet<(NodeId, *const Slot<'s>)>,
    pub(super) found: Vec<Found>,
}

pub(super) struct Found {
    pub(super) violation: Violation,
    kind: Kind,
}

/// The kinds of violations. So that one mistake gives one violation, the search keeps at each path only the violations
/// whose kind is furthest down in this list. It also keeps all violations of kind `Other`.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Kind {
    Other,
    /// A bound on a number, not worth mentioning if the type is wrong too.
    Bound,
    Type,
    /// A list of the accepted values, which also says their type.
    Values,
}

impl<'s> Search<'s> {
    pub(super) fn new(checker: &'s Checker, schema: &'s Value, document: View<'_>) -> Self {
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

    /// Returns `true` if enough violations are found, no steps are left, or the checks are nested too deeply.
    pub(super) fn is_over(&self) -> bool {
        self.found.len() >= MAX_FOUND || self.steps == 0 || self.memo.is_too_deep()
    }

    pub(super) fn push(&mut self, kind: Kind, path: &Path, message: impl Into<String>) {
        self.push_violation(kind, Violation::new(path.clone(), message));
    }

    pub(super) fn push_violation(&mut self, kind: Kind, violation: Violation) {
        let is_same_path = |found: &Found| found.violation.path == violation.path;
        let is_said = |found: &Found| found.violation == violation || kind != Kind::Other && found.kind > kind;
        if self.is_over() || self.found.iter().any(|found| is_same_path(found) && is_said(found)) {
            return;
        }
        self.found.retain(|found| !is_same_path(found) || found.kind == Kind::Other || found.kind >= kind);
        self.found.push(Found { violation, kind });
    }

    /// Adds the violations of a value, if a node refuses it.
    pub(super) fn visit(&mut self, id: NodeId, view: View<'_>, path: &mut Path) {
        if self.refuses(id, view) {
            self.explain(id, view, path);
        }
    }

    /// Adds the violations of a value that is one step below `path`. The step is created only if the value is refused.
    pub(super) fn visit_inside(&mut self, id: NodeId, view: View<'_>, step: impl FnOnce() -> Step, path: &mut Path) {
        if self.refuses(id, view) {
            path.push(step());
            self.explain(id, view, path);
            path.pop();
        }
    }

    /// Returns `true` if the search enters the value. In that case, [`Self::explain`] must follow.
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
        if node.types == Types::NONE {
            self.push(Kind::Other, path, "no value is allowed here");
        } else if !node.types.accepts(view) {
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
            Keyword::If(rule) => {
                if let Some(id) = self.checker.branch(rule, view, &mut self.memo) {
                    self.visit(id, view, path);
                }
            }
            Keyword::Reference(target) => self.visit(*target, view, path),
            Keyword::PropertyNames(id) => self.names(*id, view, path),
            Keyword::DependentRequired(all) => self.dependent_names(node, all, view, path),
            Keyword::DependentSchemas(all) => self.dependent_schemas(all, view, path),
            Keyword::Unevaluated(rule) => self.unevaluated(rule, view, path),
            _ if self.checker.holds(keyword, view, &mut self.memo) || self.memo.is_too_deep() => {}
            Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => match self.likely_branch(nodes, view) {
                Some(likely) => self.visit(likely, view, path),
                None => self.own(node, keyword, view, path),
            },
            _ => self.own(node, keyword, view, path),
        }
    }

    /// Adds the violation of a keyword that refuses the value as a whole, not a value inside it. This is a separate
    /// function, because [`Self::keyword`] is recursive and needs a small stack frame.
    #[inline(never)]
    fn own(&mut self, node: &'s Node, keyword: &'s Keyword, view: View<'_>, path: &Path) {
        let (kind, message) = match keyword {
            Keyword::AnyOf(nodes) => self.no_form("anyOf", nodes, node, view),
            Keyword::OneOf(nodes) => self.no_form("oneOf", nodes, node, view),
            Keyword::Contains(rule) => (Kind::Other, self.count_contained(rule, view)),
            Keyword::Not(node) => (Kind::Other, unions::excluded(self.schema_at(*node), self.schema)),
            _ => keyword.explain(view.describe_type()),
        };
        self.push(kind, path, message);
    }

    /// Returns the schema that a node was compiled from.
    pub(super) fn written(&self, node: &Node) -> &'s Value {
        self.schema.pointer(&node.pointer).unwrap_or(&Value::Null)
    }

    pub(super) fn schema_at(&self, id: NodeId) -> &'s Value {
        self.written(self.checker.node(id))
    }
}

#[cfg(test)]
mod tests;
