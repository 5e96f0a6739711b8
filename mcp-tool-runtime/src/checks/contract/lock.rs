//! What stands in the file: of each tool, what it takes and what it gives.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::canonical;
use super::within::{Side, breaks};
use crate::mcp;
use crate::schema::project::{Shape, shape};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lock {
    /// The version of the form of the file.
    contract: u32,
    tools: BTreeMap<String, Published>,
}

/// What one tool is held to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    arguments: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
}

const VERSION: u32 = 1;

impl Lock {
    pub(super) fn of(tools: &[mcp::Tool]) -> Self {
        let published = |tool: &mcp::Tool| Published {
            arguments: canonical::schema(&tool.input_schema),
            result: tool.output_schema.as_ref().map(canonical::schema),
        };
        let tools = tools.iter().map(|tool| (tool.name.clone(), published(tool))).collect();
        Self { contract: VERSION, tools }
    }

    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let lock: Self = serde_json::from_str(text).map_err(|error| format!("is not a contract: {error}"))?;
        if lock.contract != VERSION {
            return Err(format!("has the form {}, and this version reads form {VERSION}", lock.contract));
        }
        Ok(lock)
    }

    /// A line for each member, so that differences can be read.
    pub(super) fn to_text(&self) -> String {
        // Maps of strings and values always serialise.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// What of this contract no longer holds.
    pub(super) fn breaks(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (name, then) in &self.tools {
            match now.tools.get(name) {
                Some(now) => found.extend(then.changes(now).into_iter().map(|text| format!("tool `{name}`{text}"))),
                None => found.push(format!("tool `{name}`: it is gone")),
            }
        }
        found
    }
}

impl Published {
    fn changes(&self, now: &Self) -> Vec<String> {
        let mut found = breaks(Side::Arguments, &self.arguments, &now.arguments);
        match (&self.result, &now.result) {
            (None, _) => {}
            (Some(_), None) => found.push(", result: its schema is gone, and with it the structured value".to_owned()),
            (Some(then), Some(now)) => {
                let wrapped = |schema| shape(schema) == Shape::NotObject;
                if wrapped(then) != wrapped(now) {
                    let (was, is) = if wrapped(then) { ("was", "is not") } else { ("was not", "is") };
                    found.push(format!(", result: to older clients it {was} sent inside `result`, and now {is}"));
                }
                found.extend(breaks(Side::Result, now, then));
            }
        }
        found
    }
}
