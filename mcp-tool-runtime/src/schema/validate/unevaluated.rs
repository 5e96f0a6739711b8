//! `unevaluatedProperties` and `unevaluatedItems`: what no other keyword of the same subschema, or of the subschemas that it applies
//! to the same value, has looked at.

use super::checker::Checker;
use super::memo::Memo;
use super::node::{Keyword, NodeId, Recall};
use super::object::Additional;
use crate::json::tape::View;
use crate::json::violation::MAX_FOUND;

/// The properties, by position, or elements, by index, that a schema has looked at: one bit for each.
#[derive(Debug)]
pub(super) struct Evaluated(Box<[u64]>);

impl Evaluated {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    fn add(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn add_first(&mut self, count: usize) {
        let (whole, rest) = (count / 64, count % 64);
        self.0.iter_mut().take(whole).for_each(|bits| *bits = u64::MAX);
        if let Some(bits) = self.0.get_mut(whole) {
            *bits |= (1 << rest) - 1;
        }
    }

    fn add_all(&mut self) {
        self.0.fill(u64::MAX);
    }

    fn add_those_of(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(bits, other)| *bits |= other);
    }

    fn contains(&self, index: usize) -> bool {
        self.0[index / 64] & 1 << (index % 64) != 0
    }
}

impl Checker {
    /// Returns the names of the first properties that the keyword refuses.
    pub(super) fn unevaluated_properties<'t>(
        &self,
        keyword: &Keyword,
        view: View<'t>,
        memo: &mut Memo,
    ) -> Vec<&'t str> {
        let (Keyword::UnevaluatedProperties { own, node }, Some(properties)) = (keyword, view.properties()) else {
            return Vec::new();
        };
        let mut evaluated = Evaluated::none(properties.len());
        self.evaluate_keywords(*own, Some(keyword), view, &mut evaluated, memo);
        let rest = properties.enumerate().filter(|(index, _)| !evaluated.contains(*index));
        rest.filter(|(_, (_, value))| !self.accepts(*node, *value, memo))
            .map(|(_, (name, _))| name)
            .take(MAX_FOUND)
            .collect()
    }

    /// Returns the first elements that the keyword refuses, each with its index.
    pub(super) fn unevaluated_items<'t>(
        &self,
        keyword: &Keyword,
        view: View<'t>,
        memo: &mut Memo,
    ) -> Vec<(usize, View<'t>)> {
        let (Keyword::UnevaluatedItems { own, node }, Some(elements)) = (keyword, view.elements()) else {
            return Vec::new();
        };
        let mut evaluated = Evaluated::none(elements.len());
        self.evaluate_keywords(*own, Some(keyword), view, &mut evaluated, memo);
        let rest = elements.enumerate().filter(|(index, _)| !evaluated.contains(*index));
        rest.filter(|(_, element)| !self.accepts(*node, *element, memo)).take(MAX_FOUND).collect()
    }

    /// Returns the names that a node, or one that it applies to the same value, lists in `properties`.
    pub(super) fn known_names(&self, id: NodeId) -> Vec<&str> {
        let (mut names, mut nodes, mut next) = (Vec::new(), vec![id], 0);
        while let Some(id) = nodes.get(next).copied() {
            next += 1;
            for keyword in &self.node(id).keywords {
                if let Keyword::Object(shape) = keyword {
                    names.extend(shape.properties.iter().map(|property| &*property.name));
                }
                keyword.visit_in_place(&mut |id| {
                    if !nodes.contains(&id) {
                        nodes.push(id);
                    }
                });
            }
        }
        names
    }

    /// Marks what a node that accepts the value looks at. What a shared node looks at is remembered, so each node is asked once for
    /// each value, however many ways lead to it.
    fn evaluate(&self, id: NodeId, view: View<'_>, evaluated: &mut Evaluated, memo: &mut Memo) {
        if self.node(id).recall != Recall::All {
            return self.evaluate_keywords(id, None, view, evaluated, memo);
        }
        if let Some(known) = memo.evaluated(id, view) {
            return evaluated.add_those_of(known);
        }
        let mut own = Evaluated(vec![0; evaluated.0.len()].into());
        self.evaluate_keywords(id, None, view, &mut own, memo);
        evaluated.add_those_of(&own);
        memo.remember_evaluated(id, view, own);
    }

    /// Marks what the keywords of a node look at, except `asking`. Only branches that accept the value count.
    fn evaluate_keywords(
        &self,
        id: NodeId,
        asking: Option<&Keyword>,
        view: View<'_>,
        evaluated: &mut Evaluated,
        memo: &mut Memo,
    ) {
        if !memo.enter() {
            return;
        }
        let keywords =
            || self.node(id).keywords.iter().filter(|keyword| !asking.is_some_and(|it| std::ptr::eq(it, *keyword)));
        if keywords().any(|keyword| evaluates_all(keyword, view)) {
            evaluated.add_all();
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
                for (index, (name, _)) in view.properties().into_iter().flatten().enumerate() {
                    if shape.find(name, 0).is_some() || shape.matching(name).next().is_some() {
                        evaluated.add(index);
                    }
                }
            }
            Keyword::Array(shape) => {
                let count = view.elements().map_or(0, |elements| elements.len());
                evaluated.add_first(count.min(shape.prefix.len()));
            }
            Keyword::Contains { node, .. } => {
                for (index, element) in view.elements().into_iter().flatten().enumerate() {
                    if self.accepts(*node, element, memo) {
                        evaluated.add(index);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns `true` if a keyword that accepts the value has looked at every property or element, so that no other keyword needs to be
/// asked.
fn evaluates_all(keyword: &Keyword, view: View<'_>) -> bool {
    match keyword {
        Keyword::Object(shape) => view.is_object() && shape.additional != Additional::Any,
        Keyword::Array(shape) => view.elements().is_some() && shape.rest.is_some(),
        Keyword::UnevaluatedProperties { .. } => view.is_object(),
        Keyword::UnevaluatedItems { .. } => view.elements().is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::json::reader::read_value;
    use crate::schema::validate::CompiledSchema;

    /// Returns `true` if a schema that allows nothing unevaluated beside `part` accepts the value.
    fn accepts(part: &Value, value: &Value) -> bool {
        let schema = json!({ "allOf": [part], "unevaluatedProperties": false, "unevaluatedItems": false });
        let compiled = CompiledSchema::new(&schema).expect("it compiles");
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
