//! Every subschema with the way to it, within bounds (rule T16).

use serde_json::{Map, Value};

use crate::schema::walk::{self, Location, Position};

/// How many schemas may stand inside each other, the root counted.
const DEEPEST: usize = 64;
/// How many schemas one may consist of, the root counted.
const MOST_SUBSCHEMAS: usize = 10_000;

/// A schema on the way from the root.
pub(super) struct Subschema<'a> {
    pub(super) schema: &'a Value,
    /// The schema around it, by its place among all, and where it stands in that one.
    above: Option<(usize, Location<'a>)>,
    /// The nearest schema around it that references start from: the root, or one with an `$id`.
    pub(super) resource: &'a Value,
    /// Whether `properties` alone lead here.
    pub(super) by_properties: bool,
    /// Whether clients are known to fail on a boolean here (rule T4).
    no_boolean: bool,
}

impl Subschema<'_> {
    /// For people: `the root`, `` `filter.tags[]` ``. As a caller would write the way to the value; what has no such way,
    /// as a JSON pointer.
    pub(super) fn path(&self, all: &[Self]) -> String {
        let places: Vec<_> = std::iter::successors(self.above, |(above, _)| all[*above].above).collect();
        if places.is_empty() {
            return "the root".to_owned();
        }
        let path = places.into_iter().rev().fold(String::new(), |before, (_, place)| step(&before, place));
        format!("`{path}`")
    }

    pub(super) fn is_forbidden_boolean(&self) -> bool {
        self.no_boolean && self.schema.is_boolean()
    }
}

/// Whether a schema is within bounds, and says nothing of which more is asked than that: most do not, and are looked at
/// no closer.
pub(super) fn is_plain(root: &Value) -> bool {
    let mut pending = vec![(root, 1)];
    let mut count = 0;
    let mut is_plain = true;
    while let Some((schema, depth)) = pending.pop()
        && is_plain
    {
        count += 1;
        walk::visit_children(schema, |place, child| {
            let closes_the_root = depth == 1 && place.keyword == "additionalProperties";
            is_plain &= closes_the_root || !child.is_boolean();
            pending.push((child, depth + 1));
        });
        is_plain &= depth <= DEEPEST
            && count + pending.len() < MOST_SUBSCHEMAS
            && !schema.as_object().into_iter().flat_map(Map::keys).any(|keyword| is_asked_about(keyword));
    }
    is_plain
}

/// The keywords that the checks of this module's neighbours look for.
fn is_asked_about(keyword: &str) -> bool {
    matches!(
        keyword,
        "$ref"
            | "$dynamicRef"
            | "$id"
            | "$anchor"
            | "$dynamicAnchor"
            | "pattern"
            | "patternProperties"
            | super::header::ANNOTATION
    )
}

struct Pending<'a> {
    subschema: Subschema<'a>,
    depth: usize,
    /// Below a value of the root, rather than at the root or in a branch of it.
    nested: bool,
}

/// Collects every subschema in the order of writing. Not recursive: a hand-written schema may be of any depth.
pub(super) fn subschemas(root: &Value) -> Result<Vec<Subschema<'_>>, String> {
    let mut found = Vec::new();
    let mut pending = vec![Pending {
        subschema: Subschema { schema: root, above: None, resource: root, by_properties: true, no_boolean: false },
        depth: 1,
        nested: false,
    }];
    while let Some(next) = pending.pop() {
        if next.depth > DEEPEST {
            return Err(format!(
                "the schema is more than {DEEPEST} levels deep, at {}…: make it flatter",
                next.subschema.path(&found).trim_matches('`').chars().take(80).collect::<String>()
            ));
        }
        let waiting = pending.len();
        walk::visit_children(next.subschema.schema, |place, child| {
            pending.push(below(&next, (found.len(), place), child));
        });
        if found.len() + pending.len() >= MOST_SUBSCHEMAS {
            return Err(format!("the schema has more than {MOST_SUBSCHEMAS} subschemas: make it smaller"));
        }
        pending[waiting..].reverse();
        found.push(next.subschema);
    }
    Ok(found)
}

fn below<'a>(parent: &Pending<'a>, above: (usize, Location<'a>), schema: &'a Value) -> Pending<'a> {
    let (_, place) = above;
    let is_branch = matches!(place.keyword, "oneOf" | "anyOf" | "allOf");
    let nested = parent.nested || !is_branch;
    let is_resource = walk::keyword(schema, "$id").and_then(Value::as_str).is_some_and(|id| !id.starts_with('#'));
    Pending {
        subschema: Subschema {
            schema,
            above: Some(above),
            resource: if is_resource { schema } else { parent.subschema.resource },
            by_properties: parent.subschema.by_properties && place.keyword == "properties",
            no_boolean: matches!(place.keyword, "properties" | "items")
                || (place.keyword == "additionalProperties" && parent.nested),
        },
        depth: parent.depth + 1,
        nested,
    }
}

fn step(parent: &str, place: Location<'_>) -> String {
    let Location { keyword, position } = place;
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
    fn paths_read_like_the_value() {
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
    fn depth_is_bounded() {
        assert!(subschemas(&nested(DEEPEST)).is_ok());
        assert!(subschemas(&nested(DEEPEST + 1)).is_err_and(|fault| fault.contains("64 levels deep")));
        let absurd = nested(1_000_000);
        assert!(subschemas(&absurd).is_err());
        // Dropping a value this deep is recursive, and would overflow the stack.
        std::mem::forget(absurd);
    }

    #[test]
    fn the_number_is_bounded() {
        let wide = |count: usize| json!({ "anyOf": vec![json!({}); count - 1] });
        assert!(subschemas(&wide(MOST_SUBSCHEMAS)).is_ok_and(|all| all.len() == MOST_SUBSCHEMAS));
        assert!(subschemas(&wide(MOST_SUBSCHEMAS + 1)).is_err_and(|fault| fault.contains("10000")));
    }
}
