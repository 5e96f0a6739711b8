//! Reads a whole JSON-RPC message in one pass, and copies only strings with escapes. Writes the errors of JSON-RPC and
//! the notifications about progress.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Value, json};

use super::params::{InvalidParams, RequestParams, Stop, string};
use crate::Progress;
use crate::call::settings::Settings;
use crate::call::{ProgressSink, add_property};
use crate::json::scanner::Scanner;

/// A message from a client.
#[derive(Debug)]
pub(crate) enum Message<'m, 'p> {
    Request(Request<'m>, Result<&'p mut RequestParams<'m>, InvalidParams>),
    /// The `params` are JSON text.
    Notification {
        method: Cow<'m, str>,
        params: Option<&'m str>,
    },
    /// A response to a question from the server. The id and the result are JSON text.
    Response {
        id: Option<&'m str>,
        /// `None` if the client answers with an error.
        result: Option<&'m str>,
    },
}

/// A request without its `params`. The id is the JSON text as it was sent.
#[derive(Debug)]
pub(crate) struct Request<'m> {
    pub(crate) id: &'m str,
    pub(crate) method: Cow<'m, str>,
}

/// The fields of a JSON-RPC message, as JSON text. A field that is present may be `null`.
#[derive(Default)]
struct Envelope<'m> {
    json_rpc: Option<&'m str>,
    id: Option<&'m str>,
    method: Option<&'m str>,
    /// The text of the `params`, and whether they are valid.
    params: Option<(&'m str, Result<(), InvalidParams>)>,
    result: Option<&'m str>,
    error: Option<&'m str>,
}

impl<'m> Envelope<'m> {
    fn read(text: &'m str, params: &mut RequestParams<'m>, settings: &Settings) -> Result<Self, Stop> {
        let mut scanner = Scanner::new(text);
        if scanner.peek() != Some(b'{') {
            scanner.skip()?;
            return Err(Stop::Invalid);
        }
        let mut envelope = Self::default();
        let mut has_more = scanner.open(b'}');
        while has_more {
            let key = scanner.key()?.decode().ok_or_else(|| scanner.error())?;
            let is_repeated = match &*key {
                "jsonrpc" => envelope.json_rpc.replace(scanner.skip()?).is_some(),
                "id" => envelope.id.replace(scanner.skip()?).is_some(),
                "method" => envelope.method.replace(scanner.skip()?).is_some(),
                "result" => envelope.result.replace(scanner.skip()?).is_some(),
                "error" => envelope.error.replace(scanner.skip()?).is_some(),
                "params" => {
                    scanner.peek();
                    let start = scanner.position();
                    let read = params.read(&mut scanner, settings)?;
                    envelope.params.replace((scanner.text_from(start), read)).is_some()
                }
                _ => scanner.skip().map(|_| false)?,
            };
            if is_repeated {
                return Err(Stop::Invalid);
            }
            has_more = scanner.next(b'}')?;
        }
        scanner.end()?;
        Ok(envelope)
    }
}

impl<'m, 'p> Message<'m, 'p> {
    /// Reads a message. Its `params` are read into the argument `params`, which must be empty. If the message is not
    /// valid, the error is the response to it, with the id of the request if the id can be read.
    pub(crate) fn read(
        bytes: &'m [u8],
        params: &'p mut RequestParams<'m>,
        settings: &Settings,
    ) -> Result<Self, Vec<u8>> {
        let not_json = |text: String| ProtocolError::new(ErrorKind::Malformed, -32700, text).to_bytes(None);
        let text = std::str::from_utf8(bytes)
            .map_err(|error| not_json(format!("not UTF-8 after {} bytes", error.valid_up_to())))?;
        let envelope = match Envelope::read(text, params, settings) {
            Ok(envelope) => envelope,
            Err(Stop::Syntax(error)) => {
                let (line, column) = error.line_and_column(bytes);
                return Err(not_json(format!("not JSON at line {line}, column {column}")));
            }
            Err(Stop::Invalid) => {
                let is_batch = text.trim_ascii_start().starts_with('[');
                let text = if is_batch {
                    "send one message at a time: the protocol has no batches"
                } else {
                    "a message must be one JSON object without duplicate keys"
                };
                return Err(ProtocolError::invalid_request(text).to_bytes(None));
            }
        };
        let Envelope { json_rpc, id, method, params: read, result, error } = envelope;
        let read = read.filter(|(text, _)| *text != "null");
        let error = error.filter(|text| *text != "null");
        let echoed = id.filter(|id| is_id(id));
        let invalid = |text| ProtocolError::invalid_request(text).to_bytes(echoed);
        if json_rpc != Some(r#""2.0""#) {
            return Err(invalid(r#"`jsonrpc` must be "2.0""#));
        }
        let Some(method) = method else {
            if result.is_some() || error.is_some() {
                return Ok(Self::Response { id, result: result.filter(|_| error.is_none()) });
            }
            return Err(invalid("`method` is missing"));
        };
        let Some(method) = string(method) else {
            return Err(invalid("`method` must be a string"));
        };
        match (id, echoed) {
            (None, _) => Ok(Self::Notification { method, params: read.map(|(text, _)| text) }),
            (Some(_), Some(id)) => {
                let read = read.map_or(Ok(()), |(_, read)| read);
                Ok(Self::Request(Request { id, method }, read.map(|()| params)))
            }
            (Some(_), None) => Err(invalid("`id` must be a string or an integer")),
        }
    }
}

impl From<InvalidParams> for ProtocolError {
    fn from(_: InvalidParams) -> Self {
        Self::invalid_params("`params` must be an object without duplicate keys, and its `_meta` an object")
    }
}

/// Returns `true` for a valid id: a string or an integer, never `null`.
fn is_id(raw: &str) -> bool {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    raw.starts_with('"') || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Replaces line breaks with spaces, so that a message takes one line. JSON has line breaks only between tokens.
pub(crate) fn replace_line_breaks(bytes: &mut [u8]) {
    let mut from = 0;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', &bytes[from..]) {
        from += at;
        bytes[from] = b' ';
    }
}

/// The kind of an error, which decides the HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// The message is not valid JSON-RPC, its `params` or its protocol version are not accepted, or the client lacks a
    /// capability that the method needs.
    Malformed,
    /// The method does not exist. Used only for protocol versions whose clients read errors with an HTTP status other
    /// than 200.
    UnknownMethod,
    /// Any other error, such as one that the method returned.
    Method,
}

/// A JSON-RPC error, still without the id of the request.
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

    /// Writes the error as the response to the request with this id. The id is raw JSON, or `None` if it cannot be
    /// read.
    pub(crate) fn to_bytes(&self, id: Option<&str>) -> Vec<u8> {
        let mut error = json!({ "code": self.code, "message": self.message });
        add_property(&mut error, "data", self.data.clone());
        let id = id.map_or_else(String::new, |id| format!(r#","id":{id}"#));
        format!(r#"{{"jsonrpc":"2.0"{id},"error":{error}}}"#).into_bytes()
    }
}

/// The maximum length of a progress token as JSON text. It is low, because every report repeats the token.
const MAX_TOKEN_BYTES: usize = 1_024;

/// Returns the progress token of a request. A call whose token is invalid or too long runs without reports.
pub(crate) fn progress_token(params: &RequestParams<'_>) -> Option<Value> {
    let token = params.meta.as_ref()?.progress_token.filter(|token| token.len() <= MAX_TOKEN_BYTES)?;
    let token: Value = serde_json::from_str(token).ok()?;
    (token.is_string() || token.is_i64() || token.is_u64()).then_some(token)
}

/// Creates a sink that turns each report into a notification and passes it to `send`.
pub(crate) fn progress_sink(token: Value, send: impl Fn(Vec<u8>) + Send + Sync + 'static) -> ProgressSink {
    Arc::new(move |progress| send(report(&token, progress)))
}

fn report(token: &Value, progress: Progress) -> Vec<u8> {
    let mut params = json!({ "progressToken": token, "progress": progress.done });
    add_property(&mut params, "total", progress.total);
    add_property(&mut params, "message", progress.message);
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }).to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_string_or_an_integer() {
        for (raw, fits) in [("1", true), ("-7", true), (r#""a""#, true), ("1.5", false), ("null", false), ("{}", false)]
        {
            assert_eq!(is_id(raw), fits, "{raw}");
        }
    }

    #[test]
    fn params_that_are_wrong_are_an_error_of_their_request() {
        let settings = Settings::default();
        for params_text in ["[]", "1", r#"{"_meta":1}"#, r#"{"name":1,"name":2}"#] {
            let text = format!(r#"{{"params":{params_text},"method":"x","id":7,"jsonrpc":"2.0"}}"#);
            let mut params = RequestParams::default();
            let Ok(Message::Request(request, params)) = Message::read(text.as_bytes(), &mut params, &settings) else {
                panic!("a request")
            };
            let error = ProtocolError::from(params.expect_err("wrong params")).to_bytes(Some(request.id));
            assert!(String::from_utf8(error).is_ok_and(|error| error.contains(r#""id":7"#)), "{params_text}");
        }
    }

    #[test]
    fn line_breaks_become_blanks() {
        let mut text = b"\n{\r\n  \"a\":\n1}\n".to_vec();
        replace_line_breaks(&mut text);
        assert_eq!(text, b" {    \"a\": 1} ");
    }

    #[test]
    fn a_progress_token_is_a_string_or_an_integer_that_is_not_too_long() {
        let settings = Settings::default();
        let read = |token: &str| {
            let text = format!(r#"{{"_meta":{{"progressToken":{token}}}}}"#);
            let mut params = RequestParams::default();
            params.read_text(&text, &settings).expect("JSON").expect("params");
            progress_token(&params)
        };
        for token in ["\"mine\"", "\"\"", "5", "-5", "18446744073709551615"] {
            assert_eq!(read(token).map(|token| token.to_string()).as_deref(), Some(token));
        }
        for token in ["1.5", "true", "null", "[]", "{}"] {
            assert_eq!(read(token), None, "{token}");
        }
        assert!(read(&format!("{:?}", "x".repeat(1_022))).is_some());
        assert!(read(&format!("{:?}", "x".repeat(1_023))).is_none());
    }
}
