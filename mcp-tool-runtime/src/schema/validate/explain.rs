//! The faults of a document against a schema whose unions refer to themselves, or of a large one against any unions.
//!
//! To collect the errors of every branch at every depth takes time that grows with the power of the depth, and memory for
//! each error before the first is told. Here each
//! value is looked at once: of a union one branch is followed, if its tag, its type or its required members tell which,
//! and else the forms are named.

use jsonschema::ValidatorMap;
use serde_json::Value;

use super::{Document, Unions, wording};

use crate::document::json_pointer::escape_token;
use crate::document::path::{Path, Step};
use crate::document::tape::{Item, View};
use crate::document::violation::Violation;
use crate::schema::branch::{Branch, select_branch};
use crate::schema::walk::{self, keyword};

/// Whether a schema has unions, and whether it has references beside them.
pub(super) fn unions(schema: &Value) -> Unions {
    let (mut unions, mut references) = (false, false);
    walk::visit(schema, &mut |part| {
        unions |= keyword(part, "anyOf").is_some() || keyword(part, "oneOf").is_some();
        references |= keyword(part, "$ref").is_some();
    });
    Unions { has_any: unions, are_recursive: unions && references }
}

pub(super) fn faults(parts: &ValidatorMap<Document>, schema: &Value, document: View<'_>) -> Vec<Violation> {
    let mut search = Search { parts, schema, faults: Vec::new() };
    search.look("", document, &Path::default());
    if search.faults.is_empty() {
        search.faults.push(Violation::root("expected what the published schema admits"));
    }
    search.faults
}

struct Search<'s> {
    parts: &'s ValidatorMap<Document>,
    schema: &'s Value,
    faults: Vec<Violation>,
}

impl<'s> Search<'s> {
    /// Looks for the faults of a value against the part of the schema that a pointer leads to.
    fn look(&mut self, at: &str, view: View<'_>, path: &Path) {
        if self.faults.len() >= wording::MOST {
            return;
        }
        let Some(part) = self.schema.pointer(at) else { return };
        // A part whose name is written otherwise in a pointer is passed over: no value is called wrong that is not.
        let Some(validator) = self.parts.get(&format!("#{at}")).filter(|validator| !validator.is_valid(view)) else {
            return;
        };
        let before = self.faults.len();
        if let Some(target) = part["$ref"].as_str().and_then(|to| to.strip_prefix('#')) {
            self.look(target, view, path);
        }
        for index in 0..part["allOf"].as_array().map_or(0, Vec::len) {
            self.look(&format!("{at}/allOf/{index}"), view, path);
        }
        if let Some(condition) = self.parts.get(&format!("#{at}/if")) {
            let outcome = if condition.is_valid(view) { "then" } else { "else" };
            self.look(&format!("{at}/{outcome}"), view, path);
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(branches) = part[keyword].as_array() else { continue };
            let read: Vec<_> = branches.iter().map(|branch| Branch::of(branch, self.schema)).collect();
            match select_branch(view, read.iter().zip(0..)) {
                Some(index) => self.look(&format!("{at}/{keyword}/{index}"), view, path),
                None => self.faults.push(wording::no_branch(path.clone(), branches, self.schema, view.describe_type())),
            }
        }
        match view.item() {
            Item::Object(_) => self.members(at, part, view, path),
            Item::Array(elements) => {
                let leading = part["prefixItems"].as_array().map_or(0, Vec::len);
                for (index, element) in elements.enumerate() {
                    let below =
                        if index < leading { format!("{at}/prefixItems/{index}") } else { format!("{at}/items") };
                    let mut path = path.clone();
                    path.push(Step::Index(index));
                    self.look(&below, element, &path);
                }
            }
            // What has no parts has no branches below it either.
            _ => {
                if self.faults.len() == before {
                    let found = wording::faults(validator.iter_errors(view), view, part);
                    self.faults
                        .extend(found.into_iter().map(|fault| Violation { path: path.join(&fault.path), ..fault }));
                }
            }
        }
        if self.faults.len() == before {
            self.faults
                .push(Violation::new(path.clone(), format!("expected another form of {}", view.describe_type())));
        }
    }

    fn members(&mut self, at: &str, part: &'s Value, view: View<'_>, path: &Path) {
        let Some(members) = view.properties() else { return };
        for name in part["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if view.get(name).is_none() {
                self.faults.push(Violation::new(path.property(name), "required, but missing"));
            }
        }
        let properties = part["properties"].as_object();
        for (name, value) in members {
            let known = properties.is_some_and(|properties| properties.contains_key(name));
            let additional = &part["additionalProperties"];
            if known {
                self.look(&format!("{at}/properties/{}", escape_token(name)), value, &path.property(name));
            } else if *additional == false || *additional == serde_json::json!({"not": {}}) {
                let known = properties.into_iter().flatten().map(|(name, _)| name.as_str());
                self.faults.push(Violation::unknown_property(path, name, known));
            } else if additional.is_object() {
                self.look(&format!("{at}/additionalProperties"), value, &path.property(name));
            }
        }
    }
}
