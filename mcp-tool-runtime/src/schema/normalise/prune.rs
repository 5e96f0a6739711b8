//! Unused definitions (rule T3).

use std::collections::BTreeSet;

use serde_json::Value;

use crate::schema::reference::Reference;
use crate::schema::walk::{self, keyword};

/// Drops the definitions that the root does not reach, and an empty `$defs`.
///
/// ```
/// # mcp_tool_runtime::__step! { prune:
/// before  {"type": "string", "$defs": {"Unused": {"type": "null"}}}
/// after   {"type": "string"}
/// # }
/// ```
pub(super) fn prune(schema: &mut Value) {
    let Some(root) = schema.as_object_mut() else {
        return;
    };
    let Some(Value::Object(mut definitions)) = root.shift_remove("$defs") else {
        return;
    };
    let mut reached = BTreeSet::new();
    let mut pending = names(schema);
    pending.extend(definitions.iter().filter(|(_, definition)| anchored(definition)).map(|(name, _)| name.clone()));
    while let Some(name) = pending.pop() {
        if let Some(definition) = definitions.get(&name)
            && reached.insert(name)
        {
            pending.extend(names(definition));
        }
    }
    definitions.retain(|name, _| reached.contains(name));
    if let Some(root) = schema.as_object_mut()
        && !definitions.is_empty()
    {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
}

/// Whether something may refer to a place in the definition by another way than its key.
pub(super) fn anchored(definition: &Value) -> bool {
    let mut found = false;
    walk::each(definition, &mut |schema| {
        found |= ["$anchor", "$dynamicAnchor", "$id"].iter().any(|name| keyword(schema, name).is_some());
    });
    found
}

fn names(schema: &Value) -> Vec<String> {
    let mut names = Vec::new();
    walk::each(schema, &mut |schema| {
        for name in ["$ref", "$dynamicRef"] {
            if let Some(Reference::Definition(name) | Reference::Within(name)) =
                keyword(schema, name).and_then(Value::as_str).map(Reference::parse)
            {
                names.push(name);
            }
        }
    });
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_the_root_reaches_stays() {
        let mut schema = json!({
            "items": { "$ref": "#/$defs/A" },
            "$defs": {
                "A": { "items": { "$ref": "#/$defs/B/not" } },
                "B": { "not": {} },
                "C": { "items": { "$ref": "#/$defs/D" } },
                "D": { "items": { "$ref": "#/$defs/C" } },
                "E": { "items": { "$anchor": "here" } }
            }
        });
        prune(&mut schema);
        let names: Vec<_> = schema["$defs"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
        assert_eq!(names, ["A", "B", "E"]);
    }

    #[test]
    fn no_empty_definitions_stay() {
        let mut schema = json!({ "type": "string", "$defs": { "A": { "$ref": "#/$defs/A" } } });
        prune(&mut schema);
        assert_eq!(schema, json!({ "type": "string" }));
    }
}
