//! Walks a value and a schema together, and collects the errors.

use super::kinds::count;
use super::{ErrorKind, Errors};
use crate::json::path::{Path, Step};
use crate::json::tape::{Slot, View};
use crate::json::violation::MAX_FOUND;
use crate::schema::validate::checker::Checker;
use crate::schema::validate::memo::Memo;
use crate::schema::validate::node::{Keyword, Node, NodeId};
use crate::schema::validate::object::{Additional, ObjectShape};

/// A search for errors.
pub(in crate::schema::validate) struct Collector<'c> {
    pub(super) checker: &'c Checker,
    pub(super) memo: Memo,
    /// The nodes that may still be visited.
    steps: usize,
}

/// The nodes that one search visits at most. A value may come to a node in exponentially many ways, each of which reports its errors.
const MAX_STEPS: usize = 65_536;

impl<'c> Collector<'c> {
    /// Creates a search in the document of a memo.
    pub(in crate::schema::validate) fn new(checker: &'c Checker, memo: Memo) -> Self {
        Self { checker, memo, steps: MAX_STEPS }
    }

    /// Returns `true` if the search ended early, so that errors may be missing.
    pub(in crate::schema::validate) fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    /// Returns the first errors of a value, which is at `path`.
    pub(in crate::schema::validate) fn collect(&mut self, id: NodeId, view: View<'_>, path: &Path) -> Errors<'c> {
        self.collect_into(Errors::new(path, false), id, view, path)
    }

    pub(super) fn collect_into(
        &mut self,
        mut errors: Errors<'c>,
        id: NodeId,
        view: View<'_>,
        path: &Path,
    ) -> Errors<'c> {
        self.node(id, view, &mut path.clone(), &mut errors);
        errors
    }

    /// Returns the errors of the keywords that are not about the values inside an array or an object.
    pub(in crate::schema::validate) fn collect_own(&mut self, id: NodeId, view: View<'_>, path: &Path) -> Errors<'c> {
        let (mut errors, mut path) = (Errors::new(path, false), path.clone());
        let node = self.checker.node(id);
        self.type_error(node, view, &path, &mut errors);
        for keyword in node.keywords.iter().filter(|keyword| keyword.is_own()) {
            self.keyword(node, keyword, view, &mut path, &mut errors);
        }
        errors
    }

    /// Adds the errors of a value, if it has any.
    fn node(&mut self, id: NodeId, view: View<'_>, path: &mut Path, errors: &mut Errors<'c>) {
        if self.is_exhausted() || self.accepts(id, view) {
            return;
        }
        self.steps -= 1;
        let node = self.checker.node(id);
        self.type_error(node, view, path, errors);
        if !self.memo.enter() {
            return;
        }
        for keyword in &node.keywords {
            if errors.is_over() {
                break;
            }
            self.keyword(node, keyword, view, path, errors);
        }
        self.memo.leave();
    }

    fn type_error(&mut self, node: &'c Node, view: View<'_>, path: &Path, errors: &mut Errors<'c>) {
        if !self.memo.has_type(node.types, view) {
            errors.push(path, view, ErrorKind::Type(node.types));
        }
    }

    fn inside(&mut self, id: NodeId, view: View<'_>, step: Step, path: &mut Path, errors: &mut Errors<'c>) {
        path.push(step);
        self.node(id, view, path, errors);
        path.pop();
    }

    pub(super) fn accepts(&mut self, id: NodeId, view: View<'_>) -> bool {
        self.checker.accepts(id, view, &mut self.memo)
    }

    fn keyword(
        &mut self,
        node: &'c Node,
        keyword: &'c Keyword,
        view: View<'_>,
        path: &mut Path,
        errors: &mut Errors<'c>,
    ) {
        match keyword {
            Keyword::Object(shape) => return self.object(node, shape, view, path, errors),
            Keyword::Array(shape) => {
                for (index, element) in view.elements().into_iter().flatten().enumerate() {
                    if errors.is_over() {
                        return;
                    }
                    if shape.is_closed && index >= shape.prefix.len() {
                        let limit = count(shape.prefix.len() as u64, "element");
                        errors.push(path, view, ErrorKind::Other(format!("expected at most {limit}")));
                        break;
                    }
                    if let Some(id) = shape.element(index) {
                        self.inside(id, element, Step::Index(index), path, errors);
                    }
                }
                return;
            }
            Keyword::AllOf(nodes) => return nodes.iter().for_each(|id| self.node(*id, view, path, errors)),
            Keyword::If { condition, then, otherwise } => {
                let branch = if self.accepts(*condition, view) { then } else { otherwise };
                return branch.iter().for_each(|id| self.node(*id, view, path, errors));
            }
            Keyword::DependentSchemas(all) => {
                for (name, id) in all {
                    if view.get(name).is_some() {
                        self.node(*id, view, path, errors);
                    }
                }
                return;
            }
            Keyword::DependentRequired(all) => {
                for dependency in all.iter().filter(|dependency| view.get(&dependency.name).is_some()) {
                    push_missing(node, &dependency.required, view, path, errors);
                }
                return;
            }
            Keyword::PropertyNames(id) => return self.names(*id, view, path, errors),
            Keyword::Reference(target) => return self.node(*target, view, path, errors),
            _ => {}
        }
        if !self.checker.holds(keyword, view, &mut self.memo) && !self.memo.is_too_deep() {
            match keyword {
                // The errors of the branches are of no use if this one is not kept.
                Keyword::AnyOf(_) | Keyword::OneOf(_) if errors.is_full() => errors.skip(1),
                _ => {
                    let kind = self.kind(node, keyword, view, path);
                    errors.push(path, view, kind);
                }
            }
        }
    }

    fn object(
        &mut self,
        node: &'c Node,
        shape: &'c ObjectShape,
        view: View<'_>,
        path: &mut Path,
        errors: &mut Errors<'c>,
    ) {
        let Some(properties) = view.properties() else { return };
        // An unknown name is often a misspelling of the only one that is required, and then explains why that is missing.
        let is_required_last = shape.required.len() == 1
            && shape.patterns.is_empty()
            && shape.additional == Additional::Closed { as_not: false };
        if !is_required_last {
            push_missing(node, &shape.required, view, path, errors);
        }
        let mut unknown = Vec::new();
        for (name, value) in properties {
            if errors.is_over() {
                return;
            }
            let step = || Step::Key(name.into());
            let listed = shape.find(name, 0).map(|at| shape.properties[at].node);
            let mut is_listed = false;
            for id in listed.into_iter().chain(shape.matching(name)) {
                is_listed = true;
                self.inside(id, value, step(), path, errors);
            }
            match shape.additional {
                _ if is_listed => {}
                Additional::Closed { as_not: false } if unknown.len() < MAX_FOUND => unknown.push(name.to_owned()),
                Additional::Any | Additional::Open | Additional::Closed { as_not: false } => {}
                Additional::Closed { as_not: true } => {
                    path.push(step());
                    errors.push(path, value, ErrorKind::Excluded { object: node });
                    path.pop();
                }
                Additional::Schema(id) => self.inside(id, value, step(), path, errors),
            }
        }
        if !unknown.is_empty() {
            errors.push(path, view, ErrorKind::Unknown { names: unknown, object: node });
        }
        if is_required_last {
            push_missing(node, &shape.required, view, path, errors);
        }
    }

    fn names(&mut self, id: NodeId, view: View<'_>, path: &Path, errors: &mut Errors<'c>) {
        for (name, _) in view.properties().into_iter().flatten() {
            if errors.is_over() {
                return;
            }
            if self.checker.accepts_name(id, name) {
                continue;
            }
            let slot = [Slot::String(name.into())];
            let document = View::of_slots(&slot);
            let mut names = Self { steps: self.steps, ..Self::new(self.checker, Memo::of_search(document)) };
            let found = names.collect(id, document, &Path::default());
            self.steps = names.steps;
            errors.skip(found.count - found.kept.len());
            for inner in found.kept {
                if errors.is_full() {
                    errors.skip(1);
                } else {
                    errors.push(path, view, ErrorKind::Name { name: name.to_owned(), error: Box::new(inner) });
                }
            }
        }
    }
}

fn push_missing<'c>(object: &'c Node, required: &'c [Box<str>], view: View<'_>, path: &Path, errors: &mut Errors<'c>) {
    if view.is_object() {
        for name in required.iter().filter(|name| view.get(name).is_none()) {
            errors.push(path, view, ErrorKind::Required { name, object });
        }
    }
}
