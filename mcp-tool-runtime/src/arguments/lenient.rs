//! What rule I3 forgives by the schema alone: nulls, when the document was refused.

use std::collections::HashMap;

use serde_json::Value;

use crate::document::path::{Path, Step};
use crate::document::tape::{Slot, Tape, View, property_positions};
use crate::schema::branch::{Branch, select_branch};
use crate::schema::reference::follow;
use crate::schema::walk::{keyword, keyword_or_null};

/// Where a schema has optional properties, made ready to take a `null` out of a document that stands for one left out.
#[derive(Debug)]
pub(crate) struct Optionals(Vec<Part>);

/// One schema that says something of the parts of a value. Other parts are named by their index.
#[derive(Debug, Default)]
struct Part {
    all_of: Vec<usize>,
    unions: Vec<Vec<(Branch, Option<usize>)>>,
    /// In the order of the names.
    properties: Vec<Property>,
    additional: Option<usize>,
    leading: Vec<Option<usize>>,
    items: Option<usize>,
}

#[derive(Debug)]
struct Property {
    name: Box<str>,
    /// Whether a `null` stands for nothing: it is known, not required, and has no `null` of its own.
    is_optional: bool,
    part: Option<usize>,
}

impl Part {
    fn property(&self, name: &str) -> Option<&Property> {
        if self.properties.len() > FEW {
            let known = self.properties.binary_search_by(|property| (*property.name).cmp(name));
            return known.ok().map(|index| &self.properties[index]);
        }
        self.properties.iter().find(|property| *property.name == *name)
    }

    /// The parts that this one leads to.
    fn below(&self) -> impl Iterator<Item = usize> {
        let unions = self.unions.iter().flatten().filter_map(|(_, part)| *part);
        let properties = self.properties.iter().filter_map(|property| property.part);
        let elements = self.leading.iter().copied().chain([self.items, self.additional]).flatten();
        self.all_of.iter().copied().chain(unions).chain(properties).chain(elements)
    }

    /// Forgets what leads to nothing optional.
    fn forget(&mut self, leads: &[bool]) {
        let keep = |part: Option<usize>| part.filter(|part| leads[*part]);
        self.all_of.retain(|part| leads[*part]);
        self.unions.iter_mut().flatten().for_each(|(_, part)| *part = keep(*part));
        self.unions.retain(|branches| branches.iter().any(|(_, part)| part.is_some()));
        self.properties.iter_mut().for_each(|property| property.part = keep(property.part));
        self.leading.iter_mut().for_each(|part| *part = keep(*part));
        (self.items, self.additional) = (keep(self.items), keep(self.additional));
        if self.additional.is_none() {
            self.properties.retain(|property| property.is_optional || property.part.is_some());
        }
        if self.leading.iter().all(Option::is_none) && self.items.is_none() {
            self.leading.clear();
        }
    }
}

/// Which parts have an optional property, or lead to one that has.
fn leads_to_optionals(parts: &[Part]) -> Vec<bool> {
    let has_optional = |part: &Part| part.properties.iter().any(|property| property.is_optional);
    let mut leads: Vec<_> = parts.iter().map(has_optional).collect();
    loop {
        let found = |index: &usize| !leads[*index] && parts[*index].below().any(|below| leads[below]);
        let Some(next) = (0..parts.len()).find(found) else { return leads };
        leads[next] = true;
    }
}

/// So many names are looked through one by one.
const FEW: usize = 8;

impl Optionals {
    /// Reads a schema; `None` when it has no optional property.
    pub(crate) fn of(schema: &Value) -> Option<Self> {
        let mut compiler = Compiler { root: schema, parts: Vec::new(), known: HashMap::new() };
        compiler.part(schema)?;
        let mut parts = compiler.parts;
        let leads = leads_to_optionals(&parts);
        leads.iter().any(|leads| *leads).then(|| {
            for part in &mut parts {
                part.forget(&leads);
            }
            Self(parts)
        })
    }

    /// Takes out each `null` that stands for an optional property left out, at every depth.
    pub(crate) fn drop_nulls(&self, tape: &mut Tape<'_>) {
        let mut found = Vec::new();
        self.look(Looking { part: 0, above: None }, 0, tape, &mut found);
        found.sort_unstable();
        // One that two schemas call optional goes once.
        found.dedup();
        for (object, key) in found {
            tape.remove_property(object, key);
        }
    }

    /// Notes the members that go: the places of their objects and keys.
    fn look(&self, here: Looking<'_>, at: usize, tape: &Tape<'_>, found: &mut Vec<(usize, usize)>) {
        if here.is_again() {
            return;
        }
        let part = &self.0[here.part];
        for all in &part.all_of {
            self.look(Looking { part: *all, above: Some(&here) }, at, tape, found);
        }
        for branches in &part.unions {
            // One branch at the most: what another one requires must stay, and a value is walked through once.
            let view = View::of_slots(tape.slots_from(at));
            let meant = select_branch(view, branches.iter().map(|(branch, part)| (branch, *part)));
            if let Some(Some(part)) = meant {
                self.look(Looking { part, above: Some(&here) }, at, tape, found);
            }
        }
        let slots = tape.slots_from(0);
        match &slots[at] {
            Slot::Object(_) if !part.properties.is_empty() || part.additional.is_some() => {
                for (key, value) in property_positions(slots, at) {
                    let (Slot::String(name), Slot::Null | Slot::Array(_) | Slot::Object(_)) =
                        (&slots[key], &slots[value])
                    else {
                        continue;
                    };
                    let (is_optional, below) = match part.property(name) {
                        Some(property) => (property.is_optional, property.part),
                        None => (false, part.additional),
                    };
                    match (&slots[value], below) {
                        (Slot::Null, _) if is_optional => found.push((at, key)),
                        (_, Some(below)) => self.look(Looking { part: below, above: None }, value, tape, found),
                        _ => {}
                    }
                }
            }
            Slot::Array(extent) if !part.leading.is_empty() || part.items.is_some() => {
                let mut value = at + 1;
                for index in 0..extent.len {
                    if let Some(below) = part.leading.get(index).copied().unwrap_or(part.items) {
                        self.look(Looking { part: below, above: None }, value, tape, found);
                    }
                    value += match &slots[value] {
                        Slot::Array(extent) | Slot::Object(extent) => 1 + extent.span,
                        _ => 1,
                    };
                }
            }
            _ => {}
        }
    }
}

/// A part that looks at a value, and the parts that led to it at the same value.
#[derive(Clone, Copy)]
struct Looking<'h> {
    part: usize,
    above: Option<&'h Looking<'h>>,
}

impl Looking<'_> {
    /// Whether the part has led to itself, which says nothing new.
    fn is_again(&self) -> bool {
        std::iter::successors(self.above, |looking| looking.above).any(|looking| looking.part == self.part)
    }
}

struct Compiler<'s> {
    root: &'s Value,
    parts: Vec<Part>,
    /// The parts by the address of their schema, which a schema that contains itself meets again.
    known: HashMap<*const Value, usize>,
}

impl<'s> Compiler<'s> {
    /// The part of a schema, `None` when it says nothing of the parts of a value.
    fn part(&mut self, schema: &'s Value) -> Option<usize> {
        let schema = follow(schema, self.root);
        if let Some(index) = self.known.get(&std::ptr::from_ref(schema)) {
            return Some(*index);
        }
        let keywords = ["allOf", "anyOf", "oneOf", "properties", "additionalProperties", "prefixItems", "items"];
        let says = |name: &&str| keyword(schema, name).is_some_and(|value| value.is_object() || value.is_array());
        if !keywords.iter().any(says) {
            return None;
        }
        let index = self.parts.len();
        self.parts.push(Part::default());
        self.known.insert(schema, index);
        let mut part = Part::default();
        for branch in keyword_or_null(schema, "allOf").as_array().into_iter().flatten() {
            part.all_of.extend(self.part(branch));
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(branches) = keyword_or_null(schema, keyword).as_array() else { continue };
            let branches = branches.iter().map(|branch| (Branch::of(branch, self.root), self.part(branch)));
            part.unions.push(branches.collect());
        }
        let required: Vec<_> =
            keyword_or_null(schema, "required").as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, property) in keyword_or_null(schema, "properties").as_object().into_iter().flatten() {
            let is_optional = !required.contains(&name.as_str()) && !admits_null(follow(property, self.root));
            let below = self.part(property);
            part.properties.push(Property { name: name.as_str().into(), is_optional, part: below });
        }
        part.properties.sort_by(|one, other| one.name.cmp(&other.name));
        part.additional = self.part(keyword_or_null(schema, "additionalProperties"));
        for leading in keyword_or_null(schema, "prefixItems").as_array().into_iter().flatten() {
            let below = self.part(leading);
            part.leading.push(below);
        }
        part.items = self.part(keyword_or_null(schema, "items"));
        self.parts[index] = part;
        Some(index)
    }
}

/// Whether some schema at this path knows the member by its name, rather than as one of a map.
pub(crate) fn is_property(root: &Value, path: &Path) -> bool {
    let Some((Step::Key(name), above)) = path.steps().split_last() else { return false };
    let mut here = branches(vec![root], root);
    for step in above {
        let below = here.iter().flat_map(|schema| match step {
            Step::Key(key) => {
                [&keyword_or_null(schema, "properties")[key.as_str()], keyword_or_null(schema, "additionalProperties")]
            }
            Step::Index(index) => [&keyword_or_null(schema, "prefixItems")[*index], keyword_or_null(schema, "items")],
        });
        here = branches(below.collect(), root);
    }
    here.iter().any(|schema| keyword_or_null(schema, "properties").get(name).is_some())
}

/// Schemas and everything that applies beside them, through references and unions, each once.
pub(super) fn branches<'s>(mut pending: Vec<&'s Value>, root: &'s Value) -> Vec<&'s Value> {
    let mut found: Vec<&Value> = Vec::new();
    while let Some(schema) = pending.pop() {
        let schema = follow(schema, root);
        if schema.is_object() && !found.iter().any(|known| std::ptr::eq(*known, schema)) {
            found.push(schema);
            let unions =
                ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|union| keyword_or_null(schema, union).as_array());
            pending.extend(unions.flatten());
        }
    }
    found
}

/// A schema that says nothing of types admits everything; there `null` is a value like any other only when required.
fn admits_null(schema: &Value) -> bool {
    match keyword_or_null(schema, "type") {
        Value::String(kind) => kind == "null",
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "null"),
        _ => false,
    }
}
