//! Records which definitions refer to which.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::schema::reference::Reference;
use crate::schema::walk::{self, Location, Position};

/// The references of a schema, collected in one walk.
#[derive(Debug)]
pub(crate) struct Graph<'s> {
    /// The references outside of the definitions.
    root: Links<'s>,
    /// The references of each definition.
    definitions: BTreeMap<&'s str, Links<'s>>,
}

/// The names of the definitions that the root or one definition refers to. They may be unknown.
#[derive(Debug, Default)]
struct Links<'s> {
    /// Targets of a `$ref` to a definition.
    refs: Vec<Cow<'s, str>>,
    /// Targets of a `$dynamicRef`.
    dynamic_refs: Vec<Cow<'s, str>>,
    /// Definitions that a `$ref` points into.
    inner_refs: Vec<Cow<'s, str>>,
    /// Whether an anchor or `$id` allows references that do not name the definition.
    has_anchor: bool,
}

impl<'s> Links<'s> {
    fn add(&mut self, schema: &'s Value) {
        let target = |keyword| walk::keyword(schema, keyword).and_then(Value::as_str).map(Reference::parse);
        match target("$ref") {
            Some(Reference::Definition(name)) => self.refs.push(name),
            Some(Reference::Within(name)) => self.inner_refs.push(name),
            _ => {}
        }
        if let Some(Reference::Definition(name) | Reference::Within(name)) = target("$dynamicRef") {
            self.dynamic_refs.push(name);
        }
        self.has_anchor |=
            ["$anchor", "$dynamicAnchor", "$id"].iter().any(|keyword| walk::keyword(schema, keyword).is_some());
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        [&self.refs, &self.dynamic_refs, &self.inner_refs].into_iter().flatten().map(|name| &**name)
    }
}

impl<'s> Graph<'s> {
    pub(crate) fn of(schema: &'s Value) -> Self {
        let mut graph = Self { root: Links::default(), definitions: BTreeMap::new() };
        graph.root.add(schema);
        walk::visit_children(schema, |location, child| {
            let links = match location {
                Location { keyword: "$defs", position: Position::Named(name) } => {
                    graph.definitions.entry(name).or_default()
                }
                _ => &mut graph.root,
            };
            walk::visit(child, &mut |schema| links.add(schema));
        });
        graph
    }

    /// Returns the definitions that are reachable from the root. Definitions with anchors count as reachable, because a
    /// reference to an anchor is not part of the graph.
    pub(super) fn used(&self) -> BTreeSet<&str> {
        let anchored = self.definitions.iter().filter(|(_, links)| links.has_anchor).map(|(name, _)| *name);
        self.reachable(self.root.all().chain(anchored), |links| links.all().collect())
    }

    /// Returns the definitions that must stay under `$defs`: recursive ones, ones with anchors, and targets of inner
    /// references.
    pub(super) fn not_inlinable(&self) -> BTreeSet<String> {
        fn refs<'l>(links: &'l Links<'_>) -> Vec<&'l str> {
            links.refs.iter().map(|name| &**name).collect()
        }
        let is_recursive = |name: &str, links: &Links<'_>| self.reachable(refs(links).into_iter(), refs).contains(name);
        let stays = |(name, links): &(&&str, &Links<'_>)| links.has_anchor || is_recursive(name, links);
        let inner = self.links().flat_map(|links| &links.inner_refs).map(|name| &**name);
        inner.chain(self.definitions.iter().filter(stays).map(|(name, _)| *name)).map(str::to_owned).collect()
    }

    /// Returns the name of a definition that contains itself, directly or through others.
    pub(crate) fn recursive_definition(&self) -> Option<&str> {
        let contains_itself = |(name, links): &(&&str, &Links<'_>)| {
            self.reachable(links.all(), |links| links.all().collect()).contains(**name)
        };
        self.definitions.iter().find(contains_itself).map(|(name, _)| *name)
    }

    /// Returns the definitions that at most one `$ref` names.
    pub(super) fn used_at_most_once(&self) -> impl Iterator<Item = &str> {
        let uses =
            |name: &str| self.links().flat_map(|links| &links.refs).filter(|other| *other == name).take(2).count();
        self.definitions.keys().copied().filter(move |name| uses(name) <= 1)
    }

    fn links(&self) -> impl Iterator<Item = &Links<'s>> {
        self.definitions.values().chain([&self.root])
    }

    /// Returns the definitions that are reachable from `start`, using only the links that `follow` returns.
    fn reachable<'g>(
        &'g self,
        start: impl Iterator<Item = &'g str>,
        follow: fn(&'g Links<'s>) -> Vec<&'g str>,
    ) -> BTreeSet<&'g str> {
        let mut pending: Vec<_> = start.collect();
        let mut reachable = BTreeSet::new();
        while let Some(name) = pending.pop() {
            if let Some(links) = self.definitions.get(name)
                && reachable.insert(name)
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
        assert!(Graph::of(&schema).used().is_empty());
        inline(&mut schema);
        assert_eq!(schema, json!({ "properties": { "a": { "$ref": "#/$defs/X" } } }));
    }
}
