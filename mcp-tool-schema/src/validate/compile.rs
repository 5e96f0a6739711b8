//! Compiles a schema to the nodes of a [`Checker`]: finds its subschemas and the targets of its references.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::checker::{Checker, Node, NodeId, Recall};
use super::dialect::{self, Dialect};
use super::keywords::Keyword;
use super::memo;
use crate::accepted::{Types, is_never};
use crate::json::path::escape_token;
use crate::{reference, walk};

/// Compiles a schema, or says what is wrong with it and where.
pub(super) fn compile(schema: &Value) -> Result<Checker, String> {
    let dialect = dialect::check(schema)?;
    let mut compiler = Compiler { dialect, ids: HashMap::new(), pending: Vec::new() };
    compiler.id(Place { root: schema, schema, pointer: String::new() });
    let mut nodes = Vec::new();
    let mut next = 0;
    while let Some(place) = compiler.pending.get(next).cloned() {
        nodes.push(compiler.node(NodeId(index(next)), &place)?);
        next += 1;
    }
    check_depth(&nodes)?;
    memo::assign(&mut nodes);
    Ok(Checker { nodes: nodes.into() })
}

fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The keywords in the order in which they are checked, cheap ones first. Any other keyword, such as `$ref`, is checked
/// last. Violations are reported in the same order.
const ORDER: &str = "const enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems \
    minProperties maxProperties dependentRequired pattern format uniqueItems properties propertyNames items contains dependentSchemas \
    allOf anyOf oneOf not if unevaluatedProperties unevaluatedItems";

static RANKS: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| ORDER.split(' ').zip(0..).collect());

fn rank(name: &str) -> usize {
    RANKS.get(name).copied().unwrap_or(usize::MAX)
}

pub(super) struct Compiler<'s> {
    pub(super) dialect: Dialect,
    /// The id of the node for each subschema, by the address of the subschema.
    ids: HashMap<usize, NodeId>,
    /// The subschemas, in the order of their ids.
    pending: Vec<Place<'s>>,
}

impl<'s> Compiler<'s> {
    pub(super) fn is_2020(&self) -> bool {
        self.dialect == Dialect::Draft2020
    }

    /// Returns the id of the node for a subschema. A subschema without an id gets one, and is compiled later.
    pub(super) fn id(&mut self, place: Place<'s>) -> NodeId {
        let next = NodeId(index(self.pending.len()));
        let id = *self.ids.entry(std::ptr::from_ref(place.schema).addr()).or_insert(next);
        if id == next {
            self.pending.push(place);
        }
        id
    }

    /// Returns the id of the node for the only subschema of a keyword.
    pub(super) fn single(&mut self, keyword: &str, schema: &'s Value, place: &Place<'s>) -> NodeId {
        self.id(place.below(schema, keyword, None))
    }

    pub(super) fn list(&mut self, name: &str, value: &'s Value, place: &Place<'s>) -> Box<[NodeId]> {
        let schemas = value.as_array().into_iter().flatten().enumerate();
        schemas.map(|(at, schema)| self.id(place.below(schema, name, Some(&at.to_string())))).collect()
    }

    pub(super) fn reference(&mut self, keyword: &str, value: &Value, place: &Place<'s>) -> Result<Keyword, String> {
        Ok(Keyword::Reference(self.id(follow(keyword, value, place)?)))
    }

    fn node(&mut self, id: NodeId, place: &Place<'s>) -> Result<Node, String> {
        let (types, mut keywords) = match place.schema {
            schema if is_never(schema) => (Types::NONE, Vec::new()),
            Value::Object(map) => match map.get("$ref") {
                // Draft 7 ignores all keywords next to a reference.
                Some(target) if !self.is_2020() => (Types::ALL, vec![(0, self.reference("$ref", target, place)?)]),
                _ => (Types::of_keyword(map.get("type")), self.keywords(id, map, place)?),
            },
            _ => (Types::ALL, Vec::new()),
        };
        keywords.sort_by_key(|(rank, _)| *rank);
        let keywords: Box<[_]> = keywords.into_iter().map(|(_, keyword)| keyword).collect();
        // A node with a reference next to another keyword is not plain, because both keywords may have a schema for the
        // same property.
        let is_reference = |keyword: &Keyword| matches!(keyword, Keyword::Reference(_));
        Ok(Node {
            pointer: place.pointer.as_str().into(),
            types,
            recall: Recall::Nothing,
            is_plain: keywords.iter().all(Keyword::ignores_absence)
                && (keywords.len() == 1 || !keywords.iter().any(is_reference)),
            is_leaf: keywords.iter().all(Keyword::is_assertion),
            keywords,
        })
    }

    /// Compiles the keywords of a subschema. Returns each keyword with its [`rank`].
    fn keywords(
        &mut self,
        id: NodeId,
        map: &'s Map<String, Value>,
        place: &Place<'s>,
    ) -> Result<Vec<(usize, Keyword)>, String> {
        let mut keywords = Vec::with_capacity(map.len());
        let is_of_object =
            |name: &str| matches!(name, "required" | "properties" | "patternProperties" | "additionalProperties");
        if map.keys().any(|name| is_of_object(name)) {
            keywords.push((rank("properties"), self.object(map, place)?));
        }
        keywords.extend(self.array(map, place).map(|array| (rank("items"), array)));
        for (name, value) in map {
            match name.as_str() {
                "dependencies" | "dependentRequired" | "dependentSchemas"
                    if name == "dependencies" || self.is_2020() =>
                {
                    let [required, schemas] = self.dependencies(name, value, place);
                    keywords.extend([(rank("dependentRequired"), required), (rank("dependentSchemas"), schemas)]);
                }
                _ => keywords.extend(self.keyword(id, name, value, map, place)?.map(|keyword| (rank(name), keyword))),
            }
        }
        Ok(keywords)
    }
}

/// A subschema and where it is.
#[derive(Clone)]
pub(super) struct Place<'s> {
    root: &'s Value,
    pub(super) schema: &'s Value,
    pub(super) pointer: String,
}

impl<'s> Place<'s> {
    /// Returns the place of a subschema in `keyword`. `token` selects the subschema if the keyword can have several.
    pub(super) fn below(&self, schema: &'s Value, keyword: &str, token: Option<&str>) -> Self {
        let mut pointer = format!("{}/{keyword}", self.pointer);
        if let Some(token) = token {
            pointer.push('/');
            pointer.push_str(&escape_token(token));
        }
        Self { root: self.root, schema, pointer }
    }

    pub(super) fn error(&self, keyword: &str, error: impl std::fmt::Display) -> String {
        format!("{error} (at `{}/{keyword}`)", self.pointer)
    }
}

/// Returns the target of a reference. `value` is the value of `keyword` at `place`.
pub(super) fn follow<'s>(keyword: &str, value: &Value, place: &Place<'s>) -> Result<Place<'s>, String> {
    let text = value.as_str().unwrap_or_default();
    // A reference to another document has no target, because other documents are never fetched.
    let target = reference::pointer(place.root, text).and_then(|pointer| {
        let schema = place.root.pointer(&pointer).filter(|schema| walk::is_schema(schema))?;
        Some(Place { root: place.root, schema, pointer: pointer.into_owned() })
    });
    target.ok_or_else(|| place.error(keyword, format!("the reference `{text}` has no target")))
}

/// The maximum length of a chain of subschemas in which each applies the next to the same value. Each subschema in the
/// chain takes some of the stack.
const MAX_IN_PLACE: usize = 128;

/// Returns an error if a chain of nodes in which each applies the next to the same value is too long, or if it returns
/// to its first node. The specification defines no result for such a cycle, and most validators overflow their stack.
fn check_depth(nodes: &[Node]) -> Result<(), String> {
    // The length of the longest known chain to each node, and the node before it in that chain. Each iteration of the
    // loop can make chains longer. In a cycle, they would grow without end.
    let mut lengths = vec![1; nodes.len()];
    let mut appliers = vec![None; nodes.len()];
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        for (at, node) in nodes.iter().enumerate() {
            for NodeId(to) in node.keywords.iter().flat_map(Keyword::in_place) {
                let to = to as usize;
                if lengths[to] <= lengths[at] {
                    (lengths[to], appliers[to]) = (lengths[at] + 1, Some(at));
                    has_grown = true;
                }
            }
        }
        let Some(mut first) = lengths.iter().position(|length| *length > MAX_IN_PLACE) else { continue };
        for _ in nodes {
            first = appliers[first].ok_or_else(|| {
                format!(
                    "more than {MAX_IN_PLACE} subschemas apply one another to the same value: use fewer references and unions there"
                )
            })?;
        }
        return Err(format!(
            "the schema at `{}` applies itself to the same value, which never ends: apply it to a property or an element",
            nodes[first].pointer
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Validator;
    use crate::json::reader::read_value;

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
            let compiled = Validator::compile_linear(&schema).expect("it compiles");
            let accepts = |value| compiled.accepts(read_value(&json!({ "a": value })).expect("a document").root());
            assert_eq!(accepts(json!("ab")), !counts, "{draft}");
            assert!(accepts(json!("abc")) && !accepts(json!(1)), "{draft}");
        }
    }

    /// Returns a schema with a chain of `length` definitions, each an `allOf` with a reference to the next.
    fn chain(length: usize) -> Value {
        let mut definitions = Map::new();
        for at in 0..length {
            definitions.insert(format!("d{at}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", at + 1)}]}));
        }
        definitions.insert(format!("d{length}"), json!({"type": "integer"}));
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    }

    #[test]
    fn a_long_chain_of_subschemas_for_one_value_is_refused() {
        // Each link is two nodes. The reference in the property `a` and the last definition are two more.
        let longest = (MAX_IN_PLACE - 2) / 2;
        assert!(compile(&chain(longest)).is_ok());
        for length in [longest + 1, 40_000] {
            let error = compile(&chain(length)).expect_err("it is too long");
            assert!(error.contains("apply one another to the same value"), "{error}");
        }
    }

    #[test]
    fn subschemas_beside_each_other_are_not_counted_together() {
        let leaves = vec![json!({"minimum": 1}); 4 * MAX_IN_PLACE];
        assert!(compile(&json!({"anyOf": leaves})).is_ok());
        assert!(compile(&json!({"items": {"anyOf": [{"items": {"$ref": "#"}}, {}]}})).is_ok());
    }

    #[test]
    fn a_schema_that_applies_itself_to_the_same_value_is_refused() {
        let mutual = |names: &[&str]| {
            let apply = |name: &&str| {
                let others: Vec<_> = names.iter().filter(|other| *other != name).collect();
                let others: Vec<_> = others.iter().map(|other| json!({"$ref": format!("#/$defs/{other}")})).collect();
                ((*name).to_owned(), json!({"allOf": others}))
            };
            json!({"$ref": "#/$defs/a", "$defs": names.iter().map(apply).collect::<Map<_, _>>()})
        };
        for schema in [
            json!({"anyOf": [{"$ref": "#"}, {}]}),
            json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}),
            json!({"$ref": "#/$defs/leaf", "$dynamicRef": "#", "$defs": {"leaf": {}}}),
            json!({"dependentSchemas": {"a": {"if": {"$ref": "#"}}}}),
            mutual(&["a", "b"]),
            mutual(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]),
        ] {
            let error = compile(&schema).expect_err("it never ends");
            assert!(error.contains("applies itself to the same value"), "{schema}: {error}");
        }
        assert!(compile(&json!({"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}})).is_ok());
    }
}
