//! Finds properties that the schema requires and the type does not, or the other way round.
//!
//! serde and schemars decide separately what may be absent. They disagree about fields that `#[serde(with)]`, `#[schemars(with)]` or
//! `#[schemars(schema_with)]` replace in one of them only. The attributes of this crate mend that for parameters, but cannot see into
//! the author's types. So this check reads made-up arguments, with the property and without it.

use serde_json::{Map, Value};

use super::super::check::strings;
use super::super::{Finding, Reader, Severity};
use super::sample::sample;
use crate::json::path::escape_token;
use crate::mcp;
use crate::schema::reference;

/// No tool has so many properties that this matters. Recursive types have no end.
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
        // A type can require more than the schema, so small arguments may be refused for the lack of another property.
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
