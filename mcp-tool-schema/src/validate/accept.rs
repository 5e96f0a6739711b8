//! Decides if a document is valid. Allocates nothing for most schemas.
//!
//! Assertions, such as `minimum`, are checked without the memo, and an iterator ends with its array or object. Without both, a call of the
//! benchmark `order` takes 6 % more instructions.
//!
//! The keywords that most values need are checked in small functions, which keep their variables in registers. With one function for all
//! keywords, the check of the arguments and the result of `order` takes a fifth longer.

use std::cmp::Ordering;

use super::checker::Checker;
use super::equality;
use super::memo::Memo;
use super::node::{ArrayShape, Keyword, Node, NodeId, Recall, Side, Size};
use super::number;
use super::object::{Additional, ObjectShape};
use crate::json::tape::{Slot, View};

impl Checker {
    /// Returns `true` if a value is valid against a node.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it saves a call for each value that needs no more than its type")]
    pub(super) fn accepts(&self, id: NodeId, view: View<'_>, memo: &mut Memo) -> bool {
        let node = self.node(id);
        if !node.types.accepts(view) {
            return false;
        }
        // Most values have a schema with nothing but a type.
        if node.keywords.is_empty() {
            return true;
        }
        if node.is_leaf && !memo.has_spare() {
            return node.is_met_by(view);
        }
        self.accepts_keywords(id, node, view, memo)
    }

    /// Returns `true` if a value of the right type meets the keywords of a node.
    fn accepts_keywords(&self, id: NodeId, node: &Node, view: View<'_>, memo: &mut Memo) -> bool {
        if node.recall == Recall::Nothing && !memo.has_spare() {
            return self.check(node, view, memo);
        }
        self.recall(id, node, view, memo)
    }

    /// Checks a value of the right type.
    fn check(&self, node: &Node, view: View<'_>, memo: &mut Memo) -> bool {
        if !memo.enter() {
            return false;
        }
        let omits_null = memo.omits_null;
        memo.omits_null &= node.is_plain;
        let is_valid = node.keywords.iter().all(|keyword| self.holds(keyword, view, memo));
        memo.omits_null = omits_null;
        memo.leave();
        is_valid
    }

    /// Checks a value of the right type, unless the result is known.
    fn recall(&self, id: NodeId, node: &Node, view: View<'_>, memo: &mut Memo) -> bool {
        let is_shared = match node.recall {
            Recall::Nothing => false,
            Recall::Containers => matches!(view.slot(), Slot::Array(_) | Slot::Object(_)),
            Recall::All => true,
        };
        if !is_shared && !memo.has_spare() {
            return self.check(node, view, memo);
        }
        if let Some(is_valid) = memo.result(id, view) {
            return is_valid;
        }
        let is_valid = self.check(node, view, memo);
        memo.remember(id, view, is_valid, is_shared);
        is_valid
    }

    /// Returns `true` if a value meets a keyword. A keyword for another type is always met.
    #[inline]
    pub(super) fn holds(&self, keyword: &Keyword, view: View<'_>, memo: &mut Memo) -> bool {
        match keyword {
            Keyword::Object(shape) => self.has_shape(shape, view, memo),
            Keyword::Array(shape) => self.has_elements(shape, view, memo),
            _ => self.holds_otherwise(keyword, view, memo),
        }
    }

    /// [`Self::holds`], for all other keywords.
    #[inline(never)]
    fn holds_otherwise(&self, keyword: &Keyword, view: View<'_>, memo: &mut Memo) -> bool {
        match keyword {
            Keyword::PropertyNames(node) => view
                .properties()
                .is_none_or(|mut properties| properties.all(|(name, _)| self.accepts_name(*node, name))),
            Keyword::Contains { node, minimum, maximum } => view.elements().is_none_or(|elements| {
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
            Keyword::Unevaluated(rule) => self.unevaluated(rule, view, memo).is_empty(),
            Keyword::Reference(target) => self.accepts(*target, view, memo),
            _ => keyword.is_met_by(view),
        }
    }

    /// Returns `true` if the name of a property is valid.
    pub(super) fn accepts_name(&self, node: NodeId, name: &str) -> bool {
        // The slot is gone when the next name is checked, and may have the same address. So the memo is not shared.
        let slot = [Slot::String(name.into())];
        let name = View::of_slots(&slot);
        self.accepts(node, name, &mut Memo::new(name))
    }

    /// Checks the elements of an array.
    fn has_elements(&self, shape: &ArrayShape, view: View<'_>, memo: &mut Memo) -> bool {
        let Some(mut elements) = view.elements() else { return true };
        shape.prefix.iter().zip(&mut elements).all(|(node, element)| self.accepts(*node, element, memo))
            && shape.rest.is_none_or(|node| elements.all(|element| self.accepts(node, element, memo)))
    }

    /// Checks all properties of an object in one pass.
    #[inline(never)]
    fn has_shape(&self, shape: &ObjectShape, view: View<'_>, memo: &mut Memo) -> bool {
        let Some(properties) = view.properties() else { return true };
        let (mut expected, mut required) = (&*shape.properties, 0);
        for (name, value) in properties {
            let found = shape.find(name, expected);
            if let Some((property, next)) = found {
                if !self.accepts(property.node, value, memo) {
                    if !memo.omits_null || property.is_required || !value.is_null() {
                        return false;
                    }
                    memo.omit(view, value);
                }
                required += usize::from(property.is_required);
                expected = next;
            }
            if (found.is_none() || !shape.patterns.is_empty())
                && !self.accepts_as_other(shape, found.is_some(), name, value, memo)
            {
                return false;
            }
        }
        required == shape.required_properties && shape.other_required.iter().all(|name| view.get(name).is_some())
    }

    /// Checks a property against the schema of each pattern that its name matches. If no pattern matches it and `properties` does not list it,
    /// the schema of all other properties applies.
    #[inline(never)]
    fn accepts_as_other(
        &self,
        shape: &ObjectShape,
        mut is_listed: bool,
        name: &str,
        value: View<'_>,
        memo: &mut Memo,
    ) -> bool {
        for node in shape.matching(name) {
            is_listed = true;
            if !self.accepts(node, value, memo) {
                return false;
            }
        }
        is_listed
            || match shape.additional {
                Additional::Any | Additional::Open => true,
                Additional::Closed => false,
                Additional::Schema(node) => self.accepts(node, value, memo),
            }
    }
}

impl Node {
    /// Returns `true` if a value of the right type meets the keywords of a leaf.
    fn is_met_by(&self, view: View<'_>) -> bool {
        self.keywords.iter().all(|keyword| keyword.is_met_by(view))
    }
}

impl Keyword {
    /// Returns `true` if a value meets an [assertion](Self::is_assertion). An assertion about another type is always met.
    #[inline]
    fn is_met_by(&self, view: View<'_>) -> bool {
        match self {
            Self::Bound { side, limit, .. } => view.number().is_none_or(|number| {
                let order = number::compare(number, *limit);
                match side {
                    Side::Minimum => order != Ordering::Less,
                    Side::Maximum => order != Ordering::Greater,
                    Side::ExclusiveMinimum => order == Ordering::Greater,
                    Side::ExclusiveMaximum => order == Ordering::Less,
                }
            }),
            // A character takes at most four bytes, so most lengths need no count.
            Self::AtLeast(Size::Characters, least) => view.text_is_none_or(|text| {
                text.len().div_ceil(4) as u64 >= *least || text.chars().count() as u64 >= *least
            }),
            Self::AtMost(Size::Characters, most) => {
                view.text_is_none_or(|text| text.len() as u64 <= *most || text.chars().count() as u64 <= *most)
            }
            _ => self.is_met_otherwise(view),
        }
    }

    /// [`Self::is_met_by`], for all other assertions.
    #[inline(never)]
    fn is_met_otherwise(&self, view: View<'_>) -> bool {
        match self {
            Self::Const(expected) => equality::equals(view, expected),
            Self::Enum(expected) => expected.contains(view),
            Self::MultipleOf(divisor) => view.number().is_none_or(|number| number::is_multiple_of(number, *divisor)),
            Self::AtLeast(size, least) => is_size(view, *size, |count| count >= *least),
            Self::AtMost(size, most) => is_size(view, *size, |count| count <= *most),
            Self::DependentRequired(all) => {
                !view.is_object()
                    || all.iter().all(|(name, required)| {
                        view.get(name).is_none() || required.iter().all(|name| view.get(name).is_some())
                    })
            }
            Self::Pattern(pattern) => view.text_is_none_or(|text| pattern.matches(text)),
            Self::Format(format) => view.text_is_none_or(|text| format.accepts(text)),
            Self::UniqueItems => equality::are_unique(view),
            // `Nothing` is the only assertion that is left.
            _ => false,
        }
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
