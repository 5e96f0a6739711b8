//! Parses the `params` of a `tools/call` request.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::document::reader;
use crate::document::tape::Tape;

/// The `_meta` of a request, shared by all contexts of the call.
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

/// The `params` of a `tools/call` request, with the arguments as text.
#[derive(serde::Deserialize)]
pub(crate) struct RawCallParams<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(rename = "_meta")]
    pub(crate) meta: Option<Meta>,
}

impl<'a> RawCallParams<'a> {
    pub(crate) fn read(params: &'a [u8]) -> Result<Self, serde_json::Error> {
        // The derived `Deserialize` of a struct also accepts an array.
        if params.trim_ascii_start().starts_with(b"[") {
            return Err(Error::custom("an array"));
        }
        serde_json::from_slice(params)
    }
}

/// The `params` of a `tools/call` request, with the arguments as a document.
pub(crate) struct CallParams<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) arguments: Option<Tape<'a>>,
    pub(crate) meta: Option<Meta>,
}

impl<'a> CallParams<'a> {
    /// Reads `params` in one pass.
    ///
    /// Returns `None` for invalid `params`. The caller then reads [`RawCallParams`], whose error says what is wrong.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let params = Self::read_embedded(&mut deserializer, text.len()).ok()?;
        deserializer.end().is_ok().then_some(params)
    }

    /// Reads `params` that are part of a larger text. `text_len` is the length of that text in bytes.
    pub(crate) fn read_embedded<D: Deserializer<'a>>(deserializer: D, text_len: usize) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ParamsVisitor { text_len })
    }
}

struct ParamsVisitor {
    text_len: usize,
}

#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Name,
    Arguments,
    #[serde(rename = "_meta")]
    Meta,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for ParamsVisitor {
    type Value = CallParams<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the params of a call")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<CallParams<'de>, A::Error> {
        let (mut name, mut arguments, mut meta) = (None, None, None);
        while let Some(field) = fields.next_key()? {
            let is_new = match field {
                Field::Name => name.replace(fields.next_value::<BorrowedText<'_>>()?.0).is_none(),
                Field::Arguments => {
                    arguments.replace(fields.next_value_seed(ArgumentsSeed { text_len: self.text_len })?).is_none()
                }
                Field::Meta => meta.replace(fields.next_value()?).is_none(),
                Field::Other => fields.next_value::<IgnoredAny>().is_ok(),
            };
            if !is_new {
                return Err(A::Error::custom("duplicate field"));
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("name"))?;
        Ok(CallParams { name, arguments, meta: meta.flatten() })
    }
}

/// A string, borrowed if it has no escapes.
#[derive(serde::Deserialize)]
struct BorrowedText<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads the arguments as a part of a text of this length.
struct ArgumentsSeed {
    text_len: usize,
}

impl<'de> DeserializeSeed<'de> for ArgumentsSeed {
    type Value = Tape<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tape<'de>, D::Error> {
        reader::read_embedded(deserializer, self.text_len)
    }
}

/// Describes what is wrong with `params`. The text contains nothing that the client sent.
pub(crate) fn invalid_params(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if !error.is_data() {
        return format!("not valid JSON at line {}, column {}", error.line(), error.column());
    }
    if text.starts_with("missing field `name`") {
        return "`name` is missing".to_owned();
    }
    "expected an object with a string `name`, and with `arguments` and an object `_meta` if any".to_owned()
}
