//! Compiles a schema to the nodes of a [`Checker`].

use foldhash::{HashMap, HashMapExt as _};
use serde_json::{Map, Value};

use super::checker::{Checker, Remembers};
use super::dialect::{self, Dialect};
use super::formats::Format;
use super::node::{ArrayShape, Dependency, Keyword, Node, NodeId, Side, Size};
use super::object::{Additional, ObjectShape, Property};
use super::pattern::Pattern;
use super::types::Types;
use crate::document::json_pointer::{escape_token, unescape_token};
use crate::document::number::Numeral;
use crate::schema::reference::{self, Reference};
use crate::schema::walk;

/// Compiles a schema, or says what is wrong with it and where.
pub(super) fn compile(schema: &Value) -> Result<Checker, String> {
    let dialect = dialect::check(schema)?;
    let mut compiler = Compiler { dialect, ids: HashMap::new(), pending: Vec::new(), has_resources: false };
    let root = Place { schema, pointer: String::new(), resource: schema, resource_pointer: "".into() };
    compiler.id(root);
    let mut nodes = Vec::new();
    let mut next = 0;
    while let Some(place) = compiler.pending.get(next).cloned() {
        nodes.push(compiler.node(NodeId(index(next)), &place)?);
        next += 1;
    }
    if nodes.len() > MAX_IN_PLACE && in_place_depth(&nodes) > MAX_IN_PLACE {
        return Err(format!(
            "more than {MAX_IN_PLACE} subschemas apply one another to the same value: use fewer references and unions there"
        ));
    }
    let remembers = remembers(&nodes, compiler.has_resources);
    Ok(Checker::new(nodes.into(), remembers))
}

fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Decides what is remembered. A subschema without references has one parent, so a value comes to it once, unless
/// `unevaluatedProperties` or `unevaluatedItems` look at it again.
fn remembers(nodes: &[Node], has_resources: bool) -> Remembers {
    let has = |test: fn(&Keyword) -> bool| nodes.iter().any(|node| node.keywords.iter().any(test));
    let targets = |node: &Node| {
        let target = |keyword: &Keyword| if let Keyword::Reference(target) = keyword { Some(*target) } else { None };
        node.keywords.iter().filter_map(target).collect::<Vec<_>>()
    };
    let with_references: Vec<_> = nodes.iter().filter(|node| !targets(node).is_empty()).collect();
    // A keyword beside a reference, which may be another reference, applies to the same value.
    let has_sibling = || with_references.iter().any(|node| node.keywords.len() > 1);
    let is_chain = || {
        let mut all = with_references.iter().flat_map(|node| targets(node));
        all.any(|id| !targets(&nodes[id.0 as usize]).is_empty())
    };
    if has(|keyword| matches!(keyword, Keyword::UnevaluatedProperties { .. } | Keyword::UnevaluatedItems { .. })) {
        Remembers::Containers
    } else if !with_references.is_empty() && (has_resources || has(Keyword::may_repeat) || has_sibling() || is_chain())
    {
        Remembers::References
    } else {
        Remembers::Nothing
    }
}

/// The largest number of subschemas that apply one another to the same value. Each takes a part of the stack.
const MAX_IN_PLACE: usize = 128;

/// Returns the largest number of nodes that apply one another to the same value, or a larger number if nodes apply themselves.
fn in_place_depth(nodes: &[Node]) -> usize {
    let mut after = vec![Vec::new(); nodes.len()];
    let mut before = vec![Vec::new(); nodes.len()];
    for (from, node) in nodes.iter().enumerate() {
        for keyword in &node.keywords {
            keyword.visit_in_place(&mut |to| {
                after[from].push(to.0 as usize);
                before[to.0 as usize].push(from);
            });
        }
    }
    // What neither pass removes is in a cycle or between two cycles. A node is met once on the way through it.
    let mut is_left = vec![true; nodes.len()];
    let outer = remove_ends(&after, &before, &mut is_left);
    let inner = remove_ends(&before, &after, &mut is_left);
    outer + is_left.iter().filter(|is_left| **is_left).count() + inner
}

/// Removes the nodes that have no node `before` them, again and again, and returns how often there were such nodes.
fn remove_ends(after: &[Vec<usize>], before: &[Vec<usize>], is_left: &mut [bool]) -> usize {
    let mut counts: Vec<_> = before.iter().map(|all| all.iter().filter(|at| is_left[**at]).count()).collect();
    let mut ends: Vec<_> = (0..is_left.len()).filter(|at| is_left[*at] && counts[*at] == 0).collect();
    let mut depth = 0;
    while !ends.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for at in ends {
            is_left[at] = false;
            for &to in &after[at] {
                if !is_left[to] {
                    continue;
                }
                counts[to] -= 1;
                if counts[to] == 0 {
                    next.push(to);
                }
            }
        }
        ends = next;
    }
    depth
}

/// A subschema and where it is.
#[derive(Clone)]
struct Place<'s> {
    schema: &'s Value,
    pointer: String,
    /// The root, or the nearest schema around it with an `$id`: references are relative to it.
    resource: &'s Value,
    resource_pointer: Box<str>,
}

impl<'s> Place<'s> {
    /// Returns the place of a subschema.
    fn below(&self, schema: &'s Value, keyword: &str, token: Option<&str>) -> Self {
        let mut pointer = format!("{}/{keyword}", self.pointer);
        if let Some(token) = token {
            pointer.push('/');
            pointer.push_str(&escape_token(token));
        }
        self.at(schema, pointer)
    }

    fn at(&self, schema: &'s Value, pointer: String) -> Self {
        let (resource, resource_pointer) = if is_resource(schema) {
            (schema, pointer.as_str().into())
        } else {
            (self.resource, self.resource_pointer.clone())
        };
        Self { schema, pointer, resource, resource_pointer }
    }

    fn error(&self, keyword: &str, error: impl std::fmt::Display) -> String {
        format!("{error} (at `{}/{keyword}`)", self.pointer)
    }
}

/// Returns `true` if a subschema has an `$id` of its own, so that references in it are relative to it.
fn is_resource(schema: &Value) -> bool {
    walk::keyword(schema, "$id").and_then(Value::as_str).is_some_and(|id| !id.starts_with('#'))
}

struct Compiler<'s> {
    dialect: Dialect,
    /// The nodes of the subschemas, by address.
    ids: HashMap<usize, NodeId>,
    /// The subschemas, in the order of their ids.
    pending: Vec<Place<'s>>,
    has_resources: bool,
}

impl<'s> Compiler<'s> {
    /// Returns the node of a subschema, which is compiled later if it is new.
    fn id(&mut self, place: Place<'s>) -> NodeId {
        let next = NodeId(index(self.pending.len()));
        let id = *self.ids.entry(std::ptr::from_ref(place.schema).addr()).or_insert(next);
        if id == next {
            self.has_resources |= !place.pointer.is_empty() && is_resource(place.schema);
            self.pending.push(place);
        }
        id
    }

    fn node(&mut self, id: NodeId, place: &Place<'s>) -> Result<Node, String> {
        let mut node = Node { pointer: place.pointer.as_str().into(), types: Types::ALL, keywords: Box::default() };
        let map = match place.schema {
            Value::Bool(true) => return Ok(node),
            Value::Object(map) => map,
            _ => {
                node.keywords = [Keyword::Nothing].into();
                return Ok(node);
            }
        };
        let mut keywords = Vec::with_capacity(map.len());
        // Before 2019-09, nothing else counts beside a reference.
        if let Some(target) = map.get("$ref").filter(|_| self.dialect.is_before_2019()) {
            keywords.push(self.reference("$ref", target, place)?);
            node.keywords = keywords.into();
            return Ok(node);
        }
        let mut has_shape = false;
        let mut has_elements = false;
        for (name, value) in map {
            match name.as_str() {
                "type" => node.types = Types::read(value).unwrap_or(Types::ALL),
                "required" | "properties" | "patternProperties" | "additionalProperties" => {
                    if !std::mem::replace(&mut has_shape, true) {
                        keywords.extend(self.object(map, place)?);
                    }
                }
                "items" | "prefixItems" | "additionalItems" => {
                    if !std::mem::replace(&mut has_elements, true) {
                        keywords.extend(self.array(map, place));
                    }
                }
                "dependencies" => keywords.extend(self.dependencies(value, place)),
                _ => keywords.extend(self.keyword(id, name, value, map, place)?),
            }
        }
        keywords.sort_by_key(Keyword::cost);
        node.keywords = keywords.into();
        Ok(node)
    }

    fn keyword(
        &mut self,
        own: NodeId,
        name: &str,
        value: &'s Value,
        map: &'s Map<String, Value>,
        place: &Place<'s>,
    ) -> Result<Option<Keyword>, String> {
        let bound = |side| {
            let limit = value.as_number().and_then(Numeral::read);
            let limit = limit.ok_or_else(|| place.error(name, "expected a number that 64 bits can hold"))?;
            Ok::<_, String>(Keyword::Bound { side, limit, written: value.clone() })
        };
        let single = |compiler: &mut Self| compiler.id(place.below(value, name, None));
        Ok(Some(match name {
            "const" => Keyword::Const(value.clone()),
            "enum" => Keyword::Enum(value.as_array().into_iter().flatten().cloned().collect()),
            "minimum" => bound(Side::Minimum)?,
            "maximum" => bound(Side::Maximum)?,
            "exclusiveMinimum" => bound(Side::ExclusiveMinimum)?,
            "exclusiveMaximum" => bound(Side::ExclusiveMaximum)?,
            "multipleOf" => match value.as_f64().filter(|divisor| divisor.is_finite()) {
                Some(divisor) => Keyword::MultipleOf(divisor),
                None => return Err(place.error(name, "expected a number that 64 bits can hold")),
            },
            "minLength" => Keyword::AtLeast(Size::Characters, count(value)),
            "maxLength" => Keyword::AtMost(Size::Characters, count(value)),
            "minItems" => Keyword::AtLeast(Size::Elements, count(value)),
            "maxItems" => Keyword::AtMost(Size::Elements, count(value)),
            "minProperties" => Keyword::AtLeast(Size::Properties, count(value)),
            "maxProperties" => Keyword::AtMost(Size::Properties, count(value)),
            "dependentRequired" if self.dialect.is_from_2019() => Keyword::DependentRequired(dependent_names(value)),
            "pattern" => {
                let text = value.as_str().unwrap_or_default();
                Keyword::Pattern(Pattern::new(text).map_err(|error| place.error(name, error))?)
            }
            "format" => match value.as_str().and_then(|name| Format::named(name, self.dialect)) {
                Some(format) => Keyword::Format(format),
                None => return Ok(None),
            },
            "uniqueItems" if *value == true => Keyword::UniqueItems,
            "propertyNames" => Keyword::PropertyNames(single(self)),
            "contains" => {
                let bound = |keyword| map.get(keyword).filter(|_| self.dialect.is_from_2019()).map(count);
                let (minimum, maximum) = (bound("minContains").unwrap_or(1), bound("maxContains").unwrap_or(u64::MAX));
                let is_evaluation = self.dialect == Dialect::Draft2020;
                Keyword::Contains { node: single(self), minimum, maximum, is_evaluation }
            }
            "dependentSchemas" if self.dialect.is_from_2019() => {
                let all = value.as_object().into_iter().flatten();
                let node = |(property, schema): (&'s String, &'s Value)| {
                    (property.as_str().into(), self.id(place.below(schema, name, Some(property))))
                };
                Keyword::DependentSchemas(all.map(node).collect())
            }
            "allOf" => Keyword::AllOf(self.list(name, value, place)),
            "anyOf" => Keyword::AnyOf(self.list(name, value, place)),
            "oneOf" => Keyword::OneOf(self.list(name, value, place)),
            "not" => Keyword::Not(single(self)),
            "if" if self.dialect.has_conditions() => {
                let condition = single(self);
                let mut branch = |keyword: &str| {
                    let schema = map.get(keyword)?;
                    Some(self.id(place.below(schema, keyword, None)))
                };
                let (then, otherwise) = (branch("then"), branch("else"));
                Keyword::If { condition, then, otherwise }
            }
            "unevaluatedProperties" if self.dialect.is_from_2019() => {
                Keyword::UnevaluatedProperties { own, node: single(self) }
            }
            "unevaluatedItems" if self.dialect.is_from_2019() => Keyword::UnevaluatedItems { own, node: single(self) },
            "$ref" => self.reference(name, value, place)?,
            "$dynamicRef" | "$recursiveRef" if self.dialect.is_dynamic(name) => self.reference(name, value, place)?,
            _ => return Ok(None),
        }))
    }

    fn list(&mut self, name: &str, value: &'s Value, place: &Place<'s>) -> Box<[NodeId]> {
        let schemas = value.as_array().into_iter().flatten().enumerate();
        schemas.map(|(at, schema)| self.id(place.below(schema, name, Some(&at.to_string())))).collect()
    }

    fn object(&mut self, map: &'s Map<String, Value>, place: &Place<'s>) -> Result<Option<Keyword>, String> {
        let named = |keyword: &str| map.get(keyword).and_then(Value::as_object).into_iter().flatten();
        let properties = named("properties").map(|(name, schema)| Property {
            name: name.as_str().into(),
            node: self.id(place.below(schema, "properties", Some(name))),
            is_required: false,
        });
        let properties = properties.collect();
        let patterns = named("patternProperties").map(|(text, schema)| {
            let pattern = Pattern::new(text).map_err(|error| place.error("patternProperties", error))?;
            Ok((pattern, self.id(place.below(schema, "patternProperties", Some(text)))))
        });
        let patterns = patterns.collect::<Result<_, String>>()?;
        let additional = match map.get("additionalProperties") {
            None => Additional::Any,
            Some(Value::Bool(true)) => Additional::Open,
            Some(Value::Bool(false)) => Additional::Closed { as_not: false },
            Some(Value::Object(schema)) if is_nothing(schema) => Additional::Closed { as_not: true },
            Some(schema) => Additional::Schema(self.id(place.below(schema, "additionalProperties", None))),
        };
        let required = map.get("required").map(names).unwrap_or_default();
        Ok(Some(Keyword::Object(Box::new(ObjectShape::new(properties, patterns, additional, required)))))
    }

    fn array(&mut self, map: &'s Map<String, Value>, place: &Place<'s>) -> Option<Keyword> {
        let rest = |compiler: &mut Self, keyword: &str| {
            let schema = map.get(keyword)?;
            Some(compiler.id(place.below(schema, keyword, None)))
        };
        let (prefix, rest, is_closed) = if self.dialect == Dialect::Draft2020 {
            let prefix = map.get("prefixItems").map(|list| self.list("prefixItems", list, place));
            (prefix.unwrap_or_default(), rest(self, "items"), false)
        } else {
            match map.get("items") {
                Some(list @ Value::Array(_)) => {
                    let prefix = self.list("items", list, place);
                    let is_closed = map.get("additionalItems").is_some_and(|schema| *schema == false);
                    (prefix, rest(self, "additionalItems"), is_closed)
                }
                _ => (Box::default(), rest(self, "items"), false),
            }
        };
        (!prefix.is_empty() || rest.is_some()).then_some(Keyword::Array(ArrayShape { prefix, rest, is_closed }))
    }

    /// The older form of `dependentRequired` and `dependentSchemas`.
    fn dependencies(&mut self, value: &'s Value, place: &Place<'s>) -> [Keyword; 2] {
        let all = value.as_object().into_iter().flatten();
        let (lists, schemas): (Vec<_>, Vec<_>) = all.partition(|(_, value)| value.is_array());
        let required =
            lists.into_iter().map(|(name, list)| Dependency { name: name.as_str().into(), required: names(list) });
        let nodes = schemas.into_iter().map(|(property, schema)| {
            (property.as_str().into(), self.id(place.below(schema, "dependencies", Some(property))))
        });
        [Keyword::DependentRequired(required.collect()), Keyword::DependentSchemas(nodes.collect())]
    }

    fn reference(&mut self, keyword: &str, value: &'s Value, place: &Place<'s>) -> Result<Keyword, String> {
        let text = value.as_str().unwrap_or_default();
        let relative = match Reference::parse(text) {
            Reference::Remote => {
                return Err(place.error(keyword, "the reference is not local, and remote schemas are never fetched"));
            }
            Reference::Anchor(name) => find_anchor(place.resource, name),
            _ => text.strip_prefix('#').map(|fragment| reference::percent_decode(fragment).into_owned()),
        };
        let target = relative.as_deref().and_then(|pointer| target(pointer, place));
        let target = target.ok_or_else(|| place.error(keyword, format!("the reference `{text}` has no target")))?;
        Ok(Keyword::Reference(self.id(target)))
    }
}

/// Finds the target of a JSON Pointer that is relative to the resource of `place`.
fn target<'s>(pointer: &str, place: &Place<'s>) -> Option<Place<'s>> {
    let mut target = Place { schema: place.resource, pointer: place.resource_pointer.to_string(), ..place.clone() };
    for token in pointer.split('/').skip(1) {
        let schema = target.schema.pointer(&format!("/{token}"))?;
        target = target.at(schema, format!("{}/{}", target.pointer, escape_token(&unescape_token(token))));
    }
    (target.schema.is_object() || target.schema.is_boolean()).then_some(target)
}

/// Returns the JSON Pointer to the subschema with an anchor, relative to a resource.
fn find_anchor(resource: &Value, name: &str) -> Option<String> {
    let mut pending = vec![(resource, String::new())];
    while let Some((schema, pointer)) = pending.pop() {
        let is_named = |keyword| walk::keyword(schema, keyword).is_some_and(|anchor| *anchor == *name);
        let id = walk::keyword(schema, "$id").and_then(Value::as_str);
        if is_named("$anchor") || is_named("$dynamicAnchor") || id.and_then(|id| id.strip_prefix('#')) == Some(name) {
            return Some(pointer);
        }
        walk::visit_children(schema, |location, child| {
            if !is_resource(child) {
                pending.push((child, format!("{pointer}/{}", location.pointer())));
            }
        });
    }
    None
}

/// Returns `true` for `{"not": {}}`, perhaps with a description.
fn is_nothing(schema: &Map<String, Value>) -> bool {
    schema.get("not").and_then(Value::as_object).is_some_and(Map::is_empty)
        && schema.keys().all(|keyword| matches!(keyword.as_str(), "not" | "title" | "description" | "$comment"))
}

/// Reads a number of characters, elements or properties. `2.0` is one, too.
fn count(value: &Value) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a count; a larger one saturates"
    )]
    value.as_u64().unwrap_or_else(|| value.as_f64().unwrap_or_default() as u64)
}

fn names(value: &Value) -> Box<[Box<str>]> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(Into::into).collect()
}

fn dependent_names(value: &Value) -> Box<[Dependency]> {
    let all = value.as_object().into_iter().flatten();
    all.map(|(name, required)| Dependency { name: name.as_str().into(), required: names(required) }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn compile(schema: &Value) -> Result<Checker, String> {
        super::compile(schema)
    }

    /// A chain of this many `allOf` and references.
    fn chain(length: usize) -> Value {
        let mut definitions = Map::new();
        for at in 0..length {
            definitions.insert(format!("d{at}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", at + 1)}]}));
        }
        definitions.insert(format!("d{length}"), json!({"type": "integer"}));
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    }

    #[test]
    fn every_reference_of_a_node_is_remembered() {
        for schema in [
            json!({"type": "object", "$ref": "#/$defs/leaf", "$dynamicRef": "#", "$defs": {"leaf": {}}}),
            json!({"$ref": "#/$defs/t", "$defs": {
                "t": {"properties": {"b": {"properties": {"a": {"$ref": "#/$defs/t"}}, "$ref": "#/$defs/m"}}},
                "m": {"properties": {"a": {"$ref": "#/$defs/t"}}}
            }}),
        ] {
            assert_eq!(compile(&schema).expect("it compiles").remembers, Remembers::References, "{schema}");
        }
    }

    #[test]
    fn a_long_chain_of_subschemas_for_one_value_is_refused() {
        // Each link is two nodes. The reference and the last definition are two more.
        let longest = (MAX_IN_PLACE - 2) / 2;
        assert!(compile(&chain(longest)).is_ok());
        for length in [longest + 1, 4_000] {
            let error = compile(&chain(length)).expect_err("it is too long");
            assert!(error.contains("apply one another to the same value"), "{error}");
        }
    }

    #[test]
    fn only_the_nodes_of_a_cycle_are_counted_together() {
        let leaves = vec![json!({"minimum": 1}); 4 * MAX_IN_PLACE];
        let depth = |schema: &Value| in_place_depth(&compile(schema).expect("it compiles").nodes);
        assert_eq!(depth(&json!({"anyOf": leaves})), 2);
        assert_eq!(depth(&json!({"anyOf": [{"$ref": "#"}, {"anyOf": leaves}]})), 4);
        assert_eq!(depth(&json!({"items": {"anyOf": [{"$ref": "#"}, {}]}})), 3);
    }
}
