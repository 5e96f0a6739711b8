//! Collects everything that is wrong with a value, as [`messages`](super::messages) describes it.

use serde_json::Value;

use super::accept::{Memo, identity};
use super::checker::Checker;
use super::node::{Keyword, Node, NodeId, Side, Size};
use super::object::{Additional, ObjectShape};
use super::types::Types;
use crate::document::path::{Path, Step};
use crate::document::tape::{Slot, View};

/// One thing that is wrong.
#[derive(Debug)]
pub(super) struct Error<'c> {
    pub(super) path: Path,
    /// The type of the value, such as "an array".
    pub(super) actual: &'static str,
    pub(super) kind: ErrorKind<'c>,
}

#[derive(Debug)]
pub(super) enum ErrorKind<'c> {
    Type(Types),
    Const(&'c Value),
    Enum(&'c [Value]),
    /// A bound of a number, with its message.
    Bound(String),
    Required(&'c str),
    /// Properties that the object of a node must not have.
    Unknown {
        names: Vec<String>,
        object: &'c Node,
    },
    /// The same, from `unevaluatedProperties`.
    Unevaluated {
        names: Vec<String>,
        object: &'c Node,
    },
    /// One property that an object closed with `{"not": {}}` must not have. The path leads to the property.
    Excluded {
        object: &'c Node,
    },
    /// No branch of a union is met. The pointer leads to the list of branches.
    Union {
        branches: Vec<Vec<Error<'c>>>,
        pointer: String,
    },
    /// The name of a property is not valid.
    Name {
        name: String,
        error: Box<Error<'c>>,
    },
    /// Anything else, with its message.
    Other(String),
}

/// A search for errors.
pub(super) struct Collector<'c> {
    checker: &'c Checker,
    memo: Memo,
    /// The references that are being followed, each with the value. A schema that applies itself to the same value says nothing.
    open: Vec<(NodeId, usize)>,
}

impl<'c> Collector<'c> {
    pub(super) fn new(checker: &'c Checker) -> Self {
        Self { checker, memo: Memo::default(), open: Vec::new() }
    }

    /// Returns all errors of a value, which is at `path`.
    pub(super) fn collect(&mut self, id: NodeId, view: View<'_>, path: &Path) -> Vec<Error<'c>> {
        let mut errors = Vec::new();
        self.node(id, view, &mut path.clone(), &mut errors);
        errors
    }

    /// Returns the errors of the keywords that are not about the values inside an array or an object.
    pub(super) fn collect_own(&mut self, id: NodeId, view: View<'_>, path: &Path) -> Vec<Error<'c>> {
        let (mut errors, mut path) = (Vec::new(), path.clone());
        let node = self.checker.node(id);
        type_error(node, view, &path, &mut errors);
        for keyword in node.keywords.iter().filter(|keyword| keyword.is_own()) {
            self.keyword(node, keyword, view, &mut path, &mut errors);
        }
        errors
    }

    fn node(&mut self, id: NodeId, view: View<'_>, path: &mut Path, errors: &mut Vec<Error<'c>>) {
        let node = self.checker.node(id);
        type_error(node, view, path, errors);
        for keyword in &node.keywords {
            self.keyword(node, keyword, view, path, errors);
        }
    }

    fn inside(&mut self, id: NodeId, view: View<'_>, step: Step, path: &mut Path, errors: &mut Vec<Error<'c>>) {
        path.push(step);
        self.node(id, view, path, errors);
        path.pop();
    }

    fn accepts(&mut self, id: NodeId, view: View<'_>) -> bool {
        self.checker.accepts(id, view, &mut self.memo)
    }

    fn keyword(
        &mut self,
        node: &'c Node,
        keyword: &'c Keyword,
        view: View<'_>,
        path: &mut Path,
        errors: &mut Vec<Error<'c>>,
    ) {
        match keyword {
            Keyword::Object(shape) => return self.object(node, shape, view, path, errors),
            Keyword::Array(shape) => {
                for (index, element) in view.elements().into_iter().flatten().enumerate() {
                    if shape.is_closed && index >= shape.prefix.len() {
                        let limit = count(shape.prefix.len() as u64, "element");
                        errors.push(error(path, view, ErrorKind::Other(format!("expected at most {limit}"))));
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
                    push_missing(&dependency.required, view, path, errors);
                }
                return;
            }
            Keyword::PropertyNames(id) => return self.names(*id, view, path, errors),
            Keyword::Reference(target) => {
                let key = (*target, identity(view));
                if !self.open.contains(&key) {
                    self.open.push(key);
                    self.node(*target, view, path, errors);
                    self.open.pop();
                }
                return;
            }
            _ => {}
        }
        if !self.checker.holds(keyword, view, &mut self.memo) {
            let kind = self.kind(node, keyword, view, path);
            errors.push(error(path, view, kind));
        }
    }

    /// Returns the error of a keyword that the value does not meet.
    fn kind(&mut self, node: &'c Node, keyword: &'c Keyword, view: View<'_>, path: &Path) -> ErrorKind<'c> {
        ErrorKind::Other(match keyword {
            Keyword::Const(value) => return ErrorKind::Const(value),
            Keyword::Enum(values) => return ErrorKind::Enum(values),
            Keyword::Bound { side, written, .. } => {
                return ErrorKind::Bound(match side {
                    Side::Minimum => format!("expected {written} or more"),
                    Side::Maximum => format!("expected {written} or less"),
                    Side::ExclusiveMinimum => format!("expected more than {written}"),
                    Side::ExclusiveMaximum => format!("expected less than {written}"),
                });
            }
            Keyword::MultipleOf(divisor) => return ErrorKind::Bound(format!("expected a multiple of {divisor}")),
            Keyword::AnyOf(nodes) => return self.union("anyOf", nodes, node, view, path),
            Keyword::OneOf(nodes) => {
                if nodes.iter().any(|id| self.accepts(*id, view)) {
                    "expected exactly one of the published forms, but several match".to_owned()
                } else {
                    return self.union("oneOf", nodes, node, view, path);
                }
            }
            Keyword::UnevaluatedProperties { .. } => {
                let names = self.checker.unevaluated_properties(keyword, view, &mut self.memo);
                return ErrorKind::Unevaluated { names: names.into_iter().map(str::to_owned).collect(), object: node };
            }
            Keyword::AtLeast(size, least) => format!("expected at least {}", count(*least, size.noun())),
            Keyword::AtMost(size, most) => format!("expected at most {}", count(*most, size.noun())),
            Keyword::UniqueItems => "expected no duplicate elements".to_owned(),
            Keyword::Pattern(pattern) => format!("expected a string that matches {}", pattern.text()),
            Keyword::Format(format) => format!("expected a string of format {}", format.name()),
            Keyword::Contains { .. } => "expected at least one element that matches `contains`".to_owned(),
            Keyword::Not(_) => "expected a value that the schema does not exclude".to_owned(),
            Keyword::UnevaluatedItems { .. } => "too many elements".to_owned(),
            _ => "no value is allowed here".to_owned(),
        })
    }

    fn union(&mut self, name: &str, nodes: &'c [NodeId], node: &Node, view: View<'_>, path: &Path) -> ErrorKind<'c> {
        ErrorKind::Union {
            branches: nodes.iter().map(|id| self.collect(*id, view, path)).collect(),
            pointer: format!("{}/{name}", node.pointer),
        }
    }

    fn object(
        &mut self,
        node: &'c Node,
        shape: &'c ObjectShape,
        view: View<'_>,
        path: &mut Path,
        errors: &mut Vec<Error<'c>>,
    ) {
        let Some(properties) = view.properties() else { return };
        // An unknown name is often a misspelling of the only one that is required, and then explains why that is missing.
        let is_required_last = shape.required.len() == 1
            && shape.patterns.is_empty()
            && shape.additional == Additional::Closed { as_not: false };
        if !is_required_last {
            push_missing(&shape.required, view, path, errors);
        }
        let mut unknown = Vec::new();
        for (name, value) in properties {
            let step = || Step::Key(name.to_owned());
            let listed = shape.find(name, 0).map(|at| shape.properties[at].node);
            let mut is_listed = false;
            for id in listed.into_iter().chain(shape.matching(name)) {
                is_listed = true;
                self.inside(id, value, step(), path, errors);
            }
            match shape.additional {
                _ if is_listed => {}
                Additional::Any | Additional::Open => {}
                Additional::Closed { as_not: false } => unknown.push(name.to_owned()),
                Additional::Closed { as_not: true } => {
                    errors.push(error(&path.property(name), value, ErrorKind::Excluded { object: node }));
                }
                Additional::Schema(id) => self.inside(id, value, step(), path, errors),
            }
        }
        if !unknown.is_empty() {
            errors.push(error(path, view, ErrorKind::Unknown { names: unknown, object: node }));
        }
        if is_required_last {
            push_missing(&shape.required, view, path, errors);
        }
    }

    fn names(&mut self, id: NodeId, view: View<'_>, path: &Path, errors: &mut Vec<Error<'c>>) {
        for (name, _) in view.properties().into_iter().flatten() {
            if self.checker.accepts_name(id, name) {
                continue;
            }
            let slot = [Slot::String(name.into())];
            let found = Collector::new(self.checker).collect(id, View::of_slots(&slot), &Path::default());
            errors.extend(
                found
                    .into_iter()
                    .map(|inner| error(path, view, ErrorKind::Name { name: name.to_owned(), error: Box::new(inner) })),
            );
        }
    }
}

fn error<'c>(path: &Path, view: View<'_>, kind: ErrorKind<'c>) -> Error<'c> {
    Error { path: path.clone(), actual: view.describe_type(), kind }
}

fn type_error<'c>(node: &'c Node, view: View<'_>, path: &Path, errors: &mut Vec<Error<'c>>) {
    if !node.types.contain(view) {
        errors.push(error(path, view, ErrorKind::Type(node.types)));
    }
}

fn push_missing<'c>(required: &'c [Box<str>], view: View<'_>, path: &Path, errors: &mut Vec<Error<'c>>) {
    if view.is_object() {
        let missing = required.iter().filter(|name| view.get(name).is_none());
        errors.extend(missing.map(|name| error(path, view, ErrorKind::Required(name))));
    }
}

impl Size {
    fn noun(self) -> &'static str {
        match self {
            Self::Characters => "character",
            Self::Elements => "element",
            Self::Properties => "property",
        }
    }
}

fn count(number: u64, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "property") => format!("{number} properties"),
        _ => format!("{number} {noun}s"),
    }
}
