//! Parses a JSON-RPC message. Everything in it is borrowed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::error::ProtocolError;
use crate::call::{self, Meta};

/// A message from a client.
#[derive(Debug)]
pub(crate) enum Message<'m> {
    Request(Request<'m>),
    Notification {
        method: Cow<'m, str>,
        params: Option<&'m RawValue>,
    },
    /// A response. It is ignored, because the server sends no requests.
    Response,
}

/// A request. The id is the JSON text as it was sent.
#[derive(Debug)]
pub(crate) struct Request<'m> {
    pub(crate) id: &'m str,
    pub(crate) method: Cow<'m, str>,
    params: Option<&'m RawValue>,
}

/// The fields of `params` that the supported methods use.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestParams<'m> {
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) name: Option<&'m RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) arguments: Option<&'m RawValue>,
    #[serde(borrow)]
    pub(crate) cursor: Option<&'m RawValue>,
    #[serde(borrow, rename = "protocolVersion")]
    pub(crate) protocol_version: Option<&'m RawValue>,
    #[serde(rename = "_meta")]
    pub(crate) meta: Option<Meta>,
}

/// The fields of a JSON-RPC message, as JSON text.
#[derive(Deserialize)]
struct Envelope<'m> {
    #[serde(borrow)]
    jsonrpc: Option<&'m RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'m RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'m RawValue>,
    #[serde(borrow)]
    params: Option<&'m RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'m RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'m RawValue>,
}

/// Reads `null` as a value: only an absent field is `None`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'m> Message<'m> {
    pub(crate) fn read(bytes: &'m [u8]) -> Result<Self, ProtocolError<'m>> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| ProtocolError::parse_error(format!("not UTF-8 after {} bytes", error.valid_up_to())))?;
        // serde would also read an array as a struct.
        let batch = text.trim_ascii_start().starts_with('[');
        let envelope: Envelope<'m> = match serde_json::from_str(text) {
            Ok(envelope) if !batch => envelope,
            Err(error) if !error.is_data() => {
                return Err(ProtocolError::parse_error(format!(
                    "not JSON at line {}, column {}",
                    error.line(),
                    error.column()
                )));
            }
            _ => {
                return Err(ProtocolError::invalid_request(if batch {
                    "send one message at a time: the protocol has no batches"
                } else {
                    "a message must be one JSON object without duplicate keys"
                }));
            }
        };
        let id = envelope.id.map(RawValue::get);
        let echoed = id.filter(|id| is_id(id));
        if envelope.jsonrpc.map(RawValue::get) != Some(r#""2.0""#) {
            return Err(ProtocolError::invalid_request(r#"`jsonrpc` must be "2.0""#).for_request(echoed));
        }
        let Some(method) = envelope.method else {
            if envelope.result.is_some() || envelope.error.is_some() {
                return Ok(Self::Response);
            }
            return Err(ProtocolError::invalid_request("`method` is missing").for_request(echoed));
        };
        let Some(method) = string(method) else {
            return Err(ProtocolError::invalid_request("`method` must be a string").for_request(echoed));
        };
        match (id, echoed) {
            (None, _) => Ok(Self::Notification { method, params: envelope.params }),
            (Some(_), Some(id)) => Ok(Self::Request(Request { id, method, params: envelope.params })),
            (Some(_), None) => Err(ProtocolError::invalid_request("`id` must be a string or an integer")),
        }
    }
}

/// A `tools/call` request, parsed in one pass.
pub(crate) struct CallMessage<'m> {
    pub(crate) id: &'m str,
    pub(crate) params: call::CallParams<'m>,
}

impl<'m> CallMessage<'m> {
    /// Parses a message. Returns `None` if it is not a call, or if anything is wrong with it: [`Message::read`] then finds
    /// out what.
    ///
    /// The usual call is parsed in one pass over its bytes instead of three (message, `params`, arguments).
    pub(crate) fn read(bytes: &'m [u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let call = deserializer.deserialize_map(CallVisitor { bytes: text.len() }).ok()?;
        deserializer.end().is_ok().then_some(call)
    }
}

struct CallVisitor {
    bytes: usize,
}

impl<'de> Visitor<'de> for CallVisitor {
    type Value = CallMessage<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a `tools/call` request")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<CallMessage<'de>, A::Error> {
        let other = || A::Error::custom("not a usual call");
        let (mut id, mut params) = (None, None);
        let (mut is_json_rpc, mut is_call) = (false, false);
        while let Some(field) = fields.next_key::<&str>()? {
            let is_new = match field {
                "jsonrpc" => !std::mem::replace(&mut is_json_rpc, fields.next_value::<&str>()? == "2.0"),
                "method" => !std::mem::replace(&mut is_call, fields.next_value::<&str>()? == "tools/call") && is_call,
                "id" => id.replace(fields.next_value::<&RawValue>()?.get()).is_none(),
                "params" => params.replace(fields.next_value_seed(ParamsSeed { bytes: self.bytes })?).is_none(),
                _ => false,
            };
            if !is_new {
                return Err(other());
            }
        }
        match (id.filter(|id| is_id(id)), params) {
            (Some(id), Some(params)) if is_json_rpc && is_call => Ok(CallMessage { id, params }),
            _ => Err(other()),
        }
    }
}

struct ParamsSeed {
    bytes: usize,
}

impl<'de> DeserializeSeed<'de> for ParamsSeed {
    type Value = call::CallParams<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<call::CallParams<'de>, D::Error> {
        call::CallParams::read_embedded(deserializer, self.bytes)
    }
}

/// A request that owns its parts.
pub(crate) struct OwnedRequest {
    id: String,
    method: String,
    params: Option<Box<RawValue>>,
}

impl OwnedRequest {
    pub(crate) fn borrowed(&self) -> Request<'_> {
        Request { id: &self.id, method: Cow::Borrowed(&self.method), params: self.params.as_deref() }
    }
}

impl<'m> Request<'m> {
    pub(crate) fn into_owned(self) -> OwnedRequest {
        let Self { id, method, params } = self;
        OwnedRequest { id: id.to_owned(), method: method.into_owned(), params: params.map(ToOwned::to_owned) }
    }

    pub(crate) fn params(&self) -> Result<RequestParams<'m>, ProtocolError<'m>> {
        let Some(params) = self.params else { return Ok(RequestParams::default()) };
        // serde would also read an array as a struct.
        let read = params.get().starts_with('{').then(|| serde_json::from_str(params.get()));
        read.and_then(Result::ok).ok_or_else(|| {
            let text = "`params` must be an object without duplicate keys, and its `_meta` an object";
            ProtocolError::invalid_params(text).for_request(Some(self.id))
        })
    }
}

/// Returns the value of a JSON string, borrowed if it has no escapes. Returns `None` for other JSON.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') { serde_json::from_str(raw.get()).ok().map(Cow::Owned) } else { Some(Cow::Borrowed(inner)) }
}

/// Returns `true` for a valid id: a string or an integer, never `null`.
fn is_id(raw: &str) -> bool {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    raw.starts_with('"') || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_with_escapes_is_decoded() {
        let raw: &RawValue = serde_json::from_str(r#""tools\/list""#).expect("a string");
        assert_eq!(string(raw).as_deref(), Some("tools/list"));
    }

    #[test]
    fn an_id_is_a_string_or_an_integer() {
        for (raw, fits) in [("1", true), ("-7", true), (r#""a""#, true), ("1.5", false), ("null", false), ("{}", false)]
        {
            assert_eq!(is_id(raw), fits, "{raw}");
        }
    }
}
