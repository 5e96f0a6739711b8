//! The parts of an input schema that coercions look at, compiled once, in the first call that needs it.
//!
//! Schemas under which nothing can be coerced are pruned, so the walk skips the parts of a document that they describe.

use std::collections::HashMap;

use serde_json::Value;

use crate::schema::accepted::{Accepted, Reader, Types};
use crate::schema::branch::Branch;
use crate::schema::reference::follow;
use crate::schema::walk::{keyword, keyword_or_null};

/// The compiled schemas. The first one is the root.
#[derive(Debug)]
pub(super) struct Coercions {
    pub(super) schemas: Vec<CompiledSchema>,
}

/// What one schema says about a value, its properties and its elements. It refers to other schemas by their index.
#[derive(Debug, Default)]
pub(super) struct CompiledSchema {
    /// What the schema accepts. Only with `lax`, and only if it does not accept every string.
    pub(super) accepted: Option<Accepted>,
    pub(super) all_of: Vec<usize>,
    /// The branches of each `anyOf` and `oneOf`.
    pub(super) unions: Vec<Vec<(Branch, Option<usize>)>>,
    /// Sorted by name.
    pub(super) properties: Vec<CompiledProperty>,
    pub(super) additional_properties: Option<usize>,
    /// Whether `additionalProperties` accepts `null` as a value.
    pub(super) others_may_be_null: bool,
    pub(super) prefix_items: Vec<Option<usize>>,
    pub(super) items: Option<usize>,
}

#[derive(Debug)]
pub(super) struct CompiledProperty {
    name: Box<str>,
    pub(super) is_optional: bool,
    /// Whether `null` means absent: the property is optional, and its schema does not accept `null`.
    pub(super) null_is_absent: bool,
    /// Whether `null` is a value. In a union, it then stays even if another branch reads it as absent.
    pub(super) null_is_value: bool,
    pub(super) schema: Option<usize>,
}

impl CompiledSchema {
    pub(super) fn property(&self, name: &str) -> Option<&CompiledProperty> {
        let found = self.properties.binary_search_by(|property| (*property.name).cmp(name));
        found.ok().map(|index| &self.properties[index])
    }

    /// Returns `true` if something can be coerced at the value itself.
    fn coerces(&self) -> bool {
        self.accepted.is_some() || self.properties.iter().any(|property| property.null_is_absent)
    }

    /// Returns `true` if something can be coerced at the value itself, or must not be because of this schema.
    fn is_relevant(&self) -> bool {
        self.coerces() || self.others_may_be_null || self.properties.iter().any(|property| property.null_is_value)
    }

    /// Returns the schemas that this one refers to.
    fn inner(&self) -> impl Iterator<Item = usize> {
        let unions = self.unions.iter().flatten().filter_map(|(_, schema)| *schema);
        let properties = self.properties.iter().filter_map(|property| property.schema);
        let others = self.prefix_items.iter().copied().chain([self.items, self.additional_properties]).flatten();
        self.all_of.iter().copied().chain(unions).chain(properties).chain(others)
    }

    /// Removes the references to schemas that are not `relevant`.
    fn prune(&mut self, relevant: &[bool]) {
        let keep = |schema: Option<usize>| schema.filter(|schema| relevant[*schema]);
        self.all_of.retain(|schema| relevant[*schema]);
        self.unions.iter_mut().flatten().for_each(|(_, schema)| *schema = keep(*schema));
        self.unions.retain(|branches| branches.iter().any(|(_, schema)| schema.is_some()));
        self.properties.iter_mut().for_each(|property| property.schema = keep(property.schema));
        self.prefix_items.iter_mut().for_each(|schema| *schema = keep(*schema));
        (self.items, self.additional_properties) = (keep(self.items), keep(self.additional_properties));
        // With `additionalProperties`, every property must stay: a property that is not listed would fall under it.
        if self.additional_properties.is_none() {
            self.properties
                .retain(|property| property.null_is_absent || property.null_is_value || property.schema.is_some());
        }
        if self.prefix_items.iter().all(Option::is_none) && self.items.is_none() {
            self.prefix_items.clear();
        }
    }
}

impl Coercions {
    /// Compiles a schema. Returns `None` if nothing can be coerced under it. Without `lax`, only `null` can.
    pub(super) fn compile(schema: &Value, lax: bool) -> Option<Self> {
        let mut compiler =
            Compiler { root: schema, reader: Reader::new(schema), lax, schemas: Vec::new(), indices: HashMap::new() };
        compiler.compile(schema)?;
        let mut schemas = compiler.schemas;
        if !schemas.iter().any(CompiledSchema::coerces) {
            return None;
        }
        let relevant = relevant(&schemas);
        for schema in &mut schemas {
            schema.prune(&relevant);
        }
        Some(Self { schemas })
    }
}

struct Compiler<'s> {
    root: &'s Value,
    reader: Reader<'s>,
    lax: bool,
    schemas: Vec<CompiledSchema>,
    /// The index of each schema by its address. It ends the compilation of a recursive schema.
    indices: HashMap<*const Value, usize>,
}

impl<'s> Compiler<'s> {
    /// Returns the index of a schema, or `None` if nothing can be coerced under it.
    fn compile(&mut self, schema: &'s Value) -> Option<usize> {
        let schema = follow(schema, self.root);
        if let Some(index) = self.indices.get(&std::ptr::from_ref(schema)) {
            return Some(*index);
        }
        let accepted = self.lax.then(|| self.reader.read(schema)).filter(|accepted| !accepted.accepts_any_string());
        let keywords = ["allOf", "anyOf", "oneOf", "properties", "additionalProperties", "prefixItems", "items"];
        let has = |name: &&str| keyword(schema, name).is_some_and(|value| value.is_object() || value.is_array());
        if accepted.is_none() && !keywords.iter().any(has) {
            return None;
        }
        let index = self.schemas.len();
        self.schemas.push(CompiledSchema::default());
        self.indices.insert(schema, index);
        self.schemas[index] = CompiledSchema { accepted, ..self.compile_keywords(schema) };
        Some(index)
    }

    fn accepts_null(&mut self, schema: &'s Value) -> bool {
        self.reader.read(schema).types.intersects(Types::NULL)
    }

    fn compile_keywords(&mut self, schema: &'s Value) -> CompiledSchema {
        let list = |name: &str| keyword_or_null(schema, name).as_array().into_iter().flatten();
        let mut compiled = CompiledSchema::default();
        compiled.all_of.extend(list("allOf").filter_map(|branch| self.compile(branch)));
        for keyword in ["anyOf", "oneOf"] {
            let branches: Vec<_> =
                list(keyword).map(|branch| (Branch::of(branch, self.root), self.compile(branch))).collect();
            if !branches.is_empty() {
                compiled.unions.push(branches);
            }
        }
        let required: Vec<_> = list("required").filter_map(Value::as_str).collect();
        for (name, property) in keyword_or_null(schema, "properties").as_object().into_iter().flatten() {
            let is_optional = !required.contains(&name.as_str());
            let null_is_value = self.accepts_null(property);
            let null_is_absent = is_optional && !null_is_value;
            let schema = self.compile(property);
            let name = name.as_str().into();
            compiled.properties.push(CompiledProperty { name, is_optional, null_is_absent, null_is_value, schema });
        }
        compiled.properties.sort_by(|one, other| one.name.cmp(&other.name));
        compiled.others_may_be_null =
            keyword(schema, "additionalProperties").is_some_and(|others| self.accepts_null(others));
        compiled.additional_properties = self.compile(keyword_or_null(schema, "additionalProperties"));
        compiled.prefix_items.extend(list("prefixItems").map(|element| self.compile(element)));
        compiled.items = self.compile(keyword_or_null(schema, "items"));
        compiled
    }
}

/// Computes under which schemas something can be coerced, there or at a value below.
fn relevant(schemas: &[CompiledSchema]) -> Vec<bool> {
    let mut relevant: Vec<_> = schemas.iter().map(CompiledSchema::is_relevant).collect();
    loop {
        let leads_on = |index: &usize| !relevant[*index] && schemas[*index].inner().any(|inner| relevant[inner]);
        let Some(next) = (0..schemas.len()).find(leads_on) else { return relevant };
        relevant[next] = true;
    }
}
