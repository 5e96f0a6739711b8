//! Changes one entry in the text of a configuration, and leaves everything else alone.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use serde::de::IntoDeserializer as _;
use serde::{Deserialize as _, Serialize as _};
use serde_json::{Map, Value};
use toml_edit::ser::ValueSerializer;
use toml_edit::{DocumentMut, Item, Table, TableLike};
use yaml_edit::validator::{Severity, Validator};
use yaml_edit::{Document, Mapping, Scalar, YamlFile, YamlNode};

type Object = Map<String, Value>;

/// A function that makes the new entry from the old one. If there is no old entry, the function gets an empty object.
/// If it returns `None`, the entry is removed.
pub(super) type Change<'c> = &'c dyn Fn(&Object) -> Result<Option<Object>, String>;

/// The path of an object in an entry, the key of a property in it, and the new value. A property without a value is
/// removed.
type Difference = (Vec<String>, String, Option<Value>);

/// What to do with an entry.
enum Edit {
    Nothing,
    Remove,
    Set(Vec<Difference>),
}

impl Edit {
    fn new(old: Option<Object>, change: Change<'_>) -> Result<Self, String> {
        let (was_there, old) = (old.is_some(), old.unwrap_or_default());
        let Some(new) = change(&old)? else { return Ok(if was_there { Self::Remove } else { Self::Nothing }) };
        let all = differences(&[], &old, &new);
        Ok(if all.is_empty() { Self::Nothing } else { Self::Set(all) })
    }
}

/// Compares two objects. If both have an object under the same key, such as the variables, compares those two objects
/// property by property, so that the file keeps the comments in them.
fn differences(path: &[String], old: &Object, new: &Object) -> Vec<Difference> {
    let set = |key: &String, value| (path.to_vec(), key.clone(), value);
    let gone = old.keys().filter(|key| !new.contains_key(*key)).map(|key| set(key, None));
    let changed = new.iter().flat_map(|(key, value)| match (old.get(key), value) {
        (Some(Value::Object(old)), Value::Object(new)) => {
            differences(&[path, std::slice::from_ref(key)].concat(), old, new)
        }
        (old, new) if old == Some(new) => Vec::new(),
        (_, new) => vec![set(key, Some(new.clone()))],
    });
    gone.chain(changed).collect()
}

/// Changes the entry `name` in the object under `key`, and returns the new text. Returns `None` if there is nothing to
/// change. The `extension` of the file determines the format.
///
/// # Errors
///
/// Returns why the text is not a configuration that can be changed.
pub(super) fn edit(
    extension: &str,
    text: &str,
    key: &str,
    name: &str,
    change: Change<'_>,
) -> Result<Option<String>, String> {
    let edit = match extension {
        "toml" => toml,
        "yaml" => yaml,
        _ => json,
    };
    // Editors on Windows may write a byte order mark.
    let (mark, text) = text.strip_prefix('\u{feff}').map_or(("", text), |text| ("\u{feff}", text));
    Ok(edit(text, key, name, change)?.map(|text| format!("{mark}{text}")))
}

/// Changes the entry in JSON text. The text may contain comments, and commas before a closing bracket, because some
/// clients allow them.
fn json(text: &str, key: &str, name: &str, change: Change<'_>) -> Result<Option<String>, String> {
    let options = ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        ..ParseOptions::default()
    };
    let root = CstRootNode::parse(text, &options).map_err(|error| format!("it is not JSON: {error}"))?;
    let object = root.object_value_or_create().ok_or("it is not a JSON object")?;
    let servers = json_object(Some(&object), key)?;
    let old = json_object(servers.as_ref(), name)?.and_then(|entry| entry.to_serde_value());
    match Edit::new(old.and_then(|old| old.as_object().cloned()), change)? {
        Edit::Nothing => return Ok(None),
        Edit::Remove => servers.and_then(|servers| servers.get(name)).into_iter().for_each(CstObjectProp::remove),
        Edit::Set(properties) => {
            let entry = object.object_value_or_set(key).object_value_or_set(name);
            for (outer, key, value) in properties {
                let entry = outer.iter().fold(entry.clone(), |entry, key| entry.object_value_or_set(key));
                match (entry.get(&key), value.as_ref().map(json_value)) {
                    (Some(known), Some(value)) => known.set_value(value),
                    (Some(known), None) => known.remove(),
                    (None, value) => drop(value.map(|value| entry.append(&key, value))),
                }
            }
        }
    }
    Ok(Some(root.to_string()))
}

/// Returns the object at a key. Refuses a key that appears twice, because clients read its last value, and we would
/// change the first.
fn json_object(outer: Option<&CstObject>, key: &str) -> Result<Option<CstObject>, String> {
    let properties = outer.into_iter().flat_map(CstObject::properties);
    let mut named = properties.filter(|property| property.decoded_name().as_deref() == Some(key));
    match (named.next(), named.next()) {
        (None, _) => Ok(None),
        (Some(property), None) => {
            property.object_value().map(Some).ok_or_else(|| format!("its `{key}` is not an object"))
        }
        _ => Err(format!("it has `{key}` twice")),
    }
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
    let servers = toml_table(document.as_table_mut(), key)?;
    let old = servers.get(name).cloned().and_then(|entry| entry.into_value().ok());
    let old = old.and_then(|old| Object::deserialize(old.into_deserializer()).ok());
    match Edit::new(old, change)? {
        Edit::Nothing => return Ok(None),
        Edit::Remove => {
            let removed = servers.remove(name);
            let comments = removed.as_ref().and_then(Item::as_table).and_then(|table| table.decor().prefix()?.as_str());
            // The parser attaches the comments above a table to the table, but they may be about something else, so
            // move them to the end of the file.
            if let Some(comments) = comments.filter(|comments| comments.contains('#')) {
                let trailing = format!("{comments}{}", document.trailing().as_str().unwrap_or_default());
                document.set_trailing(trailing);
            }
        }
        Edit::Set(properties) => {
            for (outer, key, value) in properties {
                let entry = outer.iter().try_fold(toml_table(servers, name)?, |entry, key| toml_table(entry, key))?;
                let Some(value) = value else {
                    entry.remove(&key);
                    continue;
                };
                let mut value = value.serialize(ValueSerializer::new()).map_err(|error| error.to_string())?;
                match entry.get_mut(&key).and_then(Item::as_value_mut) {
                    // Comments are stored with the key and with the value, and `insert` would replace both. So replace
                    // only the value, and copy its comments.
                    Some(old) => {
                        *value.decor_mut() = old.decor().clone();
                        *old = value;
                    }
                    None => drop(entry.insert(&key, value.into())),
                }
            }
        }
    }
    let text_now = document.to_string();
    // `toml_edit` writes Unix line endings, so restore those of Windows if the file had them.
    Ok(Some(if text.contains("\r\n") { text_now.replace("\r\n", "\n").replace('\n', "\r\n") } else { text_now }))
}

/// Returns the table at a key, or a new one if there is none.
fn toml_table<'t>(outer: &'t mut dyn TableLike, key: &str) -> Result<&'t mut dyn TableLike, String> {
    if !outer.contains_key(key) {
        let mut table = Table::new();
        // Do not write a header for a table that contains only tables.
        table.set_implicit(true);
        outer.insert(key, table.into());
    }
    let table = outer.get_mut(key).and_then(Item::as_table_like_mut);
    table.ok_or_else(|| format!("its `{key}` is not a table"))
}

fn yaml(text: &str, key: &str, name: &str, change: Change<'_>) -> Result<Option<String>, String> {
    let parse =
        |text: &str| -> Result<YamlFile, String> { text.parse().map_err(|error| format!("it is not YAML: {error}")) };
    let mut file = parse(text)?;
    if file.document().is_none() {
        // The file is empty or contains only comments. Append the key, so that there is a document to change.
        let text = if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
        file = parse(&format!("{text}{key}:\n"))?;
    }
    let mut documents = file.documents();
    let (Some(document), None) = (documents.next(), documents.next()) else {
        return Err("it has more than one YAML document".to_owned());
    };
    let violations = Validator::new().validate(&document);
    if let Some(violation) = violations.iter().find(|violation| violation.severity == Severity::Error) {
        return Err(format!("it is not YAML: {}", violation.message));
    }
    let root = document.as_mapping().ok_or("it is not a YAML mapping")?;
    let servers = yaml_mapping(&root, key)?;
    let old = servers.as_ref().map(|servers| yaml_mapping(servers, name)).transpose()?.flatten();
    let old = old.map(|old| json_of_yaml(&YamlNode::Mapping(old)));
    match Edit::new(old.and_then(|old| old.as_object().cloned()), change)? {
        Edit::Nothing => return Ok(None),
        Edit::Remove => drop(servers.and_then(|servers| servers.remove(name))),
        Edit::Set(properties) => {
            let entry = yaml_mapping_or_set(&yaml_mapping_or_set(&root, key)?, name)?;
            for (outer, key, value) in properties {
                let entry = outer.iter().try_fold(entry.clone(), |entry, key| yaml_mapping_or_set(&entry, key))?;
                match value {
                    Some(value) => {
                        // Every JSON text is valid YAML.
                        let value: Document = value.to_string().parse().map_err(|error| format!("{key}: {error}"))?;
                        entry.set(&key, value);
                    }
                    None => drop(entry.remove(&key)),
                }
            }
        }
    }
    Ok(Some(file.to_string()))
}

fn yaml_mapping(outer: &Mapping, key: &str) -> Result<Option<Mapping>, String> {
    match outer.get(key) {
        Some(YamlNode::Mapping(mapping)) => Ok(Some(mapping)),
        Some(node) if !node.as_scalar().is_some_and(Scalar::is_null) => Err(format!("its `{key}` is not a mapping")),
        _ => Ok(None),
    }
}

fn yaml_mapping_or_set(outer: &Mapping, key: &str) -> Result<Mapping, String> {
    if yaml_mapping(outer, key)?.is_none() {
        outer.set(key, Mapping::new());
    }
    outer.get_mapping(key).ok_or_else(|| format!("its `{key}` cannot be set"))
}

fn json_of_yaml(node: &YamlNode) -> Value {
    match node {
        YamlNode::Mapping(mapping) => {
            let key = |key: &YamlNode| key.as_scalar().map_or_else(|| key.to_string(), Scalar::as_string);
            mapping.iter().map(|(name, value)| (key(&name), json_of_yaml(&value))).collect::<Object>().into()
        }
        YamlNode::Sequence(elements) => elements.values().map(|element| json_of_yaml(&element)).collect(),
        YamlNode::Scalar(scalar) => {
            let (text, is_plain) = (scalar.as_string(), !scalar.is_quoted() && !scalar.is_block());
            serde_json::from_str(&text).ok().filter(|_| is_plain).unwrap_or_else(|| text.into())
        }
        other => other.to_string().into(),
    }
}
