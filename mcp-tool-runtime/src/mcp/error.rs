//! JSON-RPC errors.

use std::borrow::Cow;

use serde_json::{Value, json};

/// The kind of an error, which decides the HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// The message is not JSON or not JSON-RPC, lacks a field that the protocol requires in every request, or lacks a
    /// capability of the client that the method needs.
    Malformed,
    /// The method does not exist, in a version whose clients read errors with an HTTP status other than 200.
    UnknownMethod,
    /// The method returned an error.
    Method,
}

/// A JSON-RPC error. The id is that of the request, if it could be read.
#[derive(Debug)]
pub(crate) struct ProtocolError {
    pub(crate) kind: ErrorKind,
    code: i32,
    message: Cow<'static, str>,
    data: Option<Value>,
}

impl ProtocolError {
    pub(crate) fn new(kind: ErrorKind, code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, code, message: message.into(), data: None }
    }

    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Malformed, -32600, message)
    }

    pub(crate) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Malformed, -32602, message)
    }

    pub(crate) fn with_data(self, data: impl Into<Option<Value>>) -> Self {
        Self { data: data.into(), ..self }
    }

    /// Writes the error of the request with this id, which is raw JSON. A message that is not valid has none.
    pub(crate) fn to_bytes(&self, id: Option<&str>) -> Vec<u8> {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        let id = id.map_or_else(String::new, |id| format!(r#","id":{id}"#));
        format!(r#"{{"jsonrpc":"2.0"{id},"error":{error}}}"#).into_bytes()
    }
}
