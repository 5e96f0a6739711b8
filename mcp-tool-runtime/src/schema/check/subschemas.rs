//! Collects every subschema with its path, and limits the depth and the number of subschemas (rule T16).

use serde_json::Value;

use crate::schema::walk::{self, Location, Position};

/// The maximum nesting depth, counting the root.
const MAX_DEPTH: usize = 64;
/// The maximum number of subschemas, counting the root.
const MAX_SUBSCHEMAS: usize = 10_000;

/// A subschema and where it is.
pub(super) struct Subschema<'a> {
    pub(super) schema: &'a Value,
    /// The index of the parent among all subschemas, and where this subschema is in the parent. `None` for the root.
    parent: Option<(usize, Location<'a>)>,
    /// The number of schemas around this one, plus one.
    depth: usize,
}

impl<'a> Subschema<'a> {
    /// Returns the location of this subschema and the locations of the subschemas around it, from the inside out.
    fn locations(&self, all: &[Self]) -> impl Iterator<Item = Location<'a>> {
        std::iter::successors(self.parent, |(parent, _)| all[*parent].parent).map(|(_, location)| location)
    }

    /// Returns the path for a message, such as `the root` or `` `filter.tags[]` ``. A step into a keyword other than
    /// `properties`, `items` and `prefixItems` is written as in a JSON Pointer.
    pub(super) fn path(&self, all: &[Self]) -> String {
        let locations: Vec<_> = self.locations(all).collect();
        if locations.is_empty() {
            return "the root".to_owned();
        }
        let path = locations.into_iter().rev().fold(String::new(), |path, location| append(&path, location));
        format!("`{path}`")
    }

    /// Returns `true` for a property that is reached from the root through `properties` alone.
    pub(super) fn is_nested_property(&self, all: &[Self]) -> bool {
        self.parent.is_some() && self.locations(all).all(|location| location.keyword == "properties")
    }

    /// Returns `true` for a boolean schema in a place where it makes clients fail (rule T4).
    pub(super) fn is_forbidden_boolean(&self) -> bool {
        self.schema.is_boolean()
            && self.parent.is_some_and(|(_, location)| matches!(location.keyword, "properties" | "items"))
    }
}

/// Collects all subschemas in the order in which they are written, the root first. Returns an error if the schema is
/// nested too deeply or has too many subschemas.
///
/// This is not recursive, because a hand-written schema can have any depth.
pub(super) fn subschemas(root: &Value) -> Result<Vec<Subschema<'_>>, String> {
    let mut found = Vec::new();
    let mut pending = vec![Subschema { schema: root, parent: None, depth: 1 }];
    while let Some(next) = pending.pop() {
        if next.depth > MAX_DEPTH {
            return Err(format!(
                "the schema has more than {MAX_DEPTH} nested levels, at {}…: make it flatter",
                next.path(&found).trim_matches('`').chars().take(80).collect::<String>()
            ));
        }
        let before = pending.len();
        walk::visit_children(next.schema, |location, schema| {
            pending.push(Subschema { schema, parent: Some((found.len(), location)), depth: next.depth + 1 });
        });
        if found.len() + pending.len() >= MAX_SUBSCHEMAS {
            return Err(format!("the schema has more than {MAX_SUBSCHEMAS} subschemas: make it smaller"));
        }
        pending[before..].reverse();
        found.push(next);
    }
    Ok(found)
}

/// Returns the errors that `check` finds in the subschemas. Each error starts with the path of its subschema.
pub(super) fn errors_in<E>(all: &[Subschema<'_>], check: impl Fn(&Value) -> E) -> Vec<String>
where
    E: IntoIterator<Item = String>,
{
    let errors = all.iter().flat_map(|part| check(part.schema).into_iter().map(move |error| (part, error)));
    errors.map(|(part, error)| format!("{}: {error}", part.path(all))).collect()
}

fn append(parent: &str, location: Location<'_>) -> String {
    let Location { keyword, position } = location;
    match (keyword, position) {
        ("properties", Position::Named(name)) if parent.is_empty() => name.to_owned(),
        ("properties", Position::Named(name)) => format!("{parent}.{name}"),
        ("items", Position::Single) => format!("{parent}[]"),
        ("prefixItems" | "items", Position::Index(index)) => format!("{parent}[{index}]"),
        (_, Position::Single) => format!("{parent}/{keyword}"),
        (_, Position::Named(name)) => format!("{parent}/{keyword}/{name}"),
        (_, Position::Index(index)) => format!("{parent}/{keyword}/{index}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    fn nested(depth: usize) -> Value {
        let mut schema = json!({});
        for _ in 1..depth {
            schema = Value::Object(Map::from_iter([("not".to_owned(), schema)]));
        }
        schema
    }

    #[test]
    fn paths_are_written_like_paths_to_values() {
        let schema = json!({
            "properties": { "filter": { "properties": { "tags": { "items": { "anyOf": [{}, {}] } } } } },
            "prefixItems": [{}],
            "$defs": { "A": { "additionalProperties": {} } }
        });
        let all = subschemas(&schema).expect("a small schema");
        let paths: Vec<String> = all.iter().map(|subschema| subschema.path(&all)).collect();
        assert_eq!(
            paths,
            [
                "the root",
                "`filter`",
                "`filter.tags`",
                "`filter.tags[]`",
                "`filter.tags[]/anyOf/0`",
                "`filter.tags[]/anyOf/1`",
                "`[0]`",
                "`/$defs/A`",
                "`/$defs/A/additionalProperties`"
            ]
        );
    }

    #[test]
    fn depth_is_limited() {
        assert!(subschemas(&nested(MAX_DEPTH)).is_ok());
        assert!(subschemas(&nested(MAX_DEPTH + 1)).is_err_and(|error| error.contains("64 nested levels")));
        let very_deep = nested(1_000_000);
        assert!(subschemas(&very_deep).is_err());
        // Dropping a value is recursive, and one this deep would overflow the stack.
        std::mem::forget(very_deep);
    }

    #[test]
    fn the_number_of_subschemas_is_limited() {
        let wide = |count: usize| json!({ "anyOf": vec![json!({}); count - 1] });
        assert!(subschemas(&wide(MAX_SUBSCHEMAS)).is_ok_and(|all| all.len() == MAX_SUBSCHEMAS));
        assert!(subschemas(&wide(MAX_SUBSCHEMAS + 1)).is_err_and(|error| error.contains("10000")));
    }
}
