//! Resolves the serde aliases inside the author's types (rule I3), for tools with `accept_aliases`.
//!
//! [`probe`] asks a type for the names that it reads, and [`find`] follows the types inside it. The result has a node for each type. A
//! call walks its document beside these nodes, and replaces each alias by the published name before the schema is checked.

use crate::json::path::{Path, Step};
use crate::json::safe_text::quote_name;
use crate::json::tape::{Slot, Tape, View, property_positions, slot_count};
use crate::json::violation::Violation;

mod find;
mod probe;

pub use find::AliasProbe;
pub(crate) use find::{FoundAlias, find};
pub use probe::Probe;

use super::aliases::Alias;

/// The aliases of the types in a tool's arguments.
#[derive(Debug)]
pub(crate) struct TypeAliases {
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
    fn inner_mut(&mut self) -> impl Iterator<Item = &mut Option<usize>> {
        self.elements.iter_mut().chain([&mut self.others, &mut self.items])
    }

    fn inner(&self) -> impl Iterator<Item = usize> {
        let properties = self.properties.iter().map(|(_, node)| *node);
        let contents = self.tagged.iter().flat_map(|tagged| &tagged.contents).map(|(_, node)| *node);
        let others = self.elements.iter().copied().chain([self.others, self.items]).flatten();
        properties.chain(contents).chain(others)
    }

    fn prune(&mut self, relevant: &[bool]) {
        self.properties.retain(|(_, node)| relevant[*node]);
        if let Some(tagged) = &mut self.tagged {
            tagged.contents.retain(|(_, node)| relevant[*node]);
        }
        self.inner_mut().for_each(|inner| *inner = inner.filter(|node| relevant[*node]));
        if self.elements.iter().all(Option::is_none) {
            self.elements.clear();
        }
        self.properties.sort_unstable();
    }

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

impl TypeAliases {
    /// Removes the nodes that lead to no alias. Returns `None` if there are no aliases at all.
    fn new(mut nodes: Vec<Node>) -> Option<Self> {
        let mut relevant: Vec<_> = nodes.iter().map(|node| !node.renames.is_empty()).collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            // Most nodes are after the ones that refer to them.
            for index in (0..nodes.len()).rev() {
                if !relevant[index] && nodes[index].inner().any(|inner| relevant[inner]) {
                    (relevant[index], has_changed) = (true, true);
                }
            }
        }
        for node in &mut nodes {
            node.prune(&relevant);
        }
        relevant.first().is_some_and(|is_relevant| *is_relevant).then_some(Self { nodes })
    }

    /// Replaces each alias in the document by the published name.
    ///
    /// A property given under two names is a violation. The alias is removed, because the schema would report it again.
    pub(crate) fn resolve(&self, document: &mut Tape<'_>) -> Vec<Violation> {
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
            Slot::Array(extent) if node.items.is_some() || !node.elements.is_empty() => {
                let mut element = at + 1;
                for index in 0..extent.len {
                    if let Some(inner) = node.elements.get(index).copied().unwrap_or(node.items) {
                        path.push(Step::Index(index));
                        self.visit(inner, element, slots, path, changes);
                        path.pop();
                    }
                    element += slot_count(&slots[element..]);
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
        let properties = || {
            property_positions(slots, object).filter_map(|(key, value)| match &slots[key] {
                Slot::String(name) => Some((key, &**name, value)),
                _ => None,
            })
        };
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
                    let message = format!("the same property as {}; give one of them", quote_name(published));
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
