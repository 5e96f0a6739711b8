//! The bytes of a request's `params`.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::document::reader;
use crate::document::tape::Tape;

/// The `_meta` of a request, for all handles on the call. Many requests have none.
#[derive(Debug, Clone)]
pub(crate) struct Meta(Arc<Map<String, Value>>);

impl From<Map<String, Value>> for Meta {
    fn from(meta: Map<String, Value>) -> Self {
        Self(Arc::new(meta))
    }
}

impl<'de> serde::Deserialize<'de> for Meta {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self::from)
    }
}

impl Deref for Meta {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Map<String, Value> {
        &self.0
    }
}

/// The `params` of a `tools/call` request, with what is in them still as it was sent.
#[derive(serde::Deserialize)]
pub(crate) struct RawParams<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(rename = "_meta")]
    pub(crate) meta: Option<Meta>,
}

impl<'a> RawParams<'a> {
    pub(crate) fn read(params: &'a [u8]) -> Result<Self, serde_json::Error> {
        // A list would do for a struct as well.
        if params.trim_ascii_start().starts_with(b"[") {
            return Err(Error::custom("a list"));
        }
        serde_json::from_slice(params)
    }
}

/// The same `params` with the arguments read on the way.
pub(crate) struct Params<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) arguments: Option<Tape<'a>>,
    pub(crate) meta: Option<Meta>,
}

impl<'a> Params<'a> {
    /// Reads `params` in one go; `None` when anything is wrong with them, which [`RawParams`] and the reader of
    /// arguments then say.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let params = Self::inside(&mut deserializer, text.len()).ok()?;
        deserializer.end().is_ok().then_some(params)
    }

    /// Reads `params` where they stand in a text of so many bytes.
    pub(crate) fn inside<D: Deserializer<'a>>(deserializer: D, bytes: usize) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ParamsVisitor { bytes })
    }
}

struct ParamsVisitor {
    bytes: usize,
}

#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Member {
    Name,
    Arguments,
    #[serde(rename = "_meta")]
    Meta,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for ParamsVisitor {
    type Value = Params<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the params of a call")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Params<'de>, A::Error> {
        let (mut name, mut arguments, mut meta) = (None, None, None);
        while let Some(member) = members.next_key()? {
            let is_new = match member {
                Member::Name => name.replace(members.next_value::<Text<'_>>()?.0).is_none(),
                Member::Arguments => {
                    arguments.replace(members.next_value_seed(Document { bytes: self.bytes })?).is_none()
                }
                Member::Meta => meta.replace(members.next_value()?).is_none(),
                Member::Other => members.next_value::<IgnoredAny>().is_ok(),
            };
            if !is_new {
                return Err(A::Error::custom("given twice"));
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("name"))?;
        Ok(Params { name, arguments, meta: meta.flatten() })
    }
}

/// A text, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The arguments, in a text of so many bytes.
struct Document {
    bytes: usize,
}

impl<'de> DeserializeSeed<'de> for Document {
    type Value = Tape<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tape<'de>, D::Error> {
        reader::read_embedded(deserializer, self.bytes)
    }
}

/// What is wrong with a request's `params`, without repeating them.
pub(crate) fn request_fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if !error.is_data() {
        return format!("not valid JSON at line {}, column {}", error.line(), error.column());
    }
    if text.starts_with("missing field `name`") {
        return "`name` is missing".to_owned();
    }
    "expected an object with a string `name`, and with `arguments` and an object `_meta` if any".to_owned()
}
