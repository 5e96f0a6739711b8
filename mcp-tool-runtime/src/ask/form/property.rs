//! The properties of a form: how they are read from a schema, and how they are written for each version of the
//! protocol.

use serde_json::{Map, Value, json};

/// One property of a form: its type or choices, and its other keywords.
#[derive(Debug)]
pub(super) struct FormProperty<'s> {
    kind: Kind<'s>,
    /// The keywords besides the type and the choices, such as `title` and `minLength`.
    keywords: Vec<(&'s str, &'s Value)>,
}

#[derive(Debug)]
enum Kind<'s> {
    /// `string`, `number`, `integer` or `boolean`.
    Plain(&'s str),
    /// The user chooses one value.
    One(Choices<'s>),
    /// The user chooses any number of values.
    Several(Choices<'s>),
}

/// The values to choose from.
#[derive(Debug)]
struct Choices<'s> {
    /// Each value, with its title if it has one.
    values: Vec<(&'s str, Option<&'s str>)>,
    /// Whether the schema has the titles in `enumNames`, which is older than `oneOf` with titles.
    has_enum_names: bool,
}

/// Returns `true` for a keyword that a form leaves out without an error.
pub(super) fn is_ignored(keyword: &str) -> bool {
    ["examples", "deprecated", "readOnly", "writeOnly", "$comment", "uniqueItems"].contains(&keyword)
        || keyword.starts_with("x-")
}

/// The values of `format` that the protocol allows in a form.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

impl<'s> FormProperty<'s> {
    pub(super) fn is_multiple(&self) -> bool {
        matches!(self.kind, Kind::Several(_))
    }

    pub(super) fn read(schema: &'s Value) -> Result<Self, String> {
        let Some(schema) = schema.as_object() else {
            return Err("a property of a form has one type; this one accepts anything".to_owned());
        };
        let kind = kind(schema)?;
        let allowed: &[&str] = match &kind {
            Kind::Plain("string") => &["minLength", "maxLength", "format"],
            Kind::Plain("integer" | "number") => &["minimum", "maximum"],
            Kind::Plain(_) => &[],
            Kind::One(_) => &["enum", "oneOf", "const", "enumNames"],
            Kind::Several(_) => &["minItems", "maxItems", "items"],
        };
        let mut keywords = Vec::new();
        for (keyword, value) in schema {
            match keyword.as_str() {
                "type" | "enum" | "oneOf" | "const" | "enumNames" | "items" if allowed.contains(&keyword.as_str()) => {}
                "type" => {}
                "default" if value.is_null() => {}
                "title" | "description" | "default" => keywords.push((keyword.as_str(), value)),
                "format" if !value.as_str().is_some_and(|format| FORMATS.contains(&format)) => {
                    let format = value.as_str().unwrap_or_default();
                    return Err(format!("a form has no format `{format}`, only {}", FORMATS.join(", ")));
                }
                keyword if allowed.contains(&keyword) => keywords.push((keyword, value)),
                keyword if is_ignored(keyword) => {}
                keyword => return Err(format!("a form has no `{keyword}`; remove it, and check it in the tool")),
            }
        }
        Ok(Self { kind, keywords })
    }

    pub(super) fn write(&self, reader: Reader) -> Value {
        let (kind, choices) = match &self.kind {
            Kind::Plain(name) => (*name, Map::new()),
            Kind::One(choices) => ("string", choices.write(reader, "oneOf")),
            Kind::Several(choices) => {
                let items = choices.write(reader, "anyOf").into();
                ("array", Map::from_iter([("items".to_owned(), items)]))
            }
        };
        let mut schema = Map::from_iter([("type".to_owned(), kind.into())]);
        schema.extend(choices);
        let is_kept = |keyword: &str| match keyword {
            "title" | "description" => reader != Reader::Validator,
            // In protocol version 2025-06-18, only booleans have a default.
            "default" => reader != Reader::LegacyClient || kind == "boolean",
            _ => true,
        };
        let kept = self.keywords.iter().filter(|(keyword, _)| is_kept(keyword));
        schema.extend(kept.map(|(keyword, value)| ((*keyword).to_owned(), (*value).clone())));
        schema.into()
    }
}

fn kind(schema: &Map<String, Value>) -> Result<Kind<'_>, String> {
    if let Some(choices) = choices(schema)? {
        return Ok(Kind::One(choices));
    }
    match schema.get("type") {
        Some(Value::String(name)) => match name.as_str() {
            "string" | "number" | "integer" | "boolean" => Ok(Kind::Plain(name)),
            "array" => {
                let items = schema.get("items").and_then(Value::as_object);
                let choices = items.map(choices).transpose()?.flatten();
                choices.map(Kind::Several).ok_or_else(|| {
                    "a list in a form is a list of choices: of an enum whose variants have no fields".to_owned()
                })
            }
            "object" => Err("a form has no objects in it: only strings, numbers, booleans and choices".to_owned()),
            other => Err(format!("a form has no values of the type `{other}`")),
        },
        None => {
            let keyword = schema.keys().find(|keyword| !is_ignored(keyword) && *keyword != "description");
            Err(keyword.map_or_else(
                || "a property of a form has one type; this one accepts anything".to_owned(),
                |keyword| format!("a form has no `{keyword}`, only strings, numbers, booleans and choices"),
            ))
        }
        Some(_) => Err("a property of a form has one type".to_owned()),
    }
}

/// Reads the values of an `enum`, a `const`, or a `oneOf` or `anyOf` of these. Returns `None` for any other schema.
fn choices(schema: &Map<String, Value>) -> Result<Option<Choices<'_>>, String> {
    let names = schema.get("enumNames").and_then(Value::as_array);
    if let Some(branches) = ["oneOf", "anyOf"].into_iter().find_map(|union| schema.get(union)?.as_array()) {
        let mut values = Vec::new();
        for branch in branches {
            let Some(branch) = branch.as_object() else { return Ok(None) };
            let Some(constants) = constants(branch)? else { return Ok(None) };
            let text = ["title", "description"].into_iter().find_map(|key| branch.get(key)?.as_str());
            values.extend(constants.into_iter().map(|value| (value, text)));
        }
        return Ok(Some(Choices { values, has_enum_names: false }));
    }
    let Some(constants) = constants(schema)? else { return Ok(None) };
    let title = |index: usize| names?.get(index)?.as_str();
    let values = constants.into_iter().enumerate().map(|(index, value)| (value, title(index))).collect();
    Ok(Some(Choices { values, has_enum_names: names.is_some() }))
}

fn constants(schema: &Map<String, Value>) -> Result<Option<Vec<&str>>, String> {
    let values = match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => std::slice::from_ref(value),
        (None, Some(Value::Array(values))) => values,
        (None, _) => return Ok(None),
    };
    let texts: Option<Vec<_>> = values.iter().map(Value::as_str).collect();
    texts.map(Some).ok_or_else(|| "a choice in a form is a string".to_owned())
}

/// Who reads the schema of a form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// A client that speaks protocol version 2025-11-25 or later.
    Client,
    /// A client that speaks protocol version 2025-06-18.
    LegacyClient,
    /// The validator of the answers.
    Validator,
}

impl Choices<'_> {
    /// Writes the schema of a single chosen value. `union` is the keyword that lists values with titles.
    fn write(&self, reader: Reader, union: &str) -> Map<String, Value> {
        let has_titles = self.values.iter().any(|(_, title)| title.is_some());
        if reader == Reader::Client && has_titles && !self.has_enum_names {
            let titled =
                self.values.iter().map(|(value, title)| json!({ "const": value, "title": title.unwrap_or(value) }));
            return Map::from_iter([(union.to_owned(), titled.collect())]);
        }
        let names = self.values.iter().map(|(value, _)| *value).collect();
        let mut schema = Map::from_iter([("type".to_owned(), "string".into()), ("enum".to_owned(), names)]);
        if reader != Reader::Validator && has_titles {
            let titles = self.values.iter().map(|(value, title)| title.unwrap_or(value)).collect();
            schema.insert("enumNames".to_owned(), titles);
        }
        schema
    }
}
