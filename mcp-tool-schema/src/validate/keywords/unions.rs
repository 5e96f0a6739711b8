//! Combinations of schemas: `allOf`, `anyOf`, `oneOf`, `not` and `if`.
//!
//! The violations of a union are those of the branch that the value is most likely meant for. Branches of another type
//! or with another tag are excluded. Of the remaining branches, the one nearest to the value is chosen. If several are
//! equally near, none is chosen. A union inside a branch counts as one error, so that a union that contains itself does
//! not multiply the work.

use serde_json::{Map, Value};

use super::Keyword;
use super::object::Additional;
use crate::accepted::Types;
use crate::json::tape::View;
use crate::validate::checker::{Checker, Node, NodeId};
use crate::validate::compile::{Compiler, Place};
use crate::validate::memo::Memo;
use crate::validate::search::{Kind, Search};
use crate::{reference, walk};

/// `if`, with `then` and `else`.
#[derive(Debug)]
pub(in crate::validate) struct Condition {
    pub(super) test: NodeId,
    pub(super) then: Option<NodeId>,
    pub(super) otherwise: Option<NodeId>,
}

impl<'s> Compiler<'s> {
    pub(super) fn condition(&mut self, value: &'s Value, map: &'s Map<String, Value>, place: &Place<'s>) -> Condition {
        let test = self.single("if", value, place);
        let mut branch = |keyword: &str| Some(self.single(keyword, map.get(keyword)?, place));
        let (then, otherwise) = (branch("then"), branch("else"));
        Condition { test, then, otherwise }
    }
}

impl Checker {
    /// Returns the branch of a condition that applies to a value, if there is one.
    pub(in crate::validate) fn branch(&self, rule: &Condition, view: View<'_>, memo: &mut Memo) -> Option<NodeId> {
        if self.accepts(rule.test, view, memo) { rule.then } else { rule.otherwise }
    }
}

/// How far a value is from a branch. Missing and unknown properties are compared before all errors, because they say
/// more about which branch is meant.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
struct Distance {
    /// Whether an error shows that the value is not meant for the branch.
    is_excluded: bool,
    /// The number of missing properties, plus one for each object that has unknown properties.
    names: usize,
    errors: usize,
}

impl Distance {
    fn add(&mut self, names: usize) {
        self.names += names;
        self.errors += names;
    }
}

impl Search<'_> {
    /// Returns the branch that the value is most likely meant for. Returns `None` if a branch accepts the value, if no
    /// single branch is nearest, or if no trials are left.
    pub(in crate::validate) fn likely_branch(&mut self, nodes: &[NodeId], view: View<'_>) -> Option<NodeId> {
        let mut nearest: Option<(Distance, Option<NodeId>)> = None;
        for id in nodes {
            if self.accepts(*id, view) {
                return None;
            }
            let mut distance = Distance::default();
            self.measure(*id, view, 0, &mut distance);
            match nearest {
                _ if distance.is_excluded => {}
                Some((least, _)) if least < distance => {}
                Some((least, _)) if least == distance => nearest = Some((least, None)),
                _ => nearest = Some((distance, Some(*id))),
            }
        }
        nearest?.1.filter(|_| self.trials > 0)
    }

    /// Adds the errors of a value to `distance`. The value is `depth` steps below the value of the union.
    fn measure(&mut self, id: NodeId, view: View<'_>, depth: usize, distance: &mut Distance) {
        if distance.is_excluded || self.trials == 0 || self.accepts(id, view) || !self.memo.enter() {
            return;
        }
        self.trials -= 1;
        let node = self.checker.node(id);
        if !node.types.accepts(view) {
            distance.errors += 1;
            distance.is_excluded |= depth == 0;
        }
        for keyword in &node.keywords {
            if distance.is_excluded {
                break;
            }
            self.measure_keyword(keyword, view, depth, distance);
        }
        self.memo.leave();
    }

    fn measure_keyword(&mut self, keyword: &Keyword, view: View<'_>, depth: usize, distance: &mut Distance) {
        match keyword {
            Keyword::Object(shape) => {
                let Some(properties) = view.properties() else { return };
                let missing = || shape.required.iter().filter(|name| view.get(name).is_none());
                distance.add(missing().count());
                let is_known = |name: &str| !shape.applied_to(name).is_empty();
                let has_tag = |name: &str| {
                    shape.applied_to(name).iter().any(|id| self.checker.node(*id).keywords.iter().any(is_tag))
                };
                // Without the tag or any property of the branch, nothing says that the value is meant for the branch.
                let is_unlike = depth == 0 && !view.properties().into_iter().flatten().any(|(name, _)| is_known(name));
                distance.is_excluded |= is_unlike && missing().any(|name| has_tag(name));
                let mut has_unknown = false;
                for (name, value) in properties.filter(|(name, value)| !shape.allows_null(name, *value)) {
                    let applied = shape.applied_to(name);
                    has_unknown |= applied.is_empty() && shape.additional == Additional::Closed;
                    for id in applied {
                        self.measure(id, value, depth + 1, distance);
                    }
                }
                distance.add(usize::from(has_unknown));
            }
            Keyword::Array(shape) => {
                for (index, element) in view.elements().into_iter().flatten().enumerate() {
                    if let Some(id) = shape.element(index) {
                        self.measure(id, element, depth + 1, distance);
                    }
                }
            }
            Keyword::AllOf(nodes) => nodes.iter().for_each(|id| self.measure(*id, view, depth, distance)),
            Keyword::Reference(id) => self.measure(*id, view, depth, distance),
            Keyword::PropertyNames(id) => {
                let names = view.properties().into_iter().flatten();
                distance.errors += names.filter(|(name, _)| !self.checker.accepts_name(*id, name)).count();
            }
            // Any other keyword counts as one error, however badly the value violates it. Except for `enum` and
            // `const`, these keywords rarely tell the branches of a union apart.
            _ if self.checker.holds(keyword, view, &mut self.memo) => {}
            _ => {
                distance.errors += 1;
                // Exclude the branch if its own `enum` or `const` does not contain the value, or if the value has a
                // different tag.
                distance.is_excluded |=
                    depth == 0 && matches!(keyword, Keyword::Enum(_)) || depth == 1 && is_tag(keyword);
            }
        }
    }

    /// Returns the kind and the message of the violation for a value that no branch of a union accepts, or that several
    /// branches of `oneOf` accept. `keyword` is `anyOf` or `oneOf`.
    pub(in crate::validate) fn no_form(
        &mut self,
        keyword: &str,
        nodes: &[NodeId],
        node: &Node,
        view: View<'_>,
    ) -> (Kind, String) {
        let branches = self.written(node)[keyword].as_array().map_or(&[][..], Vec::as_slice);
        let matching: Vec<_> = (0..nodes.len()).filter(|at| self.accepts(nodes[*at], view)).collect();
        if !matching.is_empty() {
            return (Kind::Other, several_forms(branches, &matching, self.schema));
        }
        let kind = if are_values(branches) { Kind::Values } else { Kind::Other };
        (kind, no_branch(branches, self.schema, view.describe_type()))
    }
}

/// Returns `true` if a keyword of a property makes the property a tag: an `enum` or `const` with a single value.
fn is_tag(keyword: &Keyword) -> bool {
    matches!(keyword, Keyword::Enum(expected) if expected.values.len() == 1)
}

/// Returns `true` if each branch of a union has the keyword `const` or `enum`.
pub(super) fn are_values(branches: &[Value]) -> bool {
    branches.iter().all(|branch| branch.get("const").or_else(|| branch.get("enum")).is_some())
}

/// Returns the message for a value that no branch of a union accepts.
fn no_branch(branches: &[Value], schema: &Value, actual: &str) -> String {
    let forms = describe(branches, schema);
    let forms = if forms.is_empty() { "one of the published forms".to_owned() } else { forms };
    let actual = if forms.contains('{') && actual == "an object" { "another object" } else { actual };
    format!("expected {forms}, got {actual}")
}

/// Returns the message for a value that several branches of `oneOf` accept.
fn several_forms(branches: &[Value], matching: &[usize], schema: &Value) -> String {
    let forms: Option<Vec<_>> = matching.iter().map(|at| describe_exactly(branches.get(*at)?, schema)).collect();
    let forms = forms.unwrap_or_else(|| matching.iter().map(|at| format!("number {}", at + 1)).collect());
    format!("expected exactly one of the published forms, but several match: {}", forms.join(" and "))
}

/// Returns the message for a value that `not` excludes.
pub(in crate::validate) fn excluded(excluded: &Value, schema: &Value) -> String {
    match describe_exactly(excluded, schema) {
        Some(form) => format!("expected anything but {form}"),
        None => "expected a value that the schema does not exclude".to_owned(),
    }
}

/// Describes a schema that accepts all values of a form and no others, for example as `an integer` or `{"id": …}`.
/// Returns `None` for any other schema.
pub(super) fn describe_exactly(schema: &Value, root: &Value) -> Option<String> {
    let target = reference::follow(schema, root).as_object()?;
    let mut keywords = target.keys().filter(|keyword| !matches!(keyword.as_str(), "title" | "description"));
    let is_exact = match (keywords.next()?.as_str(), keywords.next()) {
        ("const" | "required", None) => true,
        ("enum", None) => target["enum"].as_array().is_some_and(|values| values.len() <= MAX_FORMS),
        ("type", None) => target["type"].is_string(),
        _ => false,
    };
    is_exact.then(|| describe_branch(schema, root)).filter(|form| form != "another form")
}

const MAX_FORMS: usize = 8;

/// Describes the branches of a union, for example as `{"id": …} or "none" or an array`.
pub(super) fn describe<'v>(branches: impl IntoIterator<Item = &'v Value>, schema: &Value) -> String {
    let mut forms = Vec::new();
    for form in branches.into_iter().map(|branch| describe_branch(branch, schema)) {
        if forms.contains(&form) {
            continue;
        }
        if forms.len() == MAX_FORMS {
            return forms.join(" or ") + " or another form";
        }
        forms.push(form);
    }
    forms.join(" or ")
}

fn describe_branch(branch: &Value, root: &Value) -> String {
    let branch = reference::follow(branch, root);
    if let Some(value) = branch.get("const") {
        return value.to_string();
    }
    if let Some(values) = branch["enum"].as_array().filter(|values| values.len() <= MAX_FORMS) {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or ");
    }
    let property = |name: &str| match branch["properties"][name].get("const") {
        Some(value) => format!("\"{name}\": {value}"),
        None => format!("\"{name}\": …"),
    };
    let properties: Vec<_> = walk::strings(branch.get("required")).map(property).collect();
    if !properties.is_empty() {
        return format!("{{{}}}", properties.join(", "));
    }
    if let Some(format) = branch["format"].as_str() {
        return format!("a string of format {format}");
    }
    let named = Some(&branch["type"]).filter(|named| named.is_string()).and_then(Types::read);
    named.map_or_else(|| "another form".to_owned(), Types::describe)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{describe, no_branch};

    #[test]
    fn each_form_of_a_union_is_named_once() {
        let branches =
            [json!({"type": "string"}), json!({"type": "integer"}), json!({"type": "string", "minLength": 2})];
        assert_eq!(describe(&branches, &json!({})), "a string or an integer");
        let mut many: Vec<_> = (0..8).map(|number| json!({"const": number})).collect();
        many.push(json!({"const": 0}));
        assert_eq!(describe(&many, &json!({})), "0 or 1 or 2 or 3 or 4 or 5 or 6 or 7");
        many.push(json!({"const": 8}));
        assert_eq!(describe(&many, &json!({})), "0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or another form");
    }

    #[test]
    fn a_form_is_named_by_its_values_its_properties_or_its_type() {
        let root = json!({"$defs": {"text": {"type": "string"}}});
        for (branch, expected) in [
            (json!({"type": "array"}), "an array"),
            (json!({"type": "boolean"}), "a boolean"),
            (json!({"type": "integer"}), "an integer"),
            (json!({"type": "null"}), "null"),
            (json!({"type": "number"}), "a number"),
            (json!({"type": "object"}), "an object"),
            (json!({"type": "string"}), "a string"),
            (json!({"$ref": "#/$defs/text"}), "a string"),
            (json!({"type": ["string", "null"]}), "another form"),
            (json!({"enum": [1, "a"]}), "1 or \"a\""),
            (json!({"enum": [1, 2, 3, 4, 5, 6, 7, 8]}), "1 or 2 or 3 or 4 or 5 or 6 or 7 or 8"),
            (json!({"type": "integer", "enum": [1, 2, 3, 4, 5, 6, 7, 8, 9]}), "an integer"),
            (json!({"type": "string", "format": "date"}), "a string of format date"),
            (json!({"required": ["kind", "a"], "properties": {"kind": {"const": "k"}}}), "{\"kind\": \"k\", \"a\": …}"),
        ] {
            assert_eq!(describe(std::slice::from_ref(&branch), &root), expected, "{branch}");
        }
    }

    #[test]
    fn an_object_that_no_form_accepts_is_another_object_if_one_form_is_an_object() {
        let (object, text) = (json!({"required": ["id"]}), json!({"type": "string"}));
        for (branches, actual, message) in [
            ([&object, &text], "an object", "expected {\"id\": …} or a string, got another object"),
            ([&object, &text], "an array", "expected {\"id\": …} or a string, got an array"),
            ([&text, &text], "an object", "expected a string, got an object"),
        ] {
            assert_eq!(no_branch(&branches.map(Clone::clone), &json!({}), actual), message);
        }
    }
}
