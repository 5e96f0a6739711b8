//! Selects the branch of a union (`anyOf`, `oneOf`) that a value is meant for.
//!
//! A value that no branch accepts is often close to one of them. Errors and coercions look at that branch alone, so the
//! work does not grow with the number of branches at each level.

use serde_json::Value;

use super::accepted::Types;
use super::reference::follow;
use super::walk::{keyword, keyword_or_null};
use crate::json::tape::{Item, View};

/// The keywords of a branch that show which values it is meant for.
#[derive(Debug)]
pub(crate) struct Branch {
    types: Types,
    /// Properties with a `const`, such as the tag of an enum.
    tags: Vec<(Box<str>, Value)>,
    required: Vec<Box<str>>,
    /// The names of the listed properties, sorted.
    properties: Vec<Box<str>>,
}

impl Branch {
    /// Reads a branch, or the schema that it refers to.
    pub(crate) fn of(branch: &Value, root: &Value) -> Self {
        let branch = follow(branch, root);
        let texts = |value: &Value| -> Vec<Box<str>> {
            value.as_array().into_iter().flatten().filter_map(Value::as_str).map(Into::into).collect()
        };
        let types = Types::of(branch, root);
        let properties = keyword_or_null(branch, "properties").as_object().into_iter().flatten();
        let tag =
            |(name, property): (&String, &Value)| Some((name.as_str().into(), keyword(property, "const")?.clone()));
        let required = texts(keyword_or_null(branch, "required"));
        let tags = properties.clone().filter_map(tag).collect();
        let mut properties: Vec<Box<str>> = properties.map(|(name, _)| name.as_str().into()).collect();
        properties.sort_unstable();
        Self { types, tags, required, properties }
    }

    /// Returns `true` if the value has the type and the tags of the branch.
    fn matches(&self, view: View<'_>) -> bool {
        // `1.5` may be meant for a branch of integers.
        let own = if matches!(view.item(), Item::Number(_)) { Types::NUMBER } else { Types::of_view(view) };
        own.intersects(self.types)
            && self.tags.iter().all(|(name, tag)| match (view.get(name).map(View::item), tag) {
                (Some(Item::String(text)), Value::String(tag)) => text == *tag,
                (Some(_), tag) => view.get(name).is_some_and(|value| value.to_value() == *tag),
                (None, _) => !view.is_object(),
            })
    }

    /// Returns `true` if an object has every property that the branch requires.
    fn is_complete(&self, view: View<'_>) -> bool {
        !view.is_object() || self.required.iter().all(|name| view.get(name).is_some())
    }

    /// Returns `true` if the branch lists every property of an object.
    fn lists_all(&self, view: View<'_>) -> bool {
        let is_listed = |name: &str| self.properties.binary_search_by(|listed| (**listed).cmp(name)).is_ok();
        view.properties().is_some_and(|mut properties| properties.all(|(name, _)| is_listed(name)))
    }
}

/// Returns the data of the branch that a value is meant for.
///
/// This is the only branch whose type and tags match. Where several match, it is the only one of those whose required
/// properties are all present, or of these the only one that lists all properties of the value. A map lists none. Otherwise
/// the choice is ambiguous and the result is `None`.
pub(crate) fn select_branch<'b, T>(view: View<'_>, branches: impl Iterator<Item = (&'b Branch, T)>) -> Option<T> {
    let mut matching: Vec<_> = branches.filter(|(branch, _)| branch.matches(view)).collect();
    if matching.len() > 1 {
        matching.retain(|(branch, _)| branch.is_complete(view));
    }
    if matching.len() > 1 && view.is_object() {
        matching.retain(|(branch, _)| branch.lists_all(view));
    }
    let (_, selected) = matching.pop()?;
    matching.is_empty().then_some(selected)
}
