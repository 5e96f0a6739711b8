//! Changes one entry in the text of a configuration, and keeps everything else as it is.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, InlineTable, Item, Table};

use super::yaml;

/// The format of a client's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON, in which some clients allow comments and commas before a closing bracket.
    Json,
    Toml,
    Yaml,
}

/// What to do with the entry: returns the new value, given the old one, or `None` to remove the entry.
pub(super) type Change<'c> = &'c dyn Fn(Option<&Value>) -> Option<Value>;

impl Format {
    /// Changes the entry `name` in the object `key`. Returns `None` if there is nothing to change.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a configuration that can be changed.
    pub(super) fn edit(self, text: &str, key: &str, name: &str, change: Change<'_>) -> Result<Option<String>, String> {
        // Editors on Windows may write a byte order mark.
        let (mark, text) = text.strip_prefix('\u{feff}').map_or(("", text), |text| ("\u{feff}", text));
        let changed = match self {
            Self::Json => json(text, key, name, change)?,
            Self::Toml => toml(text, key, name, change)?,
            Self::Yaml => yaml::edit(text, key, name, change)?,
        };
        Ok(changed.map(|text| format!("{mark}{text}")))
    }

    /// Writes a configuration that contains only the entry.
    pub(super) fn alone(self, key: &str, name: &str, entry: &Value) -> String {
        match self {
            Self::Json => {
                let entries: Map<_, _> = [(name.to_owned(), entry.clone())].into_iter().collect();
                let root: Map<_, _> = [(key.to_owned(), Value::Object(entries))].into_iter().collect();
                format!("{:#}\n", Value::Object(root))
            }
            // An entry can always be added to an empty text.
            _ => self.edit("", key, name, &|_| Some(entry.clone())).ok().flatten().unwrap_or_default(),
        }
    }
}

fn json(text: &str, key: &str, name: &str, change: Change<'_>) -> Result<Option<String>, String> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let root = CstRootNode::parse(text, &options).map_err(|error| format!("it is not JSON: {error}"))?;
    let object = root.object_value_or_create().ok_or("it is not a JSON object")?;
    only_once(&object, key)?;
    let servers = object.object_value(key);
    if servers.is_none() && object.get(key).is_some() {
        return Err(format!("its `{key}` is not an object"));
    }
    if let Some(servers) = &servers {
        only_once(servers, name)?;
    }
    let known = servers.as_ref().and_then(|servers| servers.get(name));
    let old = known.as_ref().and_then(CstObjectProp::to_serde_value);
    let new = change(old.as_ref());
    if old == new {
        return Ok(None);
    }
    match (known, new) {
        (Some(known), Some(new)) => known.set_value(json_value(&new)),
        (Some(known), None) => known.remove(),
        (None, new) => {
            let servers = servers.unwrap_or_else(|| object.object_value_or_set(key));
            new.map(|new| servers.append(name, json_value(&new)));
        }
    }
    Ok(Some(if text.trim().is_empty() { format!("{root}\n") } else { root.to_string() }))
}

/// If two properties have the same name, clients read the last one, but only the first would be changed.
fn only_once(object: &CstObject, name: &str) -> Result<(), String> {
    let names = object.properties().into_iter().filter_map(|property| property.decoded_name());
    if names.filter(|other| other == name).count() > 1 { Err(format!("it has `{name}` twice")) } else { Ok(()) }
}

fn json_value(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(elements) => CstInputValue::Array(elements.iter().map(json_value).collect()),
        Value::Object(object) => {
            CstInputValue::Object(object.iter().map(|(name, value)| (name.clone(), json_value(value))).collect())
        }
    }
}

fn toml(text: &str, key: &str, name: &str, change: Change<'_>) -> Result<Option<String>, String> {
    let mut document: DocumentMut = text.parse().map_err(|error| format!("it is not TOML: {error}"))?;
    let mut implicit = Table::new();
    implicit.set_implicit(true);
    let servers = document.entry(key).or_insert(Item::Table(implicit));
    let servers = servers.as_table_like_mut().ok_or_else(|| format!("its `{key}` is not a table"))?;
    let old = servers.get(name).map(from_toml);
    let new = change(old.as_ref());
    if old == new {
        return Ok(None);
    }
    if let Some(entry) = new.as_ref().and_then(Value::as_object) {
        let mut table = Table::new();
        table.extend(entry.iter().map(|(name, value)| (name.as_str(), toml_value(value))));
        match servers.get_mut(name) {
            // Put the new table in the place of the old one, and keep the comments above it.
            Some(Item::Table(known)) => {
                let (decor, position) = (known.decor().clone(), known.position());
                *known = table;
                *known.decor_mut() = decor;
                known.set_position(position);
            }
            Some(known) => *known = Item::Value(table.into_inline_table().into()),
            None => drop(servers.insert(name, Item::Table(table))),
        }
    } else {
        let removed = servers.remove(name);
        let comments = removed.as_ref().and_then(Item::as_table).and_then(|table| table.decor().prefix()?.as_str());
        // The parser attaches the comments above a table to it, but they may be about something else, so keep them.
        if let Some(comments) = comments.filter(|comments| comments.contains('#')) {
            let trailing = format!("{comments}{}", document.trailing().as_str().unwrap_or_default());
            document.set_trailing(trailing);
        }
    }
    let text_now = document.to_string();
    // `toml_edit` always writes Unix line endings.
    Ok(Some(if text.contains("\r\n") { text_now.replace("\r\n", "\n").replace('\n', "\r\n") } else { text_now }))
}

/// Returns an item as a JSON value.
pub(in crate::cli) fn from_toml(item: &Item) -> Value {
    let table = |table: &dyn toml_edit::TableLike| {
        table.iter().map(|(name, item)| (name.to_owned(), from_toml(item))).collect::<Map<_, _>>().into()
    };
    if let Some(found) = item.as_table_like() {
        return table(found);
    }
    if let Some(elements) = item.as_array() {
        return elements.iter().map(|element| from_toml(&Item::Value(element.clone()))).collect();
    }
    match item.as_value() {
        Some(toml_edit::Value::String(text)) => text.value().as_str().into(),
        Some(toml_edit::Value::Integer(number)) => (*number.value()).into(),
        Some(toml_edit::Value::Float(number)) => (*number.value()).into(),
        Some(toml_edit::Value::Boolean(flag)) => (*flag.value()).into(),
        // Our entries contain no dates, so it is enough that equal texts become equal values.
        _ => item.to_string().into(),
    }
}

fn toml_value(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        Value::Array(elements) => elements.iter().map(toml_value).collect::<toml_edit::Array>().into(),
        Value::Object(object) => {
            let pairs = object.iter().map(|(name, value)| (name.as_str(), toml_value(value)));
            pairs.collect::<InlineTable>().into()
        }
        Value::Null | Value::String(_) => value.as_str().unwrap_or_default().into(),
    }
}
