//! The elements of an array: `prefixItems` and `items`, or their older names, and `contains`.

use serde_json::{Map, Value};

use super::limits::{Size, count};
use super::{Keyword, unions};
use crate::accepted::Types;
use crate::json::path::{Path, Step};
use crate::json::tape::View;
use crate::validate::checker::{Checker, NodeId};
use crate::validate::compile::{Compiler, Place};
use crate::validate::memo::Memo;
use crate::validate::search::{Kind, Search};

/// `prefixItems` and `items`, or their older names.
#[derive(Debug)]
pub(in crate::validate) struct ArrayShape {
    pub(in crate::validate) prefix: Box<[NodeId]>,
    pub(in crate::validate) rest: Option<NodeId>,
}

impl ArrayShape {
    /// Returns the node that applies to the element at `index`, if there is one.
    #[inline]
    pub(in crate::validate) fn element(&self, index: usize) -> Option<NodeId> {
        self.prefix.get(index).copied().or(self.rest)
    }
}

/// `contains`, with `minContains` and `maxContains`.
#[derive(Debug)]
pub(in crate::validate) struct Contains {
    pub(in crate::validate) node: NodeId,
    minimum: u64,
    maximum: u64,
}

impl<'s> Compiler<'s> {
    pub(in crate::validate) fn array(&mut self, map: &'s Map<String, Value>, place: &Place<'s>) -> Option<Keyword> {
        let (prefix, rest) = match map.get("items") {
            _ if self.is_2020() => ("prefixItems", "items"),
            Some(Value::Array(_)) => ("items", "additionalItems"),
            // Here, `items` is not a list, so `list` returns an empty prefix for it.
            _ => ("items", "items"),
        };
        let prefix = map.get(prefix).map(|list| self.list(prefix, list, place)).unwrap_or_default();
        let rest = map.get(rest).map(|schema| self.single(rest, schema, place));
        (!prefix.is_empty() || rest.is_some()).then_some(Keyword::Array(ArrayShape { prefix, rest }))
    }

    pub(super) fn contains(&mut self, value: &'s Value, map: &'s Map<String, Value>, place: &Place<'s>) -> Contains {
        let bound = |keyword| map.get(keyword).filter(|_| self.is_2020()).map(count);
        let (minimum, maximum) = (bound("minContains").unwrap_or(1), bound("maxContains").unwrap_or(u64::MAX));
        Contains { node: self.single("contains", value, place), minimum, maximum }
    }
}

impl Checker {
    /// Checks the elements of an array. Any other value is valid.
    pub(super) fn has_elements(&self, shape: &ArrayShape, view: View<'_>, memo: &mut Memo) -> bool {
        let Some(mut elements) = view.elements() else { return true };
        shape.prefix.iter().zip(&mut elements).all(|(node, element)| self.accepts(*node, element, memo))
            && shape.rest.is_none_or(|node| elements.all(|element| self.accepts(node, element, memo)))
    }

    pub(super) fn contains(&self, rule: &Contains, view: View<'_>, memo: &mut Memo) -> bool {
        view.elements().is_none_or(|elements| {
            let count = elements.filter(|element| self.accepts(rule.node, *element, memo)).count() as u64;
            (rule.minimum..=rule.maximum).contains(&count)
        })
    }
}

impl<'s> Search<'s> {
    pub(in crate::validate) fn array(&mut self, shape: &'s ArrayShape, view: View<'_>, path: &mut Path) {
        for (index, element) in view.elements().into_iter().flatten().enumerate() {
            if self.is_over() {
                return;
            }
            let Some(id) = shape.element(index) else { return };
            if index >= shape.prefix.len() && self.checker.node(id).types == Types::NONE {
                let most = Size::Elements.count(shape.prefix.len() as u64);
                return self.push(Kind::Other, path, format!("expected at most {most}"));
            }
            self.visit_inside(id, element, || Step::Index(index), path);
        }
    }

    /// Says how many elements `contains` expects, and how many it found.
    pub(in crate::validate) fn count_contained(&mut self, rule: &Contains, view: View<'_>) -> String {
        let elements = view.elements().into_iter().flatten();
        let found = elements.filter(|element| self.accepts(rule.node, *element)).count() as u64;
        let (bound, limit) = if found < rule.minimum { ("at least", rule.minimum) } else { ("at most", rule.maximum) };
        let limit = Size::Elements.count(limit);
        match unions::describe_exactly(self.schema_at(rule.node), self.schema) {
            Some(form) => format!("expected {bound} {limit} of this form: {form}; found {found}"),
            None => format!("expected {bound} {limit} that `contains` accepts, found {found}"),
        }
    }
}
