//! A compiled schema: a list of nodes that refer to each other by index.
//!
//! Each node is one subschema. Its keywords are sorted by cost, cheap ones first, and keywords that look at the same values are
//! one [`Keyword`], so that a document is walked once.

use serde_json::Value;

use super::equality::ValueSet;
use super::formats::Format;
use super::object::{Additional, ObjectShape};
use super::pattern::Pattern;
use crate::accepted::Types;
use crate::json::number::Numeral;

/// The index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub(super) u32);

/// One subschema.
#[derive(Debug)]
pub(super) struct Node {
    /// The JSON Pointer to the subschema in the schema.
    pub(super) pointer: Box<str>,
    pub(super) types: Types,
    pub(super) recall: Recall,
    /// A `null` may be removed from an object without consequences for other keywords: each property and element has one schema, and
    /// nothing counts or compares the properties.
    pub(super) is_plain: bool,
    /// All keywords are [assertions](Keyword::is_assertion).
    pub(super) is_leaf: bool,
    pub(super) keywords: Box<[Keyword]>,
}

impl Node {
    /// Returns `true` for the schemas `true` and `{}`.
    pub(super) fn accepts_all(&self) -> bool {
        self.types == Types::ALL && self.keywords.is_empty()
    }
}

/// The values for which a check remembers if they are valid against a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Recall {
    Nothing,
    /// Arrays and objects.
    Containers,
    All,
}

/// A bound of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
}

/// A size that is bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Size {
    Characters,
    Elements,
    Properties,
}

/// `unevaluatedProperties` or `unevaluatedItems`.
#[derive(Debug)]
pub(super) struct Unevaluated {
    /// [`Types::OBJECT`] or [`Types::ARRAY`].
    pub(super) of: Types,
    /// The node with the keyword.
    pub(super) own: NodeId,
    pub(super) node: NodeId,
}

#[derive(Debug)]
pub(super) enum Keyword {
    /// The schema `false`.
    Nothing,
    Const(Value),
    Enum(ValueSet),
    Bound {
        side: Side,
        limit: Numeral,
        written: Value,
    },
    MultipleOf(Numeral),
    AtLeast(Size, u64),
    AtMost(Size, u64),
    DependentRequired(Box<[Dependency]>),
    Pattern(Pattern),
    Format(Format),
    UniqueItems,
    /// `required`, `properties`, `patternProperties` and `additionalProperties`.
    Object(Box<ObjectShape>),
    PropertyNames(NodeId),
    Array(ArrayShape),
    Contains {
        node: NodeId,
        minimum: u64,
        maximum: u64,
    },
    /// Schemas for an object that has a property.
    DependentSchemas(Box<[(Box<str>, NodeId)]>),
    AllOf(Box<[NodeId]>),
    AnyOf(Box<[NodeId]>),
    OneOf(Box<[NodeId]>),
    Not(NodeId),
    If {
        condition: NodeId,
        then: Option<NodeId>,
        otherwise: Option<NodeId>,
    },
    Unevaluated(Unevaluated),
    Reference(NodeId),
}

/// A property, and the names that are required if it is there.
pub(super) type Dependency = (Box<str>, Box<[Box<str>]>);

/// `prefixItems` and `items`, or their older names.
#[derive(Debug)]
pub(super) struct ArrayShape {
    pub(super) prefix: Box<[NodeId]>,
    pub(super) rest: Option<NodeId>,
}

impl ArrayShape {
    /// Returns the schema of the element at `index`.
    #[inline]
    pub(super) fn element(&self, index: usize) -> Option<NodeId> {
        self.prefix.get(index).copied().or(self.rest)
    }
}

impl Keyword {
    /// Returns `true` if it makes no difference to the keyword that an optional property is absent. A node with only such keywords is
    /// [plain](Node::is_plain).
    pub(super) fn ignores_absence(&self) -> bool {
        match self {
            Self::Object(shape) => shape.patterns.is_empty(),
            Self::AtLeast(size, _) | Self::AtMost(size, _) => *size != Size::Properties,
            Self::Reference(_)
            | Self::Array(_)
            | Self::Bound { .. }
            | Self::MultipleOf(_)
            | Self::Pattern(_)
            | Self::Format(_) => true,
            _ => false,
        }
    }

    /// Returns `true` if the keyword applies several schemas to one value, or one that another keyword applies too.
    pub(super) fn may_repeat(&self) -> bool {
        match self {
            Self::DependentSchemas(_)
            | Self::AllOf(_)
            | Self::AnyOf(_)
            | Self::OneOf(_)
            | Self::Not(_)
            | Self::If { .. }
            | Self::Contains { .. }
            | Self::Unevaluated(_) => true,
            Self::Object(shape) => !shape.patterns.is_empty(),
            _ => false,
        }
    }

    /// Returns `true` if the keyword has no subschemas.
    pub(super) fn is_assertion(&self) -> bool {
        matches!(
            self,
            Self::Nothing
                | Self::Const(_)
                | Self::Enum(_)
                | Self::Bound { .. }
                | Self::MultipleOf(_)
                | Self::AtLeast(..)
                | Self::AtMost(..)
                | Self::DependentRequired(_)
                | Self::Pattern(_)
                | Self::Format(_)
                | Self::UniqueItems
        )
    }

    /// Calls `visit` with each node that the keyword applies to the value, to a part of it or to a name.
    pub(super) fn visit_nodes(&self, visit: &mut dyn FnMut(NodeId)) {
        match self {
            Self::Object(shape) => {
                shape.properties.iter().for_each(|property| visit(property.node));
                shape.patterns.iter().for_each(|(_, node)| visit(*node));
                if let Additional::Schema(node) = shape.additional {
                    visit(node);
                }
            }
            Self::Array(shape) => shape.prefix.iter().copied().chain(shape.rest).for_each(visit),
            Self::PropertyNames(node) | Self::Contains { node, .. } | Self::Unevaluated(Unevaluated { node, .. }) => {
                visit(*node);
            }
            in_place => in_place.visit_in_place(visit),
        }
    }

    /// Calls `visit` with each node that the keyword applies to the same value.
    pub(super) fn visit_in_place(&self, visit: &mut dyn FnMut(NodeId)) {
        match self {
            Self::AllOf(nodes) | Self::AnyOf(nodes) | Self::OneOf(nodes) => nodes.iter().copied().for_each(visit),
            Self::DependentSchemas(all) => all.iter().for_each(|(_, node)| visit(*node)),
            Self::Not(node) | Self::Reference(node) => visit(*node),
            Self::If { condition, then, otherwise } => {
                [Some(*condition), *then, *otherwise].into_iter().flatten().for_each(visit);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader;
    use crate::validate::CompiledSchema;
    use crate::validate::memo::STEPS;

    fn messages(schema: &Value, value: &Value) -> Vec<String> {
        let compiled = CompiledSchema::new(schema).expect("a schema");
        let document = reader::read_value(value).expect("a document");
        let violations = compiled.violations(document.root(), schema);
        violations.into_iter().map(|violation| format!("{}: {}", violation.path, violation.message)).collect()
    }

    #[test]
    fn violations_of_one_number_have_a_fixed_order() {
        let schema = json!({"properties": {"n": {
            "multipleOf": 4, "exclusiveMaximum": 1, "exclusiveMinimum": 9, "maximum": 2, "minimum": 8
        }}});
        let expected = [
            "n: expected 8 or more",
            "n: expected 2 or less",
            "n: expected more than 9",
            "n: expected less than 1",
            "n: expected a multiple of 4",
        ];
        assert_eq!(messages(&schema, &json!({"n": 5})), expected);
    }

    #[test]
    fn values_that_a_name_and_a_pattern_lead_to_are_checked_once() {
        let node = json!({"$ref": "#"});
        let schema = json!({"type": "object", "properties": {"a": node}, "patternProperties": {"^a": node}});
        let compiled = CompiledSchema::new(&schema).expect("a schema");
        let value = (0..14).fold(json!({}), |inner, _| json!({"a": inner}));
        let document = reader::read_value(&value).expect("a document");
        STEPS.set(0);
        assert!(compiled.accepts(document.root()));
        assert!(STEPS.get() < 100, "{} steps", STEPS.get());
    }

    #[test]
    fn violations_of_a_large_value_as_a_whole_are_found() {
        let numbers = json!(vec![1; 600]);
        for (schema, message) in [
            (json!({"const": [1]}), "list: expected [1], got another array"),
            (json!({"enum": [[1], [2]]}), "list: expected one of [1], [2], got another array"),
            (json!({"uniqueItems": true}), "list: expected no duplicate elements"),
            (json!({"minItems": 601}), "list: expected at least 601 elements"),
            (json!({"maxItems": 599}), "list: expected at most 599 elements"),
        ] {
            assert_eq!(messages(&json!({"properties": {"list": schema}}), &json!({"list": numbers})), [message]);
        }
        let document = json!({"list": numbers, "extra": 1});
        for (schema, message) in [
            (
                json!({"dependentRequired": {"extra": ["more"]}}),
                "more: required, but missing (because `extra` is given)",
            ),
            (
                json!({"propertyNames": {"maxLength": 4}}),
                "extra: the name is not allowed: expected at most 4 characters",
            ),
        ] {
            assert_eq!(messages(&schema, &document), [message]);
        }
    }
}
