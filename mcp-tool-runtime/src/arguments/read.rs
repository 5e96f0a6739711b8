//! From bytes, or from a value, to a document.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::fault::Fault;
use super::node::{Node, Numeral};
use crate::path::{Path, Step, quoted};

/// The deepest nesting that is read, of arguments and of results. `serde_json` and other readers stop at 128, and a
/// value stands a few levels deep in the message that carries it.
const MAX_DEPTH: usize = 120;

/// A document and whether a `null` stands anywhere in it.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) root: Node<'a>,
    pub(crate) has_null: bool,
}

impl Document<'_> {
    /// What `arguments` are when there are none (rule I2).
    pub(crate) fn empty() -> Self {
        Self { root: Node::Object(Vec::new()), has_null: false }
    }
}

/// Reads a document from its text. A duplicate key, a text that is not valid, too deep a nesting are a fault.
pub(crate) fn text(json: &str) -> Result<Document<'_>, Fault> {
    text_at(json, 0)
}

/// Reads a document that stands at this depth of another one.
pub(crate) fn text_at(json: &str, depth: usize) -> Result<Document<'_>, Fault> {
    let mut state = State::default();
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let read = Seed { state: &mut state, depth }.deserialize(&mut deserializer);
    match read.and_then(|root| deserializer.end().map(|()| root)) {
        Ok(root) => Ok(Document { root, has_null: state.has_null }),
        Err(error) => Err(state.fault(&error)),
    }
}

/// Borrows a document from a value.
pub(crate) fn value(value: &Value) -> Result<Document<'_>, Fault> {
    let mut has_null = false;
    let root = node(value, 0, &mut has_null).ok_or_else(too_deep)?;
    Ok(Document { root, has_null })
}

fn too_deep() -> Fault {
    Fault::root(format!("expected at most {MAX_DEPTH} levels of nesting"))
}

fn node<'a>(value: &'a Value, depth: usize, has_null: &mut bool) -> Option<Node<'a>> {
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match value {
        Value::Null => {
            *has_null = true;
            Node::Null
        }
        Value::Bool(flag) => Node::Bool(*flag),
        Value::Number(number) => Node::Number(match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Numeral::Unsigned(number),
            (None, Some(number)) => Numeral::Signed(number),
            (None, None) => Numeral::Float(number.as_f64().unwrap_or_default()),
        }),
        Value::String(text) => Node::String(Cow::Borrowed(text)),
        Value::Array(elements) => {
            Node::Array(elements.iter().map(|value| node(value, depth + 1, has_null)).collect::<Option<_>>()?)
        }
        Value::Object(members) => {
            let member = |(key, value): (&'a String, &'a Value)| {
                Some((Cow::Borrowed(key.as_str()), node(value, depth + 1, has_null)?))
            };
            Node::Object(members.iter().map(member).collect::<Option<_>>()?)
        }
    })
}

/// What is learnt while reading. The trail is laid only on the way out of an error, innermost step first.
#[derive(Default)]
struct State {
    has_null: bool,
    duplicate: Option<String>,
    too_deep: bool,
    trail: Path,
}

impl State {
    fn fault(mut self, error: &serde_json::Error) -> Fault {
        self.trail.reverse();
        let text = match (self.duplicate, error.classify()) {
            (Some(key), _) => format!("the key {} stands twice", quoted(&key)),
            (None, _) if self.too_deep => return too_deep(),
            (None, Category::Syntax) if error.to_string().starts_with("recursion limit") => return too_deep(),
            (None, Category::Syntax) if error.to_string().starts_with("number out of range") => {
                "expected a number that 64 bits can hold".to_owned()
            }
            _ => format!("expected valid JSON (line {}, column {})", error.line(), error.column()),
        };
        Fault::new(self.trail, text)
    }
}

struct Seed<'s> {
    state: &'s mut State,
    depth: usize,
}

impl Seed<'_> {
    fn inner(&mut self) -> Seed<'_> {
        Seed { state: self.state, depth: self.depth + 1 }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node<'de>, D::Error> {
        if self.depth > MAX_DEPTH {
            self.state.too_deep = true;
            return Err(D::Error::custom("too deep"));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node<'de>, E> {
        self.state.has_null = true;
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Node<'de>, E> {
        Ok(Node::Bool(flag))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Node<'de>, E> {
        Ok(Node::Number(Numeral::Unsigned(number)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Node<'de>, E> {
        Ok(Node::Number(Numeral::Signed(number)))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Node<'de>, E> {
        Ok(Node::Number(Numeral::Float(number)))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Node<'de>, E> {
        Ok(Node::String(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node<'de>, E> {
        Ok(Node::String(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<Node<'de>, A::Error> {
        let mut nodes = Vec::new();
        loop {
            match elements.next_element_seed(self.inner()) {
                Ok(Some(node)) => nodes.push(node),
                Ok(None) => return Ok(Node::Array(nodes)),
                Err(error) => {
                    self.state.trail.push(Step::Index(nodes.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Node<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(Key(key)) = entries.next_key()? {
            match entries.next_value_seed(self.inner()) {
                Ok(node) => members.push((key, node)),
                Err(error) => {
                    self.state.trail.push(Step::Key(key.into_owned()));
                    return Err(error);
                }
            }
        }
        if let Some(key) = duplicate(&members) {
            self.state.duplicate = Some(key.to_owned());
            return Err(A::Error::custom("duplicate key"));
        }
        Ok(Node::Object(members))
    }
}

/// A key that stands more than once.
fn duplicate<'m>(members: &'m [(Cow<'_, str>, Node<'_>)]) -> Option<&'m str> {
    if members.len() <= 12 {
        let earlier = |index: usize, key: &str| members[..index].iter().any(|(other, _)| other == key);
        let mut keys = members.iter().enumerate();
        return keys.find(|(index, (key, _))| earlier(*index, key)).map(|(_, (key, _))| key.as_ref());
    }
    let mut seen = HashSet::with_capacity(members.len());
    members.iter().map(|(key, _)| key.as_ref()).find(|key| !seen.insert(*key))
}

/// A key, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(KeyVisitor)
    }
}
