//! Places in the author's schema.

use std::collections::HashSet;

use serde_json::Value;

use super::schema::Renamed;
use crate::json::path::{escape_token, unescape_token};
use crate::lint::nodes::nodes;

const INPUT: &str = "/inputSchema";

/// Finds the subschema of the author that a rewritten subschema came from.
pub(super) struct Places<'s> {
    author: &'s Value,
    renamed: &'s Renamed,
    schemas: HashSet<String>,
}

impl<'s> Places<'s> {
    pub(super) fn new(author: &'s Value, renamed: &'s Renamed) -> Self {
        Self { author, renamed, schemas: nodes(author, INPUT).into_iter().map(|node| node.pointer).collect() }
    }

    /// Returns the innermost subschema of the author on the way to a place in the rewritten schema.
    pub(super) fn of(&self, place: &str) -> String {
        let Some(rest) = place.strip_prefix(INPUT) else { return place.to_owned() };
        let (mut at, mut pointer, mut found) = (self.author, INPUT.to_owned(), INPUT.to_owned());
        for token in rest.split('/').skip(1) {
            let is_name = pointer.ends_with("/$defs") || pointer.ends_with("/definitions");
            let before = match (token, self.renamed.get(&*unescape_token(token))) {
                (_, Some(name)) if is_name => escape_token(name),
                ("anyOf", _) => "oneOf".to_owned(),
                ("$defs", _) => "definitions".to_owned(),
                ("prefixItems", _) => "items".to_owned(),
                _ => token.to_owned(),
            };
            let step = |token: &str| Some((at.pointer(&format!("/{token}"))?, format!("{pointer}/{token}")));
            // A new name may be the old one of another definition.
            let next = if is_name { step(&before) } else { step(token).or_else(|| step(&before)) };
            let Some((inner, longer)) = next else { break };
            (at, pointer) = (inner, longer);
            if self.schemas.contains(&pointer) {
                found.clone_from(&pointer);
            }
        }
        found
    }
}
