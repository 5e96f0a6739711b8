//! Enums with documented variants (rule T7).

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::schema::walk::{self, keyword};

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
    walk::visit_mut(schema, &mut |schema| {
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
struct Folded<'b> {
    kind: Option<&'b str>,
    values: Vec<&'b Value>,
    /// A line for each that something is said about.
    lines: String,
}

impl<'b> Folded<'b> {
    /// Takes the branch in, unless it says more than an `enum` and a line of text can.
    fn take(&mut self, branch: &'b Value) -> bool {
        let Some(Constants { kind, values, said }) = Constants::of(branch) else {
            return false;
        };
        if self.kind.is_some_and(|known| known != kind)
            || values.iter().any(|value| self.values.contains(&value))
            // A text about several values at once belongs to none of them.
            || (values.len() > 1 && said.words().next().is_some())
        {
            return false;
        }
        if let [value] = values {
            self.describe(value, &said);
        }
        self.kind = Some(kind);
        self.values.extend(values);
        true
    }

    fn describe(&mut self, value: &Value, said: &Said<'_>) {
        let mut words = said.words().peekable();
        if words.peek().is_none() {
            return;
        }
        let name = value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed);
        let before = if self.lines.is_empty() { "- `" } else { "\n- `" };
        self.lines.push_str(before);
        self.lines.push_str(&name);
        self.lines.push_str("`:");
        for word in words {
            self.lines.push(' ');
            self.lines.push_str(word);
        }
    }

    fn into_schema(self, mut schema: Map<String, Value>) -> Map<String, Value> {
        if !self.lines.is_empty() {
            match schema.get_mut("description") {
                Some(Value::String(text)) => {
                    text.push_str("\n\n");
                    text.push_str(&self.lines);
                }
                _ => drop(schema.insert("description".to_owned(), self.lines.into())),
            }
        }
        schema.extend(self.kind.map(|kind| ("type".to_owned(), kind.into())));
        schema.insert("enum".to_owned(), self.values.into_iter().cloned().collect());
        schema
    }
}

/// A branch that admits some constants and says no more than can be told of them in words.
struct Constants<'b> {
    kind: &'b str,
    values: &'b [Value],
    said: Said<'b>,
}

impl<'b> Constants<'b> {
    fn of(branch: &'b Value) -> Option<Self> {
        let (mut kind, mut one, mut several) = (None, None, None);
        let mut said = Said::default();
        for (keyword, value) in branch.as_object()? {
            match keyword.as_str() {
                "type" => kind = value.as_str().filter(|kind| matches!(*kind, "string" | "integer")),
                "const" => one = Some(std::slice::from_ref(value)),
                "enum" => several = value.as_array().map(Vec::as_slice),
                "title" => said.title = value.as_str(),
                "description" => said.description = value.as_str(),
                "deprecated" => said.deprecated = (*value == true).then_some("(deprecated)"),
                _ => return None,
            }
        }
        let ((Some(values), None) | (None, Some(values))) = (one, several) else {
            return None;
        };
        Some(Self { kind: kind?, values, said })
    }
}

/// What a branch says about its value.
#[derive(Default)]
struct Said<'b> {
    title: Option<&'b str>,
    description: Option<&'b str>,
    deprecated: Option<&'b str>,
}

impl<'b> Said<'b> {
    fn words(&self) -> impl Iterator<Item = &'b str> {
        [self.title, self.description, self.deprecated].into_iter().flatten().flat_map(str::split_whitespace)
    }
}

fn fold(schema: &mut Map<String, Value>, union: &str) {
    let Some(mut branches) = schema.get_mut(union).and_then(Value::as_array_mut).map(std::mem::take) else {
        return;
    };
    let mut folded = Folded::default();
    let taken: Vec<_> = branches.iter().map(|branch| folded.take(branch)).collect();
    let count = taken.iter().filter(|is_taken| **is_taken).count();
    let clashes = ["enum", "const"].iter().any(|keyword| schema.contains_key(*keyword))
        || schema.get("type").is_some_and(|kind| kind.as_str() != folded.kind);
    if count > 0 && count == taken.len() && !clashes {
        schema.shift_remove(union);
        *schema = folded.into_schema(std::mem::take(schema));
        return;
    }
    if let Some(first) = taken.iter().position(|is_taken| *is_taken)
        && count > 1
    {
        let one = Value::Object(folded.into_schema(Map::new()));
        let mut taken = taken.into_iter();
        branches.retain(|_| !taken.next().unwrap_or_default());
        branches.insert(first, one);
    }
    schema.insert(union.to_owned(), Value::Array(branches));
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
