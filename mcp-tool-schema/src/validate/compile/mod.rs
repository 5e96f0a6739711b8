//! Compiles a schema to the nodes of a [`Checker`].
//!
//! [`place`] finds subschemas and the targets of references, [`keywords`] compiles the keywords of one subschema, [`depth`] bounds how
//! deep subschemas apply one another, and [`memory`] decides of which nodes a check remembers the results.

use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

use self::place::Place;
use super::checker::Checker;
use super::dialect::Dialect;
use super::meta_schema;
use super::node::{Keyword, Node, NodeId, Recall};
use crate::accepted::Types;

mod depth;
mod keywords;
mod memory;
mod place;

/// Compiles a schema, or says what is wrong with it and where.
pub(super) fn compile(schema: &Value) -> Result<Checker, String> {
    let dialect = meta_schema::check(schema)?;
    let mut compiler = Compiler { dialect, ids: HashMap::new(), pending: Vec::new() };
    compiler.id(Place::root(schema));
    let mut nodes = Vec::new();
    let mut next = 0;
    while let Some(place) = compiler.pending.get(next).cloned() {
        nodes.push(compiler.node(NodeId(index(next)), &place)?);
        next += 1;
    }
    depth::check(&nodes, &compiler.pending)?;
    memory::assign(&mut nodes);
    Ok(Checker { nodes: nodes.into() })
}

fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The keywords, cheap ones first. References come last. Violations are reported in this order.
const ORDER: &str = "const enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems \
    minProperties maxProperties dependentRequired pattern format uniqueItems properties propertyNames items contains dependentSchemas \
    allOf anyOf oneOf not if unevaluatedProperties unevaluatedItems";

static RANKS: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| ORDER.split(' ').zip(0..).collect());

fn rank(name: &str) -> usize {
    RANKS.get(name).copied().unwrap_or(usize::MAX)
}

struct Compiler<'s> {
    dialect: Dialect,
    /// The nodes of the subschemas, by address.
    ids: HashMap<usize, NodeId>,
    /// The subschemas, in the order of their ids.
    pending: Vec<Place<'s>>,
}

impl<'s> Compiler<'s> {
    fn is_2020(&self) -> bool {
        self.dialect == Dialect::Draft2020
    }

    /// Returns the node of a subschema, which is compiled later if it is new.
    fn id(&mut self, place: Place<'s>) -> NodeId {
        let next = NodeId(index(self.pending.len()));
        let id = *self.ids.entry(std::ptr::from_ref(place.schema).addr()).or_insert(next);
        if id == next {
            self.pending.push(place);
        }
        id
    }

    fn node(&mut self, id: NodeId, place: &Place<'s>) -> Result<Node, String> {
        let mut node = Node {
            pointer: place.pointer.as_str().into(),
            types: Types::ALL,
            recall: Recall::Nothing,
            is_plain: false,
            is_leaf: false,
            keywords: Box::default(),
        };
        let map = match place.schema {
            Value::Bool(true) => return Ok(node),
            Value::Object(map) => map,
            _ => {
                node.keywords = [Keyword::Nothing].into();
                return Ok(node);
            }
        };
        // In draft 7, nothing else counts beside a reference.
        if let Some(target) = map.get("$ref").filter(|_| !self.is_2020()) {
            node.keywords = [self.reference("$ref", target, place)?].into();
            node.is_plain = true;
            return Ok(node);
        }
        let mut keywords = Vec::with_capacity(map.len());
        let mut has_shape = false;
        let mut has_elements = false;
        for (name, value) in map {
            match name.as_str() {
                "type" => node.types = Types::read(value).unwrap_or(Types::ALL),
                "required" | "properties" | "patternProperties" | "additionalProperties" => {
                    if !std::mem::replace(&mut has_shape, true) {
                        keywords.push((rank("properties"), self.object(map, place)?));
                    }
                }
                "items" | "prefixItems" | "additionalItems" => {
                    if !std::mem::replace(&mut has_elements, true) {
                        keywords.extend(self.array(map, place).map(|array| (rank("items"), array)));
                    }
                }
                "dependencies" => {
                    let [required, schemas] = self.dependencies(value, place);
                    keywords.extend([(rank("dependentRequired"), required), (rank("dependentSchemas"), schemas)]);
                }
                _ => keywords.extend(self.keyword(id, name, value, map, place)?.map(|keyword| (rank(name), keyword))),
            }
        }
        keywords.sort_by_key(|(rank, _)| *rank);
        node.keywords = keywords.into_iter().map(|(_, keyword)| keyword).collect();
        // A reference beside another keyword may lead to a second schema of the same property.
        let is_reference = |keyword: &Keyword| matches!(keyword, Keyword::Reference(_));
        node.is_plain = node.keywords.iter().all(Keyword::ignores_absence)
            && (node.keywords.len() == 1 || !node.keywords.iter().any(is_reference));
        node.is_leaf = node.keywords.iter().all(Keyword::is_assertion);
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::json::reader::read_value;
    use crate::validate::CompiledSchema;

    #[test]
    fn keywords_beside_a_reference_do_not_count_in_draft_7() {
        for (draft, counts) in
            [("http://json-schema.org/draft-07/schema#", false), ("https://json-schema.org/draft/2020-12/schema", true)]
        {
            let schema = json!({
                "$schema": draft,
                "properties": { "a": { "$ref": "#/definitions/text", "minLength": 3 } },
                "definitions": { "text": { "type": "string" } },
            });
            let compiled = CompiledSchema::new(&schema).expect("it compiles");
            let accepts = |value| compiled.accepts(read_value(&json!({ "a": value })).expect("a document").root());
            assert_eq!(accepts(json!("ab")), !counts, "{draft}");
            assert!(accepts(json!("abc")) && !accepts(json!(1)), "{draft}");
        }
    }
}
