//! Parses and resolves references, the values of `$ref` and `$dynamicRef`.

use std::borrow::Cow;
use std::iter;

use serde_json::Value;

use super::walk::{keyword, visit_children};
use crate::json::path::{escape_token, fragment, unescape_token};

/// The length of the longest chain of references that [`follow`] resolves. Longer chains are rare, and a cycle would
/// never end.
const MAX_HOPS: usize = 16;

/// The target of a `$ref` or `$dynamicRef`, classified by its form.
///
/// ```
/// use mcp_tool_schema::reference::Reference;
///
/// assert_eq!(Reference::parse("#/$defs/Page%3CT%3E"), Reference::Definition("Page<T>".into()));
/// assert_eq!(Reference::parse("other.json"), Reference::Remote);
/// ```
#[derive(Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// `#`: the root.
    Root,
    /// `#/$defs/Name`: a definition, with its decoded name.
    Definition(String),
    /// `#/$defs/Name/items`: a location inside a definition, as the name of the definition and the pointer after it,
    /// both decoded. If there is such a reference, the definition cannot be inlined, because the pointer would lead
    /// nowhere.
    Within(String, String),
    /// `#/properties/a`: any other JSON Pointer, decoded.
    Pointer(String),
    /// `#name`: the subschema with this anchor.
    Anchor(&'a str),
    /// `other.json`: any reference that does not start with `#`.
    Remote,
}

impl<'a> Reference<'a> {
    /// Parses the value of `$ref` or `$dynamicRef`.
    pub fn parse(text: &'a str) -> Self {
        let Some(fragment) = text.strip_prefix('#') else {
            return Self::Remote;
        };
        if fragment.is_empty() {
            return Self::Root;
        }
        if !fragment.starts_with('/') {
            return Self::Anchor(fragment);
        }
        let pointer = percent_decode(fragment);
        let Some(rest) = pointer.strip_prefix("/$defs/") else { return Self::Pointer(pointer.into_owned()) };
        // A slash at the end also points inside the definition, to the keyword with the empty name.
        let (name, within) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let name = unescape_token(name).into_owned();
        if within.is_empty() { Self::Definition(name) } else { Self::Within(name, within.to_owned()) }
    }
}

/// Returns the name of the definition that the `$ref` of a schema points to. Returns `None` for any other schema.
///
/// ```
/// use mcp_tool_schema::reference::definition_name;
///
/// let schema = serde_json::json!({ "$ref": "#/$defs/Item" });
/// assert_eq!(definition_name(&schema).as_deref(), Some("Item"));
/// ```
pub fn definition_name(schema: &Value) -> Option<String> {
    match Reference::parse(keyword(schema, "$ref")?.as_str()?) {
        Reference::Definition(name) => Some(name),
        _ => None,
    }
}

/// Returns the target of a local reference, one that starts with `#`.
///
/// ```
/// use mcp_tool_schema::reference::resolve;
///
/// let root = serde_json::json!({ "$defs": { "Item": { "type": "string", "$anchor": "item" } } });
/// assert_eq!(resolve(&root, "#/$defs/Item"), Some(&root["$defs"]["Item"]));
/// assert_eq!(resolve(&root, "#item"), Some(&root["$defs"]["Item"]));
/// ```
pub fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(&pointer(root, reference)?)
}

/// Returns the schema that the `$ref` in `schema` points to. Returns `None` if there is no `$ref`, or if it has no
/// target.
///
/// ```
/// use mcp_tool_schema::reference::target;
///
/// let root = serde_json::json!({ "items": { "$ref": "#/$defs/Item" }, "$defs": { "Item": { "type": "string" } } });
/// assert_eq!(target(&root["items"], &root), Some(&root["$defs"]["Item"]));
/// ```
pub fn target<'s>(schema: &Value, root: &'s Value) -> Option<&'s Value> {
    resolve(root, keyword(schema, "$ref")?.as_str()?)
}

/// Returns the JSON Pointer that a local reference stands for.
pub(crate) fn pointer<'r>(root: &Value, reference: &'r str) -> Option<Cow<'r, str>> {
    let fragment = reference.strip_prefix('#')?;
    let is_anchor = !fragment.is_empty() && !fragment.starts_with('/');
    if is_anchor { find_anchor(root, fragment).map(Cow::Owned) } else { Some(percent_decode(fragment)) }
}

/// Returns the JSON Pointer to the subschema with this `$anchor` or `$dynamicAnchor`. In draft 7, an anchor is an `$id`
/// that starts with `#`.
fn find_anchor(root: &Value, name: &str) -> Option<String> {
    let mut pending = vec![(root, String::new())];
    while let Some((schema, pointer)) = pending.pop() {
        let text = |name| keyword(schema, name).and_then(Value::as_str);
        let id = text("$id").and_then(|id| id.strip_prefix('#'));
        if [text("$anchor"), text("$dynamicAnchor"), id].contains(&Some(name)) {
            return Some(pointer);
        }
        visit_children(schema, |location, child| {
            pending.push((child, format!("{pointer}/{}", location.pointer())));
        });
    }
    None
}

/// Returns the schema that a chain of `$ref`s leads to, or the schema itself if it has no `$ref` that can be resolved.
///
/// ```
/// use mcp_tool_schema::reference::follow;
///
/// let root = serde_json::json!({ "items": { "$ref": "#/$defs/Item" }, "$defs": { "Item": { "type": "string" } } });
/// assert_eq!(follow(&root["items"], &root), &root["$defs"]["Item"]);
/// ```
pub fn follow<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    iter::successors(Some(schema), |schema| target(schema, root)).take(1 + MAX_HOPS).last().unwrap_or(schema)
}

/// Returns the reference to the definition with this name.
///
/// ```
/// assert_eq!(mcp_tool_schema::reference::to_definition("Page<T>"), "#/$defs/Page%3CT%3E");
/// ```
pub fn to_definition(name: &str) -> String {
    fragment(&format!("/$defs/{}", escape_token(name)))
}

/// Decodes the percent escapes of a fragment. A `%` that starts no valid escape is kept. If the result is not UTF-8,
/// the text is returned unchanged.
///
/// ```
/// assert_eq!(mcp_tool_schema::reference::percent_decode("50%25"), "50%");
/// ```
pub fn percent_decode(text: &str) -> Cow<'_, str> {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap_or(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_form_of_reference_is_recognised() {
        for (text, reference) in [
            ("#", Reference::Root),
            ("#/$defs/A", Reference::Definition("A".into())),
            ("#/$defs/Page%3CT%3E", Reference::Definition("Page<T>".into())),
            ("#/$defs/a~1b~0c", Reference::Definition("a/b~c".into())),
            ("#/$defs/A/properties/b", Reference::Within("A".into(), "/properties/b".into())),
            ("#/$defs/A/", Reference::Within("A".into(), "/".into())),
            ("#/$defs/", Reference::Definition(String::new())),
            ("#/properties/b", Reference::Pointer("/properties/b".into())),
            ("#address", Reference::Anchor("address")),
            ("https://example.com/a.json#/$defs/A", Reference::Remote),
            ("other.json", Reference::Remote),
        ] {
            assert_eq!(Reference::parse(text), reference, "{text}");
        }
    }

    #[test]
    fn parsing_a_written_reference_returns_the_same_name() {
        for name in ["A", "Page<T>", "a/b~c", "50%", "größe", "a b"] {
            let reference = to_definition(name);
            assert_eq!(Reference::parse(&reference), Reference::Definition(name.into()), "{reference}");
            let root = json!({ "$defs": { name: 1 } });
            assert_eq!(resolve(&root, &reference), Some(&json!(1)), "{reference}");
        }
    }
}
