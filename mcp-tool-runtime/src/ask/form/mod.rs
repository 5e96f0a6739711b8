//! The schema of a form: the small subset of JSON Schema that a client shows as fields.
//!
//! [`property`] reads the schema of one property into a `FormProperty`, and writes it for each version of the protocol.

mod property;

use serde_json::{Map, Value, json};

use crate::ProtocolVersion;
use crate::call::add_property;
use crate::schema::is_required;
use property::{FormProperty, Reader};

/// The form of one question: its schemas for clients, and the schema that its answer is checked against.
#[derive(Debug)]
pub(crate) struct Form {
    /// Whether the answer is a single value. The form then has one property, named after the key of the question.
    pub(crate) is_single: bool,
    schema: Value,
    /// The schema for protocol version 2025-06-18, or `None` if that version cannot express the form.
    legacy: Option<Value>,
    /// The schema that an answer is checked against: an object with the key of the question as its only property.
    pub(crate) validation_schema: Value,
}

/// A value that the user can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice<T> {
    pub(crate) value: T,
    /// The text that stands for the value in the form and in the answer.
    pub(crate) text: String,
    pub(crate) title: String,
}

impl Form {
    /// Creates a form from the schema of an object whose only property is `key`.
    ///
    /// # Errors
    ///
    /// Everything in the schema that a form cannot express.
    pub(crate) fn new(key: &str, natural: &Value) -> Result<Self, Vec<String>> {
        let property = &natural["properties"][key];
        let is_needed = is_required(natural, key);
        let is_single = property.get("type").is_none_or(|kind| kind != "object");
        let fields = if is_single {
            vec![(key, FormProperty::read(property).map_err(|error| vec![error])?, is_needed)]
        } else {
            fields_of(property, is_needed)?
        };
        let content = object(&fields, Reader::Validator);
        let has_lists = fields.iter().any(|(_, field, _)| field.is_multiple());
        Ok(Self {
            is_single,
            schema: object(&fields, Reader::Client),
            legacy: (!has_lists).then(|| object(&fields, Reader::LegacyClient)),
            validation_schema: if is_single {
                content
            } else {
                json!({ "type": "object", "properties": { key: content }, "required": [key] })
            },
        })
    }

    /// Creates a form for these choices, each with its value and title. Copies the title and description of the
    /// property from this form. Returns `None` if the choices do not make a valid form.
    pub(super) fn with_choices<T>(&self, key: &str, choices: &[Choice<T>]) -> Option<Self> {
        let choice = |choice: &Choice<T>| json!({ "const": choice.text, "title": choice.title });
        let choices: Vec<_> = choices.iter().map(choice).collect();
        let mut property = json!({ "type": "string", "oneOf": choices });
        for keyword in ["title", "description"] {
            add_property(&mut property, keyword, self.schema["properties"][key].get(keyword).cloned());
        }
        Self::new(key, &json!({ "properties": { key: property }, "required": [key] })).ok()
    }

    pub(crate) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Returns the schema for a protocol version, or `None` if that version cannot express the form.
    pub(crate) fn schema_for(&self, version: ProtocolVersion) -> Option<&Value> {
        if version > ProtocolVersion::V2025_06_18 { Some(&self.schema) } else { self.legacy.as_ref() }
    }
}

/// The name of a field, its property, and whether it is required.
type Field<'s> = (&'s str, FormProperty<'s>, bool);

/// Reads the fields of a form from the schema of an object.
fn fields_of(object: &Value, is_needed: bool) -> Result<Vec<Field<'_>>, Vec<String>> {
    let mut errors = Vec::new();
    if !is_needed {
        errors.push("a form cannot be left out as a whole; write `Answer<…>` instead of `Option<…>`".to_owned());
    }
    if object.get("additionalProperties").is_some_and(|others| *others != false) {
        errors.push("a form cannot have any further properties, as those of a map are".to_owned());
    }
    let unknown = |keyword: &&String| {
        !property::is_ignored(keyword)
            && !["type", "properties", "required", "additionalProperties", "title", "description", "default"]
                .contains(&keyword.as_str())
    };
    let keywords = object.as_object().into_iter().flat_map(Map::keys).filter(unknown);
    errors.extend(keywords.map(|keyword| format!("a form has no `{keyword}`")));
    let mut fields = Vec::new();
    for (name, schema) in object["properties"].as_object().into_iter().flatten() {
        match FormProperty::read(schema) {
            Ok(field) => fields.push((name.as_str(), field, is_required(object, name))),
            Err(error) => errors.push(format!("`{name}`: {error}")),
        }
    }
    if fields.is_empty() && errors.is_empty() {
        errors.push("a form needs a property".to_owned());
    }
    if errors.is_empty() { Ok(fields) } else { Err(errors) }
}

/// Writes the schema of an object with these fields.
fn object(fields: &[Field<'_>], reader: Reader) -> Value {
    let properties: Map<_, _> =
        fields.iter().map(|(name, field, _)| ((*name).to_owned(), field.write(reader))).collect();
    let required: Vec<_> = fields.iter().filter(|(_, _, required)| *required).map(|(name, ..)| *name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    add_property(&mut schema, "required", (!required.is_empty()).then_some(required));
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(property: &Value) -> Form {
        let natural = json!({ "type": "object", "properties": { "key": property }, "required": ["key"] });
        Form::new("key", &natural).expect("a form")
    }

    fn faults(property: &Value) -> String {
        let natural = json!({ "type": "object", "properties": { "key": property }, "required": ["key"] });
        Form::new("key", &natural).expect_err("faults").join("; ")
    }

    #[test]
    fn a_single_value_is_one_property_and_a_struct_is_the_form() {
        let single = form(&json!({ "type": "integer", "minimum": 1, "examples": [3] }));
        assert!(single.is_single);
        assert_eq!(
            *single.schema(),
            json!({ "type": "object", "properties": { "key": { "type": "integer", "minimum": 1 } }, "required": ["key"] })
        );
        let flat = form(&json!({
            "type": "object", "title": "Guest", "additionalProperties": false,
            "properties": { "name": { "type": "string", "maxLength": 9 }, "vip": { "type": "boolean", "default": false } },
            "required": ["name"]
        }));
        assert!(!flat.is_single);
        assert_eq!(
            *flat.schema(),
            json!({ "type": "object", "required": ["name"], "properties": {
                "name": { "type": "string", "maxLength": 9 }, "vip": { "type": "boolean", "default": false } } })
        );
    }

    #[test]
    fn documented_variants_are_titled_choices() {
        let property = json!({ "oneOf": [
            { "type": "string", "const": "up", "description": "Smallest first." },
            { "type": "string", "enum": ["down"] }
        ], "default": "up" });
        let form = form(&property);
        let titled = json!([{ "const": "up", "title": "Smallest first." }, { "const": "down", "title": "down" }]);
        assert_eq!(form.schema()["properties"]["key"], json!({ "type": "string", "oneOf": titled, "default": "up" }));
        let legacy = form.schema_for(ProtocolVersion::V2025_06_18).expect("a form");
        assert_eq!(
            legacy["properties"]["key"],
            json!({ "type": "string", "enum": ["up", "down"], "enumNames": ["Smallest first.", "down"] })
        );
        assert_eq!(form.validation_schema["properties"]["key"]["enum"], json!(["up", "down"]));
    }

    #[test]
    fn several_choices_are_not_for_2025_06_18() {
        let form = form(&json!({ "type": "array", "uniqueItems": true, "minItems": 1,
            "items": { "type": "string", "enum": ["a", "b"] } }));
        assert_eq!(
            form.schema()["properties"]["key"],
            json!({ "type": "array", "minItems": 1, "items": { "type": "string", "enum": ["a", "b"] } })
        );
        assert!(form.schema_for(ProtocolVersion::V2025_06_18).is_none());
        assert!(form.schema_for(ProtocolVersion::V2025_11_25).is_some());
    }

    #[test]
    fn what_a_form_cannot_express_is_a_fault() {
        for (property, expected) in [
            (json!({ "type": "string", "pattern": "^a" }), "a form has no `pattern`"),
            (json!({ "type": "number", "exclusiveMinimum": 0 }), "a form has no `exclusiveMinimum`"),
            (json!({ "type": "string", "format": "uuid" }), "a form has no format `uuid`"),
            (json!({ "type": "array", "items": { "type": "string" } }), "a list in a form is a list of choices"),
            (json!({ "type": "integer", "enum": [1, 2] }), "a choice in a form is a string"),
            (json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }), "a form has no `anyOf`"),
            (json!({ "type": ["string", "integer"] }), "a property of a form has one type"),
            (json!({ "type": "null" }), "a form has no values of the type `null`"),
            (
                json!({ "type": "object", "properties": { "a": { "type": "object" } } }),
                "`a`: a form has no objects in it",
            ),
            (json!({ "type": "object", "additionalProperties": { "type": "string" } }), "further properties"),
            (json!({ "type": "object", "properties": {} }), "a form needs a property"),
            (json!({ "$ref": "#/$defs/A" }), "a form has no `$ref`"),
        ] {
            let faults = faults(&property);
            assert!(faults.contains(expected), "{property}: {faults}");
        }
        let natural = json!({ "type": "object", "properties": { "key": { "type": "object", "properties": {} } } });
        let faults = Form::new("key", &natural).expect_err("faults").join("; ");
        assert!(faults.contains("write `Answer<…>`"), "{faults}");
    }
}
