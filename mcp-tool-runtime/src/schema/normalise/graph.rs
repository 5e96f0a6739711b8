//! Records which definitions refer to which, and removes those that nothing uses (rule T3).

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::schema::reference::Reference;
use crate::schema::walk::{self, Location, Position, keyword};

/// The references of a schema to its definitions, collected in one walk.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The references outside the definitions.
    root: Links,
    /// The references inside each definition.
    definitions: HashMap<String, Links>,
}

/// The names of the definitions that the root or one definition refers to. Some of these definitions may not exist.
#[derive(Debug, Default)]
struct Links {
    /// Definitions that a `$ref` refers to as a whole.
    refs: Vec<String>,
    /// Targets of a `$dynamicRef`.
    dynamic_refs: Vec<String>,
    /// Definitions with a part that a `$ref` refers to.
    inner_refs: Vec<String>,
    /// Whether an anchor or `$id` allows references that do not name the definition.
    has_anchor: bool,
}

impl Links {
    fn add(&mut self, schema: &Value) {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            match (keyword.as_str(), value.as_str().map(Reference::parse)) {
                ("$ref", Some(Reference::Definition(name))) => self.refs.push(name),
                ("$ref", Some(Reference::Within(name, _))) => self.inner_refs.push(name),
                ("$dynamicRef", Some(Reference::Definition(name) | Reference::Within(name, _))) => {
                    self.dynamic_refs.push(name);
                }
                ("$anchor" | "$dynamicAnchor" | "$id", _) => self.has_anchor = true,
                _ => {}
            }
        }
    }

    fn all(&self) -> Vec<&str> {
        [&self.refs, &self.dynamic_refs, &self.inner_refs].into_iter().flatten().map(String::as_str).collect()
    }

    fn refs(&self) -> Vec<&str> {
        self.refs.iter().map(String::as_str).collect()
    }
}

impl Graph {
    pub(crate) fn of(schema: &Value) -> Self {
        let mut graph = Self::default();
        graph.root.add(schema);
        walk::visit_children(schema, |location, child| {
            let links = match location {
                Location { keyword: "$defs", position: Position::Named(name) } => {
                    graph.definitions.entry(name.to_owned()).or_default()
                }
                _ => &mut graph.root,
            };
            walk::visit(child, &mut |schema| links.add(schema));
        });
        graph
    }

    /// Removes the definitions that are unreachable from the root. Definitions with anchors stay, with all that they
    /// refer to, because a reference to an anchor is not part of the graph.
    pub(super) fn prune(&mut self) {
        let mut start = self.root.all();
        start.extend(self.definitions.iter().filter(|(_, links)| links.has_anchor).map(|(name, _)| name.as_str()));
        let used: HashSet<_> = self.reachable(start, Links::all).into_iter().map(str::to_owned).collect();
        self.definitions.retain(|name, _| used.contains(name));
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }

    /// Returns the names of the definitions that must stay under `$defs`: recursive definitions, definitions with
    /// anchors, and definitions that a `$ref` points into.
    pub(super) fn not_inlinable(&self) -> HashSet<String> {
        let is_recursive = |name: &str, links: &Links| self.reachable(links.refs(), Links::refs).contains(name);
        let stays = |(name, links): &(&String, &Links)| links.has_anchor || is_recursive(name, links);
        let inner = self.links().flat_map(|links| &links.inner_refs).map(String::as_str);
        inner.chain(self.definitions.iter().filter(stays).map(|(name, _)| name.as_str())).map(str::to_owned).collect()
    }

    /// Returns the first name, in their order, of a definition that refers to itself, directly or through other
    /// definitions.
    pub(crate) fn recursive_definition(&self) -> Option<&str> {
        let is_recursive = |name: &str, links: &Links| self.reachable(links.all(), Links::all).contains(name);
        let all = self.definitions.iter().filter(|(name, links)| is_recursive(name, links));
        all.map(|(name, _)| name.as_str()).min()
    }

    /// Returns the names of the definitions that at most one `$ref` refers to.
    pub(super) fn used_at_most_once(&self) -> impl Iterator<Item = &str> {
        let uses =
            |name: &str| self.links().flat_map(|links| &links.refs).filter(|other| *other == name).take(2).count();
        self.definitions.keys().map(String::as_str).filter(move |name| uses(name) <= 1)
    }

    fn links(&self) -> impl Iterator<Item = &Links> {
        self.definitions.values().chain([&self.root])
    }

    /// Returns the names of the definitions that are reachable from `start`, using only the links that `follow`
    /// returns.
    fn reachable<'g>(&'g self, start: Vec<&'g str>, follow: fn(&Links) -> Vec<&str>) -> HashSet<&'g str> {
        let (mut pending, mut reachable) = (start, HashSet::new());
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

/// Removes the definitions that [`Graph::prune`] removes, and an empty `$defs`. Returns the graph of the definitions
/// that stay.
///
/// ```text
/// before  {"type": "string", "$defs": {"Unused": {"type": "null"}}}
/// after   {"type": "string"}
/// ```
pub(crate) fn prune(schema: &mut Value) -> Graph {
    if keyword(schema, "$defs").is_none() {
        return Graph::default();
    }
    let mut graph = Graph::of(schema);
    graph.prune();
    let mut definitions = take_definitions(schema);
    definitions.retain(|name, _| graph.has(name));
    put_definitions(schema, definitions);
    graph
}

/// Takes the definitions out of a root schema, for [`put_definitions`] to put back.
pub(crate) fn take_definitions(schema: &mut Value) -> Map<String, Value> {
    let keywords = schema.as_object_mut().filter(|keywords| keywords.get("$defs").is_some_and(Value::is_object));
    match keywords.and_then(|keywords| keywords.shift_remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    }
}

/// Adds these definitions, if there are any, to a root schema that has none.
pub(in crate::schema) fn put_definitions(schema: &mut Value, definitions: Map<String, Value>) {
    if let Some(root) = schema.as_object_mut().filter(|_| !definitions.is_empty()) {
        root.insert("$defs".to_owned(), definitions.into());
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

    #[test]
    fn only_reachable_definitions_stay() {
        let mut schema = json!({
            "items": { "$ref": "#/$defs/A" },
            "$defs": {
                "A": { "items": { "$ref": "#/$defs/B/not" } },
                "B": { "not": {} },
                "C": { "items": { "$ref": "#/$defs/D" } },
                "D": { "items": { "$ref": "#/$defs/C" } },
                "E": { "items": { "$anchor": "here" } }
            }
        });
        prune(&mut schema);
        let names: Vec<_> = schema["$defs"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
        assert_eq!(names, ["A", "B", "E"]);
    }

    #[test]
    fn an_empty_defs_is_removed() {
        let mut schema = json!({ "type": "string", "$defs": { "A": { "$ref": "#/$defs/A" } } });
        prune(&mut schema);
        assert_eq!(schema, json!({ "type": "string" }));
    }
}
