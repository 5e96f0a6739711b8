//! Asks a type which names it reads at a place, by a deserializer that has no document.
//!
//! serde's derives pass the names of all fields and variants to the deserializer, aliases included. They read a name into a value of a
//! private enum, and all names of one field give the same variant of it. So no value has to be made up to find the aliases of a field.
//! The only exception is a tuple: to reach an element, zeros and short strings are read for the elements before it.

use std::any::type_name;
use std::cell::RefCell;
use std::fmt::{self, Display};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

/// A step from a type to a type inside it.
#[derive(Debug, Clone)]
pub(super) enum Step<'s> {
    Property(&'s str),
    /// The value of a map, under any key.
    MapValue,
    Variant(&'static str),
    Element(usize),
    /// The content of a variant beside its tag.
    Content {
        tag: &'static str,
        variant: &'static str,
        content: &'static str,
    },
}

/// What a type reads at a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing with names, or a type that hides them.
    #[default]
    Other,
    /// The names of the fields, and a name of the type. It is empty for a variant.
    Fields(&'static [&'static str], &'static str),
    /// The names of the variants, and a name of the type.
    Variants(&'static [&'static str], &'static str),
    /// A map, or a type with a flattened field.
    Map,
    /// An array of any length.
    List,
    /// An array of this length.
    Tuple(usize),
    /// Whatever the document contains, such as an internally tagged enum.
    Any,
}

/// The answer to one question.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answer {
    pub(super) shape: Shape,
    /// Equal for two names of the same field or variant. `None` if the name is not read into an enum without fields.
    pub(super) field: Option<u64>,
    /// The value that is being read is a tag.
    is_tag: bool,
}

/// A deserializer that follows the steps and reports what the type reads there.
pub struct Probe<'p> {
    steps: &'p [Step<'p>],
    answer: &'p RefCell<Answer>,
    /// Instead of asking, a value is made up if the type is a simple one.
    makes_up: bool,
}

/// Ends the reading. An unknown variant says which ones are known.
#[derive(Debug)]
pub struct Stop(Option<&'static [&'static str]>);

const STOP: Stop = Stop(None);

impl Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the type was only asked for its names")
    }
}

impl std::error::Error for Stop {}

impl de::Error for Stop {
    fn custom<T: Display>(_: T) -> Self {
        STOP
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self(Some(expected))
    }
}

/// Identifies a value of an enum without fields. serde's derives read every name into one.
fn variant_of<T>(value: &T) -> Option<u64> {
    (size_of::<T>() <= size_of::<u16>()).then(|| {
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(value).hash(&mut hasher);
        hasher.finish()
    })
}

impl<'p> Probe<'p> {
    pub(super) fn new(steps: &'p [Step<'p>], answer: &'p RefCell<Answer>) -> Self {
        Self { steps, answer, makes_up: false }
    }

    /// Makes up a value.
    fn make_up<'de, S: DeserializeSeed<'de>>(seed: S) -> Result<S::Value, Stop> {
        let answer = RefCell::new(Answer::default());
        seed.deserialize(Probe { steps: &[], answer: &answer, makes_up: true })
    }

    fn report<T>(&self, shape: Shape) -> Result<T, Stop> {
        self.answer.borrow_mut().shape = shape;
        Err(STOP)
    }

    fn set_field(&self, field: Option<u64>) {
        self.answer.borrow_mut().field = field;
    }

    /// Returns the probe of a parameter, and the name of the parameter. Without a step to one, reports an object whose properties the
    /// schema names.
    pub(crate) fn of_parameter(self) -> Option<(Self, &'p str)> {
        if let Some((Step::Property(name), rest)) = self.steps.split_first() {
            return Some((self.next(rest), name));
        }
        self.answer.borrow_mut().shape = Shape::Map;
        None
    }

    fn next(&self, steps: &'p [Step<'p>]) -> Self {
        Self { steps, ..*self }
    }

    /// Reads an object: follows a step to one of its properties, or reports the shape.
    fn object<'de, V: Visitor<'de>>(self, shape: Shape, visitor: V) -> Result<V::Value, Stop> {
        let Some((step, rest)) = self.steps.split_first() else { return self.report(shape) };
        match step {
            Step::Property(name) => visitor.visit_map(Properties::new(&self, &[(Some(name), rest)])),
            Step::MapValue => visitor.visit_map(Properties::new(&self, &[(None, rest)])),
            Step::Content { tag, variant, content } => {
                let variant = [Step::Variant(variant)];
                visitor.visit_map(Properties::new(&self, &[(Some(tag), &variant), (Some(content), rest)]))
            }
            Step::Variant(_) | Step::Element(_) => Err(STOP),
        }
    }

    fn array<'de, V: Visitor<'de>>(self, shape: Shape, visitor: V) -> Result<V::Value, Stop> {
        match self.steps.split_first() {
            None => self.report(shape),
            Some((Step::Element(index), rest)) => {
                visitor.visit_seq(Elements { before: *index, probe: Some(self.next(rest)) })
            }
            Some(_) => Err(STOP),
        }
    }
}

/// Simple values have no names. They can be made up: each is passed to the type as a value of a document is.
macro_rules! simple_values {
    ($($visit:ident $value:tt: $($method:ident)+;)+) => {$($(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
            if self.makes_up { visitor.$visit $value } else { self.report(Shape::Other) }
        }
    )+)+};
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.object(Shape::Any, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.object(Shape::Map, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.object(Shape::Fields(fields, type_name::<V>()), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        match self.steps.split_first() {
            None if self.makes_up => {
                let name = variants.first().ok_or(STOP)?;
                visitor.visit_enum(Variant { name, probe: self })
            }
            None => self.report(Shape::Variants(variants, type_name::<V>())),
            Some((Step::Variant(name), rest)) => visitor.visit_enum(Variant { name, probe: self.next(rest) }),
            Some(_) => Err(STOP),
        }
    }

    /// Reads the tag of an internally tagged enum.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        match self.steps {
            [] => visitor.visit_str("\u{fffe}").inspect_err(|error: &Stop| {
                let names = error.0.map_or(Shape::Other, |variants| Shape::Variants(variants, type_name::<V>()));
                self.answer.borrow_mut().shape = names;
            }),
            [Step::Variant(name)] => {
                self.answer.borrow_mut().is_tag = true;
                visitor.visit_str(name)
            }
            _ => Err(STOP),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        if self.makes_up {
            return visitor.visit_seq(Elements { before: 0, probe: None });
        }
        self.array(Shape::List, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Stop> {
        self.array(Shape::Tuple(length), visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.array(Shape::Tuple(length), visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        if self.makes_up { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, _: V) -> Result<V::Value, Stop> {
        self.report(Shape::Other)
    }

    simple_values! {
        visit_bool(false): deserialize_bool;
        visit_u64(0): deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_f32
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f64;
        visit_str("a"): deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf;
        visit_unit(): deserialize_unit deserialize_ignored_any;
    }
}

/// Properties with these names. One without a name has a key that is made up.
struct Properties<'a, 'p> {
    probe: &'a Probe<'p>,
    left: &'a [(Option<&'a str>, &'a [Step<'a>])],
    value: &'a [Step<'a>],
}

impl<'a, 'p> Properties<'a, 'p> {
    fn new(probe: &'a Probe<'p>, properties: &'a [(Option<&'a str>, &'a [Step<'a>])]) -> Self {
        Self { probe, left: properties, value: &[] }
    }
}

impl<'de> MapAccess<'de> for Properties<'_, '_> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Stop> {
        let Some(((name, steps), left)) = self.left.split_first() else { return Ok(None) };
        (self.left, self.value) = (left, steps);
        let Some(name) = name else { return Probe::make_up(seed).map(Some) };
        let field = seed.deserialize(StrDeserializer::<Stop>::new(name))?;
        self.probe.set_field(variant_of(&field));
        Ok(Some(field))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Stop> {
        let answer = self.probe.answer;
        let value = seed.deserialize(Probe::new(self.value, answer))?;
        if std::mem::take(&mut answer.borrow_mut().is_tag) {
            self.probe.set_field(variant_of(&value));
        }
        Ok(value)
    }
}

/// Elements that are made up, and then the one that is asked for.
struct Elements<'p> {
    before: usize,
    probe: Option<Probe<'p>>,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Stop> {
        if let Some(before) = self.before.checked_sub(1) {
            self.before = before;
            return Probe::make_up(seed).map(Some);
        }
        self.probe.take().map(|probe| seed.deserialize(probe)).transpose()
    }
}

struct Variant<'p> {
    name: &'static str,
    probe: Probe<'p>,
}

impl<'de, 'p> EnumAccess<'de> for Variant<'p> {
    type Error = Stop;
    type Variant = Probe<'p>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Probe<'p>), Stop> {
        let variant = seed.deserialize(StrDeserializer::<Stop>::new(self.name))?;
        self.probe.set_field(variant_of(&variant));
        Ok((variant, self.probe))
    }
}

impl<'de> VariantAccess<'de> for Probe<'_> {
    type Error = Stop;

    /// Succeeds, because the tag of an adjacently tagged enum is read before its content.
    fn unit_variant(self) -> Result<(), Stop> {
        self.answer.borrow_mut().shape = Shape::Other;
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Stop> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Stop> {
        self.array(Shape::Tuple(length), visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Stop> {
        self.object(Shape::Fields(fields, ""), visitor)
    }
}
