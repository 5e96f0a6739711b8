//! Finds properties that the schema requires and the type does not, or the other way round.
//!
//! serde and schemars decide separately what may be absent. They disagree about fields that `#[serde(with)]`,
//! `#[schemars(with)]` or `#[schemars(schema_with)]` changes for only one of them. The attributes of this crate fix
//! that for parameters, but cannot see into the author's types. So this check reads made-up arguments, with the
//! property and without it.

use serde_json::{Map, Value, json};

use super::super::complexity::strings;
use super::super::{Finding, Reader, Severity};
use crate::json::path::escape_token;
use crate::mcp;
use crate::schema::reference;

/// The limit is for recursive types, which have no end. No tool has so many properties that it matters otherwise.
const MAX_CHECKS: usize = 1_000;
const MAX_DEPTH: usize = 6;

/// Returns a finding for each property whose absence the schema and the type judge differently. `accepts` reads arguments into the
/// type. Properties for which no valid value can be made up are left out.
pub(crate) fn presence(tool: &mcp::Tool, accepts: &dyn Fn(&Value) -> bool) -> Vec<Finding> {
    let mut search = Search { tool, accepts, checks: 0, findings: Vec::new() };
    search.visit(&tool.input_schema, &mut Vec::new(), "/inputSchema");
    search.findings
}

struct Search<'s> {
    tool: &'s mcp::Tool,
    accepts: &'s dyn Fn(&Value) -> bool,
    checks: usize,
    findings: Vec<Finding>,
}

impl<'s> Search<'s> {
    /// Checks the properties of a schema, and of the schemas in it. `path` leads to its value.
    fn visit(&mut self, schema: &'s Value, path: &mut Vec<&'s str>, pointer: &str) {
        if path.len() > MAX_DEPTH {
            return;
        }
        let schema = reference::follow(schema, &self.tool.input_schema);
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let is_required = strings(schema, "required").any(|other| other == name);
            let pointer = format!("{pointer}/properties/{}", escape_token(name));
            self.check(path, name, is_required, &pointer);
            path.push(name);
            self.visit(property, path, &pointer);
            path.pop();
        }
        if let Some(items) = schema.get("items") {
            path.push("items");
            self.visit(items, path, &format!("{pointer}/items"));
            path.pop();
        }
    }

    fn check(&mut self, path: &[&'s str], name: &'s str, is_required: bool, pointer: &str) {
        self.checks += 1;
        if self.checks > MAX_CHECKS {
            return;
        }
        let with_name = [path, &[name]].concat();
        // A type can require more than the schema does, so it may refuse minimal arguments because some other property
        // is missing.
        let samples = [false, true]
            .into_iter()
            .filter_map(|with_optional| sample(&self.tool.input_schema, &with_name, with_optional));
        let Some(with) = samples.into_iter().find(|with| (self.accepts)(with)) else { return };
        let mut without = with;
        if object_at(&mut without, path).and_then(|object| object.shift_remove(name)).is_none() {
            return;
        }
        let problem = match (is_required, (self.accepts)(&without)) {
            (true, true) => "the schema requires it, and the type accepts a call without it",
            (false, false) => "the schema does not require it, and the type refuses a call without it",
            _ => return,
        };
        let rule = ("presence", if is_required { Severity::Advice } else { Severity::Lost });
        let help = "write `#[serde(default)]` on the field if it may be absent";
        self.findings.push(Finding::new(Reader::Server, &self.tool.name, rule, pointer.to_owned(), problem, help));
    }
}

/// Returns the object that a path leads to.
fn object_at<'v>(value: &'v mut Value, path: &[&str]) -> Option<&'v mut Map<String, Value>> {
    let step = |value: &'v mut Value, name: &&str| match value {
        Value::Array(elements) => elements.first_mut(),
        value => value.get_mut(*name),
    };
    path.iter().try_fold(value, step)?.as_object_mut()
}

/// References and objects nest at most this deep. A recursive type has a shallow value, or none.
const MAX_SAMPLE_DEPTH: usize = 12;

/// Optional properties are made up only down to this depth.
const MAX_OPTIONAL_DEPTH: usize = 4;

/// Returns arguments that contain the value at a path: the names of properties, and any text for the first element of an array.
/// `None` if the schema is too complicated, for example because of a `pattern`.
fn sample(root: &Value, path: &[&str], with_optional: bool) -> Option<Value> {
    Sampler { root, with_optional }.value(root, path, 0)
}

struct Sampler<'s> {
    root: &'s Value,
    /// Include optional properties, where a value for them can be made up.
    with_optional: bool,
}

impl Sampler<'_> {
    fn value(&self, schema: &Value, path: &[&str], depth: usize) -> Option<Value> {
        if depth > MAX_SAMPLE_DEPTH {
            return None;
        }
        if let Some(text) = schema["$ref"].as_str() {
            return self.value(reference::resolve(self.root, text)?, path, depth + 1);
        }
        if path.is_empty() {
            let listed = |keyword: &str| schema[keyword].as_array()?.first();
            let given = schema.get("const").or_else(|| listed("enum")).or_else(|| listed("examples"));
            if let Some(given) = given.or_else(|| schema.get("default")) {
                return Some(given.clone());
            }
        }
        let branches = ["anyOf", "oneOf"].into_iter().find_map(|union| schema[union].as_array());
        let has_properties = schema.get("properties").is_some();
        match branches {
            Some(branches) if !has_properties => branches.iter().find_map(|branch| self.value(branch, path, depth + 1)),
            Some(_) => None,
            None if schema.get("allOf").is_some() || schema.get("not").is_some() => None,
            None => self.of_type(schema, path, depth),
        }
    }

    fn of_type(&self, schema: &Value, path: &[&str], depth: usize) -> Option<Value> {
        let types = &schema["type"];
        let mut names = types.as_array().map_or_else(|| std::slice::from_ref(types), Vec::as_slice).iter();
        let name = names.find_map(|name| name.as_str().filter(|name| *name != "null"));
        match (name, path) {
            (Some("object"), _) => self.object(schema, path, depth),
            (Some("array"), _) => self.array(schema, path, depth),
            (Some("string"), []) => string(schema).map(Value::String),
            (Some("integer"), []) => Some(integer(schema)),
            (Some("number"), []) => Some(number(schema)),
            (Some("boolean"), []) => Some(json!(false)),
            (None, []) if schema.get("type").is_some() => Some(Value::Null),
            (None, []) => Some(json!("a")),
            _ => None,
        }
    }

    fn object(&self, schema: &Value, path: &[&str], depth: usize) -> Option<Value> {
        let (first, rest) = path.split_first().unzip();
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut object = Map::new();
        for name in required.chain(first.copied()) {
            let path = rest.filter(|_| first == Some(&name)).unwrap_or_default();
            object.insert(name.to_owned(), self.value(schema["properties"].get(name)?, path, depth + 1)?);
        }
        if self.with_optional && depth <= MAX_OPTIONAL_DEPTH {
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                if !object.contains_key(name)
                    && let Some(value) = self.value(property, &[], depth + 1)
                {
                    object.insert(name.clone(), value);
                }
            }
        }
        Some(Value::Object(object))
    }

    fn array(&self, schema: &Value, path: &[&str], depth: usize) -> Option<Value> {
        if let Some(elements) = schema["prefixItems"].as_array() {
            let elements = elements.iter().map(|element| self.value(element, &[], depth + 1));
            return path.is_empty().then(|| elements.collect::<Option<_>>().map(Value::Array))?;
        }
        let rest = path.get(1..).unwrap_or_default();
        let least = schema["minItems"].as_u64().unwrap_or(0).max(u64::from(!path.is_empty()));
        if least > 64 || least > 1 && schema["uniqueItems"] == true {
            return None;
        }
        let elements = (0..least).map(|_| self.value(schema.get("items")?, rest, depth + 1));
        elements.collect::<Option<_>>().map(Value::Array)
    }
}

fn string(schema: &Value) -> Option<String> {
    if schema.get("pattern").is_some() {
        return None;
    }
    let text = match schema["format"].as_str() {
        None => {
            return "a".repeat(usize::try_from(schema["minLength"].as_u64().unwrap_or(0)).ok()?.clamp(1, 1_000)).into();
        }
        Some("date") => "2024-02-29",
        Some("time") => "12:00:00Z",
        Some("date-time") => "2024-02-29T12:00:00Z",
        Some("duration") => "PT1S",
        Some("uuid") => "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        Some("email") => "a@example.com",
        Some("uri") => "https://example.com/",
        Some("hostname") => "example.com",
        Some("ipv4") => "192.0.2.1",
        Some("ipv6") => "2001:db8::1",
        Some(_) => return None,
    };
    Some(text.to_owned())
}

fn integer(schema: &Value) -> Value {
    let bound = |keyword: &str| schema[keyword].as_i64();
    let least = bound("minimum").or_else(|| Some(bound("exclusiveMinimum")? + 1)).unwrap_or(0).max(0);
    let most = bound("maximum").or_else(|| Some(bound("exclusiveMaximum")? - 1)).unwrap_or(i64::MAX);
    let step = schema["multipleOf"].as_i64().unwrap_or(1).max(1);
    json!((least.saturating_add(step - 1) / step * step).min(most))
}

fn number(schema: &Value) -> Value {
    let bound = |keyword: &str| schema[keyword].as_f64();
    let least = bound("minimum").or_else(|| Some(bound("exclusiveMinimum")? + 0.5)).unwrap_or(0.0).max(0.0);
    let most = bound("maximum").or_else(|| Some(bound("exclusiveMaximum")? - 0.5)).unwrap_or(f64::MAX);
    json!(least.min(most))
}
