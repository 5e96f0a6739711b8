//! The properties of an object. `required`, `properties`, `patternProperties` and `additionalProperties` are checked in
//! one pass over the properties. `propertyNames` is a separate keyword.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::text::Pattern;
use super::{Keyword, unions, values};
use crate::accepted::is_never;
use crate::json::path::{Path, Step};
use crate::json::tape::{Slot, View};
use crate::json::violation::{MAX_FOUND, Violation, quote_name, suggest};
use crate::validate::checker::{Checker, Node, NodeId};
use crate::validate::compile::{Compiler, Place};
use crate::validate::memo::Memo;
use crate::validate::search::{Found, Kind, Search};
use crate::{reference, walk};

/// Which properties an object may have, and which it must have.
#[derive(Debug)]
pub(in crate::validate) struct ObjectShape {
    pub(in crate::validate) properties: Box<[Property]>,
    /// The indices of `properties`, sorted by name. Empty if there are too few properties for a binary search.
    sorted: Box<[u32]>,
    pub(in crate::validate) patterns: Box<[(Pattern, NodeId)]>,
    pub(in crate::validate) additional: Additional,
    /// The names in `required`, in the order of the schema, even if `properties` does not list them.
    pub(in crate::validate) required: Box<[Box<str>]>,
}

/// A property that `properties` lists.
#[derive(Debug)]
pub(in crate::validate) struct Property {
    pub(in crate::validate) name: Box<str>,
    pub(in crate::validate) node: NodeId,
    pub(in crate::validate) is_required: bool,
    /// Whether the schema of the property has the keyword [`NULLABLE`](crate::NULLABLE).
    is_nullable: bool,
}

/// What `additionalProperties` says about the properties that neither `properties` nor `patternProperties` covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::validate) enum Additional {
    Any,
    /// `true`: any are allowed, and all count as evaluated.
    Open,
    /// None are allowed: `false`, or `{"not": {}}`.
    Closed,
    Schema(NodeId),
}

/// The number of properties from which a binary search is faster than a linear one.
const MANY: usize = 12;

impl ObjectShape {
    /// Returns the property with this name, and the properties after it. `expected` starts with the property that comes
    /// next in the order of the schema. That one is tried first, because documents often have the same order.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "otherwise a call of the benchmark `order` takes 2.3 % more instructions")]
    pub(in crate::validate) fn find<'s>(
        &'s self,
        name: &str,
        expected: &'s [Property],
    ) -> Option<(&'s Property, &'s [Property])> {
        match expected {
            [property, after @ ..] if *property.name == *name => Some((property, after)),
            _ => self.properties[self.search(name)?..].split_first(),
        }
    }

    fn search(&self, name: &str) -> Option<usize> {
        if self.sorted.is_empty() {
            return self.properties.iter().position(|property| *property.name == *name);
        }
        let at = self.sorted.binary_search_by(|at| (*self.properties[*at as usize].name).cmp(name)).ok()?;
        Some(self.sorted[at] as usize)
    }

    /// Returns `true` if the value is `null`, and the property is nullable, whatever else its schema says.
    pub(in crate::validate) fn allows_null(&self, name: &str, value: View<'_>) -> bool {
        value.is_null() && self.find(name, &[]).is_some_and(|(property, _)| property.is_nullable)
    }

    /// Returns the schemas that apply to a property: that of its name and those of the patterns that the name matches.
    /// If there are none, returns the schema for all other properties, if there is one.
    pub(in crate::validate) fn applied_to(&self, name: &str) -> Vec<NodeId> {
        let listed = self.find(name, &[]).map(|(property, _)| property.node).into_iter().chain(self.matching(name));
        match (listed.collect::<Vec<_>>(), self.additional) {
            (listed, Additional::Schema(node)) if listed.is_empty() => vec![node],
            (listed, _) => listed,
        }
    }

    /// Returns the schemas of the patterns that a name matches.
    pub(in crate::validate) fn matching(&self, name: &str) -> impl Iterator<Item = NodeId> {
        self.patterns.iter().filter(move |(pattern, _)| pattern.matches(name)).map(|(_, node)| *node)
    }
}

/// Returns the indices of the properties, sorted by name, or none if there are too few for a binary search.
fn sorted(properties: &[Property]) -> Box<[u32]> {
    if properties.len() < MANY {
        return Box::default();
    }
    let mut sorted: Box<[u32]> = (0..).take(properties.len()).collect();
    sorted.sort_unstable_by_key(|at| &*properties[*at as usize].name);
    sorted
}

impl<'s> Compiler<'s> {
    pub(in crate::validate) fn object(
        &mut self,
        map: &'s Map<String, Value>,
        place: &Place<'s>,
    ) -> Result<Keyword, String> {
        let named = |keyword: &str| map.get(keyword).and_then(Value::as_object).into_iter().flatten();
        let required = map.get("required").map(names).unwrap_or_default();
        let required_names: HashSet<&str> = required.iter().map(|name| &**name).collect();
        let properties = named("properties").map(|(name, schema)| Property {
            name: name.as_str().into(),
            node: self.id(place.below(schema, "properties", Some(name))),
            is_required: required_names.contains(name.as_str()),
            is_nullable: schema.get(crate::NULLABLE).is_some_and(Value::is_boolean),
        });
        let properties: Box<[_]> = properties.collect();
        let patterns = named("patternProperties").map(|(text, schema)| {
            let pattern = Pattern::new(text).map_err(|error| place.error("patternProperties", error))?;
            Ok((pattern, self.id(place.below(schema, "patternProperties", Some(text)))))
        });
        let patterns = patterns.collect::<Result<_, String>>()?;
        let additional = match map.get("additionalProperties") {
            None => Additional::Any,
            Some(Value::Bool(true)) => Additional::Open,
            Some(schema) if is_never(schema) => Additional::Closed,
            Some(schema) => Additional::Schema(self.id(place.below(schema, "additionalProperties", None))),
        };
        let sorted = sorted(&properties);
        Ok(Keyword::Object(Box::new(ObjectShape { properties, sorted, patterns, additional, required })))
    }
}

pub(super) fn names(value: &Value) -> Box<[Box<str>]> {
    walk::strings(Some(value)).map(Into::into).collect()
}

impl Checker {
    /// Checks all properties of an object in one pass. Any other value is valid.
    #[inline(never)]
    pub(super) fn has_shape(&self, shape: &ObjectShape, view: View<'_>, memo: &mut Memo) -> bool {
        let Some(properties) = view.properties() else { return true };
        let (mut expected, mut required) = (&*shape.properties, 0);
        for (name, value) in properties {
            let found = shape.find(name, expected);
            if let Some((property, next)) = found {
                let is_valid = self.accepts(property.node, value, memo)
                    || property.is_nullable && value.is_null() && memo.allows_nullable();
                if !is_valid {
                    if !memo.omits_null || property.is_required || !value.is_null() {
                        return false;
                    }
                    memo.omit(view, value);
                }
                required += usize::from(property.is_required);
                expected = next;
            }
            if (found.is_none() || !shape.patterns.is_empty())
                && !self.accepts_as_other(shape, found.is_some(), name, value, memo)
            {
                return false;
            }
        }
        // The count in `required` leaves out required names that `properties` does not list. So if it is too low, look
        // up every name.
        required == shape.required.len() || shape.required.iter().all(|name| view.get(name).is_some())
    }

    /// Checks a property against the schema of each pattern that its name matches. If the name matches no pattern and
    /// `properties` does not list it, the schema of all other properties applies.
    #[inline(never)]
    fn accepts_as_other(
        &self,
        shape: &ObjectShape,
        mut is_listed: bool,
        name: &str,
        value: View<'_>,
        memo: &mut Memo,
    ) -> bool {
        for node in shape.matching(name) {
            is_listed = true;
            if !self.accepts(node, value, memo) {
                return false;
            }
        }
        is_listed
            || match shape.additional {
                Additional::Any | Additional::Open => true,
                Additional::Closed => false,
                Additional::Schema(node) => self.accepts(node, value, memo),
            }
    }

    /// Checks the name of each property of an object. Any other value is valid.
    pub(super) fn has_names(&self, node: NodeId, view: View<'_>) -> bool {
        view.properties().is_none_or(|mut properties| properties.all(|(name, _)| self.accepts_name(node, name)))
    }
}

impl<'s> Search<'s> {
    pub(in crate::validate) fn object(
        &mut self,
        node: &'s Node,
        shape: &'s ObjectShape,
        view: View<'_>,
        path: &mut Path,
    ) {
        let Some(properties) = view.properties() else { return };
        let is_closed = shape.additional == Additional::Closed;
        // If only one property is required, an unknown name is often a misspelling of it. Report the unknown name
        // first, because it explains the missing property.
        let is_required_last = shape.required.len() == 1 && shape.patterns.is_empty() && is_closed;
        if !is_required_last {
            self.missing(node, shape, view, path);
        }
        let mut unknown = Vec::new();
        for (name, value) in properties {
            if self.is_over() {
                return;
            }
            if shape.allows_null(name, value) {
                continue;
            }
            let applied = shape.applied_to(name);
            if applied.is_empty() && is_closed && unknown.len() < MAX_FOUND {
                unknown.push(name);
            }
            for id in applied {
                self.visit_inside(id, value, || Step::Key(name.into()), path);
            }
        }
        let known = self.written(node)["properties"].as_object();
        for name in unknown {
            if self.is_over() {
                return;
            }
            let known = known.into_iter().flatten().map(|(name, _)| name.as_str());
            self.push_violation(Kind::Other, Violation::unknown_property(path, name, known));
        }
        if is_required_last {
            self.missing(node, shape, view, path);
        }
    }

    fn missing(&mut self, node: &Node, shape: &ObjectShape, view: View<'_>, path: &Path) {
        for name in shape.required.iter().filter(|name| view.get(name).is_none()).take(MAX_FOUND) {
            let mut violation = self.missing_property(path, name, node);
            violation.may_be_alias = true;
            // Look for a misspelling only if the object accepts unknown names with any value. A closed object already
            // refuses the misspelled name.
            if matches!(shape.additional, Additional::Any | Additional::Open) && name.len() >= MIN_MISSPELLED {
                let others = view.properties().into_iter().flatten().take(MAX_FOUND).map(|(other, _)| other);
                let others = others.filter(|other| shape.applied_to(other).is_empty());
                if let Some(other) = suggest(name, others) {
                    let name = quote_name(other);
                    violation.message = format!("{}; is {name} a misspelling of it?", violation.message);
                }
            }
            self.push_violation(Kind::Other, violation);
        }
    }

    pub(in crate::validate) fn names(&mut self, id: NodeId, view: View<'_>, path: &Path) {
        for (name, _) in view.properties().into_iter().flatten() {
            if self.is_over() {
                return;
            }
            if self.checker.accepts_name(id, name) {
                continue;
            }
            let slot = [Slot::String(name.into())];
            let document = View::of_slots(&slot);
            let mut names = Search { steps: self.steps, ..Search::new(self.checker, self.schema, document) };
            names.visit(id, document, &mut Path::default());
            self.steps = names.steps;
            for Found { violation, .. } in names.found {
                let message = format!("the name is not allowed: {}", violation.message);
                self.push(Kind::Other, &path.property(name), message);
            }
        }
    }

    /// Returns the violation for a required property that is missing. If the schema of the property lists its values,
    /// the message lists them too, so that the next call can be right.
    pub(super) fn missing_property(&self, object: &Path, name: &str, node: &Node) -> Violation {
        let properties = self.written(node)["properties"].as_object();
        let values = properties.and_then(|properties| listed_values(properties.get(name)?, self.schema));
        let message = match values {
            Some(values) => format!("required, but missing; expected {values}"),
            None => "required, but missing".to_owned(),
        };
        Violation::new(object.property(name), message)
    }
}

/// Lists the values that a schema accepts, if it names all of them.
fn listed_values(schema: &Value, root: &Value) -> Option<String> {
    let schema = reference::follow(schema, root);
    if let Some(value) = schema.get("const") {
        return Some(value.to_string());
    }
    if let Some(values) = schema.get("enum") {
        return values.as_array().map(|values| values::one_of(values));
    }
    let branches = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    unions::are_values(branches).then(|| unions::describe(branches, root))
}

/// The length in bytes from which a name can be a misspelling of another. Shorter names are often similar by chance.
const MIN_MISSPELLED: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_property_is_found_however_many_there_are() {
        for count in [0, 1, MANY - 1, MANY, MANY + 1, 100] {
            let names: Vec<_> = (0..count).rev().map(|at| format!("p{at}")).collect();
            let property = |name: &String| Property {
                name: name.as_str().into(),
                node: NodeId(0),
                is_required: false,
                is_nullable: false,
            };
            let properties: Box<[_]> = names.iter().map(property).collect();
            let sorted = sorted(&properties);
            let (patterns, required) = (Box::default(), Box::default());
            let shape = ObjectShape { properties, sorted, patterns, additional: Additional::Any, required };
            for (at, name) in names.iter().enumerate() {
                for expected in [&shape.properties[at..], &[]] {
                    let (property, after) = shape.find(name, expected).expect("a property");
                    assert_eq!((&*property.name, after.len()), (&**name, count - at - 1), "{name} of {count}");
                }
            }
            assert!(shape.find("p", &shape.properties).is_none());
            assert!(count < 100 || !shape.sorted.is_empty(), "many are found without a look at each");
        }
    }
}
