//! Decides if a document is valid. Allocates nothing for most schemas.

use std::cmp::Ordering;

use foldhash::HashMap;

use super::checker::{Checker, Remembers};
use super::equality;
use super::node::{Dependency, Keyword, NodeId, Side, Size};
use super::number;
use super::object::{Additional, ObjectShape};
use crate::document::tape::{Slot, View};

/// What is known about the values of one document.
///
/// Schemas that refer to each other from unions would otherwise check a value once for each way to it, which is exponential in the
/// depth of the document.
#[derive(Debug, Default)]
pub(super) struct Memo {
    known: Option<HashMap<(NodeId, usize), Known>>,
    /// The number of references that are being followed.
    depth: u32,
    /// The depth of the outermost reference that was met again while it was being followed.
    outermost: Option<u32>,
    /// The number of nodes that are being checked, each inside the one before.
    nesting: usize,
    is_too_deep: bool,
}

/// The largest number of nodes that are checked inside one another, for the values of all depths together. A stack of 2 MiB holds
/// that in a build without optimisation.
pub(super) const MAX_NESTING: usize = 1_024;

impl Memo {
    /// Enters a node, unless the check is already too deep. [`Self::leave`] must follow if this is `true`.
    pub(super) fn enter(&mut self) -> bool {
        if self.is_too_deep || self.nesting >= MAX_NESTING {
            self.is_too_deep = true;
            return false;
        }
        self.nesting += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.nesting -= 1;
    }

    /// Returns `true` if the check was given up, because nodes were nested too deeply. What was found since then says nothing.
    pub(super) fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }
}

#[derive(Clone, Copy, Debug)]
enum Known {
    Valid(bool),
    /// The reference is being followed, at this depth.
    Pending(u32),
}

/// Identifies a value of a document.
pub(super) fn identity(view: View<'_>) -> usize {
    std::ptr::from_ref(view.slot()).addr()
}

impl Checker {
    /// Returns `true` if a value is valid against a node.
    pub(super) fn accepts(&self, id: NodeId, view: View<'_>, memo: &mut Memo) -> bool {
        if self.remembers == Remembers::Containers && matches!(view.slot(), Slot::Array(_) | Slot::Object(_)) {
            return self.remembered(id, view, memo);
        }
        self.check(id, view, memo)
    }

    fn check(&self, id: NodeId, view: View<'_>, memo: &mut Memo) -> bool {
        let node = self.node(id);
        if !node.types.contain(view) || !memo.enter() {
            return false;
        }
        let is_valid = node.keywords.iter().all(|keyword| self.holds(keyword, view, memo));
        memo.leave();
        is_valid
    }

    /// Returns `true` if a value meets a keyword. A keyword for another type is always met.
    pub(super) fn holds(&self, keyword: &Keyword, view: View<'_>, memo: &mut Memo) -> bool {
        match keyword {
            Keyword::Nothing => false,
            Keyword::Const(expected) => equality::equals(view, expected),
            Keyword::Enum(expected) => expected.iter().any(|expected| equality::equals(view, expected)),
            Keyword::Bound { side, limit, .. } => view.number().is_none_or(|number| {
                let order = number::compare(number, *limit);
                match side {
                    Side::Minimum => order != Ordering::Less,
                    Side::Maximum => order != Ordering::Greater,
                    Side::ExclusiveMinimum => order == Ordering::Greater,
                    Side::ExclusiveMaximum => order == Ordering::Less,
                }
            }),
            Keyword::MultipleOf(divisor) => view.number().is_none_or(|number| number::is_multiple_of(number, *divisor)),
            Keyword::AtLeast(size, least) => is_size(view, *size, |count| count >= *least),
            Keyword::AtMost(size, most) => is_size(view, *size, |count| count <= *most),
            Keyword::DependentRequired(all) => {
                !view.is_object()
                    || all.iter().all(|Dependency { name, required }| {
                        view.get(name).is_none() || required.iter().all(|name| view.get(name).is_some())
                    })
            }
            Keyword::Pattern(pattern) => view.text().is_none_or(|text| pattern.matches(&text)),
            Keyword::Format(format) => view.text().is_none_or(|text| format.accepts(&text)),
            Keyword::UniqueItems => equality::are_unique(view),
            Keyword::Object(shape) => self.has_shape(shape, view, memo),
            Keyword::PropertyNames(node) => view
                .properties()
                .is_none_or(|mut properties| properties.all(|(name, _)| self.accepts_name(*node, name))),
            Keyword::Array(shape) => view.elements().is_none_or(|elements| {
                let mut elements = elements.enumerate();
                elements
                    .all(|(index, element)| shape.element(index).is_none_or(|node| self.accepts(node, element, memo)))
            }),
            Keyword::Contains { node, minimum, maximum, .. } => view.elements().is_none_or(|elements| {
                let count = elements.filter(|element| self.accepts(*node, *element, memo)).count() as u64;
                (*minimum..=*maximum).contains(&count)
            }),
            Keyword::DependentSchemas(all) => {
                !view.is_object()
                    || all.iter().all(|(name, node)| view.get(name).is_none() || self.accepts(*node, view, memo))
            }
            Keyword::AllOf(nodes) => nodes.iter().all(|node| self.accepts(*node, view, memo)),
            Keyword::AnyOf(nodes) => nodes.iter().any(|node| self.accepts(*node, view, memo)),
            Keyword::OneOf(nodes) => nodes.iter().filter(|node| self.accepts(**node, view, memo)).take(2).count() == 1,
            Keyword::Not(node) => !self.accepts(*node, view, memo),
            Keyword::If { condition, then, otherwise } => {
                let branch = if self.accepts(*condition, view, memo) { then } else { otherwise };
                branch.is_none_or(|branch| self.accepts(branch, view, memo))
            }
            Keyword::UnevaluatedProperties { .. } => self.unevaluated_properties(keyword, view, memo).is_empty(),
            Keyword::UnevaluatedItems { .. } => self.has_no_unevaluated_items(keyword, view, memo),
            Keyword::Reference(target) => self.accepts_target(*target, view, memo),
        }
    }

    /// Returns `true` if the name of a property is valid.
    pub(super) fn accepts_name(&self, node: NodeId, name: &str) -> bool {
        // The slot is gone when the next name is checked, and may have the same address. So the memo is not shared.
        let slot = [Slot::String(name.into())];
        self.accepts(node, View::of_slots(&slot), &mut Memo::default())
    }

    /// Checks all properties of an object in one pass.
    fn has_shape(&self, shape: &ObjectShape, view: View<'_>, memo: &mut Memo) -> bool {
        let Some(properties) = view.properties() else { return true };
        let (mut expected, mut required) = (0, 0);
        for (name, value) in properties {
            let found = shape.find(name, expected);
            let mut is_listed = found.is_some();
            if let Some(at) = found {
                let property = &shape.properties[at];
                if !self.accepts(property.node, value, memo) {
                    return false;
                }
                required += usize::from(property.is_required);
                expected = at + 1;
            }
            for (pattern, node) in &shape.patterns {
                if pattern.matches(name) {
                    is_listed = true;
                    if !self.accepts(*node, value, memo) {
                        return false;
                    }
                }
            }
            let is_valid = is_listed
                || match shape.additional {
                    Additional::Any | Additional::Open => true,
                    Additional::Closed { .. } => false,
                    Additional::Schema(node) => self.accepts(node, value, memo),
                };
            if !is_valid {
                return false;
            }
        }
        required == shape.required_properties && shape.other_required.iter().all(|name| view.get(name).is_some())
    }

    /// Follows a reference.
    fn accepts_target(&self, target: NodeId, view: View<'_>, memo: &mut Memo) -> bool {
        if self.remembers == Remembers::Nothing {
            return self.check(target, view, memo);
        }
        self.remembered(target, view, memo)
    }

    /// Checks a value, unless the result is known.
    fn remembered(&self, target: NodeId, view: View<'_>, memo: &mut Memo) -> bool {
        let key = (target, identity(view));
        match memo.known.as_ref().and_then(|known| known.get(&key)) {
            Some(Known::Valid(is_valid)) => return *is_valid,
            // A schema that applies itself to the same value says nothing about the value.
            Some(Known::Pending(depth)) => {
                memo.outermost = Some(memo.outermost.map_or(*depth, |outermost| outermost.min(*depth)));
                return true;
            }
            None => {}
        }
        memo.depth += 1;
        let (depth, before) = (memo.depth, memo.outermost.take());
        memo.known.get_or_insert_default().insert(key, Known::Pending(depth));
        let is_valid = self.check(target, view, memo);
        // What was found while an outer reference was assumed to hold is only true under that assumption.
        let assumed = memo.outermost.filter(|outermost| *outermost < depth);
        let known = memo.known.get_or_insert_default();
        if assumed.is_none() {
            known.insert(key, Known::Valid(is_valid));
        } else {
            known.remove(&key);
        }
        memo.outermost = before.into_iter().chain(assumed).min();
        memo.depth -= 1;
        is_valid
    }
}

/// Compares the size of a value. A value that has no such size is accepted.
fn is_size(view: View<'_>, size: Size, accept: impl Fn(u64) -> bool) -> bool {
    let count = match size {
        Size::Characters => view.text().map(|text| text.chars().count()),
        Size::Elements => view.elements().map(|elements| elements.len()),
        Size::Properties => view.properties().map(|properties| properties.len()),
    };
    count.is_none_or(|count| accept(count as u64))
}
