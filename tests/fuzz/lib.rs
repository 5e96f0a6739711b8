//! Shared parts of the fuzz targets.

pub mod served;

use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use arbitrary::{Arbitrary, Unstructured};
use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Dispatcher, Output, ProtocolVersion, ToolError, ToolHandler, ToolMetadata, mcp,
};
use serde::Serialize;
use serde::ser::{Error, SerializeMap, Serializer};
use serde_json::Value;

/// Returns the output of a future that never waits.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}

/// Calls a tool with the bytes of `params`. Returns its result, or `None` if the request is refused.
pub fn call(dispatcher: &Dispatcher, params: &[u8], version: ProtocolVersion) -> Option<Value> {
    let bytes = now(dispatcher.call_json(params, version)).ok()?;
    let result: Value = serde_json::from_slice(&bytes).expect("the result is JSON");
    assert!(result["content"].is_array(), "R1");
    Some(result)
}

/// A hand-written tool that returns `answer`.
pub struct FixedTool {
    pub definition: mcp::Tool,
    pub answer: &'static Mutex<Tree>,
}

impl ToolHandler for FixedTool {
    fn definition(&self) -> mcp::Tool {
        self.definition.clone()
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let _ = arguments.to_value();
            Output::value(&*self.answer.lock().expect("no panic"))
        })
    }
}

/// Everything that a type can serialise, valid JSON or not.
#[derive(Debug, Default, Arbitrary)]
pub enum Tree {
    #[default]
    Unit,
    Flag(bool),
    Byte(u8),
    Signed(i128),
    Unsigned(u128),
    Single(f32),
    Double(f64),
    Letter(char),
    Text(String),
    Bytes(Vec<u8>),
    Some(Box<Tree>),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
    Named(Vec<(Name, Tree)>),
    Deep(u8, Box<Tree>),
    Failure,
}

/// A property name, usually one that the schemas have.
#[derive(Debug, Arbitrary)]
pub enum Name {
    Id,
    Kind,
    Items,
    Value,
    Other(String),
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Id => "id",
            Self::Kind => "kind",
            Self::Items => "items",
            Self::Value => "value",
            Self::Other(name) => name,
        })
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unit => serializer.serialize_unit(),
            Self::Flag(flag) => flag.serialize(serializer),
            Self::Byte(byte) => byte.serialize(serializer),
            Self::Signed(number) => number.serialize(serializer),
            Self::Unsigned(number) => number.serialize(serializer),
            Self::Single(number) => number.serialize(serializer),
            Self::Double(number) => number.serialize(serializer),
            Self::Letter(letter) => letter.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Self::Some(inner) => serializer.serialize_some(inner),
            Self::List(list) => list.serialize(serializer),
            Self::Map(properties) => {
                let mut map = serializer.serialize_map(None)?;
                properties.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
            Self::Named(properties) => {
                let mut map = serializer.serialize_map(Some(properties.len()))?;
                properties.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
            Self::Deep(0, inner) => inner.serialize(serializer),
            Self::Deep(depth, inner) => [Nested(*depth - 1, inner)].serialize(serializer),
            Self::Failure => Err(S::Error::custom("cannot be written")),
        }
    }
}

struct Nested<'t>(u8, &'t Tree);

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == 0 { self.1.serialize(serializer) } else { [Nested(self.0 - 1, self.1)].serialize(serializer) }
    }
}

/// Creates an arbitrary schema. Most keywords have values of the right type, some do not.
pub fn schema(source: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<Value> {
    const REFERENCES: [&str; 12] = [
        "#",
        "#/$defs/a",
        "#/$defs/b",
        "#/properties/a",
        "#a",
        "#/items/0",
        "#/$defs/a/not",
        "urn:x",
        "#/%",
        "http://127.0.0.1:1/x",
        "",
        "#/$defs/%61",
    ];
    const PATTERNS: [&str; 8] = ["^a", "(a+)+$", "[", "\\d{1,1000}", "(?i)a", "(?=a)", "(a{0,100}){0,100}", "\\p{L}"];
    const NAMES: [&str; 6] = ["a", "b", "$ref", "title", "__proto__", ""];
    const TYPES: [&str; 8] = ["object", "string", "integer", "number", "array", "boolean", "null", "other"];
    if depth > 6 || source.is_empty() {
        return Ok(source.arbitrary::<bool>()?.into());
    }
    let mut keywords = serde_json::Map::new();
    for _ in 0..source.int_in_range(0..=5)? {
        let keyword = *source.choose(&[
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "prefixItems",
            "oneOf",
            "anyOf",
            "allOf",
            "not",
            "$ref",
            "$dynamicRef",
            "$defs",
            "$anchor",
            "$id",
            "$schema",
            "pattern",
            "patternProperties",
            "format",
            "minimum",
            "maximum",
            "multipleOf",
            "minLength",
            "maxItems",
            "uniqueItems",
            "enum",
            "const",
            "default",
            "propertyNames",
            "unevaluatedProperties",
            "unevaluatedItems",
            "if",
            "then",
            "else",
            "contains",
            "minContains",
            "dependentSchemas",
            "x-mcp-header",
            "title",
            "contentSchema",
            "definitions",
        ])?;
        let value = if source.ratio(1, 24)? {
            json(source, 0)?
        } else {
            match keyword {
                "type" if source.ratio(1, 4)? => Value::from(vec![*source.choose(&TYPES)?, *source.choose(&TYPES)?]),
                "type" => (*source.choose(&TYPES)?).into(),
                "properties" | "$defs" | "patternProperties" | "dependentSchemas" | "definitions" => {
                    let mut named = serde_json::Map::new();
                    for _ in 0..source.int_in_range(0..=3)? {
                        let names = if keyword == "patternProperties" { &PATTERNS[..] } else { &NAMES };
                        named.insert((*source.choose(names)?).to_owned(), schema(source, depth + 1)?);
                    }
                    named.into()
                }
                "oneOf" | "anyOf" | "allOf" | "prefixItems" => {
                    let count = source.int_in_range(0..=3)?;
                    (0..count).map(|_| schema(source, depth + 1)).collect::<arbitrary::Result<Vec<_>>>()?.into()
                }
                "required" => vec![*source.choose(&NAMES)?].into(),
                "$ref" | "$dynamicRef" | "$id" | "$anchor" | "$schema" => (*source.choose(&REFERENCES)?).into(),
                "pattern" => (*source.choose(&PATTERNS)?).into(),
                "format" => (*source.choose(&["date-time", "uuid", "regex", "x", "email", "uri", "ipv6"])?).into(),
                "minimum" | "maximum" | "multipleOf" => json(source, 9)?,
                "minLength" | "maxItems" | "minContains" => source.arbitrary::<u8>()?.into(),
                "uniqueItems" => source.arbitrary::<bool>()?.into(),
                "enum" => vec![json(source, 5)?, json(source, 5)?].into(),
                "const" | "default" => json(source, 4)?,
                "x-mcp-header" | "title" => String::arbitrary(source)?.into(),
                _ => schema(source, depth + 1)?,
            }
        };
        keywords.insert(keyword.to_owned(), value);
    }
    Ok(keywords.into())
}

/// Creates an arbitrary value. From a depth of nine on it is a number.
pub fn json(source: &mut Unstructured<'_>, depth: usize) -> arbitrary::Result<Value> {
    let kind = if depth >= 9 { 2 } else { source.int_in_range(0..=if depth > 5 { 4 } else { 6 })? };
    Ok(match kind {
        0 => Value::Null,
        1 => source.arbitrary::<bool>()?.into(),
        2 => match source.int_in_range(0..=2)? {
            0 => source.arbitrary::<i8>()?.into(),
            1 => source.arbitrary::<u64>()?.into(),
            _ => source.arbitrary::<f64>()?.into(),
        },
        3 => String::arbitrary(source)?.into(),
        4 => (*source.choose(&["a", "b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "2024-01-01"])?).into(),
        5 => vec![json(source, depth + 1)?, json(source, depth + 1)?].into(),
        _ => {
            let name = *source.choose(&["a", "b", "value", "__proto__"])?;
            serde_json::json!({name: json(source, depth + 1)?, "a": json(source, depth + 1)?})
        }
    })
}
