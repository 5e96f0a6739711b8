//! JSON-RPC errors.

use std::borrow::Cow;

use serde_json::Value;

/// The kind of an error. It decides the HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// The message is not JSON or not JSON-RPC, lacks a field that the protocol requires in every request, or lacks a capability
    /// of the client that the method needs.
    Malformed,
    /// The method does not exist.
    UnknownMethod,
    /// The method returned an error.
    Method,
}

/// A JSON-RPC error. The id is that of the request, if it could be read.
#[derive(Debug)]
pub(crate) struct ProtocolError<'m> {
    pub(crate) kind: ErrorKind,
    id: Option<&'m str>,
    code: i32,
    message: Cow<'static, str>,
    data: Option<Value>,
}

impl ProtocolError<'_> {
    pub(crate) fn new(kind: ErrorKind, code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, id: None, code, message: message.into(), data: None }
    }

    pub(crate) fn parse_error(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Malformed, -32700, message)
    }

    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Malformed, -32600, message)
    }

    pub(crate) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Malformed, -32602, message)
    }

    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// Sets the id of the request. An error without an id is written without `id`.
    ///
    /// JSON-RPC would write `"id": null`, but the schema of every protocol version allows only strings and integers. Since
    /// 2025-11-25 the schema allows an error without `id`. The schema of 2025-06-18 does not, but its transport describes
    /// such a response.
    pub(crate) fn for_request(self, id: Option<&str>) -> ProtocolError<'_> {
        let Self { kind, code, message, data, id: _ } = self;
        ProtocolError { kind, id, code, message, data }
    }

    /// Writes the JSON-RPC message.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = br#"{"jsonrpc":"2.0""#.to_vec();
        if let Some(id) = self.id {
            bytes.extend_from_slice(br#","id":"#);
            bytes.extend_from_slice(id.as_bytes());
        }
        bytes.extend_from_slice(br#","error":{"code":"#);
        bytes.extend_from_slice(self.code.to_string().as_bytes());
        bytes.extend_from_slice(br#","message":"#);
        // Serializing strings and values cannot fail.
        let _ = serde_json::to_writer(&mut bytes, &self.message);
        if let Some(data) = &self.data {
            bytes.extend_from_slice(br#","data":"#);
            let _ = serde_json::to_writer(&mut bytes, data);
        }
        bytes.extend_from_slice(b"}}");
        bytes
    }
}
