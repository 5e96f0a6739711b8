//! Resolves serde aliases (rule I3): those of a function's parameters, and with `accept_aliases` those inside the author's types.
//!
//! An alias is accepted though it is not published. It is replaced by the published name before the schema is checked, so the schema
//! applies to a property under each of its names. Without `accept_aliases`, the schema decides whether it accepts a property of that name
//! inside a type.
//!
//! [`probe`] asks a type for the names that it reads, and [`find`] follows the types inside it. The result has a node for each type. A
//! call walks its document beside these nodes. serde hides some names from the probe: [`hidden`] finds these in a document that the schema
//! has refused.

use serde_json::Value;

use crate::json::path::{Path, Step};
use crate::json::tape::{Slot, Tape, View, element_positions, property_positions};
use crate::json::violation::{Violation, quote_name};

mod find;
pub(crate) mod hidden;
mod probe;

pub use find::AliasProbe;
pub(crate) use find::{FoundAlias, find};
pub use probe::Probe;

use super::published::{publish, schemas_at};

/// Another name, and the published name.
pub(crate) type Alias = (&'static str, &'static str);

/// The aliases of a tool's arguments, and of the types in them.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    /// The first node is that of the arguments.
    nodes: Vec<Node>,
}

/// What is known about the values of one type. It refers to other nodes by their index.
#[derive(Debug, Default)]
struct Node {
    /// The aliases of fields or variants.
    renames: Vec<Alias>,
    properties: Vec<(Box<str>, usize)>,
    /// The values of a map.
    others: Option<usize>,
    /// The elements of a tuple.
    elements: Vec<Option<usize>>,
    items: Option<usize>,
    tagged: Option<Tagged>,
    /// A string is the name of a variant.
    is_enum: bool,
}

/// An adjacently tagged enum.
#[derive(Debug)]
struct Tagged {
    tag: &'static str,
    content: &'static str,
    /// The nodes of the contents, by the published names of the variants.
    contents: Vec<(&'static str, usize)>,
}

impl Node {
    fn property(&self, name: &str) -> Option<usize> {
        let found = self.properties.binary_search_by(|(property, _)| (**property).cmp(name));
        found.ok().map(|index| self.properties[index].1).or(self.others)
    }

    fn published(&self, name: &str) -> Option<&'static str> {
        self.renames.iter().find(|(alias, _)| *alias == name).map(|(_, name)| *name)
    }
}

/// What to change in a document.
#[derive(Default)]
struct Changes {
    /// The position of a key or of a string, and what to replace it by.
    renamed: Vec<(usize, &'static str)>,
    /// The position of an object, and that of the key.
    removed: Vec<(usize, usize)>,
    violations: Vec<Violation>,
}

impl Aliases {
    /// Adds each declared alias of a parameter whose name is published, unless the alias is itself a published name.
    pub(crate) fn with_parameters(mut self, declared: &[Alias], schema: &Value) -> Self {
        let schemas = schemas_at(schema, &[]);
        let is_published = |name: &str| publish(&schemas, name);
        let declared = declared.iter().filter(|(alias, name)| is_published(name) && !is_published(alias));
        let declared: Vec<_> = declared.copied().collect();
        if self.nodes.is_empty() && !declared.is_empty() {
            self.nodes.push(Node::default());
        }
        if let Some(arguments) = self.nodes.first_mut() {
            arguments.renames.extend(declared);
        }
        self
    }

    /// Replaces each alias in the document by the published name.
    ///
    /// A property given under two names is a violation. The alias is removed, because the schema would report it again.
    pub(crate) fn resolve(&self, document: &mut Tape<'_>) -> Vec<Violation> {
        if self.nodes.is_empty() {
            return Vec::new();
        }
        let mut changes = Changes::default();
        self.visit(0, 0, document.slots_from(0), &mut Path::default(), &mut changes);
        for (at, name) in changes.renamed {
            document.rename(at, name);
        }
        for (object, key) in changes.removed {
            document.remove_property(object, key);
        }
        changes.violations
    }

    fn visit(&self, node: usize, at: usize, slots: &[Slot<'_>], path: &mut Path, changes: &mut Changes) {
        let node = &self.nodes[node];
        match &slots[at] {
            Slot::Object(_) => self.visit_properties(node, at, slots, path, changes),
            Slot::Array(_) if node.items.is_some() || !node.elements.is_empty() => {
                for (index, element) in element_positions(slots, at).enumerate() {
                    if let Some(inner) = node.elements.get(index).copied().unwrap_or(node.items) {
                        path.push(Step::Index(index));
                        self.visit(inner, element, slots, path, changes);
                        path.pop();
                    }
                }
            }
            Slot::String(_) | Slot::EscapedString(_) if node.is_enum => {
                let text = View::of_slots(&slots[at..]).text().unwrap_or_default();
                changes.renamed.extend(node.published(&text).map(|name| (at, name)));
            }
            _ => {}
        }
    }

    fn visit_properties(&self, node: &Node, object: usize, slots: &[Slot<'_>], path: &mut Path, changes: &mut Changes) {
        let properties = || property_positions(slots, object);
        // Only published names are remembered, so unknown properties cost no more than these walks, however many there are.
        let is_published = |name: &&str| node.renames.iter().any(|(_, published)| published == name);
        let mut given: Vec<&str> = properties().map(|(_, name, _)| name).filter(is_published).collect();
        let content = node.tagged.as_ref().and_then(|tagged| {
            let (_, _, tag) = properties().find(|(_, name, _)| *name == tagged.tag)?;
            let variant = View::of_slots(&slots[tag..]).text()?;
            let published = node.property(tagged.tag).and_then(|tag| self.nodes[tag].published(&variant));
            let variant = published.unwrap_or(&variant);
            let (_, node) = tagged.contents.iter().find(|(name, _)| *name == variant)?;
            Some((tagged.content, *node))
        });
        for (key, name, value) in properties() {
            let published = node.published(name);
            if let Some(published) = published {
                if given.contains(&published) {
                    let kind = if path.is_root() { "argument" } else { "property" };
                    let message = format!("the same {kind} as {}; give one of them", quote_name(published));
                    changes.violations.push(Violation::new(path.property(name), message));
                    changes.removed.push((object, key));
                    continue;
                }
                changes.renamed.push((key, published));
                given.push(published);
            }
            let name = published.unwrap_or(name);
            let of_content = content.filter(|(content, _)| *content == name).map(|(_, node)| node);
            if let Some(inner) = of_content.or_else(|| node.property(name)) {
                path.push(Step::Key(name.into()));
                self.visit(inner, value, slots, path, changes);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader::read_value;

    #[test]
    fn only_an_alias_that_is_not_published_is_replaced_and_only_by_a_published_name() {
        let schema = json!({ "properties": { "a": {}, "b": {} } });
        for (alias, sent, expected) in [
            (("old", "a"), json!({ "old": 1 }), json!({ "a": 1 })),
            (("b", "a"), json!({ "b": 1 }), json!({ "b": 1 })),
            (("old", "hidden"), json!({ "old": 1 }), json!({ "old": 1 })),
        ] {
            let mut arguments = read_value(&sent).expect("a document");
            assert!(Aliases::default().with_parameters(&[alias], &schema).resolve(&mut arguments).is_empty());
            assert_eq!(arguments.root().to_value(), expected, "{alias:?}");
        }
    }
}
