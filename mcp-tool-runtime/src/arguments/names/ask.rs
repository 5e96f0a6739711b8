//! Asking a type about the members of one document that nobody else knows.

use std::ops::Range;

use super::{Names, Part, Reader, read};
use crate::arguments::Reading;
use crate::document::tape::{Extent, Slot, Tape, property_positions, slot_count};

/// How often a type is asked in one call, and of how many slots altogether.
const MOST_TRIES: usize = 64;
const MOST_SLOTS: usize = 1 << 20;

/// A member that nobody knows: what is known of its object, and the places of the object and of its key.
#[derive(Clone, Copy)]
pub(super) struct Unknown {
    pub(super) part: usize,
    pub(super) object: usize,
    pub(super) key: usize,
}

/// Asks which published names members stand for.
///
/// A member that the type knows it refuses when it stands there twice, and says by which name. `None` when it would have
/// to be asked too often.
pub(super) fn meant(names: &Names, document: &Tape<'_>, mut unknown: Vec<Unknown>) -> Option<Vec<(Unknown, Box<str>)>> {
    let tries = (MOST_SLOTS / document.slots_from(0).len()).clamp(MOST_TRIES / 8, MOST_TRIES);
    let mut asking = Asking { document, reader: names.reader, tries };
    let mut found = Vec::new();
    while !unknown.is_empty() {
        let reading = asking.with_twice(&unknown)?;
        if reading.is_read {
            break;
        }
        if reading.twice.is_none() {
            // An untagged enum says of no branch why it is not that one.
            found.extend(asking.in_silence(names, &unknown)?);
            break;
        }
        // What has a member twice by itself is refused in any case.
        if found.is_empty() && asking.read(document)?.twice.is_some() {
            break;
        }
        let (one, name) = asking.which(&unknown)?;
        let member = unknown.remove(one);
        found.extend(names.parts[member.part].member(&name).map(|known| (member, known.name.clone())));
    }
    Some(found)
}

struct Asking<'d> {
    document: &'d Tape<'d>,
    reader: Reader,
    tries: usize,
}

impl Asking<'_> {
    /// What the type says of a document, as long as it may be asked.
    fn read(&mut self, document: &Tape<'_>) -> Option<Reading> {
        self.tries = self.tries.checked_sub(1)?;
        Some(read(self.reader, document))
    }

    fn with_twice(&mut self, members: &[Unknown]) -> Option<Reading> {
        let keys: Vec<_> = members.iter().map(|member| member.key).collect();
        let document = with_twice(self.document, &keys, None);
        self.read(&document)
    }

    /// One of the members that the type knows, and its published name.
    fn which(&mut self, members: &[Unknown]) -> Option<(usize, String)> {
        let mut some: Range<usize> = 0..members.len();
        while some.len() > 1 {
            let half = some.start..some.start + some.len() / 2;
            let is_there = self.with_twice(&members[half.clone()])?.twice.is_some();
            some = if is_there { half } else { half.end..some.end };
        }
        let name = self.with_twice(&members[some.clone()])?.twice?;
        Some((some.start, name))
    }

    /// The same of a type that does not say what is wrong: a member stands for a name if the document is read with that
    /// name in its place, and not with both.
    fn in_silence(&mut self, names: &Names, members: &[Unknown]) -> Option<Vec<(Unknown, Box<str>)>> {
        let mut found = Vec::new();
        if !self.read(self.document)?.is_read {
            return Some(found);
        }
        for member in members {
            if self.with_twice(std::slice::from_ref(member))?.is_read {
                continue;
            }
            let mut fitting = Vec::new();
            for name in absent(&names.parts[member.part], self.document, member.object) {
                let mut renamed = self.document.clone();
                renamed.set_string(member.key, name.into());
                let both = with_twice(self.document, &[member.key], Some(name));
                if self.read(&renamed)?.is_read && !self.read(&both)?.is_read {
                    fitting.push(name);
                }
            }
            if let [name] = fitting[..] {
                found.push((*member, name.into()));
            }
        }
        Some(found)
    }
}

/// The published names that an object has no member of.
fn absent<'n>(part: &'n Part, document: &Tape<'_>, object: usize) -> Vec<&'n str> {
    let slots = document.slots_from(0);
    let is_there = |name: &str| {
        property_positions(slots, object).any(|(key, _)| matches!(&slots[key], Slot::String(other) if **other == *name))
    };
    let published = part.members.iter().filter(|member| member.meant.is_none()).map(|member| &*member.name);
    published.filter(|name| !is_there(name)).collect()
}

/// The same document with some members twice, for the second time perhaps under another name. `keys` are their places.
fn with_twice<'d>(document: &Tape<'d>, keys: &[usize], name: Option<&str>) -> Tape<'d> {
    let slots = document.slots_from(0);
    let mut copied = Vec::with_capacity(slots.len() + 2 * keys.len());
    let name = name.map(|name| Slot::String(name.to_owned().into()));
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    copy(slots, 0, (&keys, name.as_ref()), &mut copied);
    Tape::new(copied, document.has_null())
}

/// Copies a value, and some members of the objects in it twice: those at sorted property_positions, and the name of the second.
fn copy<'a>(slots: &[Slot<'a>], at: usize, twice: (&[usize], Option<&Slot<'a>>), copied: &mut Vec<Slot<'a>>) {
    let head = copied.len();
    copied.push(slots[at].clone());
    let mut len = 0;
    match &slots[at] {
        Slot::Object(_) => {
            for (key, value) in property_positions(slots, at) {
                let again = twice.0.binary_search(&key).is_ok().then(|| twice.1.unwrap_or(&slots[key]));
                for name in std::iter::once(&slots[key]).chain(again) {
                    copied.push(name.clone());
                    copy(slots, value, twice, copied);
                    len += 1;
                }
            }
            copied[head] = Slot::Object(Extent { len, span: copied.len() - head - 1 });
        }
        Slot::Array(extent) => {
            let mut value = at + 1;
            for _ in 0..extent.len {
                copy(slots, value, twice, copied);
                value += slot_count(&slots[value..]);
            }
            copied[head] = Slot::Array(Extent { len: extent.len, span: copied.len() - head - 1 });
        }
        _ => {}
    }
}
