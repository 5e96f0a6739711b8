//! Removes `$ref` from a schema, since Open Tool Calling does not have it.

use serde_json::{Map, Value, json};

use crate::schema::{reference, walk};

/// The maximum number of references that are replaced by their schema.
const MAX_REPLACED: usize = 2_000;

/// Replaces each reference by the schema that it refers to. A type that contains itself, or a reference beyond the maximum,
/// is cut to its `type`, `title` and `description`.
pub(super) fn without_references(root: &Value) -> Value {
    let mut schema = root.clone();
    let mut writer = Writer { root, within: Vec::new(), left: MAX_REPLACED };
    writer.write_out(&mut schema);
    schema
}

struct Writer<'s> {
    root: &'s Value,
    /// The references that are being replaced, outermost first.
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
        let is_cut = self.left == 0 || self.within.contains(&reference);
        let mut target = if is_cut { summary(&target) } else { target };
        if !is_cut {
            self.left -= 1;
            self.within.push(reference);
            self.write_out(&mut target);
            self.within.pop();
        }
        let Some(siblings) = schema.as_object_mut() else { return };
        siblings.shift_remove("$ref");
        match target {
            Value::Object(mut target) if are_annotations(siblings) => {
                target.extend(std::mem::take(siblings));
                *schema = target.into();
            }
            target => {
                let mut siblings = Value::Object(std::mem::take(siblings));
                for (_, child) in walk::children_mut(&mut siblings) {
                    self.write_out(child);
                }
                *schema = json!({"allOf": [target, siblings]});
            }
        }
    }
}

/// Returns `true` if none of the keywords restricts the accepted values.
fn are_annotations(schema: &Map<String, Value>) -> bool {
    const ANNOTATIONS: [&str; 6] = ["$ref", "title", "description", "default", "examples", "deprecated"];
    schema.keys().all(|key| ANNOTATIONS.contains(&key.as_str()))
}

/// Returns the `type`, `title` and `description` of a schema.
fn summary(schema: &Value) -> Value {
    let keywords = schema.as_object().into_iter().flatten();
    let kept = keywords.filter(|(key, _)| ["type", "title", "description"].contains(&key.as_str()));
    Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}
