//! Words violations for a model: what is expected and the type of the value, never the value itself.

use serde_json::Value;

use super::forms;
use super::node::{Keyword, Node, Side, Size};
use super::search::Kind;
use crate::accepted::Types;
use crate::json::path::Path;
use crate::json::violation::Violation;
use crate::reference;

/// The message of a value that is refused for a reason that no keyword gives.
pub(super) const NO_MATCH: &str = "does not match the published schema";

/// Returns the schema that a node was compiled from.
pub(super) fn at<'s>(node: &Node, schema: &'s Value) -> &'s Value {
    schema.pointer(&node.pointer).unwrap_or(&Value::Null)
}

/// Returns the branches of a union.
pub(super) fn branches<'s>(node: &Node, keyword: &str, schema: &'s Value) -> &'s [Value] {
    at(node, schema)[keyword].as_array().map_or(&[], Vec::as_slice)
}

/// Returns the violation of a property that the object of a node must have. If its schema lists the values, so does the message: then
/// the next call can be right.
pub(super) fn missing_property(object: &Path, name: &str, node: &Node, schema: &Value) -> Violation {
    let properties = at(node, schema)["properties"].as_object();
    let values = properties.and_then(|properties| values(properties.get(name)?, schema));
    let message = match values {
        Some(values) => format!("required, but missing; expected {values}"),
        None => "required, but missing".to_owned(),
    };
    Violation::new(object.property(name), message)
}

/// Lists the values that a schema accepts, if it names all of them.
fn values(schema: &Value, root: &Value) -> Option<String> {
    let schema = reference::follow(schema, root);
    if let Some(value) = schema.get("const") {
        return Some(value.to_string());
    }
    if let Some(values) = schema.get("enum") {
        return values.as_array().map(|values| one_of(values));
    }
    let branches = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    are_values(branches).then(|| forms::describe(branches, root))
}

/// Returns `true` if each branch of a union is a value, or a list of values.
pub(super) fn are_values(branches: &[Value]) -> bool {
    branches.iter().all(|branch| branch.get("const").or_else(|| branch.get("enum")).is_some())
}

/// Returns the violation of a property that the object of a node must not have.
pub(super) fn unknown_property(object: &Path, name: &str, node: &Node, schema: &Value) -> Violation {
    let properties = at(node, schema)["properties"].as_object();
    Violation::unknown_property(object, name, properties.into_iter().flatten().map(|(name, _)| name.as_str()))
}

/// Returns the message of a value that no branch of a union accepts.
pub(super) fn no_branch(branches: &[Value], schema: &Value, actual: &str) -> String {
    let forms = forms::describe(branches, schema);
    let forms = if forms.is_empty() { "one of the published forms".to_owned() } else { forms };
    let actual = if forms.contains('{') && actual == "an object" { "another object" } else { actual };
    format!("expected {forms}, got {actual}")
}

/// Returns the message of a value that several branches of `oneOf` accept.
pub(super) fn several_forms(branches: &[Value], matching: &[usize], schema: &Value) -> String {
    let forms: Option<Vec<_>> = matching.iter().map(|at| forms::describe_exactly(branches.get(*at)?, schema)).collect();
    let forms = forms.map_or_else(
        || matching.iter().map(|at| format!("number {}", at + 1)).collect::<Vec<_>>().join(" and "),
        |forms| forms.join(" and "),
    );
    format!("expected exactly one of the published forms, but several match: {forms}")
}

/// Returns the message of an array with too few or too many elements that `contains` counts.
pub(super) fn contains(element: &Value, schema: &Value, minimum: u64, maximum: u64, found: u64) -> String {
    let (bound, limit) = if found < minimum { ("at least", minimum) } else { ("at most", maximum) };
    let limit = count(limit, "element");
    match forms::describe_exactly(element, schema) {
        Some(form) => format!("expected {bound} {limit} of this form: {form}; found {found}"),
        None => format!("expected {bound} {limit} that `contains` accepts, found {found}"),
    }
}

/// Returns the message of a value that `not` excludes.
pub(super) fn excluded(excluded: &Value, schema: &Value) -> String {
    match forms::describe_exactly(excluded, schema) {
        Some(form) => format!("expected anything but {form}"),
        None => "expected a value that the schema does not exclude".to_owned(),
    }
}

/// Returns the message of a keyword that is about the value alone.
pub(super) fn of_keyword(keyword: &Keyword, actual: &str) -> (Kind, String) {
    let among = |values| format!("expected {}, got {}", one_of(values), another(actual, values));
    let message = match keyword {
        Keyword::Const(value) => return (Kind::Values, among(std::slice::from_ref(value))),
        Keyword::Enum(values) => return (Kind::Values, among(values.all())),
        Keyword::Bound { side, written, .. } => {
            let message = match side {
                Side::Minimum => format!("expected {written} or more"),
                Side::Maximum => format!("expected {written} or less"),
                Side::ExclusiveMinimum => format!("expected more than {written}"),
                Side::ExclusiveMaximum => format!("expected less than {written}"),
            };
            return (Kind::Bound, message);
        }
        Keyword::MultipleOf(divisor) => return (Kind::Bound, format!("expected a multiple of {}", divisor.to_json())),
        Keyword::AtLeast(size, least) => format!("expected at least {}", count(*least, size.noun())),
        Keyword::AtMost(size, most) => format!("expected at most {}", count(*most, size.noun())),
        Keyword::UniqueItems => "expected no duplicate elements".to_owned(),
        Keyword::Pattern(pattern) => format!("expected a string that matches {}", pattern.text()),
        Keyword::Format(format) => format!("expected a string of format {}", format.name()),
        Keyword::Nothing => "no value is allowed here".to_owned(),
        _ => NO_MATCH.to_owned(),
    };
    (Kind::Other, message)
}

impl Size {
    fn noun(self) -> &'static str {
        match self {
            Self::Characters => "character",
            Self::Elements => "element",
            Self::Properties => "property",
        }
    }
}

pub(super) fn count(number: u64, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "property") => format!("{number} properties"),
        _ => format!("{number} {noun}s"),
    }
}

/// Describes a value that is not one of those expected: "another string", or "a string" if no string is expected.
fn another(actual: &str, expected: &[Value]) -> String {
    let has_same_type = expected.iter().any(|value| match value {
        Value::Null => false,
        Value::Number(_) => actual.starts_with("an integer") || actual == "a number",
        other => actual == Types::of_value(other).describe(),
    });
    match actual.strip_prefix("an ").or_else(|| actual.strip_prefix("a ")) {
        Some(kind) if has_same_type => format!("another {kind}"),
        _ => actual.to_owned(),
    }
}

/// Lists the first values of an `enum`.
fn one_of(values: &[Value]) -> String {
    const MAX_VALUES: usize = 20;
    let mut text = values.iter().take(MAX_VALUES).map(Value::to_string).collect::<Vec<_>>().join(", ");
    if values.len() > MAX_VALUES {
        text.push_str(", …");
    }
    if values.len() == 1 { text } else { format!("one of {text}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader;
    use crate::json::violation::MAX_FOUND;
    use crate::validate::CompiledSchema;

    fn found(schema: &Value, value: &Value) -> Vec<Violation> {
        let compiled = CompiledSchema::new(schema).expect("a schema");
        let document = reader::read_value(value).expect("a document");
        compiled.violations(document.root(), schema)
    }

    #[test]
    fn a_value_of_an_expected_type_is_another_one() {
        for (expected, value, message) in [
            (json!([true]), json!(false), "expected true, got another boolean"),
            (json!([true]), json!("x"), "expected true, got a string"),
            (json!([1, 2]), json!(3), "expected one of 1, 2, got another integer"),
            (json!([1]), json!(1.5), "expected 1, got another number"),
            (json!([1]), json!([]), "expected 1, got an array"),
            (json!(["a"]), json!("b"), "expected \"a\", got another string"),
            (json!([[1]]), json!([]), "expected [1], got another array"),
            (json!([[1]]), json!({}), "expected [1], got an object"),
            (json!([{"a": 1}]), json!({}), "expected {\"a\":1}, got another object"),
            (json!([{"a": 1}]), json!(true), "expected {\"a\":1}, got a boolean"),
            (json!([null]), json!(1), "expected null, got an integer"),
        ] {
            let found = found(&json!({ "enum": expected }), &value);
            assert_eq!(found, [Violation::root(message)]);
        }
    }

    #[test]
    fn an_object_that_no_form_accepts_is_another_object_if_one_form_is_an_object() {
        let (object, text) = (json!({"required": ["id"]}), json!({"type": "string"}));
        for (branches, actual, message) in [
            ([&object, &text], "an object", "expected {\"id\": …} or a string, got another object"),
            ([&object, &text], "an array", "expected {\"id\": …} or a string, got an array"),
            ([&text, &text], "an object", "expected a string, got an object"),
        ] {
            assert_eq!(no_branch(&branches.map(Clone::clone), &json!({}), actual), message);
        }
    }

    #[test]
    fn a_name_that_is_refused_is_reported_with_the_reason() {
        let found = found(&json!({"propertyNames": {"maxLength": 3}}), &json!({"abc": 1, "label": 2}));
        let message = "the name is not allowed: expected at most 3 characters";
        assert_eq!(found, [Violation::new(Path::default().property("label"), message)]);
    }

    #[test]
    fn the_unknown_properties_of_all_objects_count_for_one_limit() {
        let object: Value = (0..20).map(|at| (format!("p{at}"), json!(at))).collect();
        let found = found(&json!({"items": {"additionalProperties": false}}), &json!([object, object]));
        assert_eq!(found.len(), MAX_FOUND);
        assert!(found.iter().all(|violation| violation.is_unknown_property));
    }
}
