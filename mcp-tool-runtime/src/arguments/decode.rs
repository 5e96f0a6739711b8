//! From a document to the types of a tool.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};

use super::fault::Fault;
use super::node::{Node, Numeral};
use super::wording;
use crate::path::{Path, Step, quoted};

/// Reads a type from a document.
pub(super) fn typed<T: DeserializeOwned>(root: &Node<'_>) -> Result<T, Problem> {
    T::deserialize(Reader { node: root })
}

/// Why a type refused a document. The path is laid on the way out, innermost step first.
#[derive(Debug)]
pub(super) struct Problem {
    path: Path,
    text: String,
    /// Whether the text is a type's own, which may quote the value.
    foreign: bool,
}

impl Problem {
    fn new(text: String) -> Self {
        Self { path: Path::default(), text, foreign: false }
    }

    fn under(mut self, step: impl FnOnce() -> Step) -> Self {
        self.path.push(step());
        self
    }

    /// The fault, in which no value of the document is repeated: a type's own words may quote it.
    pub(super) fn into_fault(mut self, root: &Node<'_>) -> Fault {
        self.path.reverse();
        if !self.foreign {
            return Fault::new(self.path, self.text);
        }
        let mut here = root;
        for step in self.path.steps() {
            let next = match (here, step) {
                (node, Step::Key(key)) => node.get(key),
                (Node::Array(elements), Step::Index(index)) => elements.get(*index),
                _ => None,
            };
            let Some(next) = next else { break };
            here = next;
        }
        let mut quoted_values = Vec::new();
        scalars(here, &mut quoted_values);
        // What contains another goes first.
        quoted_values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        for value in quoted_values {
            self.text = without(&self.text, &value);
        }
        Fault::new(self.path, self.text)
    }
}

/// The texts of a value's scalars, a few of them.
fn scalars(node: &Node<'_>, texts: &mut Vec<String>) {
    if texts.len() >= 64 {
        return;
    }
    match node {
        Node::String(text) if !text.is_empty() => {
            texts.push(text.as_ref().to_owned());
            // As a message quotes it: escaped as Rust does, or as JSON does.
            for quoted in [format!("{text:?}"), serde_json::Value::from(text.as_ref()).to_string()] {
                texts.push(quoted[1..quoted.len() - 1].to_owned());
            }
        }
        Node::Number(number) => texts.push(number.to_json().to_string()),
        Node::Array(elements) => elements.iter().for_each(|node| scalars(node, texts)),
        Node::Object(members) => members.iter().for_each(|(_, node)| scalars(node, texts)),
        _ => {}
    }
}

/// The text with each occurrence of a value taken out; of a short one, where it stands as a word of its own.
fn without(text: &str, value: &str) -> String {
    const SHORT: usize = 3;
    let short = value.chars().count() <= SHORT;
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some(at) = rest.find(value) {
        let (before, after) = (&rest[..at], &rest[at + value.len()..]);
        let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        kept.push_str(before);
        let inside = short && (word(kept.chars().last()) || word(after.chars().next()));
        kept.push_str(if inside { value } else { "…" });
        rest = after;
    }
    kept + rest
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Problem {}

impl de::Error for Problem {
    fn custom<T: Display>(message: T) -> Self {
        let text = message.to_string();
        // serde says this of an untagged enum, with the name of the type.
        if text.starts_with("data did not match any variant") {
            return Self::new("expected one of the published variants".to_owned());
        }
        Self { foreign: true, ..Self::new(text) }
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let came = wording::kind(&unexpected).replace("another", "a").replace("a integer", "an integer");
        Self::new(format!("expected {}, got {came}", wording::expected(&expected.to_string())))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let came = wording::kind(&unexpected);
        Self::new(format!("expected {}, got {came}", wording::expected(&expected.to_string())))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {}, got {length} elements", wording::expected(&expected.to_string())))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("expected {}, got another string", one_of(expected)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("{} is not known; known are {}", quoted(field), expected.join(", ")))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("required, but missing".to_owned()).under(|| Step::Key(field.to_owned()))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new("given twice, under two of its names".to_owned()).under(|| Step::Key(field.to_owned()))
    }
}

fn one_of(variants: &[&str]) -> String {
    let quoted: Vec<_> = variants.iter().map(|variant| format!("{variant:?}")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        many => format!("one of {}", many.join(", ")),
    }
}

/// Reads one value.
#[derive(Clone, Copy)]
struct Reader<'n, 'a> {
    node: &'n Node<'a>,
}

impl<'n> Reader<'n, '_> {
    fn number<'de, V: Visitor<'de>>(number: Numeral, visitor: V) -> Result<V::Value, Problem> {
        match number {
            Numeral::Unsigned(number) => visitor.visit_u64(number),
            Numeral::Signed(number) => visitor.visit_i64(number),
            Numeral::Float(number) => visitor.visit_f64(number),
        }
    }

    fn integer<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.node {
            Node::Number(number) => {
                Self::number(number.integer().and_then(Numeral::from_integer).unwrap_or(*number), visitor)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn sequence<'de, V: Visitor<'de>>(elements: &'n [Node<'_>], visitor: V) -> Result<V::Value, Problem> {
        let mut access = Elements { elements, next: 0 };
        let value = visitor.visit_seq(&mut access)?;
        if access.next < elements.len() {
            return Err(de::Error::invalid_length(elements.len(), &"fewer elements"));
        }
        Ok(value)
    }
}

macro_rules! integers {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            self.integer(visitor)
        }
    )+};
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.node {
            Node::Null => visitor.visit_unit(),
            Node::Bool(flag) => visitor.visit_bool(*flag),
            Node::Number(number) => Self::number(*number, visitor),
            Node::String(text) => visitor.visit_str(text),
            Node::Array(elements) => Self::sequence(elements, visitor),
            Node::Object(members) => visitor.visit_map(Members { members: members.iter(), current: None }),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.node {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        match self.node {
            Node::String(text) => visitor.visit_enum(Variant { name: text, content: None }),
            Node::Object(members) => match members.as_slice() {
                [(name, content)] => visitor.visit_enum(Variant { name, content: Some(content) }),
                _ => Err(de::Error::invalid_length(members.len(), &"an object with one member")),
            },
            other => Err(Problem::new(format!("expected one of the published variants, got {}", other.kind()))),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

struct Elements<'n, 'a> {
    elements: &'n [Node<'a>],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut Elements<'_, '_> {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Problem> {
        let Some(node) = self.elements.get(self.next) else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        seed.deserialize(Reader { node }).map(Some).map_err(|problem| problem.under(|| Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len() - self.next)
    }
}

struct Members<'n, 'a> {
    members: std::slice::Iter<'n, (Cow<'a, str>, Node<'a>)>,
    current: Option<&'n (Cow<'a, str>, Node<'a>)>,
}

impl<'de> MapAccess<'de> for Members<'_, '_> {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Problem> {
        self.current = self.members.next();
        match self.current {
            Some((key, _)) => seed.deserialize(KeyReader { key }).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Problem> {
        let Some((key, node)) = self.current else { return Err(de::Error::custom("a value without a key")) };
        seed.deserialize(Reader { node }).map_err(|problem| problem.under(|| Step::Key(key.as_ref().to_owned())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// Reads a key, which is a string in JSON and may be a number or a boolean in Rust.
struct KeyReader<'n> {
    key: &'n str,
}

macro_rules! parsed_keys {
    ($($method:ident $visit:ident $kind:literal)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match self.key.parse() {
                Ok(key) => visitor.$visit(key),
                Err(_) => Err(Problem::new(format!("expected keys that read as {}", $kind))),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for KeyReader<'_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_str(self.key)
    }

    parsed_keys! {
        deserialize_bool visit_bool "`true` or `false`"
        deserialize_i8 visit_i8 "integers from -128 to 127"
        deserialize_i16 visit_i16 "integers from -32768 to 32767"
        deserialize_i32 visit_i32 "integers from -2147483648 to 2147483647"
        deserialize_i64 visit_i64 "integers"
        deserialize_i128 visit_i128 "integers"
        deserialize_u8 visit_u8 "integers from 0 to 255"
        deserialize_u16 visit_u16 "integers from 0 to 65535"
        deserialize_u32 visit_u32 "integers from 0 to 4294967295"
        deserialize_u64 visit_u64 "integers of 0 or more"
        deserialize_u128 visit_u128 "integers of 0 or more"
        deserialize_f32 visit_f32 "numbers"
        deserialize_f64 visit_f64 "numbers"
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let key: StrDeserializer<'_, Problem> = self.key.into_deserializer();
        key.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A variant of an enum: its name, and its content unless it stands alone.
struct Variant<'n, 'a> {
    name: &'n str,
    content: Option<&'n Node<'a>>,
}

impl<'de> EnumAccess<'de> for Variant<'_, '_> {
    type Error = Problem;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Problem> {
        let name: StrDeserializer<'_, Problem> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl Variant<'_, '_> {
    fn content<T>(&self, read: impl FnOnce(Reader<'_, '_>) -> Result<T, Problem>) -> Result<T, Problem> {
        match self.content {
            Some(node) => read(Reader { node }).map_err(|problem| problem.under(|| Step::Key(self.name.to_owned()))),
            None => Err(Problem::new(format!("expected an object with the member {}", quoted(self.name)))),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_> {
    type Error = Problem;

    fn unit_variant(self) -> Result<(), Problem> {
        match self.content {
            None | Some(Node::Null) => Ok(()),
            Some(other) => {
                Err(Problem::new(format!("expected null, got {}", other.kind()))
                    .under(|| Step::Key(self.name.to_owned())))
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Problem> {
        self.content(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Problem> {
        self.content(|reader| reader.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Problem> {
        self.content(|reader| reader.deserialize_map(visitor))
    }
}
