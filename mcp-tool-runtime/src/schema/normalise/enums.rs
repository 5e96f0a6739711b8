//! Enums with documented variants (rule T7).

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::schema::walk::{self, keyword, member};

/// Folds a choice of constants into one `enum`, with what was said about each in the description.
///
/// Beside branches of another kind (an enum with unit and other variants) the constants become one branch.
///
/// ```
/// # mcp_tool_runtime::__step! { enums:
/// before  {"description": "How to sort.", "oneOf": [
///            {"type": "string", "const": "up", "description": "smallest first"}, {"type": "string", "enum": ["down"]}]}
/// after   {"description": "How to sort.\n\n- `up`: smallest first", "type": "string", "enum": ["up", "down"]}
/// # }
/// ```
pub(super) fn enums(schema: &mut Value) {
    walk::each_mut(schema, &mut |schema| {
        for union in ["oneOf", "anyOf"] {
            if keyword(schema, union).is_some()
                && let Some(schema) = schema.as_object_mut()
            {
                fold(schema, union);
            }
        }
    });
}

/// Branches of constants, on their way to one `enum`.
#[derive(Default)]
struct Folded {
    kind: Option<String>,
    values: Vec<Value>,
    lines: Vec<String>,
}

impl Folded {
    /// Takes the branch in, unless it says more than an `enum` and a line of text can.
    fn take(&mut self, branch: &Value) -> bool {
        let Some(branch) = branch.as_object() else {
            return false;
        };
        let is_known = |keyword: &String| {
            matches!(keyword.as_str(), "type" | "const" | "enum" | "title" | "description" | "deprecated")
        };
        let Some(kind @ ("string" | "integer")) = member(branch, "type").and_then(Value::as_str) else {
            return false;
        };
        let values = match (member(branch, "const"), member(branch, "enum").and_then(Value::as_array)) {
            (Some(value), None) => std::slice::from_ref(value),
            (None, Some(values)) => values,
            _ => return false,
        };
        let text = text(branch);
        if !branch.keys().all(is_known)
            || self.kind.as_ref().is_some_and(|known| known != kind)
            || values.iter().any(|value| self.values.contains(value))
            // A text about several values at once belongs to none of them.
            || (values.len() > 1 && !text.is_empty())
        {
            return false;
        }
        if let ([value], false) = (values, text.is_empty()) {
            let name = value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed);
            self.lines.push(format!("- `{name}`: {text}"));
        }
        self.kind.get_or_insert_with(|| kind.to_owned());
        self.values.extend_from_slice(values);
        true
    }

    fn into_schema(self, mut schema: Map<String, Value>) -> Map<String, Value> {
        if !self.lines.is_empty() {
            let before = schema.get("description").and_then(Value::as_str).map(|text| format!("{text}\n\n"));
            let text = before.unwrap_or_default() + &self.lines.join("\n");
            schema.insert("description".to_owned(), text.into());
        }
        schema.extend(self.kind.map(|kind| ("type".to_owned(), kind.into())));
        schema.insert("enum".to_owned(), Value::Array(self.values));
        schema
    }
}

/// What a branch says about its value, on one line.
fn text(branch: &Map<String, Value>) -> String {
    let said = |keyword| member(branch, keyword).and_then(Value::as_str);
    let deprecated = (member(branch, "deprecated") == Some(&Value::Bool(true))).then_some("(deprecated)");
    let mut text = String::new();
    for word in [said("title"), said("description"), deprecated].into_iter().flatten().flat_map(str::split_whitespace) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn fold(schema: &mut Map<String, Value>, union: &str) {
    let Some(branches) = schema.get(union).and_then(Value::as_array) else {
        return;
    };
    let mut folded = Folded::default();
    let mut first = None;
    let mut count = 0;
    let mut others = Vec::new();
    for branch in branches {
        if folded.take(branch) {
            first.get_or_insert(others.len());
            count += 1;
        } else {
            others.push(branch.clone());
        }
    }
    let Some(first) = first else { return };
    let clashes = ["enum", "const"].iter().any(|keyword| schema.contains_key(*keyword))
        || schema.get("type").is_some_and(|kind| kind.as_str() != folded.kind.as_deref());
    if others.is_empty() && !clashes {
        schema.shift_remove(union);
        *schema = folded.into_schema(std::mem::take(schema));
    } else if count > 1 {
        others.insert(first, Value::Object(folded.into_schema(Map::new())));
        schema.insert(union.to_owned(), Value::Array(others));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(mut schema: Value) -> Value {
        enums(&mut schema);
        schema
    }

    #[test]
    fn documented_variants_become_an_enum() {
        assert_eq!(
            after(json!({ "description": "Sorting.", "oneOf": [
                { "type": "string", "const": "up", "description": "smallest\n  first" },
                { "type": "string", "const": "down", "title": "Down", "deprecated": true },
                { "type": "string", "enum": ["none", "random"] }
            ] })),
            json!({
                "description": "Sorting.\n\n- `up`: smallest first\n- `down`: Down (deprecated)",
                "type": "string",
                "enum": ["up", "down", "none", "random"]
            })
        );
        assert_eq!(
            after(json!({ "oneOf": [{ "type": "integer", "const": 1, "description": "one" }] })),
            json!({ "description": "- `1`: one", "type": "integer", "enum": [1] })
        );
    }

    #[test]
    fn beside_other_variants_the_constants_are_one_branch() {
        let object = json!({ "type": "object" });
        let schema = after(json!({ "oneOf": [
            object, { "type": "string", "const": "a", "description": "A" }, { "type": "string", "const": "b" }
        ] }));
        let constants = json!({ "description": "- `a`: A", "type": "string", "enum": ["a", "b"] });
        assert_eq!(schema, json!({ "oneOf": [object, constants] }));
    }

    #[test]
    fn a_branch_that_says_more_is_left_alone() {
        for schema in [
            json!({ "oneOf": [{ "type": "string", "const": "a", "x-more": 1 }] }),
            json!({ "oneOf": [{ "type": "string" }] }),
            json!({ "anyOf": [{ "type": "string", "const": "1" }, { "type": "integer", "const": 1 }] }),
            json!({ "oneOf": [{ "type": "string", "enum": ["a", "b"], "description": "both" }] }),
            json!({ "enum": ["a"], "oneOf": [{ "type": "string", "const": "a" }] }),
        ] {
            assert_eq!(after(schema.clone()), schema);
        }
    }
}
