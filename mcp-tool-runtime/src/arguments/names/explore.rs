//! Which names a type knows beside the published ones, found by asking it once, in its first call.
//!
//! The schema shows the way: to each of its objects and texts there is a document with just that in it, which the type
//! is read from, with a [`Question`] at its end. Generated code of serde hands over the names of a struct and of an enum.
//! Where it buffers a value first (in a flattened or internally tagged type) it does not; there the part says that the
//! type is to be asked about what nobody knows, once that comes.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;

use super::question::{Answer, Question};
use super::{Member, Names, Part, Reader, read};
use crate::arguments::lenient::{Alias, branches};
use crate::document::path::{Path, Step};
use crate::document::tape::{Extent, Slot, Slots, Tape};
use crate::schema::walk::{keyword, keyword_or_null};

/// The keywords by which a schema is more than itself.
const SPREADING: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];

/// Deeper than this, and of more than so many parts, a schema is not looked through.
const DEEPEST: usize = 64;
const MOST: usize = 10_000;

/// The names of a type; `None` when there are none beside the published ones.
pub(super) fn names(root: &Value, aliases: &[Alias], reader: Reader) -> Option<Names> {
    let mut search =
        Search { root, reader, known: HashMap::new(), queue: VecDeque::new(), parts: Vec::new(), eager: false };
    search.place(vec![root], Path::default);
    while let Some(place) = search.queue.pop_front() {
        search.look(&place, if place.part == 0 { aliases } else { &[] });
    }
    let Search { mut parts, eager, .. } = search;
    prune(&mut parts);
    parts.first()?.matters.then_some(Names { reader, parts, eager })
}

struct Search<'s> {
    root: &'s Value,
    reader: Reader,
    /// The parts by the addresses of their schemas, which a schema that contains itself meets again.
    known: HashMap<Vec<*const Value>, usize>,
    queue: VecDeque<Place<'s>>,
    parts: Vec<Part>,
    eager: bool,
}

/// A place in documents, and all that the schema says of it.
struct Place<'s> {
    part: usize,
    schemas: Vec<&'s Value>,
    path: Path,
}

impl<'s> Search<'s> {
    /// The part for a place, `None` when the schema says nothing of what may stand there.
    fn place(&mut self, schemas: Vec<&'s Value>, path: impl FnOnce() -> Path) -> Option<usize> {
        let mut schemas = if let [schema] = schemas.as_slice()
            && !SPREADING.iter().any(|name| keyword(schema, name).is_some())
        {
            schemas
        } else {
            branches(schemas, self.root)
        };
        let keywords = ["properties", "additionalProperties", "prefixItems", "items", "enum", "const"];
        schemas.retain(|schema| keywords.iter().any(|name| keyword(schema, name).is_some()));
        if schemas.is_empty() || self.parts.len() >= MOST {
            return None;
        }
        let mut key: Vec<_> = schemas.iter().map(|schema| std::ptr::from_ref(*schema)).collect();
        key.sort_unstable();
        if let Some(part) = self.known.get(&key) {
            return Some(*part);
        }
        let part = self.parts.len();
        self.parts.push(Part::default());
        self.known.insert(key, part);
        self.queue.push_back(Place { part, schemas, path: path() });
        Some(part)
    }

    fn look(&mut self, place: &Place<'s>, aliases: &[Alias]) {
        let schemas = &place.schemas;
        let mut part = Part::default();
        let mut published: Vec<&str> = Vec::new();
        for (name, _) in schemas.iter().filter_map(|schema| keyword_or_null(schema, "properties").as_object()).flatten()
        {
            if !published.contains(&name.as_str()) {
                published.push(name);
            }
        }
        for name in &published {
            let below = schemas.iter().filter_map(|schema| keyword_or_null(schema, "properties").get(*name)).collect();
            let below = self.place(below, || place.path.property(name));
            part.members.push(Member { name: (*name).into(), meant: None, below });
        }
        let texts = texts(schemas);
        self.name_members(&mut part, place, &published, &texts);
        self.name_texts(&mut part, place, &published, &texts);
        for (alias, name) in aliases {
            part.alias(alias, name);
        }
        part.members.sort_by(|one, other| one.name.cmp(&other.name));

        let rest: Vec<_> = schemas.iter().filter_map(|schema| keyword(schema, "additionalProperties")).collect();
        // A name that a text, a number or a boolean of JSON may have; other keys are not found out about.
        part.rest = if rest.is_empty() { None } else { self.place(rest, || place.path.property("1")) };
        let element = |index: usize| {
            let mut path = place.path.clone();
            path.push(Step::Index(index));
            path
        };
        let most =
            schemas.iter().filter_map(|schema| keyword_or_null(schema, "prefixItems").as_array()).map(Vec::len).max();
        for index in 0..most.unwrap_or_default() {
            let leading =
                schemas.iter().filter_map(|schema| keyword_or_null(schema, "prefixItems").get(index)).collect();
            let below = self.place(leading, || element(index));
            part.leading.push(below);
        }
        let items: Vec<_> = schemas.iter().filter_map(|schema| keyword(schema, "items")).collect();
        part.items = if items.is_empty() { None } else { self.place(items, || element(0)) };
        self.eager |= part.members.iter().any(|member| member.meant.is_some())
            || !part.texts.is_empty()
            || part.asks && schemas.iter().all(|schema| !is_closed(schema));
        self.parts[place.part] = part;
    }

    /// The other names of members, and of the variants that stand as the one member of an object.
    fn name_members(&self, part: &mut Part, place: &Place<'_>, published: &[&str], texts: &[&str]) {
        if published.is_empty() {
            return;
        }
        let Some(names) = self.ask(place, &Question::default()).names else {
            part.asks = true;
            return;
        };
        let known: Vec<_> = published.iter().chain(texts).copied().collect();
        let is_member = |name: &str| self.ask_member(place, name).key;
        let is_variant = |name: &str| self.ask(place, &Question::of_text(name)).key;
        let same = |name: &str| is_member(name).or_else(|| is_variant(name));
        for (alias, name) in aliases(names, &known, same) {
            part.alias(alias, name);
        }
    }

    /// The other texts of an enum, or of a tag.
    fn name_texts(&self, part: &mut Part, place: &Place<'_>, published: &[&str], texts: &[&str]) {
        if texts.is_empty() {
            return;
        }
        let Some(names) = self.ask(place, &Question::of_text("\0")).names else { return };
        let known: Vec<_> = published.iter().chain(texts).copied().collect();
        let same = |name: &str| self.ask(place, &Question::of_text(name)).key;
        for (alias, name) in aliases(names, &known, same) {
            part.texts.push((alias, name.into()));
        }
    }

    fn ask(&self, place: &Place<'_>, question: &Question) -> Answer {
        self.ask_at(place.path.steps(), question)
    }

    fn ask_member(&self, place: &Place<'_>, name: &str) -> Answer {
        self.ask_at(place.path.property(name).steps(), &Question::default())
    }

    fn ask_at(&self, steps: &[Step], question: &Question) -> Answer {
        // An element that others stand before cannot be reached without them.
        if steps.len() > DEEPEST || steps.iter().any(|step| matches!(step, Step::Index(1..))) {
            return Answer::default();
        }
        let variants = read(self.reader, &document(steps, question)).variants;
        let answer = question.answer();
        Answer { names: answer.names.or(variants), ..answer }
    }
}

/// The names that are not known, each with the known one that is the same.
fn aliases<'k>(
    names: &'static [&'static str],
    known: &[&'k str],
    same: impl Fn(&str) -> Option<u64>,
) -> Vec<(&'static str, &'k str)> {
    let others: Vec<_> = names.iter().filter(|name| !known.contains(name)).collect();
    if others.is_empty() {
        return Vec::new();
    }
    let known: Vec<_> = known.iter().filter(|name| names.contains(name)).map(|name| (*name, same(name))).collect();
    let meant = |alias: &str| {
        let key = same(alias)?;
        known.iter().find(|(_, other)| *other == Some(key)).map(|(name, _)| *name)
    };
    others.into_iter().filter_map(|alias| Some((*alias, meant(alias)?))).collect()
}

/// A document with one thing in it.
fn document<'a>(steps: &'a [Step], question: &'a Question) -> Tape<'a> {
    let mut slots = Slots::default();
    let after = |index: usize| -> usize {
        let keys = steps[index + 1..].iter().filter(|step| matches!(step, Step::Key(_))).count();
        steps.len() - index + keys
    };
    for (index, step) in steps.iter().enumerate() {
        match step {
            Step::Key(name) => {
                slots.push(Slot::Object(Extent { len: 1, span: after(index) + 1 }));
                slots.push(Slot::String(name.as_str().into()));
            }
            Step::Index(_) => slots.push(Slot::Array(Extent { len: 1, span: after(index) })),
        }
    }
    slots.push(Slot::Asked(question));
    Tape::new(slots, false)
}

/// The texts that are published as values, each once.
fn texts<'s>(schemas: &[&'s Value]) -> Vec<&'s str> {
    let mut texts: Vec<&str> = Vec::new();
    for schema in schemas {
        let one = keyword_or_null(schema, "const").as_str();
        let several = keyword_or_null(schema, "enum").as_array().into_iter().flatten().filter_map(Value::as_str);
        for text in several.chain(one) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    texts
}

fn is_closed(schema: &Value) -> bool {
    ["additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|keyword| schema[*keyword] == false || schema[*keyword] == serde_json::json!({"not": {}}))
}

/// Forgets what leads to no other name.
fn prune(parts: &mut [Part]) {
    let own =
        |part: &Part| part.asks || !part.texts.is_empty() || part.members.iter().any(|member| member.meant.is_some());
    for part in &mut *parts {
        part.matters = own(part);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for index in 0..parts.len() {
            let matters = parts[index].below().any(|below| parts[below].matters);
            changed |= matters && !parts[index].matters;
            parts[index].matters |= matters;
        }
    }
    let matters: Vec<_> = parts.iter().map(|part| part.matters).collect();
    for part in parts {
        let forget = |below: &mut Option<usize>| *below = below.filter(|below| matters[*below]);
        part.members.iter_mut().map(|member| &mut member.below).for_each(forget);
        part.leading.iter_mut().for_each(forget);
        [&mut part.rest, &mut part.items].into_iter().for_each(forget);
    }
}
