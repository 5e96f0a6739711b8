//! `unevaluatedProperties` and `unevaluatedItems`, which apply to the properties or elements that no other keyword has
//! looked at. The other keywords are those of the same subschema, and those of the subschemas that it applies to the
//! same value.

use super::Keyword;
use super::object::Additional;
use crate::accepted::Types;
use crate::json::path::{Path, Step};
use crate::json::tape::View;
use crate::json::violation::{MAX_FOUND, Violation};
use crate::validate::checker::{Checker, NodeId, Recall};
use crate::validate::memo::{Memo, reachable};
use crate::validate::search::{Kind, Search};

/// `unevaluatedProperties` or `unevaluatedItems`.
#[derive(Debug)]
pub(in crate::validate) struct Unevaluated {
    /// [`Types::OBJECT`] or [`Types::ARRAY`].
    pub(in crate::validate) of: Types,
    /// The node with the keyword.
    pub(in crate::validate) own: NodeId,
    pub(in crate::validate) node: NodeId,
}

/// For each property (by position) or element (by index), whether a schema has looked at it.
pub(in crate::validate) type Evaluated = Box<[bool]>;

impl Checker {
    /// Returns the first properties or elements that the keyword refuses, each with its position.
    pub(in crate::validate) fn unevaluated<'t>(
        &self,
        rule: &Unevaluated,
        view: View<'t>,
        memo: &mut Memo,
    ) -> Vec<(usize, View<'t>)> {
        let properties = view.properties().into_iter().flatten().map(|(_, value)| value);
        let values: Vec<_> = properties.chain(view.elements().into_iter().flatten()).collect();
        if values.is_empty() || !Types::of_view(view).intersects(rule.of) {
            return Vec::new();
        }
        let mut evaluated = vec![false; values.len()].into();
        self.evaluate_keywords(rule.own, Some(rule), view, &mut evaluated, memo);
        let rest = values.into_iter().enumerate().filter(|(position, _)| !evaluated[*position]);
        rest.filter(|(_, value)| !self.accepts(rule.node, *value, memo)).take(MAX_FOUND).collect()
    }

    /// Returns the names that a node, or another node that it applies to the same value, lists in `properties`.
    pub(in crate::validate) fn known_names(&self, id: NodeId) -> Vec<&str> {
        let nodes = reachable(&self.nodes, vec![id], Keyword::in_place);
        let keywords = nodes.into_iter().flat_map(|id| &self.node(id).keywords);
        let shapes =
            keywords.filter_map(|keyword| if let Keyword::Object(shape) = keyword { Some(shape) } else { None });
        shapes.flat_map(|shape| &shape.properties).map(|property| &*property.name).collect()
    }

    /// Marks the properties or elements that a node looks at. The node must accept the value. If all results for the
    /// node are remembered, its marks are too, so that they are computed once per value, however many ways lead to the
    /// node.
    fn evaluate(&self, id: NodeId, view: View<'_>, evaluated: &mut Evaluated, memo: &mut Memo) {
        if self.node(id).recall != Recall::All {
            return self.evaluate_keywords(id, None, view, evaluated, memo);
        }
        let count = evaluated.len();
        let mut add = |own: &Evaluated| evaluated.iter_mut().zip(own).for_each(|(known, own)| *known |= own);
        if let Some(known) = memo.evaluated(id, view) {
            return add(known);
        }
        let mut own = vec![false; count].into();
        self.evaluate_keywords(id, None, view, &mut own, memo);
        add(&own);
        memo.remember_evaluated(id, view, own);
    }

    /// Marks what the keywords of a node look at. Skips `asking`, the keyword that needs the marks. Subschemas that
    /// refuse the value mark nothing.
    fn evaluate_keywords(
        &self,
        id: NodeId,
        asking: Option<&Unevaluated>,
        view: View<'_>,
        evaluated: &mut Evaluated,
        memo: &mut Memo,
    ) {
        if !memo.enter() {
            return;
        }
        let is_asking = |keyword: &Keyword| matches!((keyword, asking), (Keyword::Unevaluated(own), Some(asking)) if std::ptr::eq(own, asking));
        let keywords = || self.node(id).keywords.iter().filter(|keyword| !is_asking(keyword));
        if keywords().any(|keyword| evaluates_all(keyword, view)) {
            evaluated.fill(true);
        } else {
            keywords().for_each(|keyword| self.evaluate_keyword(keyword, view, evaluated, memo));
        }
        memo.leave();
    }

    fn evaluate_keyword(&self, keyword: &Keyword, view: View<'_>, evaluated: &mut Evaluated, memo: &mut Memo) {
        let mut branch = |node: NodeId, memo: &mut Memo| {
            let is_valid = self.accepts(node, view, memo);
            if is_valid {
                self.evaluate(node, view, evaluated, memo);
            }
            is_valid
        };
        match keyword {
            Keyword::Reference(node) => _ = branch(*node, memo),
            Keyword::AllOf(nodes) | Keyword::AnyOf(nodes) | Keyword::OneOf(nodes) => {
                nodes.iter().for_each(|node| _ = branch(*node, memo));
            }
            Keyword::If(rule) => {
                let next = if branch(rule.test, memo) { rule.then } else { rule.otherwise };
                if let Some(next) = next {
                    branch(next, memo);
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
                for (index, (name, _)) in view.properties().into_iter().flatten().enumerate() {
                    if shape.find(name, &[]).is_some() || shape.matching(name).next().is_some() {
                        evaluated[index] = true;
                    }
                }
            }
            Keyword::Array(shape) => {
                let is_element = view.elements().is_some();
                evaluated.iter_mut().take(shape.prefix.len()).for_each(|known| *known |= is_element);
            }
            Keyword::Contains(rule) => {
                for (index, element) in view.elements().into_iter().flatten().enumerate() {
                    if self.accepts(rule.node, element, memo) {
                        evaluated[index] = true;
                    }
                }
            }
            _ => {}
        }
    }
}

impl Search<'_> {
    pub(in crate::validate) fn unevaluated(&mut self, rule: &Unevaluated, view: View<'_>, path: &mut Path) {
        for (position, value) in self.checker.unevaluated(rule, view, &mut self.memo) {
            if self.is_over() {
                return;
            }
            let name = view.properties().and_then(|mut all| all.nth(position)).map(|(name, _)| name);
            if let Some(name) = name.filter(|_| self.checker.node(rule.node).types == Types::NONE) {
                let known = self.checker.known_names(rule.own);
                self.push_violation(Kind::Other, Violation::unknown_property(path, name, known.into_iter()));
            } else {
                let step = || name.map_or(Step::Index(position), |name| Step::Key(name.into()));
                self.visit_inside(rule.node, value, step, path);
            }
        }
    }
}

/// Returns `true` if a keyword that accepts the value has looked at every property or element. If so, no other keyword
/// needs to be examined.
fn evaluates_all(keyword: &Keyword, view: View<'_>) -> bool {
    match keyword {
        Keyword::Object(shape) => view.is_object() && shape.additional != Additional::Any,
        Keyword::Array(shape) => view.elements().is_some() && shape.rest.is_some(),
        Keyword::Unevaluated(rule) => Types::of_view(view).intersects(rule.of),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::Validator;
    use crate::json::reader::read_value;

    /// Adds keywords that allow nothing unevaluated to `part`, and returns `true` if this schema accepts the value.
    fn accepts(part: &Value, value: &Value) -> bool {
        let schema = json!({ "allOf": [part], "unevaluatedProperties": false, "unevaluatedItems": false });
        let compiled = Validator::compile_linear(&schema).expect("it compiles");
        compiled.accepts(read_value(value).expect("a document").root())
    }

    #[test]
    fn a_keyword_for_the_rest_evaluates_all_values_of_its_own_type() {
        let (object, array) = (json!({ "a": 1, "b": 2 }), json!([1, 2]));
        for (part, has_object, has_array) in [
            (json!({}), false, false),
            (json!({ "additionalProperties": true }), true, false),
            (json!({ "additionalProperties": { "type": "integer" } }), true, false),
            (json!({ "properties": { "a": {} } }), false, false),
            (json!({ "unevaluatedProperties": { "type": "integer" } }), true, false),
            (json!({ "items": true }), false, true),
            (json!({ "items": { "type": "integer" } }), false, true),
            (json!({ "prefixItems": [{}] }), false, false),
            (json!({ "prefixItems": [{}], "items": true }), false, true),
            (json!({ "unevaluatedItems": { "type": "integer" } }), false, true),
        ] {
            assert_eq!((accepts(&part, &object), accepts(&part, &array)), (has_object, has_array), "{part}");
        }
    }
}
