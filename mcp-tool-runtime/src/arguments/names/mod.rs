//! The names that a type knows beside the published ones: a serde alias is accepted though not published (rule I3).
//!
//! What it is meant for is written in its place before the schema is checked, so that what the schema says of the
//! member holds for it under each of its names.

use std::mem;

use serde_json::Value;

use super::lenient::{Alias, Optionals};
use super::{Arguments, Reading};
use crate::call::catch_panic::heard;
use crate::document::name::quote_name;
use crate::document::path::{Path, Step};
use crate::document::tape::{Slot, Tape, View, property_positions, slot_count};
use crate::document::violation::Violation;
use ask::Unknown;

mod ask;
mod explore;
pub(crate) mod question;

/// Reads the arguments of a tool as its types do, and says what came of it.
pub(crate) type Reader = fn(&Arguments<'_>) -> Reading;

/// A type that panics on the way did not read the document.
fn read(reader: Reader, document: &Tape<'_>) -> Reading {
    heard(|| reader(&Arguments::new(document, false))).unwrap_or(Reading {
        is_read: false,
        twice: None,
        variants: None,
    })
}

/// What is known of other names, for each part of a document.
#[derive(Debug)]
pub(crate) struct Names {
    reader: Reader,
    parts: Vec<Part>,
    /// Whether a document that the schema admits may hold one.
    pub(crate) eager: bool,
}

#[derive(Debug, Default)]
struct Part {
    /// The members that are known, in the order of their names.
    members: Vec<Member>,
    /// Texts that stand for others.
    texts: Vec<(&'static str, Box<str>)>,
    /// Whether the type has to be asked about the members that are not known.
    asks: bool,
    rest: Option<usize>,
    leading: Vec<Option<usize>>,
    items: Option<usize>,
    /// Whether anything here or below has another name.
    matters: bool,
}

#[derive(Debug)]
struct Member {
    name: Box<str>,
    /// The published name, when this is another.
    meant: Option<Box<str>>,
    below: Option<usize>,
}

impl Part {
    fn member(&self, name: &str) -> Option<&Member> {
        self.members.binary_search_by(|member| (*member.name).cmp(name)).ok().map(|index| &self.members[index])
    }

    /// Notes another name of a member; those that are no members are texts alone.
    fn alias(&mut self, alias: &str, name: &str) {
        if self.members.iter().any(|member| *member.name == *alias) {
            return;
        }
        if let Some(member) = self.members.iter().find(|member| *member.name == *name) {
            let below = member.below;
            self.members.push(Member { name: alias.into(), meant: Some(name.into()), below });
        }
    }

    fn below(&self) -> impl Iterator<Item = usize> {
        let members = self.members.iter().filter_map(|member| member.below);
        members.chain(self.leading.iter().copied().flatten()).chain(self.rest).chain(self.items)
    }
}

/// What stands in a document under another name.
#[derive(Default)]
struct Found {
    /// The places of keys and texts, and what they are meant for.
    renamed: Vec<(usize, Box<str>)>,
    /// The places of an object and of a key in it that is another name of a member that is there too.
    twice: Vec<(usize, usize, Box<str>)>,
    unknown: Vec<Unknown>,
}

impl Found {
    fn note_asked(&mut self, Unknown { object, key, .. }: Unknown, name: Box<str>, tape: &Tape<'_>) {
        let slots = tape.slots_from(0);
        let is_same = |other: usize| matches!(&slots[other], Slot::String(known) if **known == *name);
        if property_positions(slots, object).any(|(other, _)| is_same(other)) {
            self.twice.push((object, key, name));
        } else {
            self.renamed.push((key, name));
        }
    }

    fn note_other_name(&mut self, part: &Part, (object, key): (usize, usize), meant: &str, tape: &Tape<'_>) {
        let slots = tape.slots_from(0);
        let is_same = |other: usize| match &slots[other] {
            Slot::String(name) if **name == *meant => true,
            Slot::String(name) => {
                other < key && part.member(name).is_some_and(|member| member.meant.as_deref() == Some(meant))
            }
            _ => false,
        };
        if property_positions(slots, object).any(|(other, _)| is_same(other)) {
            self.twice.push((object, key, meant.into()));
        } else {
            self.renamed.push((key, meant.into()));
        }
    }
}

impl Names {
    /// Looks for the other names of a type, of which the schema is published.
    pub(crate) fn of(schema: &Value, aliases: &[Alias], reader: Reader) -> Option<Self> {
        explore::names(schema, aliases, reader)
    }

    /// Writes the published names in place of others. Both names of a member at once are a fault.
    ///
    /// `optionals` are those of the same schema, where the document has a `null`.
    pub(crate) fn settle(&self, tape: &mut Tape<'_>, optionals: Option<&Optionals>) -> Vec<Violation> {
        let mut found = Found::default();
        self.look(0, 0, tape, &mut found);
        let mut faults = Vec::new();
        if found.twice.is_empty() && !found.unknown.is_empty() {
            let mut document = tape.clone();
            // What is known by now could keep the type from coming to what is asked for.
            for (at, name) in &found.renamed {
                document.set_string(*at, name.clone());
            }
            if let Some(optionals) = optionals {
                optionals.drop_nulls(&mut document);
            }
            let document = document.with_integers().unwrap_or(document);
            match ask::meant(self, &document, mem::take(&mut found.unknown)) {
                Some(asked) => asked.into_iter().for_each(|(member, name)| found.note_asked(member, name, tape)),
                None => faults.push(Violation::root("expected fewer members that are not known")),
            }
        }
        faults.extend(found.twice.iter().map(|(_, key, name)| {
            let text = format!("the same argument as {}; give one of them", quote_name(name));
            Violation::new(path_of(tape, *key), text)
        }));
        for (object, key, _) in found.twice {
            // Told once; the schema would call it unknown as well.
            tape.remove_property(object, key);
        }
        for (at, name) in found.renamed {
            tape.set_string(at, name);
        }
        faults
    }

    fn look(&self, part: usize, at: usize, tape: &Tape<'_>, found: &mut Found) {
        let index = part;
        let part = &self.parts[part];
        let slots = tape.slots_from(0);
        match &slots[at] {
            Slot::Object(_) => {
                for (key, value) in property_positions(slots, at) {
                    let Slot::String(name) = &slots[key] else { continue };
                    let member = part.member(name);
                    match member.map(|member| member.meant.as_deref()) {
                        Some(Some(meant)) => found.note_other_name(part, (at, key), meant, tape),
                        None if part.asks => found.unknown.push(Unknown { part: index, object: at, key }),
                        _ => {}
                    }
                    let below = member.map_or(part.rest, |member| member.below);
                    if let Some(below) = below {
                        self.look(below, value, tape, found);
                    }
                }
            }
            Slot::Array(extent) => {
                let mut value = at + 1;
                for index in 0..extent.len {
                    if let Some(below) = part.leading.get(index).copied().unwrap_or(part.items) {
                        self.look(below, value, tape, found);
                    }
                    value += slot_count(&slots[value..]);
                }
            }
            _ if !part.texts.is_empty() => {
                let text = View::of_slots(&slots[at..]).text();
                let meant = part.texts.iter().find(|(alias, _)| text.as_deref() == Some(*alias));
                found.renamed.extend(meant.map(|(_, name)| (at, name.clone())));
            }
            _ => {}
        }
    }
}

/// The path of the member with the key at this place.
fn path_of(tape: &Tape<'_>, key: usize) -> Path {
    let slots = tape.slots_from(0);
    let mut path = Path::default();
    let mut at = 0;
    loop {
        let is_inside = |value: usize| (value..value + slot_count(&slots[value..])).contains(&key);
        match &slots[at] {
            Slot::Object(_) => {
                let next = property_positions(slots, at).find(|(other, value)| *other == key || is_inside(*value));
                let Some((other, value)) = next else { return path };
                if let Slot::String(name) = &slots[other] {
                    path.push(Step::Key(name.as_ref().to_owned()));
                }
                if other == key {
                    return path;
                }
                at = value;
            }
            Slot::Array(extent) => {
                let (mut index, mut value) = (0, at + 1);
                while index < extent.len && !is_inside(value) {
                    value += slot_count(&slots[value..]);
                    index += 1;
                }
                path.push(Step::Index(index));
                at = value;
            }
            _ => return path,
        }
    }
}
