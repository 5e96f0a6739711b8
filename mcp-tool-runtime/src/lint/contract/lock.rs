//! The content of the contract file: the schemas of each tool's arguments and result.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::canonical;
use super::questions::Question;
use super::rules::{Side, breaks};
use crate::Dispatcher;
use crate::json::reader;
use crate::schema::project::{Shape, shape};
use crate::tool::metadata::TaskUse;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lock {
    /// The version of the file format.
    contract: u32,
    tools: BTreeMap<String, Published>,
}

/// The schemas of one tool.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    arguments: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    /// What the tool asks its user, by the keys of the questions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    questions: BTreeMap<String, Question>,
    /// How the tool uses tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    task: Option<TaskUse>,
}

const VERSION: u32 = 1;

impl Lock {
    pub(super) fn of(dispatcher: &Dispatcher) -> Self {
        let tools = dispatcher.entries().iter().zip(dispatcher.list()).map(|(entry, tool)| {
            let published = Published {
                arguments: canonical::schema(&tool.input_schema),
                result: tool.output_schema.as_ref().map(canonical::schema),
                questions: super::questions::of(entry),
                task: entry.handler.metadata().task,
            };
            (tool.name.clone(), published)
        });
        Self { contract: VERSION, tools: tools.collect() }
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        // Editors on Windows may add a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let mut lock: Self = serde_json::from_str(text).map_err(|error| format!("is not a contract: {error}"))?;
        // A tool can be in the file twice after a merge. Only one of the two would be checked.
        if let Err(twice) = reader::read_text(text) {
            return Err(format!("is not a contract: {}: {}", twice.path, twice.message));
        }
        if lock.contract != VERSION {
            return Err(format!(
                "has the format {}, and this version of the crate reads format {VERSION}",
                lock.contract
            ));
        }
        // The file may have been written by another version of this crate, or by hand.
        for published in lock.tools.values_mut() {
            published.arguments = canonical::schema(&published.arguments);
            published.result = published.result.as_ref().map(canonical::schema);
            for question in published.questions.values_mut() {
                question.schema = canonical::schema(&question.schema);
            }
        }
        Ok(lock)
    }

    /// Writes one property a line, so that differences are readable.
    pub(super) fn to_text(&self) -> String {
        // A map from strings to values always serializes.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Returns what of this contract `now` breaks.
    pub(super) fn breaks(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (name, then) in &self.tools {
            match now.tools.get(name) {
                Some(now) => found.extend(then.changes(now).into_iter().map(|text| format!("tool `{name}`{text}"))),
                None => found.push(format!("tool `{name}`: {}", self.disappearance(then, now))),
            }
        }
        found
    }

    /// Returns what has happened to a tool whose name is gone: it is renamed if a new name has the same schemas.
    fn disappearance(&self, gone: &Published, now: &Self) -> String {
        let is_new = |name: &&String| !self.tools.contains_key(*name);
        let new: Vec<_> =
            now.tools.iter().filter(|(_, tool)| *tool == gone).map(|(name, _)| name).filter(is_new).collect();
        let is_gone = |name: &String| !now.tools.contains_key(name);
        let alike = self.tools.iter().filter(|(name, tool)| *tool == gone && is_gone(name)).count();
        match new.as_slice() {
            [] => "it is gone".to_owned(),
            [name] if alike == 1 => format!("it is renamed to `{name}`"),
            names => {
                let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("it is gone, or renamed to {}", names.join(" or "))
            }
        }
    }
}

impl Published {
    fn changes(&self, now: &Self) -> Vec<String> {
        let mut found = breaks(Side::Arguments, &self.arguments, &now.arguments);
        found.extend(super::questions::breaks(&self.questions, &now.questions, &self.arguments));
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
                found.extend(breaks(Side::Result, now, then));
            }
        }
        found
    }
}
