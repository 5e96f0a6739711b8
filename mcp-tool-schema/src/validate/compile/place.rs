//! Finds subschemas and the targets of references.

use serde_json::Value;

use crate::json::json_pointer::escape_token;
use crate::reference::{self, Reference};
use crate::walk;

/// A subschema and where it is.
#[derive(Clone)]
pub(super) struct Place<'s> {
    root: &'s Value,
    pub(super) schema: &'s Value,
    pub(super) pointer: String,
}

impl<'s> Place<'s> {
    pub(super) fn root(root: &'s Value) -> Self {
        Self { root, schema: root, pointer: String::new() }
    }

    /// Returns the place of a subschema.
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

/// Returns the target of a reference that `keyword` of a subschema has.
pub(super) fn follow<'s>(keyword: &str, value: &Value, place: &Place<'s>) -> Result<Place<'s>, String> {
    let text = value.as_str().unwrap_or_default();
    let pointer = match Reference::parse(text) {
        Reference::Anchor(name) => find_anchor(place.root, name),
        // The check of references has refused those to other documents.
        _ => text.strip_prefix('#').map(|fragment| reference::percent_decode(fragment).into_owned()),
    };
    let target = pointer.and_then(|pointer| {
        let schema = place.root.pointer(&pointer).filter(|schema| walk::is_schema(schema))?;
        Some(Place { root: place.root, schema, pointer })
    });
    target.ok_or_else(|| place.error(keyword, format!("the reference `{text}` has no target")))
}

/// Returns the JSON Pointer to the subschema with an anchor.
fn find_anchor(root: &Value, name: &str) -> Option<String> {
    let mut pending = vec![(root, String::new())];
    while let Some((schema, pointer)) = pending.pop() {
        let is_named = |keyword| walk::keyword(schema, keyword).is_some_and(|anchor| *anchor == *name);
        let id = walk::keyword(schema, "$id").and_then(Value::as_str);
        if is_named("$anchor") || is_named("$dynamicAnchor") || id.and_then(|id| id.strip_prefix('#')) == Some(name) {
            return Some(pointer);
        }
        walk::visit_children(schema, |location, child| {
            pending.push((child, format!("{pointer}/{}", location.pointer())));
        });
    }
    None
}
