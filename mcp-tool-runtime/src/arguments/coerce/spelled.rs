//! Parses a string that spells the value that a schema expects (`lax`).

use super::walk::{Place, apply_at};
use crate::json::reader;
use crate::json::tape::{Slot, Tape};
use crate::schema::accepted::{Accepted, Reader, Types};

/// The maximum depth of JSON texts inside JSON texts. It bounds the work: each text is parsed once.
const MAX_TEXTS: usize = 4;

/// Returns the value that a text spells, if the schema may accept it. JSON text may contain further strings to coerce.
pub(super) fn parse<'s>(
    text: &str,
    accepted: &Accepted,
    place: Place<'s>,
    reader: &mut Reader<'s>,
) -> Option<Tape<'static>> {
    let text = text.trim();
    if matches!(text, "true" | "True" | "false" | "False") && accepted.types.intersects(Types::BOOLEAN) {
        return Some(Tape::new(vec![Slot::Bool(text.eq_ignore_ascii_case("true"))]));
    }
    let is_document = text.starts_with(['[', '{']);
    let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let may_be_parsed = is_number || is_document && place.texts < MAX_TEXTS;
    if !may_be_parsed {
        return None;
    }
    let mut document = reader::read_text_at_depth(text, place.depth).ok()?;
    if !accepted.accepts(document.root()) {
        return None;
    }
    if is_document {
        apply_at(Place { texts: place.texts + 1, ..place }, &mut document, reader, None);
    }
    Some(document.into_owned())
}
