//! Which definitions refer to which.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::schema::reference::Reference;
use crate::schema::walk::{self, Location, Position};

/// The references of a schema, found in one walk.
#[derive(Debug)]
pub(super) struct Graph {
    /// What the schema refers to outside of its definitions.
    root: Links,
    /// The definitions, sorted by their names.
    names: Vec<String>,
    /// Of each, what it refers to; of one that is forgotten, `None`.
    definitions: Vec<Option<Links>>,
}

/// What one part of a schema refers to, by the places of definitions in [`Graph::names`].
#[derive(Debug, Default)]
struct Links {
    /// Each `$ref` to a definition.
    uses: Vec<usize>,
    /// The definitions that it needs in another way: for a place inside them, or by `$dynamicRef`.
    needs: Vec<usize>,
    /// The definitions that it points into.
    inside: Vec<usize>,
    /// Whether something may refer to a place in it by another way than its key.
    is_anchored: bool,
}

impl Links {
    fn note(&mut self, schema: &Value, names: &[String]) {
        for (word, value) in schema.as_object().into_iter().flatten() {
            let (dynamic, target) = match word.as_str() {
                "$anchor" | "$dynamicAnchor" | "$id" => {
                    self.is_anchored = true;
                    continue;
                }
                "$ref" => (false, value.as_str().map(Reference::parse)),
                "$dynamicRef" => (true, value.as_str().map(Reference::parse)),
                _ => continue,
            };
            let (list, name) = match (dynamic, target) {
                (false, Some(Reference::Definition(name))) => (&mut self.uses, name),
                (false, Some(Reference::Within(name))) => (&mut self.inside, name),
                (true, Some(Reference::Definition(name) | Reference::Within(name))) => (&mut self.needs, name),
                _ => continue,
            };
            list.extend(find(names, &name));
        }
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        [&self.uses, &self.needs, &self.inside].into_iter().flatten().copied()
    }
}

fn find(names: &[String], name: &str) -> Option<usize> {
    names.binary_search_by(|other| other.as_str().cmp(name)).ok()
}

impl Graph {
    pub(super) fn of(schema: &Value) -> Self {
        let all = walk::keyword(schema, "$defs").and_then(Value::as_object);
        let schemas = all.into_iter().flatten().filter(|(_, schema)| schema.is_object() || schema.is_boolean());
        let mut names: Vec<String> = schemas.map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        let mut root = Links::default();
        let mut definitions: Vec<_> = names.iter().map(|_| Some(Links::default())).collect();
        root.note(schema, &names);
        walk::visit_children(schema, |place, child| {
            let definition = match place {
                Location { keyword: "$defs", position: Position::Named(name) } => find(&names, name),
                _ => None,
            };
            let links = definition.and_then(|index| definitions[index].as_mut()).unwrap_or(&mut root);
            walk::visit(child, &mut |schema| links.note(schema, &names));
        });
        Self { root, names, definitions }
    }

    /// Forgets the definitions that the root does not reach, nor something unseen.
    pub(super) fn prune(&mut self) {
        let anchored = self.each().filter(|(_, links)| links.is_anchored).map(|(index, _)| index);
        let reached = self.reach(self.root.all().chain(anchored), |links| links.all().collect());
        for (definition, reached) in self.definitions.iter_mut().zip(reached) {
            *definition = definition.take().filter(|_| reached);
        }
    }

    /// Whether the definition is one, and is not forgotten.
    pub(super) fn has(&self, name: &str) -> bool {
        find(&self.names, name).is_some_and(|index| self.definitions[index].is_some())
    }

    /// The definitions that have to stay: recursive ones, and those that something points into.
    pub(super) fn fixed(&self) -> BTreeSet<String> {
        let is_recursive =
            |index: usize, links: &Links| self.reach(links.uses.iter().copied(), |links| links.uses.clone())[index];
        let stays = |(index, links): &(usize, &Links)| links.is_anchored || is_recursive(*index, links);
        let inside = self.parts().flat_map(|links| links.inside.iter().copied());
        let fixed = inside.chain(self.each().filter(stays).map(|(index, _)| index));
        fixed.map(|index| self.names[index].clone()).collect()
    }

    /// The definitions that are referred to once, from anywhere, or never.
    pub(super) fn used_once(&self) -> impl Iterator<Item = &str> {
        let mut uses = vec![0_usize; self.names.len()];
        self.parts().flat_map(|links| &links.uses).for_each(|index| uses[*index] += 1);
        self.each().filter(move |(index, _)| uses[*index] <= 1).map(|(index, _)| self.names[index].as_str())
    }

    fn each(&self) -> impl Iterator<Item = (usize, &Links)> {
        self.definitions.iter().enumerate().filter_map(|(index, links)| Some((index, links.as_ref()?)))
    }

    fn parts(&self) -> impl Iterator<Item = &Links> {
        self.definitions.iter().flatten().chain([&self.root])
    }

    /// Of each definition, whether one comes to it from some, by way of what of their links is followed.
    fn reach(&self, start: impl Iterator<Item = usize>, follow: fn(&Links) -> Vec<usize>) -> Vec<bool> {
        let mut pending: Vec<_> = start.collect();
        let mut reached = vec![false; self.names.len()];
        while let Some(index) = pending.pop() {
            if let Some(links) = &self.definitions[index]
                && !std::mem::replace(&mut reached[index], true)
            {
                pending.extend(follow(links));
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::normalise::inline::inline;
    use serde_json::json;

    #[test]
    fn what_is_no_schema_is_no_definition() {
        let mut schema = json!({ "properties": { "a": { "$ref": "#/$defs/X" } }, "$defs": { "X": 3 } });
        assert!(!Graph::of(&schema).has("X"));
        inline(&mut schema);
        assert_eq!(schema, json!({ "properties": { "a": { "$ref": "#/$defs/X" } } }));
    }
}
