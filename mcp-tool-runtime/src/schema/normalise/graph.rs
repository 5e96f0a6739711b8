//! Records which definitions refer to which.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::schema::reference::Reference;
use crate::schema::walk::{self, Location, Position};

/// The references of a schema, collected in one walk.
#[derive(Debug)]
pub(crate) struct Graph {
    /// The references outside of the definitions.
    root: Links,
    /// The names of the definitions, sorted.
    names: Vec<String>,
    /// The references of each definition, by its index in `names`; `None` for a pruned definition.
    definitions: Vec<Option<Links>>,
}

/// The references of the root or of one definition, as indices into [`Graph::names`].
#[derive(Debug, Default)]
struct Links {
    /// Targets of a `$ref` to a definition.
    refs: Vec<usize>,
    /// Targets of a `$dynamicRef`.
    dynamic_refs: Vec<usize>,
    /// Definitions that a `$ref` points into.
    inner_refs: Vec<usize>,
    /// Whether an anchor or `$id` allows references that do not name the definition.
    has_anchor: bool,
}

impl Links {
    fn add(&mut self, schema: &Value, names: &[String]) {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            let (is_dynamic, target) = match keyword.as_str() {
                "$anchor" | "$dynamicAnchor" | "$id" => {
                    self.has_anchor = true;
                    continue;
                }
                "$ref" => (false, value.as_str().map(Reference::parse)),
                "$dynamicRef" => (true, value.as_str().map(Reference::parse)),
                _ => continue,
            };
            let (list, name) = match (is_dynamic, target) {
                (false, Some(Reference::Definition(name))) => (&mut self.refs, name),
                (false, Some(Reference::Within(name))) => (&mut self.inner_refs, name),
                (true, Some(Reference::Definition(name) | Reference::Within(name))) => (&mut self.dynamic_refs, name),
                _ => continue,
            };
            list.extend(find(names, &name));
        }
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        [&self.refs, &self.dynamic_refs, &self.inner_refs].into_iter().flatten().copied()
    }
}

fn find(names: &[String], name: &str) -> Option<usize> {
    names.binary_search_by(|other| other.as_str().cmp(name)).ok()
}

impl Graph {
    pub(crate) fn of(schema: &Value) -> Self {
        let all = walk::keyword(schema, "$defs").and_then(Value::as_object);
        let schemas = all.into_iter().flatten().filter(|(_, schema)| schema.is_object() || schema.is_boolean());
        let mut names: Vec<String> = schemas.map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        let mut root = Links::default();
        let mut definitions: Vec<_> = names.iter().map(|_| Some(Links::default())).collect();
        root.add(schema, &names);
        walk::visit_children(schema, |location, child| {
            let definition = match location {
                Location { keyword: "$defs", position: Position::Named(name) } => find(&names, name),
                _ => None,
            };
            let links = definition.and_then(|index| definitions[index].as_mut()).unwrap_or(&mut root);
            walk::visit(child, &mut |schema| links.add(schema, &names));
        });
        Self { root, names, definitions }
    }

    /// Removes the definitions that are unreachable from the root. Definitions with anchors stay, because a reference to
    /// an anchor is not part of the graph.
    pub(super) fn prune(&mut self) {
        let anchored = self.remaining().filter(|(_, links)| links.has_anchor).map(|(index, _)| index);
        let reachable = self.reachable(self.root.all().chain(anchored), |links| links.all().collect());
        for (definition, is_reachable) in self.definitions.iter_mut().zip(reachable) {
            *definition = definition.take().filter(|_| is_reachable);
        }
    }

    /// Returns `true` if the definition exists and is not pruned.
    pub(super) fn has(&self, name: &str) -> bool {
        find(&self.names, name).is_some_and(|index| self.definitions[index].is_some())
    }

    /// Returns the definitions that must stay under `$defs`: recursive ones, ones with anchors, and targets of inner
    /// references.
    pub(super) fn not_inlinable(&self) -> BTreeSet<String> {
        let is_recursive =
            |index: usize, links: &Links| self.reachable(links.refs.iter().copied(), |links| links.refs.clone())[index];
        let stays = |(index, links): &(usize, &Links)| links.has_anchor || is_recursive(*index, links);
        let inner = self.links().flat_map(|links| links.inner_refs.iter().copied());
        let indices = inner.chain(self.remaining().filter(stays).map(|(index, _)| index));
        indices.map(|index| self.names[index].clone()).collect()
    }

    /// Returns the name of a definition that contains itself, directly or through others.
    pub(crate) fn recursive_definition(&self) -> Option<&str> {
        let mut all = self.remaining();
        let contains_itself =
            |(index, links): &(usize, &Links)| self.reachable(links.all(), |links| links.all().collect())[*index];
        all.find(contains_itself).map(|(index, _)| self.names[index].as_str())
    }

    /// Returns the definitions that at most one `$ref` names.
    pub(super) fn used_at_most_once(&self) -> impl Iterator<Item = &str> {
        let mut uses = vec![0_usize; self.names.len()];
        self.links().flat_map(|links| &links.refs).for_each(|index| uses[*index] += 1);
        self.remaining().filter(move |(index, _)| uses[*index] <= 1).map(|(index, _)| self.names[index].as_str())
    }

    /// Returns the definitions that are not pruned, with their indices.
    fn remaining(&self) -> impl Iterator<Item = (usize, &Links)> {
        self.definitions.iter().enumerate().filter_map(|(index, links)| Some((index, links.as_ref()?)))
    }

    fn links(&self) -> impl Iterator<Item = &Links> {
        self.definitions.iter().flatten().chain([&self.root])
    }

    /// Computes for each definition whether it is reachable from `start`, using only the links that `follow` returns.
    fn reachable(&self, start: impl Iterator<Item = usize>, follow: fn(&Links) -> Vec<usize>) -> Vec<bool> {
        let mut pending: Vec<_> = start.collect();
        let mut reachable = vec![false; self.names.len()];
        while let Some(index) = pending.pop() {
            if let Some(links) = &self.definitions[index]
                && !std::mem::replace(&mut reachable[index], true)
            {
                pending.extend(follow(links));
            }
        }
        reachable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::normalise::inline::inline;
    use serde_json::json;

    #[test]
    fn an_entry_that_is_not_a_schema_is_not_a_definition() {
        let mut schema = json!({ "properties": { "a": { "$ref": "#/$defs/X" } }, "$defs": { "X": 3 } });
        assert!(!Graph::of(&schema).has("X"));
        inline(&mut schema);
        assert_eq!(schema, json!({ "properties": { "a": { "$ref": "#/$defs/X" } } }));
    }
}
