//! What a `$ref` points at.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::walk::keyword;
use crate::document::json_pointer::{escape_token, unescape_token};

/// How many references in a row [`follow`] resolves. Longer chains are rare, and a cycle has no end.
const MAX_HOPS: usize = 16;

/// A `$ref` (or `$dynamicRef`), told apart by its form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reference<'a> {
    /// `#`, the root itself.
    Root,
    /// `#/$defs/Name`, with the name decoded.
    Definition(Cow<'a, str>),
    /// `#/$defs/Name/more`: a place inside a definition, which must therefore stay where it is.
    Within(Cow<'a, str>),
    /// Any other JSON pointer, decoded: `/properties/a`.
    Pointer(Cow<'a, str>),
    /// `#name`, a place marked by `$anchor`.
    Anchor(&'a str),
    /// Not in this schema.
    Remote,
}

impl<'a> Reference<'a> {
    pub(crate) fn parse(text: &'a str) -> Self {
        let Some(fragment) = text.strip_prefix('#') else {
            return Self::Remote;
        };
        if fragment.is_empty() {
            return Self::Root;
        }
        if !fragment.starts_with('/') {
            return Self::Anchor(fragment);
        }
        match percent_decode(fragment) {
            Cow::Borrowed(pointer) => Self::of_pointer(pointer),
            Cow::Owned(pointer) => match Reference::of_pointer(&pointer) {
                Reference::Definition(name) => Self::Definition(name.into_owned().into()),
                Reference::Within(name) => Self::Within(name.into_owned().into()),
                _ => Self::Pointer(pointer.into()),
            },
        }
    }

    fn of_pointer(pointer: &'a str) -> Self {
        match pointer.strip_prefix("/$defs/").map(|rest| rest.split_once('/').unwrap_or((rest, ""))) {
            Some((name, "")) => Self::Definition(unescape_token(name)),
            Some((name, _)) => Self::Within(unescape_token(name)),
            None => Self::Pointer(pointer.into()),
        }
    }
}

/// The name of the definition that the schema refers to.
pub(crate) fn definition_name(schema: &Value) -> Option<Cow<'_, str>> {
    match Reference::parse(keyword(schema, "$ref")?.as_str()?) {
        Reference::Definition(name) => Some(name),
        _ => None,
    }
}

/// The definition that the schema refers to.
pub(crate) fn definition<'a>(schema: &Value, definitions: Option<&'a Map<String, Value>>) -> Option<&'a Value> {
    definitions?.get(&*definition_name(schema)?)
}

/// What the fragment of a local reference points at, for every form but an anchor.
pub(crate) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(&percent_decode(reference.strip_prefix('#')?))
}

/// Returns the schema itself, or the schema that its `$ref` leads to.
pub(crate) fn follow<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let mut current = schema;
    for _ in 0..MAX_HOPS {
        match keyword(current, "$ref").and_then(Value::as_str).and_then(|target| resolve(root, target)) {
            Some(next) => current = next,
            None => break,
        }
    }
    current
}

/// The fragment that points at a definition.
pub(crate) fn to_definition(name: &str) -> String {
    use std::fmt::Write as _;
    let mut text = String::from("#/$defs/");
    for byte in escape_token(name).bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// A `%` that does not start an escape is kept, as is everything when the result is not UTF-8.
fn percent_decode(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if !bytes.contains(&b'%') {
        return text.into();
    }
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = |offset: usize| bytes.get(at + offset).and_then(|digit| char::from(*digit).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (byte, hex(1), hex(2)) {
            decoded.extend(u8::try_from(high * 16 + low));
            at += 3;
        } else {
            decoded.push(byte);
            at += 1;
        }
    }
    String::from_utf8(decoded).map_or(text.into(), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_form_is_told_apart() {
        for (text, reference) in [
            ("#", Reference::Root),
            ("#/$defs/A", Reference::Definition("A".into())),
            ("#/$defs/Page%3CT%3E", Reference::Definition("Page<T>".into())),
            ("#/$defs/a~1b~0c", Reference::Definition("a/b~c".into())),
            ("#/$defs/A/properties/b", Reference::Within("A".into())),
            ("#/properties/b", Reference::Pointer("/properties/b".into())),
            ("#address", Reference::Anchor("address")),
            ("https://example.com/a.json#/$defs/A", Reference::Remote),
            ("other.json", Reference::Remote),
        ] {
            assert_eq!(Reference::parse(text), reference, "{text}");
        }
    }

    #[test]
    fn a_name_survives_the_way_there_and_back() {
        for name in ["A", "Page<T>", "a/b~c", "50%", "größe", "a b"] {
            let reference = to_definition(name);
            assert_eq!(Reference::parse(&reference), Reference::Definition(name.into()), "{reference}");
            let root = json!({ "$defs": { name: 1 } });
            assert_eq!(resolve(&root, &reference), Some(&json!(1)), "{reference}");
        }
    }
}
