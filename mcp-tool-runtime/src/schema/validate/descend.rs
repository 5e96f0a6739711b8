//! Finds violations by following a document and its schema together, one branch of each union.
//!
//! `jsonschema` collects the errors of every value and every branch before it returns the first. That is too much in a large
//! document, and for unions that contain themselves the time for it grows exponentially with the depth.
//! Here the search ends when enough violations are found, and each value is validated once for each invalid value around it, up to
//! a number of steps that is proportional to the document. If its tag, its type or its required properties select a branch of a
//! union, only that branch is followed. Otherwise the violation lists the branches.

use jsonschema::{Validator, ValidatorMap};
use serde_json::{Map, Value, json};

use super::adapter::TapeJson;
use super::messages;
use crate::document::json_pointer::escape_token;
use crate::document::path::{Path, Step};
use crate::document::tape::{Item, Slot, View};
use crate::document::violation::{MAX_FOUND, Violation};
use crate::schema::branch::{Branch, select_branch};
use crate::schema::walk::{self, keyword};

/// Returns `true` if the schema has unions and references, so that a union may contain itself.
pub(super) fn unions_may_recurse(schema: &Value) -> bool {
    let (mut unions, mut references) = (false, false);
    walk::visit(schema, &mut |subschema| {
        unions |= keyword(subschema, "anyOf").is_some() || keyword(subschema, "oneOf").is_some();
        references |= keyword(subschema, "$ref").is_some();
    });
    unions && references
}

/// Returns the violations of a document that the schema refuses. `validators` are those of all subschemas.
pub(super) fn violations(validators: &ValidatorMap<TapeJson>, schema: &Value, document: View<'_>) -> Vec<Violation> {
    let steps = MIN_STEPS + STEPS_PER_SLOT * document.slot_count();
    let mut search = Search { validators, schema, steps, violations: Vec::new() };
    search.visit("", document, &Path::default());
    if search.violations.is_empty() {
        search.violations.push(Violation::root("does not match the published schema"));
    }
    search.violations
}

/// The steps for every document. The search in a document that is not large is complete, however deep it is.
const MIN_STEPS: usize = 65_536;

/// The additional steps for each slot. A violation in the middle of a large document that is more levels deep may be reported for a
/// value around it.
const STEPS_PER_SLOT: usize = 8;

/// The keywords that a value meets or fails on its own, whatever the values inside it.
const OWN_KEYWORDS: [&str; 10] = [
    "type",
    "enum",
    "const",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
];

struct Search<'s> {
    validators: &'s ValidatorMap<TapeJson>,
    schema: &'s Value,
    /// The steps that are left. Validating a value takes one for each of its slots.
    steps: usize,
    violations: Vec<Violation>,
}

impl<'s> Search<'s> {
    /// Adds the violations of a value against the subschema at a JSON Pointer.
    fn visit(&mut self, pointer: &str, view: View<'_>, path: &Path) {
        if self.is_over() {
            return;
        }
        let Some(subschema) = self.schema.pointer(pointer) else { return };
        self.steps = self.steps.saturating_sub(view.slot_count());
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
            Item::Array(elements) if !self.is_over() => {
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
                    if self.is_over() {
                        break;
                    }
                }
            }
            Item::Array(_) => {}
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
            self.visit_own_keywords(subschema, view, path);
        }
        if self.violations.len() == before {
            self.violations.push(Violation::new(path.clone(), "does not match the published schema"));
        }
    }

    /// Returns `true` if enough violations are found, or no steps are left.
    fn is_over(&self) -> bool {
        self.violations.len() >= MAX_FOUND || self.steps == 0
    }

    /// Adds the violations of the keywords that are not about the values inside an array or an object.
    fn visit_own_keywords(&mut self, subschema: &Value, view: View<'_>, path: &Path) {
        let own = subschema.as_object().into_iter().flatten();
        let own = own.filter(|(keyword, _)| OWN_KEYWORDS.contains(&keyword.as_str()));
        let own = Value::Object(own.map(|(keyword, value)| (keyword.clone(), value.clone())).collect::<Map<_, _>>());
        let Ok(validator) = super::options().build(&own) else { return };
        self.steps = self.steps.saturating_sub(view.slot_count());
        let found = messages::violations(validator.iter_errors(view), view, &own);
        self.violations
            .extend(found.into_iter().map(|violation| Violation { path: path.join(&violation.path), ..violation }));
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
        let patterns = Patterns::of(subschema);
        for (name, value) in properties {
            if self.is_over() {
                return;
            }
            let mut has_pattern = false;
            for pattern in patterns.matching(name) {
                has_pattern = true;
                let pointer = format!("{pointer}/patternProperties/{}", escape_token(pattern));
                self.visit(&pointer, value, &path.property(name));
            }
            if known.is_some_and(|known| known.contains_key(name)) {
                self.visit(&format!("{pointer}/properties/{}", escape_token(name)), value, &path.property(name));
            } else if has_pattern {
                // The other keywords are about the properties that match no pattern.
            } else if is_closed {
                let names = known.into_iter().flatten().map(|(name, _)| name.as_str());
                self.violations.push(Violation::unknown_property(path, name, names));
            } else if additional.is_object() {
                self.visit(&format!("{pointer}/additionalProperties"), value, &path.property(name));
            }
        }
    }
}

/// The `patternProperties` of a schema.
struct Patterns<'s>(Vec<(&'s str, Validator<TapeJson>)>);

impl<'s> Patterns<'s> {
    fn of(subschema: &'s Value) -> Self {
        let patterns = subschema["patternProperties"].as_object().into_iter().flatten();
        let compiled = |(pattern, _): (&'s String, _)| {
            Some((pattern.as_str(), super::options().build(&json!({ "pattern": pattern })).ok()?))
        };
        Self(patterns.filter_map(compiled).collect())
    }

    fn matching(&self, name: &str) -> impl Iterator<Item = &'s str> {
        let name = [Slot::String(name.into())];
        self.0
            .iter()
            .filter(move |(_, validator)| validator.is_valid(View::of_slots(&name)))
            .map(|(pattern, _)| *pattern)
    }
}
