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
    tags: Vec<Tag>,
    required: Vec<Box<str>>,
    /// The names of the listed properties, sorted.
    properties: Vec<Box<str>>,
}

/// A property with a `const`, such as the tag of an enum.
#[derive(Debug)]
struct Tag {
    name: Box<str>,
    value: Value,
    is_required: bool,
}

impl Tag {
    /// Returns `true` if the property has the value of the tag. If it is optional, it may be missing or `null`.
    fn matches(&self, property: Option<View<'_>>) -> bool {
        match (property.map(View::item), &self.value) {
            (None | Some(Item::Null), _) if !self.is_required => true,
            (Some(Item::String(text)), Value::String(tag)) => text == *tag,
            (Some(_), tag) => property.is_some_and(|property| property.to_value() == *tag),
            (None, _) => false,
        }
    }
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
        let required = texts(keyword_or_null(branch, "required"));
        let tag = |(name, property): (&String, &Value)| {
            let value = keyword(property, "const")?.clone();
            let is_required = required.iter().any(|required| **required == **name);
            Some(Tag { name: name.as_str().into(), value, is_required })
        };
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
            && (!view.is_object() || self.tags.iter().all(|tag| tag.matches(view.get(&tag.name))))
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

/// Returns the data of the branches that a value may be meant for. Of the branches whose type and tags match, these are the ones
/// whose required properties are all present, and of these the ones that list all properties of the value, if there are any.
pub(crate) fn candidates<'b, T>(view: View<'_>, branches: impl Iterator<Item = (&'b Branch, T)>) -> Vec<T> {
    let mut matching: Vec<_> = branches.filter(|(branch, _)| branch.matches(view)).collect();
    for is_closer in [Branch::is_complete, Branch::lists_all] {
        if matching.iter().any(|(branch, _)| is_closer(branch, view)) {
            matching.retain(|(branch, _)| is_closer(branch, view));
        }
    }
    matching.into_iter().map(|(_, data)| data).collect()
}
