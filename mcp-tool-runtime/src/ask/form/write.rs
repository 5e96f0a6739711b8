//! Writes one property of a form, for each version of the protocol.

use serde_json::{Map, Value, json};

use super::property::{Choices, FormProperty, Kind};

/// Writes the form of 2025-11-25 and later.
pub(super) fn latest(field: &FormProperty<'_>) -> Value {
    let mut schema = start(field);
    match &field.kind {
        Kind::Plain(_) => {}
        Kind::One(choices) if choices.has_enum_names || !choices.has_titles() => {
            schema.insert("enum".to_owned(), choices.names());
            if choices.has_enum_names {
                schema.insert("enumNames".to_owned(), choices.titles());
            }
        }
        Kind::One(choices) => drop(schema.insert("oneOf".to_owned(), choices.titled())),
        Kind::Several(choices) => {
            let items = if choices.has_titles() {
                json!({ "anyOf": choices.titled() })
            } else {
                json!({ "type": "string", "enum": choices.names() })
            };
            schema.insert("items".to_owned(), items);
        }
    }
    finish(schema, field, |_| true)
}

/// Writes the form of 2025-06-18. Only booleans have a default there.
pub(super) fn legacy(field: &FormProperty<'_>) -> Value {
    let mut schema = start(field);
    if let Kind::One(choices) | Kind::Several(choices) = &field.kind {
        schema.insert("enum".to_owned(), choices.names());
        if choices.has_titles() {
            schema.insert("enumNames".to_owned(), choices.titles());
        }
    }
    let is_boolean = matches!(field.kind, Kind::Plain("boolean"));
    finish(schema, field, |keyword| keyword != "default" || is_boolean)
}

/// Writes the schema that answers are checked against. A choice is an `enum`, for shorter messages.
pub(super) fn validation_schema(field: &FormProperty<'_>) -> Value {
    let mut schema = start(field);
    match &field.kind {
        Kind::Plain(_) => {}
        Kind::One(choices) => drop(schema.insert("enum".to_owned(), choices.names())),
        Kind::Several(choices) => {
            schema.insert("items".to_owned(), json!({ "type": "string", "enum": choices.names() }));
        }
    }
    finish(schema, field, |keyword| !["title", "description"].contains(&keyword))
}

fn start(field: &FormProperty<'_>) -> Map<String, Value> {
    let name = match field.kind {
        Kind::Plain(name) => name,
        Kind::One(_) => "string",
        Kind::Several(_) => "array",
    };
    let mut schema = Map::new();
    schema.insert("type".to_owned(), name.into());
    schema
}

fn finish(mut schema: Map<String, Value>, field: &FormProperty<'_>, is_kept: impl Fn(&str) -> bool) -> Value {
    let keywords = field.annotations.iter().chain(&field.constraints);
    let kept = keywords.filter(|(keyword, _)| is_kept(keyword));
    schema.extend(kept.map(|(keyword, value)| ((*keyword).to_owned(), (*value).clone())));
    schema.into()
}

impl Choices<'_> {
    fn has_titles(&self) -> bool {
        self.values.iter().any(|(_, title)| title.is_some())
    }

    fn names(&self) -> Value {
        self.values.iter().map(|(value, _)| *value).collect()
    }

    fn titles(&self) -> Value {
        self.values.iter().map(|(value, title)| title.unwrap_or(value)).collect()
    }

    fn titled(&self) -> Value {
        let titled = |(value, title): &(&str, Option<&str>)| json!({ "const": value, "title": title.unwrap_or(value) });
        self.values.iter().map(titled).collect()
    }
}
