//! Describes the values that a schema accepts, for messages.

use serde_json::Value;

use crate::accepted::Types;
use crate::reference;

/// Describes a schema that accepts all values of a form and no others, for example as `an integer` or `{"id": …}`.
pub(super) fn describe_exactly(schema: &Value, root: &Value) -> Option<String> {
    let target = reference::follow(schema, root).as_object()?;
    let mut keywords = target.keys().filter(|keyword| !matches!(keyword.as_str(), "title" | "description"));
    let is_exact = match (keywords.next()?.as_str(), keywords.next()) {
        ("const" | "required", None) => true,
        ("enum", None) => target["enum"].as_array().is_some_and(|values| values.len() <= MAX_FORMS),
        ("type", None) => target["type"].is_string(),
        _ => false,
    };
    is_exact.then(|| describe_branch(schema, root)).filter(|form| form != "another form")
}

const MAX_FORMS: usize = 8;

/// Describes the branches of a union, for example as `{"id": …} or "none" or an array`.
pub(super) fn describe<'v>(branches: impl IntoIterator<Item = &'v Value>, schema: &Value) -> String {
    let mut forms = Vec::new();
    for form in branches.into_iter().map(|branch| describe_branch(branch, schema)) {
        if forms.contains(&form) {
            continue;
        }
        if forms.len() == MAX_FORMS {
            return forms.join(" or ") + " or another form";
        }
        forms.push(form);
    }
    forms.join(" or ")
}

fn describe_branch(branch: &Value, root: &Value) -> String {
    let branch = reference::follow(branch, root);
    if let Some(value) = branch.get("const") {
        return value.to_string();
    }
    if let Some(values) = branch["enum"].as_array().filter(|values| values.len() <= MAX_FORMS) {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or ");
    }
    let required = branch["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let property = |name: &str| match branch["properties"][name].get("const") {
        Some(value) => format!("\"{name}\": {value}"),
        None => format!("\"{name}\": …"),
    };
    let properties: Vec<_> = required.map(property).collect();
    if !properties.is_empty() {
        return format!("{{{}}}", properties.join(", "));
    }
    if let Some(format) = branch["format"].as_str() {
        return format!("a string of format {format}");
    }
    let named = Some(&branch["type"]).filter(|named| named.is_string()).and_then(Types::read);
    named.map_or_else(|| "another form".to_owned(), Types::describe)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::describe;

    #[test]
    fn each_form_of_a_union_is_named_once() {
        let branches =
            [json!({"type": "string"}), json!({"type": "integer"}), json!({"type": "string", "minLength": 2})];
        assert_eq!(describe(&branches, &json!({})), "a string or an integer");
        let mut many: Vec<_> = (0..8).map(|number| json!({"const": number})).collect();
        many.push(json!({"const": 0}));
        assert_eq!(describe(&many, &json!({})), "0 or 1 or 2 or 3 or 4 or 5 or 6 or 7");
        many.push(json!({"const": 8}));
        assert_eq!(describe(&many, &json!({})), "0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or another form");
    }

    #[test]
    fn a_form_is_named_by_its_values_its_properties_or_its_type() {
        let root = json!({"$defs": {"text": {"type": "string"}}});
        for (branch, expected) in [
            (json!({"type": "array"}), "an array"),
            (json!({"type": "boolean"}), "a boolean"),
            (json!({"type": "integer"}), "an integer"),
            (json!({"type": "null"}), "null"),
            (json!({"type": "number"}), "a number"),
            (json!({"type": "object"}), "an object"),
            (json!({"type": "string"}), "a string"),
            (json!({"$ref": "#/$defs/text"}), "a string"),
            (json!({"type": ["string", "null"]}), "another form"),
            (json!({"enum": [1, "a"]}), "1 or \"a\""),
            (json!({"enum": [1, 2, 3, 4, 5, 6, 7, 8]}), "1 or 2 or 3 or 4 or 5 or 6 or 7 or 8"),
            (json!({"type": "integer", "enum": [1, 2, 3, 4, 5, 6, 7, 8, 9]}), "an integer"),
            (json!({"type": "string", "format": "date"}), "a string of format date"),
            (json!({"required": ["kind", "a"], "properties": {"kind": {"const": "k"}}}), "{\"kind\": \"k\", \"a\": …}"),
        ] {
            assert_eq!(describe(std::slice::from_ref(&branch), &root), expected, "{branch}");
        }
    }
}
