//! Selects the branches of a union (`anyOf`, `oneOf`) that a value may be meant for.
//!
//! A value that no branch accepts is often close to one of them. Coercions look only at the branches that are close, so
//! that the work does not multiply at each level.

use serde_json::{Map, Value};

use super::accepted::{Reader, Types};
use super::walk::{keyword, keyword_or_null, strings};
use crate::json::tape::{Item, View};

/// Returns the branches that a value may be meant for, with their references followed. Starts with the branches whose
/// type and tags match, narrows them down to those whose required properties are all present, and then to those that
/// list every property of the value. A narrowing that would leave no branch is skipped.
///
/// ```
/// use mcp_tool_schema::accepted::Reader;
/// use mcp_tool_schema::branch::candidates;
/// use mcp_tool_schema::json::reader::read_text;
///
/// let schema = serde_json::json!({ "anyOf": [{ "type": "string" }, { "type": "object", "required": ["id"] }] });
/// let document = read_text(r#"{"id": 1, "name": null}"#)?;
/// let branches = schema["anyOf"].as_array().expect("a list");
/// assert_eq!(candidates(document.root(), branches, &mut Reader::new(&schema)), [&schema["anyOf"][1]]);
/// # Ok::<(), mcp_tool_schema::Violation>(())
/// ```
pub fn candidates<'s>(view: View<'_>, branches: &'s [Value], reader: &mut Reader<'s>) -> Vec<&'s Value> {
    let mut matching: Vec<_> = branches.iter().map(|branch| reader.follow(branch)).collect();
    matching.retain(|branch| matches(branch, view, reader));
    for is_closer in [is_complete, lists_all] {
        if matching.iter().any(|branch| is_closer(branch, view)) {
            matching.retain(|branch| is_closer(branch, view));
        }
    }
    matching
}

/// Returns `true` if the branch accepts the type of the value and, for an object, the value has the tags of the branch.
/// A tag is a property with a `const`, such as the tag of an enum. A tag that is not required may be missing or `null`.
fn matches<'s>(branch: &'s Value, view: View<'_>, reader: &mut Reader<'s>) -> bool {
    // Any number matches a branch that accepts some kind of number, because even `1.5` may be meant for a branch that
    // expects integers.
    let own = if matches!(view.item(), Item::Number(_)) { Types::NUMBER } else { Types::of_view(view) };
    let has_tag = |(name, property): (&String, &Value)| {
        let Some(tag) = keyword(property, "const") else { return true };
        let is_required = || strings(keyword(branch, "required")).any(|required| required == name.as_str());
        match view.get(name) {
            Some(given) if given.text().map_or_else(|| given.to_value() == *tag, |text| *tag == *text) => true,
            Some(given) => given.is_null() && !is_required(),
            None => !is_required(),
        }
    };
    own.intersects(reader.read(branch).types)
        && (!view.is_object() || properties(branch).is_none_or(|all| all.iter().all(has_tag)))
}

/// Returns `true` if the value is not an object, or has every property that the branch requires.
fn is_complete(branch: &Value, view: View<'_>) -> bool {
    !view.is_object() || strings(keyword(branch, "required")).all(|name| view.get(name).is_some())
}

/// Returns `true` if the value is an object, and the branch lists every property of the value.
fn lists_all(branch: &Value, view: View<'_>) -> bool {
    let is_listed = |name: &str| properties(branch).is_some_and(|all| all.contains_key(name));
    view.properties().is_some_and(|mut given| given.all(|(name, _)| is_listed(name)))
}

fn properties(branch: &Value) -> Option<&Map<String, Value>> {
    keyword_or_null(branch, "properties").as_object()
}
