//! The headers that repeat what is in the body, for proxies to route by (2026-07-28): they must say the same.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use ::http::{HeaderMap, HeaderName};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use crate::document::name::quote_name;
use crate::serve::protocol::{Params, Request, string};
use crate::{Dispatcher, ProtocolVersion};

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Which arguments of which tool go into headers as well (rule T14).
#[derive(Clone)]
pub(super) struct Mirrors {
    by_tool: Arc<HashMap<String, Vec<Mirror>>>,
}

struct Mirror {
    header: HeaderName,
    path: Vec<String>,
}

impl Mirrors {
    pub(super) fn new(dispatcher: &Dispatcher) -> Self {
        let mut by_tool = HashMap::new();
        for tool in dispatcher.list_for(ProtocolVersion::LATEST) {
            let mut mirrors = Vec::new();
            find(&tool.input_schema, &mut Vec::new(), &mut mirrors);
            if !mirrors.is_empty() {
                by_tool.insert(tool.name.clone(), mirrors);
            }
        }
        Self { by_tool: Arc::new(by_tool) }
    }

    /// What keeps the headers of a request of 2026-07-28 from being those of its body.
    pub(super) fn fault(&self, headers: &HeaderMap, request: &Request<'_>, params: &Params<'_>) -> Option<String> {
        let method = match only(headers, &METHOD) {
            Ok(Some(method)) => method,
            Ok(None) => return Some("the header Mcp-Method is missing".to_owned()),
            Err(fault) => return Some(fault),
        };
        if method != request.method {
            return Some(differs("Mcp-Method", method, &request.method));
        }
        if request.method != "tools/call" {
            return None;
        }
        let sent = match only(headers, &NAME).and_then(|name| name.map(|name| decoded(&NAME, name)).transpose()) {
            Ok(Some(name)) => name,
            Ok(None) => return Some("the header Mcp-Name is missing".to_owned()),
            Err(fault) => return Some(fault),
        };
        let name = params.name.and_then(string).unwrap_or_default();
        if sent != name {
            return Some(differs("Mcp-Name", &sent, &name));
        }
        let mirrors = self.by_tool.get(&*name)?;
        let arguments = params.arguments.map(RawValue::get).unwrap_or_default();
        // What cannot be read here is refused as an argument later, and matches no header.
        let arguments = serde_json::from_str(arguments).unwrap_or(Value::Null);
        mirrors.iter().find_map(|mirror| mirror.fault(headers, &arguments))
    }
}

impl Mirror {
    fn fault(&self, headers: &HeaderMap, arguments: &Value) -> Option<String> {
        let sent = match only(headers, &self.header) {
            Ok(sent) => sent.map(|sent| decoded(&self.header, sent)),
            Err(fault) => return Some(fault),
        };
        let value = self.path.iter().try_fold(arguments, |value, step| value.get(step));
        let (argument, header) = (self.path.join("."), &self.header);
        match (value.filter(|value| !value.is_null()), sent) {
            (_, Some(Err(fault))) => Some(fault),
            // Of another kind it is no value for a header; the arguments are refused for it.
            (None | Some(Value::Array(_) | Value::Object(_)), None) => None,
            (None, Some(Ok(_))) => Some(format!("the header {header} repeats `{argument}`, which the body has not")),
            (Some(_), None) => Some(format!("the header {header} is missing, which must repeat `{argument}`")),
            (Some(value), Some(Ok(sent))) => {
                (!same(value, &sent)).then(|| format!("the header {header} is not what the body has as `{argument}`"))
            }
        }
    }
}

/// Every annotation that `properties` alone lead to; elsewhere the dispatcher allows none.
fn find(schema: &Value, path: &mut Vec<String>, found: &mut Vec<Mirror>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        let header = property["x-mcp-header"].as_str().map(|name| format!("mcp-param-{name}"));
        if let Some(header) = header.and_then(|header| HeaderName::from_bytes(header.as_bytes()).ok()) {
            found.push(Mirror { header, path: path.clone() });
        }
        find(property, path, found);
        path.pop();
    }
}

/// The value of a header that may be there once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, String> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            Ok(value) => Ok(Some(value.trim_matches([' ', '\t']))),
            Err(_) => Err(format!("the header {name} has characters that a header must not have")),
        },
        (Some(_), Some(_)) => Err(format!("the header {name} is there twice")),
    }
}

/// A value that is written in Base64 where a header could not hold it as it is.
fn decoded<'h>(name: &HeaderName, value: &'h str) -> Result<Cow<'h, str>, String> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) else {
        return Ok(Cow::Borrowed(value));
    };
    let text = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(Cow::Owned).ok_or_else(|| format!("the header {name} is not Base64 of UTF-8"))
}

/// Whether a header says this value; numbers are compared as numbers.
fn same(value: &Value, sent: &str) -> bool {
    match value {
        Value::String(text) => text == sent,
        Value::Bool(flag) => sent == if *flag { "true" } else { "false" },
        Value::Number(number) => serde_json::from_str(sent).is_ok_and(|sent: Number| same_number(number, &sent)),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    let whole = |number: &Number| number.as_i128();
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a.as_f64() == b.as_f64(),
    }
}

fn differs(header: &str, sent: &str, body: &str) -> String {
    format!("the header {header} is {}, the body says {}", quote_name(sent), quote_name(body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_compared_as_numbers() {
        for (value, sent, expected) in [
            (json!(42), "42", true),
            (json!(42), "42.0", true),
            (json!(42.0), "42", true),
            (json!(-7), "-7", true),
            (json!(9_007_199_254_740_993_u64), "9007199254740992", false),
            (json!(1), "01", false),
            (json!(1), "true", false),
            (json!(true), "true", true),
            (json!(true), "True", false),
            (json!("1"), "1", true),
        ] {
            assert_eq!(same(&value, sent), expected, "{value} {sent}");
        }
    }

    #[test]
    fn base64_is_read_only_within_its_marks() {
        for (sent, text) in [
            ("=?base64?SGVsbG8=?=", Some("Hello")),
            ("=?base64?SGVsbG8=", Some("=?base64?SGVsbG8=")),
            ("SGVsbG8=", Some("SGVsbG8=")),
            ("=?BASE64?SGVsbG8=?=", Some("=?BASE64?SGVsbG8=?=")),
            ("=?base64?SGVsbG8?=", None),
            ("=?base64?SGVs!!!bG8=?=", None),
            ("=?base64?/w==?=", None),
        ] {
            assert_eq!(decoded(&NAME, sent).ok().as_deref(), text, "{sent}");
        }
    }
}
