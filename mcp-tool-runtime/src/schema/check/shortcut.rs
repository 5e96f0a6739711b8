//! Skips the checks for most schemas, which have no keyword that is checked.

use serde_json::{Map, Value};

use super::flattened_fields;
use super::header::HEADER;
use super::subschemas::{MAX_DEPTH, MAX_SUBSCHEMAS};
use crate::schema::walk;

/// Returns `true` if the schema is within bounds and has nothing that the checks below the root look at.
pub(super) fn is_certainly_valid(root: &Value) -> bool {
    let mut pending = vec![(root, 1)];
    let mut count = 0;
    let mut is_valid = true;
    while let Some((schema, depth)) = pending.pop()
        && is_valid
    {
        count += 1;
        walk::visit_children(schema, |location, child| {
            is_valid &= location.keyword == "additionalProperties" || !child.is_boolean();
            pending.push((child, depth + 1));
        });
        is_valid &= depth <= MAX_DEPTH
            && count + pending.len() < MAX_SUBSCHEMAS
            && flattened_fields::name_in_both(schema).is_none()
            && !schema.as_object().into_iter().flat_map(Map::keys).any(|keyword| is_checked(keyword));
    }
    is_valid
}

/// Returns `true` for keywords that the other files of this module check.
fn is_checked(keyword: &str) -> bool {
    matches!(
        keyword,
        "$ref" | "$dynamicRef" | "$id" | "$anchor" | "$dynamicAnchor" | "pattern" | "patternProperties" | HEADER
    )
}
