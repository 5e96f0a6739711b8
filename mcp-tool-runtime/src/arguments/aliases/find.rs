//! Finds the aliases inside the types of a tool's arguments, with the schema: of all names of a field, it publishes one.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::probe::{Answer, Probe, Shape, Step};
use super::{Alias, Aliases, Node, Tagged};
use crate::arguments::parameters::Parameter;
use crate::arguments::published::{applicable, properties};
use crate::schema::walk::keyword_or_null;

/// The arguments of a tool, which can be asked for their names.
#[derive(Debug, Clone, Copy)]
pub struct AliasProbe {
    pub(crate) read: fn(Probe<'_>, &'static [Parameter]),
    pub(crate) parameters: &'static [Parameter],
}

impl AliasProbe {
    fn ask(self, steps: &[Step<'_>]) -> Answer {
        let answer = RefCell::new(Answer::default());
        (self.read)(Probe::new(steps, &answer), self.parameters);
        answer.into_inner()
    }
}

/// An alias, and the schema of what it is an alias of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundAlias<'s> {
    pub(crate) alias: &'static str,
    pub(crate) name: &'static str,
    pub(crate) schema: &'s Value,
    /// It is a variant of an enum, and not a field.
    pub(crate) is_variant: bool,
    /// It is an argument, and not inside one.
    pub(crate) is_argument: bool,
}

/// Types nest at most this deep. Types are as large as this only if a macro wrote them.
const MAX_DEPTH: usize = 32;
const MAX_NODES: usize = 10_000;

/// Finds the aliases of the types. Returns a node for each type that contains one.
///
/// `renamed` has the arguments that the schema publishes under another name than the type, each with both names.
pub(crate) fn find<'s>(
    probe: AliasProbe,
    schema: &'s Value,
    renamed: &[(&'static str, &'static str)],
) -> (Aliases, Vec<FoundAlias<'s>>) {
    let (nodes, known, found) = (Vec::new(), HashMap::new(), Vec::new());
    let mut finder = Finder { probe, root: schema, renamed, nodes, known, found };
    finder.node(&mut Vec::new(), vec![schema]);
    let Finder { mut nodes, found, .. } = finder;
    if found.is_empty() {
        nodes.clear();
    }
    for node in &mut nodes {
        node.properties.sort_unstable();
    }
    (Aliases { nodes }, found)
}

struct Finder<'s, 'r> {
    probe: AliasProbe,
    root: &'s Value,
    renamed: &'r [(&'static str, &'static str)],
    nodes: Vec<Node>,
    /// The nodes of the types that have names. It ends the search in a type that contains itself.
    known: HashMap<(&'static str, &'static [&'static str]), usize>,
    found: Vec<FoundAlias<'s>>,
}

impl<'s> Finder<'s, '_> {
    /// Returns the name that the schema has for a name of the type, unless the schema means another property by it.
    fn published(&self, name: &'static str, steps: &[Step<'_>]) -> Option<&'static str> {
        if !steps.is_empty() {
            return Some(name);
        }
        match self.renamed.iter().find(|(of_type, _)| *of_type == name) {
            Some((_, published)) => Some(published),
            None => (!self.renamed.iter().any(|(_, published)| *published == name)).then_some(name),
        }
    }

    /// Returns the name that the type has for a name of the schema.
    fn of_type(&self, name: &'s str, steps: &[Step<'_>]) -> &'s str {
        let renamed = self.renamed.iter().find(|(_, published)| steps.is_empty() && *published == name);
        renamed.map_or(name, |(of_type, _)| of_type)
    }

    /// Adds the node of a type, and those of the types in it. `schemas` describe its values.
    fn node(&mut self, steps: &mut Vec<Step<'s>>, schemas: Vec<&'s Value>) -> Option<usize> {
        let shape = self.probe.ask(steps).shape;
        let key = match shape {
            Shape::Fields(names, id) | Shape::Variants(names, id) if !id.is_empty() => Some((id, names)),
            _ => None,
        };
        if let Some(known) = key.and_then(|key| self.known.get(&key)) {
            return Some(*known);
        }
        if shape == Shape::Other || steps.len() > MAX_DEPTH || self.nodes.len() >= MAX_NODES {
            return None;
        }
        let index = self.nodes.len();
        self.nodes.push(Node::default());
        self.known.extend(key.map(|key| (key, index)));
        let schemas = applicable(schemas, self.root, &mut HashSet::new());
        self.nodes[index] = match shape {
            Shape::Fields(names, _) => self.fields(names, steps, &schemas),
            Shape::Variants(names, _) => self.variants(names, steps, &schemas),
            Shape::Map | Shape::Any => self.unnamed(steps, &schemas, shape == Shape::Map),
            Shape::List => {
                Node { items: self.child(Step::Element(0), steps, of(&schemas, "items")), ..Node::default() }
            }
            Shape::Tuple(length) => self.tuple(length, steps, &schemas),
            Shape::Other => Node::default(),
        };
        Some(index)
    }

    fn child(&mut self, step: Step<'s>, steps: &mut Vec<Step<'s>>, schemas: Vec<&'s Value>) -> Option<usize> {
        steps.push(step);
        let node = self.node(steps, schemas);
        steps.pop();
        node
    }

    /// Returns the names of the type that the schemas publish, each with its name there, and adds the other names of the same fields as
    /// their aliases. `published` returns the schema of a name.
    fn resolve(
        &mut self,
        names: &'static [&'static str],
        steps: &mut Vec<Step<'s>>,
        is_variant: bool,
        published: &dyn Fn(&str) -> Option<&'s Value>,
    ) -> (Vec<(&'static str, &'static str)>, Vec<Alias>) {
        let mut fields = Vec::new();
        for name in names {
            steps.push(if is_variant { Step::Variant(name) } else { Step::Property(name) });
            let field = self.probe.ask(steps).field;
            steps.pop();
            let schema = self.published(name, steps).and_then(|name| Some((name, published(name)?)));
            fields.push((*name, field, schema));
        }
        let mut renames = Vec::new();
        for (alias, field, _) in fields.iter().filter(|(_, field, schema)| field.is_some() && schema.is_none()) {
            let mut names = fields.iter().filter(|(_, other, _)| other == field).filter_map(|(.., schema)| *schema);
            if let (Some((name, schema)), None) = (names.next(), names.next())
                && *alias != name
            {
                self.found.push(FoundAlias { alias, name, schema, is_variant, is_argument: steps.is_empty() });
                renames.push((*alias, name));
            }
        }
        (fields.into_iter().filter_map(|(name, _, schema)| Some((name, schema?.0))).collect(), renames)
    }

    fn fields(&mut self, names: &'static [&'static str], steps: &mut Vec<Step<'s>>, schemas: &[&'s Value]) -> Node {
        let (published, renames) = self.resolve(names, steps, false, &|name| property(schemas, name).next());
        let properties = published.iter().filter_map(|(name, published)| {
            Some((
                (*published).into(),
                self.child(Step::Property(name), steps, property(schemas, published).collect())?,
            ))
        });
        let mut node = Node { renames, properties: properties.collect(), ..Node::default() };
        if let [tag, content] = names {
            node.tagged = self.adjacently_tagged(tag, content, steps, schemas);
        }
        node
    }

    /// Follows the variants of a type with a tag and a content. A struct with two fields has no such variants.
    fn adjacently_tagged(
        &mut self,
        tag: &'static str,
        content: &'static str,
        steps: &mut Vec<Step<'s>>,
        schemas: &[&'s Value],
    ) -> Option<Tagged> {
        let mut ask = |name| {
            steps.push(Step::Property(name));
            let shape = self.probe.ask(steps).shape;
            steps.pop();
            shape
        };
        // serde buffers a content without a tag before it.
        let (Shape::Variants(variants, _), Shape::Any) = (ask(tag), ask(content)) else { return None };
        let contents = variants.iter().filter_map(|variant| {
            let is_of_variant = |schema: &&&Value| property(&[**schema], tag).any(|tag| lists(tag, variant));
            let schemas: Vec<_> = schemas.iter().filter(is_of_variant).copied().collect();
            let schemas: Vec<_> = property(&schemas, content).collect();
            if schemas.is_empty() {
                return None;
            }
            Some((*variant, self.child(Step::Content { tag, variant, content }, steps, schemas)?))
        });
        Some(Tagged { tag, content, contents: contents.collect() })
    }

    fn variants(&mut self, names: &'static [&'static str], steps: &mut Vec<Step<'s>>, schemas: &[&'s Value]) -> Node {
        let published = |name: &str| {
            let listing = || schemas.iter().copied().find(|schema| lists(schema, name));
            property(schemas, name).next().or_else(listing)
        };
        let (published, renames) = self.resolve(names, steps, true, &published);
        let contents = published.iter().filter_map(|(name, _)| {
            Some(((*name).into(), self.child(Step::Variant(name), steps, property(schemas, name).collect())?))
        });
        Node { renames, properties: contents.collect(), is_enum: true, ..Node::default() }
    }

    /// Reads a type that passes no names of fields to the deserializer: a map, a type with a flattened field, a tagged enum. Types inside it
    /// are reached by the names that the schema publishes.
    fn unnamed(&mut self, steps: &mut Vec<Step<'s>>, schemas: &[&'s Value], is_map: bool) -> Node {
        let names: Vec<_> = schemas.iter().flat_map(|schema| properties(schema)).map(|(name, _)| name).collect();
        let others = (is_map && names.is_empty())
            .then(|| self.child(Step::MapValue, steps, of(schemas, "additionalProperties")))
            .flatten();
        let properties = names.into_iter().filter_map(|name| {
            steps.push(Step::Property(self.of_type(name, steps)));
            let shape = self.probe.ask(steps).shape;
            // serde buffers what it reads later, whatever it contains.
            let node = if shape == Shape::Any { None } else { self.node(steps, property(schemas, name).collect()) };
            steps.pop();
            Some((name.as_str().into(), node?))
        });
        Node { properties: properties.collect(), others, ..Node::default() }
    }

    fn tuple(&mut self, length: usize, steps: &mut Vec<Step<'s>>, schemas: &[&'s Value]) -> Node {
        let elements = (0..length).map(|index| {
            let listed = schemas.iter().filter_map(|schema| keyword_or_null(schema, "prefixItems").get(index));
            let listed: Vec<_> = listed.collect();
            let schemas = if listed.is_empty() { of(schemas, "items") } else { listed };
            self.child(Step::Element(index), steps, schemas)
        });
        Node { elements: elements.collect(), ..Node::default() }
    }
}

fn of<'s>(schemas: &[&'s Value], keyword: &str) -> Vec<&'s Value> {
    schemas.iter().map(|schema| keyword_or_null(schema, keyword)).filter(|schema| schema.is_object()).collect()
}

/// Returns the schemas of a property.
fn property<'s>(schemas: &[&'s Value], name: &str) -> impl Iterator<Item = &'s Value> {
    schemas.iter().filter_map(move |schema| keyword_or_null(schema, "properties").get(name))
}

/// Returns `true` if a schema lists a string as a value.
fn lists(schema: &Value, text: &str) -> bool {
    let listed = keyword_or_null(schema, "enum").as_array().into_iter().flatten();
    listed.chain([keyword_or_null(schema, "const")]).any(|value| value == text)
}
