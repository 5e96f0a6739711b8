//! Turns unions of constants into `enum` (rule T7).

use serde_json::{Map, Value};

use crate::schema::walk;

/// In each union, combines the branches that accept only constants into one `enum`, and lists their titles and
/// descriptions in the description of the `enum`.
///
/// If all branches are constants, the `enum` replaces the union. Otherwise, as for a Rust enum with unit variants and
/// other variants, the `enum` becomes one branch.
///
/// ```text
/// before  {"description": "How to sort.", "oneOf": [
///            {"type": "string", "const": "up", "description": "smallest first"}, {"type": "string", "enum": ["down"]}]}
/// after   {"description": "How to sort.\n\n- `up`: smallest first", "type": "string", "enum": ["up", "down"]}
/// ```
pub(super) fn enums(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        combine_constants(keywords, "oneOf");
        combine_constants(keywords, "anyOf");
    });
}

/// The `enum` under construction.
#[derive(Default)]
struct EnumBuilder<'b> {
    type_name: Option<&'b str>,
    values: Vec<&'b Value>,
    /// One line for each value that has a title or a description, or is deprecated.
    lines: Vec<String>,
}

impl<'b> EnumBuilder<'b> {
    /// Adds a branch. Returns `false` if the branch cannot become part of the `enum`.
    fn add(&mut self, branch: &'b Value) -> bool {
        let Some(Constants { type_name, values, text }) = Constants::of(branch) else {
            return false;
        };
        if self.type_name.is_some_and(|other| other != type_name)
            || values.iter().any(|value| self.values.contains(&value))
            // Each line of the new description covers one value, so a text about several has no place in it.
            || (values.len() > 1 && !text.is_empty())
        {
            return false;
        }
        if let [value] = values
            && !text.is_empty()
        {
            let name = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            self.lines.push(format!("- `{name}`: {text}"));
        }
        self.type_name = Some(type_name);
        self.values.extend(values);
        true
    }

    /// Adds the `enum` to a schema, and its lines to the schema's description.
    fn add_to(self, mut schema: Map<String, Value>) -> Map<String, Value> {
        if !self.lines.is_empty() {
            let own = schema.get("description").and_then(Value::as_str).map(|text| format!("{text}\n\n"));
            let description = own.unwrap_or_default() + &self.lines.join("\n");
            schema.insert("description".to_owned(), description.into());
        }
        schema.extend(self.type_name.map(|name| ("type".to_owned(), name.into())));
        schema.insert("enum".to_owned(), self.values.into_iter().cloned().collect());
        schema
    }
}

/// A branch that accepts constants only.
struct Constants<'b> {
    type_name: &'b str,
    values: &'b [Value],
    /// The title, the description and `(deprecated)`, on one line.
    text: String,
}

impl<'b> Constants<'b> {
    /// Reads a branch that has the `type` `string` or `integer`, and either `const` or `enum`. Returns `None` for any
    /// other branch, and for a branch with a keyword that a line of text cannot express.
    fn of(branch: &'b Value) -> Option<Self> {
        let (mut type_name, mut one, mut several) = (None, None, None);
        let (mut title, mut description, mut deprecated) = (None, None, None);
        for (keyword, value) in branch.as_object()? {
            match keyword.as_str() {
                "type" => type_name = value.as_str().filter(|name| matches!(*name, "string" | "integer")),
                "const" => one = Some(std::slice::from_ref(value)),
                "enum" => several = value.as_array().map(Vec::as_slice),
                "title" => title = value.as_str(),
                "description" => description = value.as_str(),
                "deprecated" => deprecated = (*value == true).then_some("(deprecated)"),
                _ => return None,
            }
        }
        let ((Some(values), None) | (None, Some(values))) = (one, several) else {
            return None;
        };
        let words = [title, description, deprecated].into_iter().flatten().flat_map(str::split_whitespace);
        Some(Self { type_name: type_name?, values, text: words.collect::<Vec<_>>().join(" ") })
    }
}

fn combine_constants(schema: &mut Map<String, Value>, union: &str) {
    let Some(mut branches) = schema.get_mut(union).and_then(Value::as_array_mut).map(std::mem::take) else {
        return;
    };
    let mut builder = EnumBuilder::default();
    let added: Vec<_> = branches.iter().map(|branch| builder.add(branch)).collect();
    let count = added.iter().filter(|is_added| **is_added).count();
    let conflicts = ["enum", "const"].iter().any(|keyword| schema.contains_key(*keyword))
        || schema.get("type").is_some_and(|name| name.as_str() != builder.type_name);
    if count > 0 && count == added.len() && !conflicts {
        schema.shift_remove(union);
        *schema = builder.add_to(std::mem::take(schema));
        return;
    }
    if let Some(first) = added.iter().position(|is_added| *is_added)
        && count > 1
    {
        let constants = Value::Object(builder.add_to(Map::new()));
        let mut added = added.into_iter();
        branches.retain(|_| !added.next().unwrap_or_default());
        branches.insert(first, constants);
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
    fn constants_next_to_other_variants_become_one_branch() {
        let object = json!({ "type": "object" });
        let schema = after(json!({ "oneOf": [
            object, { "type": "string", "const": "a", "description": "A" }, { "type": "string", "const": "b" }
        ] }));
        let constants = json!({ "description": "- `a`: A", "type": "string", "enum": ["a", "b"] });
        assert_eq!(schema, json!({ "oneOf": [object, constants] }));
    }

    #[test]
    fn branches_with_other_keywords_are_unchanged() {
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
