//! One JSON-RPC message as it came: what it is, with all that is inside still borrowed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::refusal::Refusal;
use crate::call::{self, Meta};

/// A message from a client.
#[derive(Debug)]
pub(crate) enum Message<'m> {
    Request(Request<'m>),
    Notification {
        method: Cow<'m, str>,
        params: Option<&'m RawValue>,
    },
    /// An answer, though this server asks nothing.
    Response,
}

/// A request, with its id as it was written.
#[derive(Debug)]
pub(crate) struct Request<'m> {
    pub(crate) id: &'m str,
    pub(crate) method: Cow<'m, str>,
    params: Option<&'m RawValue>,
}

/// What the methods of the tools part find in `params`, and `_meta` read.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Params<'m> {
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

/// Every member that JSON-RPC knows, none of them looked at.
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

/// A member that is there, be it `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'m> Message<'m> {
    pub(crate) fn read(bytes: &'m [u8]) -> Result<Self, Refusal<'m>> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| Refusal::parse(format!("not UTF-8 after {} bytes", error.valid_up_to())))?;
        // A list would do for a struct as well.
        let batch = text.trim_ascii_start().starts_with('[');
        let envelope: Envelope<'m> = match serde_json::from_str(text) {
            Ok(envelope) if !batch => envelope,
            Err(error) if !error.is_data() => {
                return Err(Refusal::parse(format!("not JSON at line {}, column {}", error.line(), error.column())));
            }
            _ => {
                return Err(Refusal::invalid(if batch {
                    "one message at a time: there are no batches in this protocol"
                } else {
                    "a message is one JSON object with no member twice"
                }));
            }
        };
        let id = envelope.id.map(RawValue::get);
        let echoed = id.filter(|id| is_id(id));
        if envelope.jsonrpc.map(RawValue::get) != Some(r#""2.0""#) {
            return Err(Refusal::invalid(r#"`jsonrpc` must be "2.0""#).of(echoed));
        }
        let Some(method) = envelope.method else {
            if envelope.result.is_some() || envelope.error.is_some() {
                return Ok(Self::Response);
            }
            return Err(Refusal::invalid("`method` is missing").of(echoed));
        };
        let Some(method) = string(method) else {
            return Err(Refusal::invalid("`method` must be a string").of(echoed));
        };
        match (id, echoed) {
            (None, _) => Ok(Self::Notification { method, params: envelope.params }),
            (Some(_), Some(id)) => Ok(Self::Request(Request { id, method, params: envelope.params })),
            (Some(_), None) => Err(Refusal::invalid("`id` must be a string or an integer")),
        }
    }
}

/// A call of a tool, read in one go.
pub(crate) struct Call<'m> {
    pub(crate) id: &'m str,
    pub(crate) params: call::CallParams<'m>,
}

impl<'m> Call<'m> {
    /// Reads a message; `None` when it is anything but a call, or anything is wrong with it, which [`Message::read`] and
    /// what follows it then say.
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
    type Value = Call<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a call")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Call<'de>, A::Error> {
        let other = || A::Error::custom("not a call as it usually comes");
        let (mut id, mut params) = (None, None);
        let (mut is_json_rpc, mut is_call) = (false, false);
        while let Some(member) = members.next_key::<&str>()? {
            let is_new = match member {
                "jsonrpc" => !std::mem::replace(&mut is_json_rpc, members.next_value::<&str>()? == "2.0"),
                "method" => !std::mem::replace(&mut is_call, members.next_value::<&str>()? == "tools/call") && is_call,
                "id" => id.replace(members.next_value::<&RawValue>()?.get()).is_none(),
                "params" => params.replace(members.next_value_seed(ParamsSeed { bytes: self.bytes })?).is_none(),
                _ => false,
            };
            if !is_new {
                return Err(other());
            }
        }
        match (id.filter(|id| is_id(id)), params) {
            (Some(id), Some(params)) if is_json_rpc && is_call => Ok(Call { id, params }),
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
        call::CallParams::inside(deserializer, self.bytes)
    }
}

/// A request that keeps what it needs of its message.
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

    pub(crate) fn params(&self) -> Result<Params<'m>, Refusal<'m>> {
        let Some(params) = self.params else { return Ok(Params::default()) };
        // A list would do for a struct as well.
        let read = params.get().starts_with('{').then(|| serde_json::from_str(params.get()));
        read.and_then(Result::ok).ok_or_else(|| {
            let text = "`params` must be an object with no member twice, and its `_meta` an object";
            Refusal::params(text).of(Some(self.id))
        })
    }
}

/// What a string says, borrowed where it has no escapes.
pub(crate) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') { serde_json::from_str(raw.get()).ok().map(Cow::Owned) } else { Some(Cow::Borrowed(inner)) }
}

/// Whether the protocol has such an id: a string or an integer, never `null`.
fn is_id(raw: &str) -> bool {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    raw.starts_with('"') || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_with_escapes_is_read() {
        let raw: &RawValue = serde_json::from_str(r#""tools\/list""#).expect("a string");
        assert_eq!(string(raw).as_deref(), Some("tools/list"));
    }

    #[test]
    fn ids_are_strings_and_integers() {
        for (raw, fits) in [("1", true), ("-7", true), (r#""a""#, true), ("1.5", false), ("null", false), ("{}", false)]
        {
            assert_eq!(is_id(raw), fits, "{raw}");
        }
    }
}
