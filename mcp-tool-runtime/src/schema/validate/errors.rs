//! Collects everything that is wrong with a value, as [`messages`](super::messages) describes it.

use serde_json::Value;

use super::accept::{Memo, identity};
use super::checker::Checker;
use super::node::{Keyword, Node, NodeId, Side, Size};
use super::object::{Additional, ObjectShape};
use super::types::Types;
use crate::document::path::{Path, Step};
use crate::document::tape::{Slot, View};
use crate::document::violation::MAX_FOUND;

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
        branches: Vec<Errors<'c>>,
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

/// The number of errors of a value that are kept. Several errors can be one violation.
pub(super) const MAX_ERRORS: usize = 4 * MAX_FOUND;

/// The errors of a value: the first ones, and what the choice between the branches of a union needs to know about all.
#[derive(Debug)]
pub(super) struct Errors<'c> {
    pub(super) kept: Vec<Error<'c>>,
    /// The number of all errors, if they are counted.
    pub(super) count: usize,
    /// The number of missing and unknown properties among them.
    pub(super) about_names: usize,
    /// Whether an error shows that the value is not meant for this branch of a union.
    pub(super) is_excluded: bool,
    /// The number of steps to the value.
    depth: usize,
    /// Whether all errors are counted. Otherwise the search ends when enough are kept.
    is_branch: bool,
}

impl<'c> Errors<'c> {
    fn new(path: &Path, is_branch: bool) -> Self {
        let depth = path.steps().len();
        Self { kept: Vec::new(), count: 0, about_names: 0, is_excluded: false, depth, is_branch }
    }

    fn push(&mut self, path: &Path, view: View<'_>, kind: ErrorKind<'c>) {
        self.count += 1;
        self.about_names += usize::from(matches!(kind, ErrorKind::Required(_) | ErrorKind::Unknown { .. }));
        let inside = path.steps().len().saturating_sub(self.depth);
        self.is_excluded |= match kind {
            ErrorKind::Type(_) => inside == 0,
            ErrorKind::Const(_) => inside <= 1,
            ErrorKind::Enum(values) => inside == 0 || inside == 1 && values.len() == 1,
            _ => false,
        };
        if !self.is_full() {
            self.kept.push(Error { path: path.clone(), actual: view.describe_type(), kind });
        }
    }

    /// Counts errors that are not kept.
    fn skip(&mut self, count: usize) {
        self.count += count;
    }

    fn is_full(&self) -> bool {
        self.kept.len() >= MAX_ERRORS
    }

    /// Returns `true` if further errors change nothing. No error of an excluded branch is reported.
    fn is_over(&self) -> bool {
        if self.is_branch { self.is_excluded } else { self.is_full() }
    }
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

    /// Returns the first errors of a value, which is at `path`.
    pub(super) fn collect(&mut self, id: NodeId, view: View<'_>, path: &Path) -> Errors<'c> {
        self.collect_into(Errors::new(path, false), id, view, path)
    }

    fn collect_into(&mut self, mut errors: Errors<'c>, id: NodeId, view: View<'_>, path: &Path) -> Errors<'c> {
        self.node(id, view, &mut path.clone(), &mut errors);
        errors
    }

    /// Returns the errors of the keywords that are not about the values inside an array or an object.
    pub(super) fn collect_own(&mut self, id: NodeId, view: View<'_>, path: &Path) -> Errors<'c> {
        let (mut errors, mut path) = (Errors::new(path, false), path.clone());
        let node = self.checker.node(id);
        type_error(node, view, &path, &mut errors);
        for keyword in node.keywords.iter().filter(|keyword| keyword.is_own()) {
            self.keyword(node, keyword, view, &mut path, &mut errors);
        }
        errors
    }

    fn node(&mut self, id: NodeId, view: View<'_>, path: &mut Path, errors: &mut Errors<'c>) {
        let node = self.checker.node(id);
        type_error(node, view, path, errors);
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

    fn inside(&mut self, id: NodeId, view: View<'_>, step: Step, path: &mut Path, errors: &mut Errors<'c>) {
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
                let names = names.into_iter().take(MAX_FOUND).map(str::to_owned).collect();
                return ErrorKind::Unevaluated { names, object: node };
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
        let branch = |id: &NodeId| self.collect_into(Errors::new(path, true), *id, view, path);
        ErrorKind::Union { branches: nodes.iter().map(branch).collect(), pointer: format!("{}/{name}", node.pointer) }
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
            push_missing(&shape.required, view, path, errors);
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
            push_missing(&shape.required, view, path, errors);
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
            let found = Collector::new(self.checker).collect(id, View::of_slots(&slot), &Path::default());
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

fn type_error<'c>(node: &'c Node, view: View<'_>, path: &Path, errors: &mut Errors<'c>) {
    if !node.types.contain(view) {
        errors.push(path, view, ErrorKind::Type(node.types));
    }
}

fn push_missing<'c>(required: &'c [Box<str>], view: View<'_>, path: &Path, errors: &mut Errors<'c>) {
    if view.is_object() {
        for name in required.iter().filter(|name| view.get(name).is_none()) {
            errors.push(path, view, ErrorKind::Required(name));
        }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::document::reader;
    use crate::schema::validate::{CompiledSchema, checker::ROOT, compile, descend, messages};

    /// The number of names that an item requires.
    const REQUIRED: usize = 50;

    fn item() -> Value {
        json!({ "type": "object", "required": (0..REQUIRED).map(|n| format!("r{n}")).collect::<Vec<_>>() })
    }

    fn lists_of(item: &Value) -> Value {
        json!({ "type": "object", "additionalProperties": { "type": "array", "items": item } })
    }

    /// Returns the address of the first key of each path.
    fn first_keys(errors: &Errors<'_>) -> Vec<*const u8> {
        let first = |error: &Error<'_>| match error.path.steps() {
            [Step::Key(key), ..] => key.as_ptr(),
            _ => unreachable!("a path that starts with a key"),
        };
        let mut keys: Vec<_> = errors.kept.iter().map(first).collect();
        keys.dedup();
        keys
    }

    #[test]
    fn the_search_ends_at_the_limit_and_the_errors_share_their_keys() {
        let checker = compile::compile(&lists_of(&item())).expect("a schema");
        let value = json!({ "k".repeat(1_000): vec![json!({}); 490] });
        let document = reader::read_value(&value).expect("a document");
        let errors = Collector::new(&checker).collect(ROOT, document.root(), &Path::default());
        assert_eq!(errors.kept.len(), MAX_ERRORS);
        // The item in which the limit is reached is the last one that is looked at.
        assert!(errors.count < MAX_ERRORS + REQUIRED, "{}", errors.count);
        assert_eq!(first_keys(&errors).len(), 1);
    }

    #[test]
    fn the_errors_of_a_branch_are_counted_beyond_the_limit() {
        let schema = json!({ "anyOf": [lists_of(&item()), { "type": "null" }] });
        let checker = compile::compile(&schema).expect("a schema");
        let value = json!({ "k".repeat(1_000): vec![json!({}); 490] });
        let document = reader::read_value(&value).expect("a document");
        let errors = Collector::new(&checker).collect(ROOT, document.root(), &Path::default());
        let [Error { kind: ErrorKind::Union { branches, .. }, .. }] = &errors.kept[..] else {
            panic!("{errors:?}");
        };
        assert_eq!((branches[0].kept.len(), branches[0].count), (MAX_ERRORS, 490 * REQUIRED));
        assert_eq!((branches[0].about_names, branches[0].is_excluded), (490 * REQUIRED, false));
        assert_eq!(first_keys(&branches[0]).len(), 1);
        assert!(branches[1].is_excluded);
        let violations = messages::violations(&errors, &schema);
        assert_eq!(violations.len(), MAX_FOUND);
        assert!(violations[32].path.to_string().ends_with("[0].r32"), "{}", violations[32].path);
    }

    #[test]
    fn the_names_of_an_object_are_kept_up_to_the_limit() {
        let schema = json!({ "type": "object", "propertyNames": { "pattern": "^[a-z]+$" } });
        let checker = compile::compile(&schema).expect("a schema");
        let value: Value = (0..400).map(|n| (n.to_string(), json!(0))).collect();
        let document = reader::read_value(&value).expect("a document");
        let errors = Collector::new(&checker).collect(ROOT, document.root(), &Path::default());
        assert_eq!((errors.kept.len(), errors.count), (MAX_ERRORS, MAX_ERRORS));
        let closed = json!({ "type": "object", "additionalProperties": false });
        let checker = compile::compile(&closed).expect("a schema");
        let errors = Collector::new(&checker).collect(ROOT, document.root(), &Path::default());
        let [Error { kind: ErrorKind::Unknown { names, .. }, .. }] = &errors.kept[..] else { panic!("{errors:?}") };
        assert_eq!(names.len(), MAX_FOUND);
    }

    #[test]
    fn both_searches_list_the_same_violations() {
        let item = json!({ "type": "object", "required": ["a"], "properties": { "b": { "type": "integer" } } });
        let schema = lists_of(&item);
        let compiled = CompiledSchema::new(&schema).expect("a schema");
        let item = |n: usize| [json!({ "a": 1 }), json!({ "b": "x" }), json!({ "a": 1, "b": n })][n % 3].clone();
        let value = json!({ "key": (0..60).map(item).collect::<Vec<_>>() });
        let document = reader::read_value(&value).expect("a document");
        let found = compiled.violations(document.root(), &schema);
        assert_eq!(found.len(), MAX_FOUND);
        assert_eq!(found, descend::violations(&compiled.checker, &schema, document.root()));
        assert_eq!(found[32].path.to_string(), "key[49].a");
    }
}
