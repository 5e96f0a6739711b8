//! Which definitions refer to which.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::schema::reference::Reference;
use crate::schema::walk::{self, Member, Place};

/// The references of a schema, found in one walk.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// What the schema refers to outside of its definitions.
    root: Links,
    definitions: BTreeMap<String, Links>,
}

/// What one part of a schema refers to.
#[derive(Debug, Default)]
struct Links {
    /// Each `$ref` to a definition.
    uses: Vec<String>,
    /// The definitions that it needs in another way: for a place inside them, or by `$dynamicRef`.
    needs: Vec<String>,
    /// The definitions that it points into.
    inside: Vec<String>,
    /// Whether something may refer to a place in it by another way than its key.
    is_anchored: bool,
}

impl Links {
    fn note(&mut self, schema: &Value) {
        for (word, value) in schema.as_object().into_iter().flatten() {
            match (word.as_str(), value.as_str().map(Reference::parse)) {
                ("$anchor" | "$dynamicAnchor" | "$id", _) => self.is_anchored = true,
                ("$ref", Some(Reference::Definition(name))) => self.uses.push(name),
                ("$ref", Some(Reference::Within(name))) => self.inside.push(name),
                ("$dynamicRef", Some(Reference::Definition(name) | Reference::Within(name))) => self.needs.push(name),
                _ => {}
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        [&self.uses, &self.needs, &self.inside].into_iter().flatten()
    }
}

impl Graph {
    pub(super) fn of(schema: &Value) -> Self {
        let mut graph = Self::default();
        graph.root.note(schema);
        walk::meet_children(schema, |place, child| {
            let links = match place {
                Place { keyword: "$defs", member: Member::Key(name) } => {
                    graph.definitions.entry(name.to_owned()).or_default()
                }
                _ => &mut graph.root,
            };
            walk::each(child, &mut |schema| links.note(schema));
        });
        graph
    }

    /// Forgets the definitions that the root does not reach, nor something unseen. The names of the others.
    pub(super) fn prune(&mut self) -> BTreeSet<String> {
        let anchored = self.definitions.iter().filter(|(_, links)| links.is_anchored).map(|(name, _)| name);
        let reached = self.reach(self.root.all().chain(anchored), Links::all);
        let reached: BTreeSet<_> = reached.into_iter().cloned().collect();
        self.definitions.retain(|name, _| reached.contains(name));
        reached
    }

    /// The definitions that have to stay: recursive ones, and those that something points into.
    pub(super) fn fixed(&self) -> BTreeSet<String> {
        let is_recursive =
            |name: &String, links: &Links| self.reach(links.uses.iter(), |links| links.uses.iter()).contains(name);
        let stays = |(name, links): &(&String, &Links)| links.is_anchored || is_recursive(name, links);
        let inside = self.definitions.values().chain([&self.root]).flat_map(|links| &links.inside);
        inside.chain(self.definitions.iter().filter(stays).map(|(name, _)| name)).cloned().collect()
    }

    /// How often each definition is referred to, from anywhere.
    pub(super) fn uses(&self) -> BTreeMap<&str, usize> {
        let mut uses = BTreeMap::new();
        for name in self.definitions.values().chain([&self.root]).flat_map(|links| &links.uses) {
            *uses.entry(name.as_str()).or_default() += 1;
        }
        uses
    }

    /// The definitions that are come to from some, by way of what of their links is followed.
    fn reach<'g, F: Iterator<Item = &'g String>>(
        &'g self,
        start: impl Iterator<Item = &'g String>,
        follow: impl Fn(&'g Links) -> F,
    ) -> BTreeSet<&'g String> {
        let mut pending: Vec<_> = start.collect();
        let mut reached = BTreeSet::new();
        while let Some(name) = pending.pop() {
            if let Some(links) = self.definitions.get(name)
                && reached.insert(name)
            {
                pending.extend(follow(links));
            }
        }
        reached
    }
}
