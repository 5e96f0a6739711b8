//! Checks documents with the crate `jsonschema`, against schemas that the rest of this crate does not support. Such a
//! check may take any amount of time.

use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::LocationSegment;
use jsonschema::{ValidationError, options};
use serde_json::Value;

use crate::json::path::{Path, Step};
use crate::json::tape::View;
use crate::json::violation::{MAX_FOUND, Violation};

#[derive(Debug)]
pub(super) struct Validator(jsonschema::Validator);

impl Validator {
    pub(super) fn new(schema: &Value) -> Result<Self, String> {
        let options = options().should_validate_formats(true).offline();
        options.build(schema).map(Self).map_err(|error| format!("{error} (at `{}`)", error.instance_path()))
    }

    pub(super) fn accepts(&self, document: View<'_>) -> bool {
        self.0.is_valid(&document.to_value())
    }

    pub(super) fn violations(&self, document: View<'_>) -> Vec<Violation> {
        let value = document.to_value();
        self.0.iter_errors(&value).flat_map(|error| violations(&error)).take(MAX_FOUND).collect()
    }
}

/// Returns the violations that one error describes. They do not repeat the value.
fn violations(error: &ValidationError<'_>) -> Vec<Violation> {
    let mut path = Path::default();
    for segment in error.instance_path() {
        path.push(match segment {
            LocationSegment::Property(name) => Step::Key((*name).into()),
            LocationSegment::Index(index) => Step::Index(index),
        });
    }
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![Violation::new(path.property(name), "required, but missing")]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| Violation::unknown_property(&path, name, std::iter::empty())).collect()
        }
        _ => vec![Violation::new(path, error.masked_with("the value").to_string())],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use serde_json::Value;

    use crate::Validator as Compiled;
    use crate::json::reader::read_value;
    use crate::validate::Engine;

    fn found(schema: &Value, value: &Value) -> Vec<String> {
        let compiled = Compiled::compile(schema).expect("it compiles");
        assert!(matches!(compiled.0, Engine::External(_)), "{schema}");
        let document = read_value(value).expect("a document");
        let found = compiled.violations(document.root(), schema);
        assert_eq!(compiled.accepts(document.root()), found.is_empty());
        found.iter().map(|found| format!("{}: {}", found.path, found.message)).collect()
    }

    #[test]
    fn what_is_not_supported_otherwise_is_checked() {
        let bundle = json!({
            "$id": "https://example.com/root",
            "properties": { "a": { "$ref": "inner" } },
            "$defs": { "inner": {
                "$id": "inner", "$ref": "#/$defs/n", "$defs": { "n": { "type": "integer" } }
            } }
        });
        let draft_4 = json!({
            "$schema": "http://json-schema.org/draft-04/schema#", "properties": { "a": { "minimum": 5, "exclusiveMinimum": true } }
        });
        let recursive = json!({
            "$schema": "https://json-schema.org/draft/2019-09/schema",
            "properties": { "a": { "$recursiveRef": "#" } }, "additionalProperties": false
        });
        let look_ahead = json!({ "properties": { "a": { "pattern": "^(?=.*b)a" } } });
        let template = json!({ "properties": { "a": { "format": "uri-template" } } });
        for (schema, valid, invalid, path) in [
            (bundle, json!(1), json!("x"), "a: "),
            (draft_4, json!(6), json!(5), "a: "),
            (recursive, json!({ "a": {} }), json!({ "a": { "b": 1 } }), "a.a.b: not known"),
            (look_ahead, json!("ab"), json!("ac"), "a: "),
            (template, json!("{a}"), json!("{a"), "a: "),
        ] {
            assert_eq!(found(&schema, &json!({ "a": valid })), [""; 0], "{schema}");
            let violations = found(&schema, &json!({ "a": invalid }));
            assert!(matches!(&violations[..], [only] if only.starts_with(path)), "{schema}: {violations:?}");
        }
    }

    #[test]
    fn a_violation_names_the_property_and_never_the_value() {
        let schema = json!({ "pattern": "(?=a)", "required": ["b"], "properties": { "c": { "maxLength": 2 } } });
        let violations = found(&schema, &json!({ "c": "secret" }));
        assert_eq!(violations.len(), 2, "{violations:?}");
        assert!(violations.contains(&"b: required, but missing".to_owned()), "{violations:?}");
        assert!(violations.iter().all(|violation| !violation.contains("secret")), "{violations:?}");
    }

    #[test]
    fn no_schema_is_fetched_and_other_schemas_are_not_handed_over() {
        let remote = json!({ "$id": "https://example.com/a", "$ref": "https://example.com/b" });
        assert!(Compiled::compile(&remote).is_err());
        let plain = json!({ "type": "integer", "pattern": "^a$", "format": "date" });
        assert!(Compiled::compile(&plain).is_ok_and(|compiled| matches!(compiled.0, Engine::Own(_))));
    }
}
