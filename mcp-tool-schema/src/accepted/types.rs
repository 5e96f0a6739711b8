//! Sets of JSON types. An integer is a number without a fraction.

use serde_json::Value;

use crate::json::number::Numeral;
use crate::json::tape::{Slot, View};

/// A set of JSON types.
///
/// ```
/// use mcp_tool_schema::accepted::Types;
///
/// let schema = serde_json::json!({ "anyOf": [{ "type": "integer" }, { "const": null }] });
/// let types = Types::of(&schema, &schema);
/// assert_eq!(types, Types::INTEGER.or(Types::NULL));
/// assert_eq!(types.describe(), "null or an integer");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types(u8);

/// The name of each type in JSON Schema, and what messages call it.
const NAMES: [(Types, &str, &str); 7] = [
    (Types::NULL, "null", "null"),
    (Types::BOOLEAN, "boolean", "a boolean"),
    (Types::INTEGER, "integer", "an integer"),
    (Types::NUMBER, "number", "a number"),
    (Types::STRING, "string", "a string"),
    (Types::ARRAY, "array", "an array"),
    (Types::OBJECT, "object", "an object"),
];

/// Sets of types, each with the keywords that limit the values of these types.
const LIMITS: [(Types, &str); 5] = [
    (Types::NUMBER, "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
    (Types::STRING, "minLength maxLength pattern format contentEncoding"),
    (Types::ARRAY, "minItems maxItems uniqueItems prefixItems items contains unevaluatedItems"),
    (
        Types::OBJECT,
        "minProperties maxProperties required properties patternProperties additionalProperties propertyNames dependentRequired \
         dependentSchemas unevaluatedProperties",
    ),
    (Types::ALL, "$ref allOf anyOf oneOf not if type enum const"),
];

impl Types {
    /// No type.
    pub const NONE: Self = Self(0);
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `true` and `false`.
    pub const BOOLEAN: Self = Self(2);
    /// Numbers without a fraction.
    pub const INTEGER: Self = Self(4);
    /// Numbers with a fraction. JSON Schema has no name for this type.
    pub const FRACTION: Self = Self(8);
    /// All numbers.
    pub const NUMBER: Self = Self(4 | 8);
    /// Strings.
    pub const STRING: Self = Self(16);
    /// Arrays.
    pub const ARRAY: Self = Self(32);
    /// Objects.
    pub const OBJECT: Self = Self(64);
    /// All types.
    pub const ALL: Self = Self(127);

    /// Returns the types of the values that a schema may accept, according to `type`, `enum`, `const`, `$ref`, `allOf`,
    /// `anyOf` and `oneOf`.
    pub fn of(schema: &Value, root: &Value) -> Self {
        super::Reader::new(root).read(schema).types
    }

    /// Reads the value of the keyword `type`: one name, or a list of different names. Returns `None` for any other
    /// value.
    pub fn read(value: &Value) -> Option<Self> {
        let of_name = |name: &Value| NAMES.iter().find(|(_, known, _)| name == known).map(|(types, ..)| *types);
        match value {
            Value::Array(names) => {
                let is_new = |at: usize| !names[..at].contains(&names[at]);
                let all = names.iter().try_fold(Self::NONE, |types, name| of_name(name).map(|one| types.or(one)));
                all.filter(|types| *types != Self::NONE && (0..names.len()).all(is_new))
            }
            name => of_name(name),
        }
    }

    /// Returns the types that the keyword `type` accepts. If the keyword is missing or not valid, these are all types.
    pub fn of_keyword(value: Option<&Value>) -> Self {
        value.and_then(Self::read).unwrap_or(Self::ALL)
    }

    /// Returns the types whose values a keyword limits. An annotation limits none, and neither does a keyword that has
    /// no effect alone, such as `then`.
    pub fn limited_by(keyword: &str) -> Self {
        let is_listed = |keywords: &str| keywords.split(' ').any(|listed| listed == keyword);
        LIMITS.iter().find(|(_, keywords)| is_listed(keywords)).map_or(Self::NONE, |(types, _)| *types)
    }

    /// Returns the type of a value. A float beyond 2^53 counts as an integer and as a fraction.
    pub fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) => Numeral::read(number).map_or(Self::NUMBER, Self::of_number),
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// Returns the type of a value in a document, as [`of_value`](Self::of_value) does.
    pub fn of_view(view: View<'_>) -> Self {
        view.number().map_or_else(|| Self::of_kind(view), Self::of_number)
    }

    /// Returns the type of a value, or [`Self::NUMBER`] for any number.
    #[inline]
    fn of_kind(view: View<'_>) -> Self {
        use Types as T;
        // One entry for each variant of `Slot`, in the order of the `match` below. If the `match` returned the sets
        // itself, it would be compiled to jumps, and the check in the benchmark `order` would take 5% longer.
        const KINDS: [T; 8] = [T::NULL, T::BOOLEAN, T::NUMBER, T::STRING, T::STRING, T::ARRAY, T::OBJECT, T::NULL];
        let kind = match view.slot() {
            Slot::Null => 0,
            Slot::Bool(_) => 1,
            Slot::Number(_) => 2,
            Slot::String(_) => 3,
            Slot::EscapedString(_) => 4,
            Slot::Array(_) => 5,
            Slot::Object(_) => 6,
            Slot::Tombstone => 7,
        };
        KINDS[kind]
    }

    /// Returns `true` if the set contains all types that [`of_view`](Self::of_view) returns for the value.
    #[inline]
    pub fn accepts(self, view: View<'_>) -> bool {
        Self::of_kind(view).is_within(self)
            || view.number().is_some_and(|number| Self::of_number(number).is_within(self))
    }

    /// Returns the types of a number. A float beyond 2^53, such as `1e20`, counts as both an integer and a fraction.
    /// JSON Schema calls it an integer, but validators disagree, because such a float represents several integers.
    fn of_number(number: Numeral) -> Self {
        match number {
            Numeral::Float(float) if float.fract() != 0.0 => Self::FRACTION,
            _ if number.integer().is_some() => Self::INTEGER,
            _ => Self::NUMBER,
        }
    }

    /// Returns the types that are in either set.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the types that are in both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the types that are not in the other set.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns `true` if the sets have a type in common.
    #[inline]
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if the set is not empty, and all its types are in `other`.
    #[inline]
    pub fn is_within(self, other: Self) -> bool {
        self.0 != 0 && self.0 & !other.0 == 0
    }

    /// Returns the name of the type in JSON Schema. The set must contain exactly one type, or be
    /// [`NUMBER`](Self::NUMBER).
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(types, ..)| self.is_within(*types)).map_or("", |(_, name, _)| *name)
    }

    /// Describes the types for a message: `null or an integer`.
    pub fn describe(self) -> String {
        let is_named = |types: Self| types.is_within(self) && !(types == Self::INTEGER && Self::NUMBER.is_within(self));
        let names = NAMES.iter().filter(|(types, ..)| is_named(*types)).map(|(.., text)| *text);
        names.collect::<Vec<_>>().join(" or ")
    }
}
