//! The content of the contract file: for each tool, the schemas of its arguments and result, its questions, and its use
//! of tasks. The schemas are written in a form in which equal schemas have equal text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::comparison::{Side, breaks};
use crate::Dispatcher;
use crate::arguments::canonical::make_canonical;
use crate::ask::CompiledQuestion;
use crate::dispatcher::ToolEntry;
use crate::json::reader;
use crate::schema::accepted::Types;
use crate::schema::normalise::is_annotation;
use crate::schema::project::{Shape, shape};
use crate::schema::{HEADER, walk};
use crate::tool::metadata::TaskUse;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lock {
    /// The version of the file format.
    contract: u32,
    tools: BTreeMap<String, Published>,
}

/// What the file says about one tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    arguments: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    /// The questions that the tool asks its user, by their keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    questions: Questions,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    task: Option<TaskUse>,
    /// The former names of the tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    formerly: Vec<String>,
    /// The current names of arguments, by their former names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    former_arguments: BTreeMap<String, String>,
}

const VERSION: u32 = 1;

impl Lock {
    pub(super) fn of(dispatcher: &Dispatcher) -> Self {
        let mut lock = Self { contract: VERSION, tools: BTreeMap::new() };
        for (entry, tool) in dispatcher.entries().iter().zip(dispatcher.list_all()) {
            let published = Published {
                arguments: canonical(&tool.input_schema),
                result: tool.output_schema.as_ref().map(canonical),
                questions: questions(entry),
                task: entry.handler.metadata().task,
                formerly: entry.metadata.former_names.clone(),
                former_arguments: entry.aliases.iter().map(|(old, name)| ((*old).into(), (**name).into())).collect(),
            };
            lock.tools.insert(tool.name.clone(), published);
        }
        lock
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        // Editors on Windows may add a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let version = serde_json::from_str::<Value>(text).ok().and_then(|lock| lock["contract"].as_u64());
        if let Some(other) = version.filter(|version| *version != u64::from(VERSION)) {
            return Err(format!("has the format {other}, and this version of the crate reads format {VERSION}"));
        }
        let mut lock: Self = serde_json::from_str(text).map_err(|error| format!("is not a contract: {error}"))?;
        // After a merge, a tool can be in the file twice. `serde_json` silently keeps only the last entry, but
        // `read_text` reports the duplicate key.
        if let Err(twice) = reader::read_text(text) {
            return Err(format!("is not a contract: {}: {}", twice.path, twice.message));
        }
        // The file may have been written by another version of this crate, or by hand, so its schemas may not be
        // canonical.
        for published in lock.tools.values_mut() {
            published.arguments = canonical(&published.arguments);
            published.result = published.result.as_ref().map(canonical);
            for question in published.questions.values_mut() {
                question.schema = canonical(&question.schema);
            }
        }
        Ok(lock)
    }

    /// Returns the text of the contract file. Each property has its own line, so that differences are readable.
    pub(super) fn to_text(&self) -> String {
        // This cannot fail, because every map in a `Lock` has string keys.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Returns the changes from this contract to `now` that break clients or may break them.
    pub(super) fn breaks(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (name, then) in &self.tools {
            let Some(tool) = now.called(name) else {
                let help = "if it was renamed, put the old name into the tool's `formerly`";
                found.push(format!("tool `{name}`: it is gone; {help}"));
                continue;
            };
            let mut tools = vec![(name, tool)];
            for old in &then.formerly {
                match now.called(old) {
                    None => found.push(format!("tool `{name}`: its former name `{old}` is gone")),
                    Some(other) if std::ptr::eq(other, tool) => {}
                    Some(other) => tools.push((old, other)),
                }
            }
            for (name, tool) in tools {
                let changes = then.with_present_names(tool).changes(tool);
                found.extend(changes.into_iter().map(|text| format!("tool `{name}`{text}")));
            }
        }
        found
    }

    /// Returns the tool that has this name, or had it before.
    fn called(&self, name: &String) -> Option<&Published> {
        self.tools.get(name).or_else(|| self.tools.values().find(|tool| tool.formerly.contains(name)))
    }
}

impl Published {
    /// Returns this entry, but with the current name of each argument that is still accepted under its old name.
    fn with_present_names(&self, now: &Self) -> Cow<'_, Self> {
        let mut then = Cow::Borrowed(self);
        for (old, name) in &now.former_arguments {
            if !then.has(old) || now.has(old) || then.has(name) {
                continue;
            }
            let arguments = &mut then.to_mut().arguments;
            let renamed = arguments["properties"].as_object_mut().and_then(|properties| properties.shift_remove(old));
            arguments["properties"][name] = renamed.unwrap_or_default();
            for required in arguments.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten() {
                if required == old {
                    *required = name.as_str().into();
                }
            }
        }
        then
    }

    /// Returns `true` if the tool has an argument of this name.
    fn has(&self, argument: &str) -> bool {
        self.arguments["properties"].get(argument).is_some()
    }

    /// Returns the present name of the argument that has this name, or had it before.
    fn argument_called<'a>(&'a self, name: &'a String) -> Option<&'a String> {
        if self.has(name) { Some(name) } else { self.former_arguments.get(name) }
    }

    fn changes(&self, now: &Self) -> Vec<String> {
        let mut found = breaks(Side::Arguments, &self.arguments, &now.arguments);
        for (old, name) in &self.former_arguments {
            match (now.argument_called(name), now.argument_called(old)) {
                (Some(_), None) => found.push(format!(", argument `{name}`: its former name `{old}` is gone")),
                (Some(then), Some(now)) if then != now => {
                    found.push(format!(", argument `{name}`: its former name `{old}` leads to `{now}` now"));
                }
                _ => {}
            }
        }
        found.extend(question_breaks(&self.questions, &now.questions, &self.arguments));
        if now.task == Some(TaskUse::Required) && self.task != now.task {
            found.push(": it requires clients that support tasks".to_owned());
        }
        match (&self.result, &now.result) {
            (None, _) => {}
            (Some(_), None) => found.push(", result: its schema is gone, and so is the structured value".to_owned()),
            (Some(then), Some(now)) => {
                let wrapped = |schema| shape(schema) == Shape::NotObject;
                if wrapped(then) != wrapped(now) {
                    let (was, is) = if wrapped(then) { ("was", "is not") } else { ("was not", "is") };
                    found.push(format!(", result: for older clients it {was} wrapped in `result`, and now it {is}"));
                }
                found.extend(breaks(Side::Result, then, now));
            }
        }
        found
    }
}

/// Returns a form of the schema that has equal text for equal schemas. It lacks the keywords that do not change which
/// values the schema accepts.
pub(super) fn canonical(schema: &Value) -> Value {
    let mut schema = schema.clone();
    walk::visit_keywords_mut(&mut schema, &mut |schema| {
        schema.retain(|keyword, _| keyword == HEADER || !is_silent(keyword));
        // The order of these arrays has no meaning.
        for keyword in ["required", "type"] {
            if let Some(Value::Array(set)) = schema.get_mut(keyword) {
                set.sort_by_cached_key(Value::to_string);
            }
        }
        list_constants(schema);
    });
    make_canonical(&mut schema);
    schema
}

/// Returns `true` for a keyword that does not change which values a schema accepts.
fn is_silent(keyword: &str) -> bool {
    is_annotation(keyword) || keyword == "contentMediaType"
}

/// Writes a union of constants as an `enum`. The schema of a Rust enum with unit variants is a union if a variant has
/// documentation, and otherwise an `enum`.
fn list_constants(schema: &mut Map<String, Value>) {
    for keyword in ["oneOf", "anyOf"] {
        if schema.contains_key("enum") || schema.contains_key("const") {
            return;
        }
        let branches = schema.get(keyword).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let Some(values) = branches.iter().map(constants).collect::<Option<Vec<_>>>() else { continue };
        let values: Vec<_> = values.into_iter().flatten().cloned().collect();
        // A `oneOf` refuses a value that is in two of its branches, but an `enum` would accept that value. So do not
        // rewrite the union if a value occurs twice.
        let is_new = |at: usize| !values[..at].contains(&values[at]);
        // Accept only strings and integers. `1` and `1.0` are the same value, but `is_new` does not know that, and
        // lists and objects may contain such numbers.
        let is_plain = |value: &Value| value.is_string() || value.is_i64() || value.is_u64();
        if !values.is_empty() && values.iter().all(is_plain) && (0..values.len()).all(is_new) {
            schema.shift_remove(keyword);
            schema.insert("enum".to_owned(), values.into());
        }
    }
}

/// Returns the values of a schema that has only `const` or `enum`, annotations, and perhaps the type of these values.
/// Returns `None` for any other schema.
fn constants(schema: &Value) -> Option<Vec<&Value>> {
    let schema = schema.as_object()?;
    let values: Vec<_> = match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
        (Some(only), None) => vec![only],
        (None, Some(values)) => values.iter().collect(),
        _ => return None,
    };
    let types = Types::of_keyword(schema.get("type"));
    // Ignore the annotations of a branch. They have not been removed yet, because a schema is visited before its
    // branches.
    let has_more =
        schema.keys().any(|keyword| !["const", "enum", "type"].contains(&keyword.as_str()) && !is_silent(keyword));
    (!has_more && values.iter().all(|value| Types::of_value(value).is_within(types))).then_some(values)
}

/// The questions of a tool, by their keys.
type Questions = BTreeMap<String, Question>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    kind: Kind,
    /// Whether the tool needs an answer before it can run.
    required: bool,
    schema: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Consent,
    Answer,
}

impl Question {
    /// Returns `true` if the form has a list, which protocol version 2025-06-18 does not allow.
    fn has_list(&self) -> bool {
        let properties = self.schema["properties"].as_object();
        properties.is_some_and(|properties| properties.values().any(|property| property["type"] == "array"))
    }

    /// Returns the changes that break clients, or may break them, when this question becomes `now`.
    fn breaks(&self, now: &Self) -> Vec<String> {
        let mut found = match (self.kind, now.kind) {
            (Kind::Consent, Kind::Answer) => vec![": it was a consent, and asks for something else now".to_owned()],
            (Kind::Answer, Kind::Consent) => vec![": it is a consent now".to_owned()],
            (Kind::Consent, Kind::Consent) => Vec::new(),
            (Kind::Answer, Kind::Answer) => breaks(Side::Answer, &self.schema, &now.schema),
        };
        if self.kind == now.kind && now.has_list() && !self.has_list() {
            found.push(": clients of 2025-06-18 cannot show its form any more, because of a list".to_owned());
        }
        if now.required && !self.required {
            found.push(": the tool could do without an answer, and needs one now".to_owned());
        }
        found
    }
}

fn questions(tool: &ToolEntry) -> Questions {
    let published = |question: &CompiledQuestion| Question {
        kind: if question.spec.is_consent { Kind::Consent } else { Kind::Answer },
        required: !question.spec.is_optional,
        schema: canonical(question.form.schema()),
    };
    tool.questions().iter().map(|question| (question.spec.key.to_owned(), published(question))).collect()
}

/// Returns the changes to a tool's questions that break clients or may break them. `arguments` is the old schema of the
/// tool's arguments.
fn question_breaks(then: &Questions, now: &Questions, arguments: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (key, question) in now {
        let texts = match then.get(key) {
            Some(known) => known.breaks(question),
            None if arguments["properties"].get(key).is_some() => {
                vec![": it was an argument, and the user is asked for it now".to_owned()]
            }
            None if question.required => vec![": it is new, and the tool needs an answer".to_owned()],
            None => vec![": it is new".to_owned()],
        };
        found.extend(texts.into_iter().map(|text| format!(", question `{key}`{text}")));
    }
    found
}
