//! Compiles the keywords, checks values against them, and explains what is wrong with a value.
//!
//! [`values`]: `const`, `enum`, `uniqueItems` · [`limits`]: `minimum` to `maxProperties`, `multipleOf` · [`text`]:
//! `pattern`, `format` with its [`formats`] · [`array`]: `items`, `prefixItems`, `contains` · [`object`]:
//! `properties`, `required`, `propertyNames` · [`dependent`]: `dependentRequired`, `dependentSchemas` ·
//! [`unions`]: `allOf`, `anyOf`, `oneOf`, `not`, `if` · [`unevaluated`]: `unevaluatedProperties`, `unevaluatedItems`.

use serde_json::{Map, Value};

use self::array::{ArrayShape, Contains};
use self::dependent::Dependency;
use self::limits::{Bound, Size, count};
use self::object::{Additional, ObjectShape};
use self::text::{Format, Pattern};
use self::unevaluated::Unevaluated;
use self::unions::Condition;
use self::values::ValueSet;
use super::checker::{Checker, NodeId};
use super::compile::{Compiler, Place};
use super::memo::Memo;
use super::search::{Kind, NO_MATCH};
use crate::accepted::Types;
use crate::json::number::{Numeral, is_multiple_of};
use crate::json::tape::View;

pub(super) mod array;
pub(super) mod dependent;
pub(super) mod formats;
pub(super) mod limits;
pub(super) mod object;
pub(super) mod text;
pub(super) mod unevaluated;
pub(super) mod unions;
pub(super) mod values;

#[derive(Debug)]
pub(super) enum Keyword {
    /// `enum`, or `const` with its only value.
    Enum(ValueSet),
    Bound(Bound),
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
    Contains(Contains),
    /// For each listed property, the schema of an object that has it.
    DependentSchemas(Box<[(Box<str>, NodeId)]>),
    AllOf(Box<[NodeId]>),
    AnyOf(Box<[NodeId]>),
    OneOf(Box<[NodeId]>),
    Not(NodeId),
    If(Condition),
    Unevaluated(Unevaluated),
    Reference(NodeId),
}

impl<'s> Compiler<'s> {
    /// Compiles a keyword of a subschema. Returns `None` for a keyword that requires nothing by itself, such as an
    /// annotation, `then`, or a keyword that the dialect does not know.
    ///
    /// [`object`] and [`array`] compile the keywords that belong together, such as `properties` and `required`.
    pub(super) fn keyword(
        &mut self,
        own: NodeId,
        name: &str,
        value: &'s Value,
        map: &'s Map<String, Value>,
        place: &Place<'s>,
    ) -> Result<Option<Keyword>, String> {
        Ok(Some(match name {
            "const" => Keyword::Enum(ValueSet::new([value.clone()].into())),
            "enum" => Keyword::Enum(ValueSet::new(value.as_array().into_iter().flatten().cloned().collect())),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                Keyword::Bound(Bound::compile(name, value, place)?)
            }
            "multipleOf" => Keyword::MultipleOf(limits::number(name, value, place)?),
            "minLength" => Keyword::AtLeast(Size::Characters, count(value)),
            "maxLength" => Keyword::AtMost(Size::Characters, count(value)),
            "minItems" => Keyword::AtLeast(Size::Elements, count(value)),
            "maxItems" => Keyword::AtMost(Size::Elements, count(value)),
            "minProperties" => Keyword::AtLeast(Size::Properties, count(value)),
            "maxProperties" => Keyword::AtMost(Size::Properties, count(value)),
            "pattern" => {
                let text = value.as_str().unwrap_or_default();
                Keyword::Pattern(Pattern::new(text).map_err(|error| place.error(name, error))?)
            }
            "format" => match value.as_str().and_then(|name| Format::named(name, self.dialect)) {
                Some(format) => Keyword::Format(format),
                None => return Ok(None),
            },
            "uniqueItems" if *value == true => Keyword::UniqueItems,
            "contains" => Keyword::Contains(self.contains(value, map, place)),
            "propertyNames" => Keyword::PropertyNames(self.single(name, value, place)),
            "allOf" => Keyword::AllOf(self.list(name, value, place)),
            "anyOf" => Keyword::AnyOf(self.list(name, value, place)),
            "oneOf" => Keyword::OneOf(self.list(name, value, place)),
            "not" => Keyword::Not(self.single(name, value, place)),
            "if" => Keyword::If(self.condition(value, map, place)),
            "unevaluatedProperties" | "unevaluatedItems" if self.is_2020() => {
                let of = if name == "unevaluatedItems" { Types::ARRAY } else { Types::OBJECT };
                Keyword::Unevaluated(Unevaluated { of, own, node: self.single(name, value, place) })
            }
            "$ref" => self.reference(name, value, place)?,
            "$dynamicRef" if self.is_2020() => self.reference(name, value, place)?,
            _ => return Ok(None),
        }))
    }
}

impl Checker {
    /// Returns `true` if a value meets a keyword. A keyword for another type is always met.
    ///
    /// Small functions check the most frequent keywords, so that their variables stay in registers. With one function
    /// for all keywords, the checks of the benchmark `order` take a fifth longer.
    #[inline]
    pub(super) fn holds(&self, keyword: &Keyword, view: View<'_>, memo: &mut Memo) -> bool {
        match keyword {
            Keyword::Object(shape) => self.has_shape(shape, view, memo),
            Keyword::Array(shape) => self.has_elements(shape, view, memo),
            _ => self.holds_otherwise(keyword, view, memo),
        }
    }

    /// Does the work of [`Self::holds`] for the keywords that it does not check itself.
    #[inline(never)]
    fn holds_otherwise(&self, keyword: &Keyword, view: View<'_>, memo: &mut Memo) -> bool {
        match keyword {
            Keyword::PropertyNames(node) => self.has_names(*node, view),
            Keyword::Contains(rule) => self.contains(rule, view, memo),
            Keyword::DependentSchemas(all) => self.has_dependent_schemas(all, view, memo),
            Keyword::AllOf(nodes) => nodes.iter().all(|node| self.accepts(*node, view, memo)),
            Keyword::AnyOf(nodes) => nodes.iter().any(|node| self.accepts(*node, view, memo)),
            Keyword::OneOf(nodes) => nodes.iter().filter(|node| self.accepts(**node, view, memo)).take(2).count() == 1,
            Keyword::Not(node) => !self.accepts(*node, view, memo),
            Keyword::If(rule) => self.branch(rule, view, memo).is_none_or(|branch| self.accepts(branch, view, memo)),
            Keyword::Unevaluated(rule) => self.unevaluated(rule, view, memo).is_empty(),
            Keyword::Reference(target) => self.accepts(*target, view, memo),
            _ => keyword.is_met_by(view),
        }
    }
}

impl Keyword {
    /// Returns `true` if the keyword certainly gives the same result whether or not an optional property is there. A
    /// [plain](super::checker::Node::is_plain) node has only such keywords.
    pub(super) fn ignores_absence(&self) -> bool {
        match self {
            Self::Object(shape) => shape.patterns.is_empty(),
            Self::AtLeast(size, _) | Self::AtMost(size, _) => *size != Size::Properties,
            Self::Reference(_)
            | Self::Array(_)
            | Self::Bound(_)
            | Self::MultipleOf(_)
            | Self::Pattern(_)
            | Self::Format(_) => true,
            _ => false,
        }
    }

    /// Returns `true` if the keyword has no subschemas, and [`is_met_by`](Self::is_met_by) checks it.
    pub(super) fn is_assertion(&self) -> bool {
        // `is_met_by` does not check these two, even if they have no subschemas.
        !matches!(self, Self::Object(_) | Self::DependentSchemas(_)) && self.nodes().is_empty()
    }

    /// Returns the nodes of the subschemas, whether they apply to the value itself, to a part of it or to a name.
    pub(super) fn nodes(&self) -> Vec<NodeId> {
        match self {
            Self::Object(shape) => {
                let listed = shape.properties.iter().map(|property| property.node);
                let additional = if let Additional::Schema(node) = shape.additional { Some(node) } else { None };
                listed.chain(shape.patterns.iter().map(|(_, node)| *node)).chain(additional).collect()
            }
            Self::Array(shape) => shape.prefix.iter().copied().chain(shape.rest).collect(),
            Self::PropertyNames(node)
            | Self::Contains(Contains { node, .. })
            | Self::Unevaluated(Unevaluated { node, .. }) => vec![*node],
            _ => self.in_place(),
        }
    }

    /// Returns the nodes that the keyword applies to the same value.
    pub(super) fn in_place(&self) -> Vec<NodeId> {
        match self {
            Self::AllOf(nodes) | Self::AnyOf(nodes) | Self::OneOf(nodes) => nodes.to_vec(),
            Self::DependentSchemas(all) => all.iter().map(|(_, node)| *node).collect(),
            Self::Not(node) | Self::Reference(node) => vec![*node],
            Self::If(Condition { test, then, otherwise }) => {
                [Some(*test), *then, *otherwise].into_iter().flatten().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns `true` if a value meets an [assertion](Self::is_assertion). An assertion about another type is always
    /// met.
    #[inline]
    pub(super) fn is_met_by(&self, view: View<'_>) -> bool {
        match self {
            Self::Bound(bound) => bound.accepts(view),
            Self::AtLeast(Size::Characters, least) => limits::has_at_least(view, *least),
            Self::AtMost(Size::Characters, most) => limits::has_at_most(view, *most),
            _ => self.is_met_otherwise(view),
        }
    }

    /// Does the work of [`Self::is_met_by`] for the assertions that it does not check itself.
    #[inline(never)]
    fn is_met_otherwise(&self, view: View<'_>) -> bool {
        match self {
            Self::Enum(expected) => expected.contains(view),
            Self::MultipleOf(divisor) => view.number().is_none_or(|number| is_multiple_of(number, *divisor)),
            Self::AtLeast(size, least) => limits::is_size(view, *size, |count| count >= *least),
            Self::AtMost(size, most) => limits::is_size(view, *size, |count| count <= *most),
            Self::DependentRequired(all) => dependent::has_dependent_names(all, view),
            Self::Pattern(pattern) => view.text_is_none_or(|text| pattern.matches(text)),
            Self::Format(format) => view.text_is_none_or(|text| (format.accepts)(text)),
            Self::UniqueItems => values::are_unique(view),
            // `is_met_by` itself checks `Bound`. The remaining keywords are not assertions.
            _ => false,
        }
    }

    /// Says what an assertion expects. `actual` is the type of the value.
    pub(super) fn explain(&self, actual: &str) -> (Kind, String) {
        let message = match self {
            Self::Enum(expected) => return (Kind::Values, values::message(&expected.values, actual)),
            Self::Bound(bound) => return (Kind::Bound, bound.message.clone()),
            Self::MultipleOf(divisor) => return (Kind::Bound, format!("expected a multiple of {}", divisor.to_json())),
            Self::AtLeast(size, least) => format!("expected at least {}", size.count(*least)),
            Self::AtMost(size, most) => format!("expected at most {}", size.count(*most)),
            Self::UniqueItems => "expected no duplicate elements".to_owned(),
            Self::Pattern(pattern) => format!("expected a string that matches {}", pattern.text),
            Self::Format(format) => {
                format!("expected a string of format {}, such as {}", format.name, format.example)
            }
            _ => NO_MATCH.to_owned(),
        };
        (Kind::Other, message)
    }
}
