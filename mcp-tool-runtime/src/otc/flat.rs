//! A schema without `$ref`, for a protocol that has none.

use serde_json::{Map, Value, json};

use super::definition::notes;
use crate::schema::{reference, walk};

/// How many schemas may be written out in place of references.
const MOST: usize = 2_000;

/// The schema with what it refers to in place of each reference. Where a type contains itself, or there is too much to
/// write, only the kind of thing is said.
pub(super) fn flat(root: &Value) -> Value {
    let mut schema = root.clone();
    let mut writer = Writer { root, within: Vec::new(), left: MOST };
    writer.write_out(&mut schema);
    schema
}

struct Writer<'s> {
    root: &'s Value,
    /// The references that are being written out.
    within: Vec<String>,
    left: usize,
}

impl Writer<'_> {
    fn write_out(&mut self, schema: &mut Value) {
        for keyword in ["$defs", "definitions", "$schema"] {
            schema.as_object_mut().and_then(|schema| schema.shift_remove(keyword));
        }
        let Some(reference) = schema.get("$ref").and_then(Value::as_str).map(str::to_owned) else {
            for (_, child) in walk::children_mut(schema) {
                self.write_out(child);
            }
            return;
        };
        let target = reference::resolve(self.root, &reference).cloned().unwrap_or_else(|| json!({}));
        let again = self.left == 0 || self.within.contains(&reference);
        let mut target = if again { kind(&target) } else { target };
        if !again {
            self.left -= 1;
            self.within.push(reference);
            self.write_out(&mut target);
            self.within.pop();
        }
        let Some(beside) = schema.as_object_mut() else { return };
        beside.shift_remove("$ref");
        match target {
            Value::Object(mut target) if notes(beside) => {
                target.extend(std::mem::take(beside));
                *schema = target.into();
            }
            target => {
                let mut beside = Value::Object(std::mem::take(beside));
                for (_, child) in walk::children_mut(&mut beside) {
                    self.write_out(child);
                }
                *schema = json!({"allOf": [target, beside]});
            }
        }
    }
}

/// What is said of a type that is not written out.
fn kind(schema: &Value) -> Value {
    let members = schema.as_object().into_iter().flatten();
    let told = members.filter(|(key, _)| ["type", "title", "description"].contains(&key.as_str()));
    Value::Object(told.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}
