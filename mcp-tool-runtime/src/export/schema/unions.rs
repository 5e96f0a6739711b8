//! Unions and types.

use serde_json::{Map, Value};

use crate::schema::accepted::{Types, are_disjoint};
use crate::schema::walk::{self, keyword, keyword_or_null};

type Keywords = Map<String, Value>;

/// Moves a `type` beside a union into the branches, where a vendor looks for it.
pub(super) fn move_type_into_branches(schema: &mut Value) {
    const OTHERS: [&str; 4] = ["type", "description", "$defs", "$schema"];
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let Some(union) = ["anyOf", "oneOf"].into_iter().find(|union| keywords.contains_key(*union)) else { return };
        let is_alone = keywords.keys().all(|keyword| keyword == union || OTHERS.contains(&keyword.as_str()));
        let Some(kind) = keywords.get("type").filter(|kind| kind.is_string()).cloned() else { return };
        let can_take = |branch: &Value| {
            branch.is_object()
                && keyword(branch, "$ref").is_none()
                && keyword(branch, "type").is_none_or(|own| *own == kind)
        };
        let Some(Value::Array(branches)) = keywords.get_mut(union) else { return };
        if !is_alone || kind == "object" || !branches.iter().all(can_take) {
            return;
        }
        for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
            if !branch.contains_key("type") {
                branch.shift_insert(0, "type".to_owned(), kind.clone());
            }
        }
        keywords.shift_remove("type");
    });
}

/// Replaces `oneOf` by `anyOf` where no value matches two branches, so that both say the same.
pub(super) fn any_of(schema: &mut Value) {
    let root = schema.clone();
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let Some(at) = keywords.keys().position(|keyword| keyword == "oneOf") else { return };
        let is_disjoint = keywords["oneOf"].as_array().is_some_and(|branches| are_disjoint(branches, &root));
        if is_disjoint && !keywords.contains_key("anyOf") {
            let branches = keywords.shift_remove("oneOf").unwrap_or_default();
            keywords.shift_insert(at, "anyOf".to_owned(), branches);
        }
    });
}

/// Writes a list of types as a union with a branch for each type, which has the keywords of that type.
pub(super) fn split_types(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let is_union = ["anyOf", "oneOf", "enum", "const"].iter().any(|keyword| keywords.contains_key(*keyword));
        let Some(Value::Array(kinds)) = keywords.get("type").filter(|_| !is_union).cloned() else { return };
        let mut outer = std::mem::take(keywords);
        outer.shift_remove("type");
        let mut branches: Vec<Keywords> =
            kinds.into_iter().map(|kind| Keywords::from_iter([("type".to_owned(), kind)])).collect();
        outer.retain(|keyword, value| {
            let owners = Types::limited_by(keyword);
            if owners == Types::NONE || owners == Types::ALL {
                return true;
            }
            let is_owner = |branch: &&mut Keywords| Types::of_keyword(branch.get("type")).intersects(owners);
            for branch in branches.iter_mut().filter(is_owner) {
                branch.insert(keyword.clone(), value.clone());
            }
            false
        });
        outer.insert("anyOf".to_owned(), branches.into_iter().map(Value::Object).collect());
        *keywords = outer;
    });
}

/// Adds the `type` of the values to an `enum` or a `const` without one.
pub(super) fn add_types_of_values(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        let values = match (keyword(schema, "const"), keyword_or_null(schema, "enum")) {
            (Some(value), _) => vec![value],
            (None, Value::Array(values)) => values.iter().collect(),
            _ => return,
        };
        let mut kinds: Vec<_> = values.into_iter().map(|value| Types::of_value(value).name()).collect();
        kinds.dedup();
        if let ([kind], None) = (kinds.as_slice(), keyword(schema, "type"))
            && let Some(keywords) = schema.as_object_mut()
        {
            keywords.shift_insert(0, "type".to_owned(), (*kind).into());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(mut schema: Value, step: fn(&mut Value)) -> Value {
        step(&mut schema);
        schema
    }

    #[test]
    fn a_type_moves_into_the_branches() {
        assert_eq!(
            after(
                json!({ "type": "string", "anyOf": [{ "format": "ipv4" }, { "format": "ipv6" }] }),
                move_type_into_branches
            ),
            json!({ "anyOf": [{ "type": "string", "format": "ipv4" }, { "type": "string", "format": "ipv6" }] })
        );
        let constrained = json!({ "type": "string", "minLength": 1, "anyOf": [{ "format": "ipv4" }] });
        assert_eq!(after(constrained.clone(), move_type_into_branches), constrained);
    }

    #[test]
    fn a_list_of_types_becomes_a_union() {
        assert_eq!(
            after(json!({ "type": ["string", "null"], "pattern": "^a$", "description": "d" }), split_types),
            json!({ "description": "d", "anyOf": [{ "type": "string", "pattern": "^a$" }, { "type": "null" }] })
        );
    }

    #[test]
    fn one_of_becomes_any_of_only_if_branches_cannot_overlap() {
        let (a, b) = (json!({ "const": "a" }), json!({ "const": "b" }));
        assert_eq!(after(json!({ "oneOf": [a, b] }), any_of), json!({ "anyOf": [a, b] }));
        let overlapping = json!({ "oneOf": [{ "type": "string" }, a] });
        assert_eq!(after(overlapping.clone(), any_of), overlapping);
    }
}
