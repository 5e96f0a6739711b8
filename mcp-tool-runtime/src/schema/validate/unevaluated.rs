//! `unevaluatedProperties` and `unevaluatedItems`: what no other keyword of the same subschema, or of the subschemas that it applies
//! to the same value, has looked at.

use super::accept::Memo;
use super::checker::Checker;
use super::node::{Keyword, NodeId};
use super::object::Additional;
use crate::document::tape::View;

/// The properties, by position, or elements, by index, that a schema has looked at.
#[derive(Debug)]
struct Evaluated {
    seen: Vec<bool>,
    /// The nodes whose keywords are being looked at, so that a schema that applies itself ends.
    open: Vec<NodeId>,
}

impl Checker {
    /// Returns the names of the properties that the keyword refuses.
    pub(super) fn unevaluated_properties<'t>(
        &self,
        keyword: &Keyword,
        view: View<'t>,
        memo: &mut Memo,
    ) -> Vec<&'t str> {
        let (Keyword::UnevaluatedProperties { own, node }, Some(properties)) = (keyword, view.properties()) else {
            return Vec::new();
        };
        let mut evaluated = Evaluated { seen: vec![false; properties.len()], open: Vec::new() };
        self.evaluate(*own, Some(keyword), view, &mut evaluated, memo);
        let rest = properties.zip(evaluated.seen).filter(|(_, is_seen)| !is_seen).map(|(property, _)| property);
        rest.filter(|(_, value)| !self.accepts(*node, *value, memo)).map(|(name, _)| name).collect()
    }

    /// Returns `true` if the keyword refuses no element.
    pub(super) fn has_no_unevaluated_items(&self, keyword: &Keyword, view: View<'_>, memo: &mut Memo) -> bool {
        let (Keyword::UnevaluatedItems { own, node }, Some(elements)) = (keyword, view.elements()) else { return true };
        let mut evaluated = Evaluated { seen: vec![false; elements.len()], open: Vec::new() };
        self.evaluate(*own, Some(keyword), view, &mut evaluated, memo);
        elements.zip(evaluated.seen).all(|(element, is_seen)| is_seen || self.accepts(*node, element, memo))
    }

    /// Marks what the keywords of a node look at, except `asking`. Only branches that accept the value count.
    fn evaluate(
        &self,
        id: NodeId,
        asking: Option<&Keyword>,
        view: View<'_>,
        evaluated: &mut Evaluated,
        memo: &mut Memo,
    ) {
        if evaluated.open.contains(&id) || !memo.enter() {
            return;
        }
        evaluated.open.push(id);
        for keyword in &self.node(id).keywords {
            if asking.is_some_and(|asking| std::ptr::eq(asking, keyword)) {
                continue;
            }
            self.evaluate_keyword(keyword, view, evaluated, memo);
        }
        evaluated.open.pop();
        memo.leave();
    }

    fn evaluate_keyword(&self, keyword: &Keyword, view: View<'_>, evaluated: &mut Evaluated, memo: &mut Memo) {
        let mut branch = |node: NodeId, memo: &mut Memo| {
            let is_valid = self.accepts(node, view, memo);
            if is_valid {
                self.evaluate(node, None, view, evaluated, memo);
            }
            is_valid
        };
        match keyword {
            Keyword::Reference(node) => _ = branch(*node, memo),
            Keyword::AllOf(nodes) | Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => {
                nodes.iter().for_each(|node| _ = branch(*node, memo));
            }
            Keyword::If { condition, then, otherwise } => {
                let next = if branch(*condition, memo) { then } else { otherwise };
                if let Some(next) = next {
                    branch(*next, memo);
                }
            }
            Keyword::DependentSchemas(all) => {
                for (name, node) in all {
                    if view.get(name).is_some() {
                        branch(*node, memo);
                    }
                }
            }
            Keyword::Object(shape) => {
                let Some(properties) = view.properties() else { return };
                for ((name, _), is_seen) in properties.zip(&mut evaluated.seen) {
                    *is_seen |= shape.find(name, 0).is_some()
                        || shape.matching(name).next().is_some()
                        || shape.additional != Additional::Any;
                }
            }
            Keyword::Array(shape) if view.elements().is_some() => {
                let count = if shape.rest.is_some() { usize::MAX } else { shape.prefix.len() };
                evaluated.seen.iter_mut().take(count).for_each(|is_seen| *is_seen = true);
            }
            Keyword::Contains { node, is_evaluation: true, .. } => {
                let Some(elements) = view.elements() else { return };
                for (element, is_seen) in elements.zip(&mut evaluated.seen) {
                    *is_seen |= self.accepts(*node, element, memo);
                }
            }
            Keyword::UnevaluatedProperties { .. } if view.is_object() => evaluated.seen.fill(true),
            Keyword::UnevaluatedItems { .. } if view.elements().is_some() => evaluated.seen.fill(true),
            _ => {}
        }
    }
}
