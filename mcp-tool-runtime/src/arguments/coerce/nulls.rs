//! Removes each `null` that is sent for an optional property: it means the same as an absent one (rule I3).
//!
//! The schema is compiled once, in the first call that needs it. Schemas that lead to no optional property are pruned,
//! so the walk skips the parts of a document that they describe.

use std::collections::HashMap;

use serde_json::Value;

use crate::document::tape::{Slot, Tape, View, property_positions, slot_count};
use crate::schema::branch::{Branch, select_branch};
use crate::schema::reference::follow;
use crate::schema::walk::{keyword, keyword_or_null};

/// The optional properties of an input schema, at every depth. The first schema is the root.
#[derive(Debug)]
pub(crate) struct OptionalProperties(Vec<CompiledSchema>);

/// What one schema says about the properties and elements of a value. It refers to other schemas by their index.
#[derive(Debug, Default)]
struct CompiledSchema {
    all_of: Vec<usize>,
    /// The branches of each `anyOf` and `oneOf`.
    unions: Vec<Vec<(Branch, Option<usize>)>>,
    /// Sorted by name.
    properties: Vec<CompiledProperty>,
    additional_properties: Option<usize>,
    prefix_items: Vec<Option<usize>>,
    items: Option<usize>,
}

#[derive(Debug)]
struct CompiledProperty {
    name: Box<str>,
    /// Whether `null` means absent: the property is not required, and its schema does not accept `null`.
    is_optional: bool,
    schema: Option<usize>,
}

/// Up to this many properties, a linear search is as fast as a binary one.
const LINEAR_SEARCH: usize = 8;

impl CompiledSchema {
    fn property(&self, name: &str) -> Option<&CompiledProperty> {
        if self.properties.len() > LINEAR_SEARCH {
            let found = self.properties.binary_search_by(|property| (*property.name).cmp(name));
            return found.ok().map(|index| &self.properties[index]);
        }
        self.properties.iter().find(|property| *property.name == *name)
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
            self.properties.retain(|property| property.is_optional || property.schema.is_some());
        }
        if self.prefix_items.iter().all(Option::is_none) && self.items.is_none() {
            self.prefix_items.clear();
        }
    }
}

impl OptionalProperties {
    /// Compiles a schema. Returns `None` if it has no optional property.
    pub(crate) fn compile(schema: &Value) -> Option<Self> {
        let mut compiler = Compiler { root: schema, schemas: Vec::new(), indices: HashMap::new() };
        compiler.compile(schema)?;
        let mut schemas = compiler.schemas;
        let relevant = relevant(&schemas);
        if !relevant.contains(&true) {
            return None;
        }
        for schema in &mut schemas {
            schema.prune(&relevant);
        }
        Some(Self(schemas))
    }

    /// Removes each `null` that is sent for an optional property.
    pub(crate) fn remove_nulls(&self, tape: &mut Tape<'_>) {
        let mut nulls = Vec::new();
        self.find_nulls(Visit { schema: 0, previous: None }, 0, tape, &mut nulls);
        // Two schemas may describe the same property.
        nulls.sort_unstable();
        nulls.dedup();
        for (object, key) in nulls {
            tape.remove_property(object, key);
        }
    }

    /// Finds each `null` to remove in the value at `at`. Collects the position of its object, and that of its key.
    fn find_nulls(&self, visit: Visit<'_>, at: usize, tape: &Tape<'_>, nulls: &mut Vec<(usize, usize)>) {
        if visit.is_repeated() {
            return;
        }
        let schema = &self.0[visit.schema];
        for schema in &schema.all_of {
            self.find_nulls(Visit { schema: *schema, previous: Some(&visit) }, at, tape, nulls);
        }
        for branches in &schema.unions {
            // Visits only the branch that the value selects: another branch may require the same property.
            let view = View::of_slots(tape.slots_from(at));
            let selected = select_branch(view, branches.iter().map(|(branch, schema)| (branch, *schema)));
            if let Some(Some(schema)) = selected {
                self.find_nulls(Visit { schema, previous: Some(&visit) }, at, tape, nulls);
            }
        }
        let slots = tape.slots_from(0);
        match &slots[at] {
            Slot::Object(_) if !schema.properties.is_empty() || schema.additional_properties.is_some() => {
                for (key, value) in property_positions(slots, at) {
                    let (Slot::String(name), Slot::Null | Slot::Array(_) | Slot::Object(_)) =
                        (&slots[key], &slots[value])
                    else {
                        continue;
                    };
                    let (is_optional, inner) = match schema.property(name) {
                        Some(property) => (property.is_optional, property.schema),
                        None => (false, schema.additional_properties),
                    };
                    match (&slots[value], inner) {
                        (Slot::Null, _) if is_optional => nulls.push((at, key)),
                        (_, Some(schema)) => self.find_nulls(Visit { schema, previous: None }, value, tape, nulls),
                        _ => {}
                    }
                }
            }
            Slot::Array(extent) if !schema.prefix_items.is_empty() || schema.items.is_some() => {
                let mut element = at + 1;
                for index in 0..extent.len {
                    if let Some(schema) = schema.prefix_items.get(index).copied().unwrap_or(schema.items) {
                        self.find_nulls(Visit { schema, previous: None }, element, tape, nulls);
                    }
                    element += slot_count(&slots[element..]);
                }
            }
            _ => {}
        }
    }
}

/// A schema that is applied to a value, and the schemas that led to it at the same value.
#[derive(Clone, Copy)]
struct Visit<'v> {
    schema: usize,
    previous: Option<&'v Visit<'v>>,
}

impl Visit<'_> {
    /// Returns `true` if the schema was already applied to this same value. Without this check, the recursion has no end.
    fn is_repeated(&self) -> bool {
        std::iter::successors(self.previous, |visit| visit.previous).any(|visit| visit.schema == self.schema)
    }
}

struct Compiler<'s> {
    root: &'s Value,
    schemas: Vec<CompiledSchema>,
    /// The index of each schema by its address. It ends the compilation of a recursive schema.
    indices: HashMap<*const Value, usize>,
}

impl<'s> Compiler<'s> {
    /// Returns the index of a schema, or `None` if it says nothing about properties or elements.
    fn compile(&mut self, schema: &'s Value) -> Option<usize> {
        let schema = follow(schema, self.root);
        if let Some(index) = self.indices.get(&std::ptr::from_ref(schema)) {
            return Some(*index);
        }
        let keywords = ["allOf", "anyOf", "oneOf", "properties", "additionalProperties", "prefixItems", "items"];
        let has = |name: &&str| keyword(schema, name).is_some_and(|value| value.is_object() || value.is_array());
        if !keywords.iter().any(has) {
            return None;
        }
        let index = self.schemas.len();
        self.schemas.push(CompiledSchema::default());
        self.indices.insert(schema, index);
        self.schemas[index] = self.compile_keywords(schema);
        Some(index)
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
            let is_optional = !required.contains(&name.as_str()) && !accepts_null(follow(property, self.root));
            let schema = self.compile(property);
            compiled.properties.push(CompiledProperty { name: name.as_str().into(), is_optional, schema });
        }
        compiled.properties.sort_by(|one, other| one.name.cmp(&other.name));
        compiled.additional_properties = self.compile(keyword_or_null(schema, "additionalProperties"));
        compiled.prefix_items.extend(list("prefixItems").map(|element| self.compile(element)));
        compiled.items = self.compile(keyword_or_null(schema, "items"));
        compiled
    }
}

/// Returns `true` if the `type` of a schema lists `null`.
///
/// Without `type`, it returns `false`, although such a schema may accept `null`: the `null` still means absent.
fn accepts_null(schema: &Value) -> bool {
    match keyword_or_null(schema, "type") {
        Value::String(name) => name == "null",
        Value::Array(names) => names.iter().any(|name| name == "null"),
        _ => false,
    }
}

/// Computes which schemas have an optional property or lead to one.
fn relevant(schemas: &[CompiledSchema]) -> Vec<bool> {
    let has_optional = |schema: &CompiledSchema| schema.properties.iter().any(|property| property.is_optional);
    let mut relevant: Vec<_> = schemas.iter().map(has_optional).collect();
    loop {
        let leads_on = |index: &usize| !relevant[*index] && schemas[*index].inner().any(|inner| relevant[inner]);
        let Some(next) = (0..schemas.len()).find(leads_on) else { return relevant };
        relevant[next] = true;
    }
}
