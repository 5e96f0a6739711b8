//! What answers a message that cannot be served: a JSON-RPC error.

use std::borrow::Cow;

use serde_json::Value;

/// What is wrong with a message, as far as a transport tells the kinds apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is not JSON, not JSON-RPC, or lacks what the protocol demands of every request.
    Malformed,
    /// No such method.
    UnknownMethod,
    /// A method answered that it cannot.
    Answered,
}

/// A JSON-RPC error for the message with this id, as far as it could be read.
#[derive(Debug)]
pub(crate) struct Refusal<'m> {
    pub(crate) kind: Kind,
    id: Option<&'m str>,
    code: i32,
    message: Cow<'static, str>,
    data: Option<Value>,
}

impl Refusal<'_> {
    pub(crate) fn new(kind: Kind, code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, id: None, code, message: message.into(), data: None }
    }

    pub(crate) fn parse(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Malformed, -32700, message)
    }

    pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Malformed, -32600, message)
    }

    pub(crate) fn params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Malformed, -32602, message)
    }

    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// Says which request it answers. Without one the error has no `id`, to clients of every version.
    ///
    /// JSON-RPC has `"id": null` there, which no version's schema admits: an id is a string or an integer. From
    /// 2025-11-25 on the schema lets an error do without `id`. That of 2025-06-18 demands one, so that no answer to an
    /// unreadable request is valid there; but its transport, too, speaks of an error response that has no `id`.
    pub(crate) fn of(self, id: Option<&str>) -> Refusal<'_> {
        let Self { kind, code, message, data, id: _ } = self;
        Refusal { kind, id, code, message, data }
    }

    /// The message that tells the client.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = br#"{"jsonrpc":"2.0""#.to_vec();
        if let Some(id) = self.id {
            bytes.extend_from_slice(br#","id":"#);
            bytes.extend_from_slice(id.as_bytes());
        }
        bytes.extend_from_slice(br#","error":{"code":"#);
        bytes.extend_from_slice(self.code.to_string().as_bytes());
        bytes.extend_from_slice(br#","message":"#);
        // Strings and values always serialise.
        let _ = serde_json::to_writer(&mut bytes, &self.message);
        if let Some(data) = &self.data {
            bytes.extend_from_slice(br#","data":"#);
            let _ = serde_json::to_writer(&mut bytes, data);
        }
        bytes.extend_from_slice(b"}}");
        bytes
    }
}
