//! Finds violations by following a document and its schema together, one branch of each union.
//!
//! `jsonschema` collects the errors of every branch at every depth before it returns the first. For unions that contain
//! themselves, the time for this grows exponentially with the depth; for other unions, it is too much in large documents.
//! Here each value is looked at once. If its tag, its type or its required properties select a branch, only that branch is
//! followed. Otherwise the violation lists the branches.

use jsonschema::ValidatorMap;
use serde_json::{Value, json};

use super::adapter::TapeJson;
use super::messages;
use crate::document::json_pointer::escape_token;
use crate::document::path::{Path, Step};
use crate::document::tape::{Item, View};
use crate::document::violation::Violation;
use crate::schema::branch::{Branch, select_branch};
use crate::schema::walk::{self, keyword};

/// The unions in a schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unions {
    pub(super) exist: bool,
    /// Whether there are references too, so that a union may contain itself.
    pub(super) may_recurse: bool,
}

impl Unions {
    pub(super) fn of(schema: &Value) -> Self {
        let (mut unions, mut references) = (false, false);
        walk::visit(schema, &mut |subschema| {
            unions |= keyword(subschema, "anyOf").is_some() || keyword(subschema, "oneOf").is_some();
            references |= keyword(subschema, "$ref").is_some();
        });
        Self { exist: unions, may_recurse: unions && references }
    }
}

/// Returns the violations of a document that the schema refuses. `validators` are those of all subschemas.
pub(super) fn violations(validators: &ValidatorMap<TapeJson>, schema: &Value, document: View<'_>) -> Vec<Violation> {
    let mut search = Search { validators, schema, violations: Vec::new() };
    search.visit("", document, &Path::default());
    if search.violations.is_empty() {
        search.violations.push(Violation::root("does not match the published schema"));
    }
    search.violations
}

struct Search<'s> {
    validators: &'s ValidatorMap<TapeJson>,
    schema: &'s Value,
    violations: Vec<Violation>,
}

impl<'s> Search<'s> {
    /// Adds the violations of a value against the subschema at a JSON Pointer.
    fn visit(&mut self, pointer: &str, view: View<'_>, path: &Path) {
        if self.violations.len() >= messages::MAX_VIOLATIONS {
            return;
        }
        let Some(subschema) = self.schema.pointer(pointer) else { return };
        // If the pointer is not found, the value is skipped, so that no valid value is ever reported.
        let Some(validator) = self.validators.get(&format!("#{pointer}")).filter(|validator| !validator.is_valid(view))
        else {
            return;
        };
        let before = self.violations.len();
        if let Some(target) = subschema["$ref"].as_str().and_then(|target| target.strip_prefix('#')) {
            self.visit(target, view, path);
        }
        for index in 0..subschema["allOf"].as_array().map_or(0, Vec::len) {
            self.visit(&format!("{pointer}/allOf/{index}"), view, path);
        }
        if let Some(condition) = self.validators.get(&format!("#{pointer}/if")) {
            let outcome = if condition.is_valid(view) { "then" } else { "else" };
            self.visit(&format!("{pointer}/{outcome}"), view, path);
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(schemas) = subschema[keyword].as_array() else { continue };
            let branches: Vec<_> = schemas.iter().map(|branch| Branch::of(branch, self.schema)).collect();
            if let Some(index) = select_branch(view, branches.iter().zip(0..)) {
                self.visit(&format!("{pointer}/{keyword}/{index}"), view, path);
            } else {
                let violation = messages::no_branch(path.clone(), schemas, self.schema, view.describe_type());
                self.violations.push(violation);
            }
        }
        match view.item() {
            Item::Object(_) => self.visit_properties(pointer, subschema, view, path),
            Item::Array(elements) => {
                let prefix_len = subschema["prefixItems"].as_array().map_or(0, Vec::len);
                for (index, element) in elements.enumerate() {
                    let element_pointer = if index < prefix_len {
                        format!("{pointer}/prefixItems/{index}")
                    } else {
                        format!("{pointer}/items")
                    };
                    let mut path = path.clone();
                    path.push(Step::Index(index));
                    self.visit(&element_pointer, element, &path);
                }
            }
            // Scalars have no values below them, so collecting the errors of `jsonschema` is cheap.
            _ => {
                if self.violations.len() == before {
                    let found = messages::violations(validator.iter_errors(view), view, subschema);
                    self.violations.extend(
                        found.into_iter().map(|violation| Violation { path: path.join(&violation.path), ..violation }),
                    );
                }
            }
        }
        if self.violations.len() == before {
            self.violations.push(Violation::new(path.clone(), "does not match the published schema"));
        }
    }

    fn visit_properties(&mut self, pointer: &str, subschema: &'s Value, view: View<'_>, path: &Path) {
        let Some(properties) = view.properties() else { return };
        for name in subschema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if view.get(name).is_none() {
                self.violations.push(Violation::new(path.property(name), "required, but missing"));
            }
        }
        let known = subschema["properties"].as_object();
        let additional = &subschema["additionalProperties"];
        let is_closed = *additional == false || *additional == json!({"not": {}});
        for (name, value) in properties {
            if known.is_some_and(|known| known.contains_key(name)) {
                self.visit(&format!("{pointer}/properties/{}", escape_token(name)), value, &path.property(name));
            } else if is_closed {
                let names = known.into_iter().flatten().map(|(name, _)| name.as_str());
                self.violations.push(Violation::unknown_property(path, name, names));
            } else if additional.is_object() {
                self.visit(&format!("{pointer}/additionalProperties"), value, &path.property(name));
            }
        }
    }
}
