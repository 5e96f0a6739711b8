//! Finds subschemas and the targets of references.

use serde_json::Value;

use crate::json::json_pointer::{escape_token, unescape_token};
use crate::schema::reference::{self, Reference};
use crate::schema::walk;

/// A subschema and where it is.
#[derive(Clone)]
pub(super) struct Place<'s> {
    pub(super) schema: &'s Value,
    pub(super) pointer: String,
    /// The root, or the nearest schema around it with an `$id`: references are relative to it.
    resource: &'s Value,
    resource_pointer: Box<str>,
}

impl<'s> Place<'s> {
    pub(super) fn root(schema: &'s Value) -> Self {
        Self { schema, pointer: String::new(), resource: schema, resource_pointer: "".into() }
    }

    /// Returns the place of a subschema.
    pub(super) fn below(&self, schema: &'s Value, keyword: &str, token: Option<&str>) -> Self {
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

    pub(super) fn error(&self, keyword: &str, error: impl std::fmt::Display) -> String {
        format!("{error} (at `{}/{keyword}`)", self.pointer)
    }
}

/// Returns `true` if a subschema has an `$id` of its own, so that references in it are relative to it.
pub(super) fn is_resource(schema: &Value) -> bool {
    walk::keyword(schema, "$id").and_then(Value::as_str).is_some_and(|id| !id.starts_with('#'))
}

/// Returns the target of a reference that `keyword` of a subschema has.
pub(super) fn follow<'s>(keyword: &str, value: &Value, place: &Place<'s>) -> Result<Place<'s>, String> {
    let text = value.as_str().unwrap_or_default();
    let relative = match Reference::parse(text) {
        Reference::Anchor(name) => find_anchor(place.resource, name),
        // The check of references has refused those to other documents.
        _ => text.strip_prefix('#').map(|fragment| reference::percent_decode(fragment).into_owned()),
    };
    let target = relative.as_deref().and_then(|pointer| target(pointer, place));
    target.ok_or_else(|| place.error(keyword, format!("the reference `{text}` has no target")))
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
