//! Arguments that clients also send as HTTP headers, from protocol version 2026-07-28 on. Each header must be equal to
//! its argument in the body.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use ::http::{HeaderMap, HeaderName};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value};

use crate::dispatcher::Gate;
use crate::schema::HEADER;
use crate::{Dispatcher, ProtocolVersion};

/// The arguments of each tool that are also sent in headers (rule T14).
#[derive(Debug, Clone)]
pub(super) struct RepeatedArguments {
    by_tool: Arc<HashMap<String, Vec<RepeatedArgument>>>,
}

#[derive(Debug)]
struct RepeatedArgument {
    header: HeaderName,
    path: Vec<String>,
}

impl RepeatedArguments {
    pub(super) fn new(dispatcher: &Dispatcher) -> Self {
        let repeated = dispatcher.list_all_for(ProtocolVersion::LATEST).iter().map(|tool| {
            let mut found = Vec::new();
            find(&tool.input_schema, &mut Vec::new(), &mut found);
            (tool.name.clone(), found)
        });
        Self { by_tool: Arc::new(repeated.filter(|(_, found)| !found.is_empty()).collect()) }
    }

    /// For a call with protocol version 2026-07-28, compares the headers with the arguments, if the caller may call the
    /// tool and the arguments are JSON that can be read. The error says how they differ.
    pub(super) fn check(
        &self,
        headers: &HeaderMap,
        gate: &Gate<'_>,
        arguments: impl FnOnce() -> Option<Value>,
    ) -> Result<(), String> {
        let Some(repeated) = gate.tool_name().and_then(|name| self.by_tool.get(name)) else { return Ok(()) };
        let Some(arguments) = arguments() else { return Ok(()) };
        repeated.iter().try_for_each(|argument| argument.check(headers, &arguments))
    }
}

impl RepeatedArgument {
    fn check(&self, headers: &HeaderMap, arguments: &Value) -> Result<(), String> {
        let sent = single(headers, &self.header)?.map(|sent| decoded(&self.header, sent)).transpose()?;
        let value = self.path.iter().try_fold(arguments, |value, step| value.get(step));
        let (argument, header) = (self.path.join("."), &self.header);
        match (value.filter(|value| !value.is_null()), sent) {
            // An absent argument needs no header. Neither does an array or an object, which no header can repeat: the
            // input schema allows neither for this argument, so the call is refused later.
            (None | Some(Value::Array(_) | Value::Object(_)), None) => Ok(()),
            (None, Some(_)) => Err(format!("the header {header} repeats `{argument}`, which is not in the body")),
            (Some(_), None) => Err(format!("the header {header} is missing; it must repeat `{argument}`")),
            (Some(value), Some(sent)) if same(value, &sent) => Ok(()),
            (Some(_), Some(_)) => Err(format!("the header {header} differs from `{argument}` in the body")),
        }
    }
}

/// Finds the properties that are annotated with a header and reachable through `properties` alone. `build` refuses all
/// other annotations.
fn find(schema: &Value, path: &mut Vec<String>, found: &mut Vec<RepeatedArgument>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        let header = property[HEADER].as_str().map(|name| format!("mcp-param-{name}"));
        if let Some(header) = header.and_then(|header| HeaderName::from_bytes(header.as_bytes()).ok()) {
            found.push(RepeatedArgument { header, path: path.clone() });
        }
        find(property, path, found);
        path.pop();
    }
}

/// Returns the value of a header without the whitespace around it. Returns an error if the header is sent twice or is
/// not visible ASCII.
pub(super) fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, String> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            // `trim_ascii` removes only spaces and tabs here, because a header's value contains no other whitespace.
            Ok(value) => Ok(Some(value.trim_ascii())),
            Err(_) => Err(format!("the header {name} has characters that are not visible ASCII")),
        },
        (Some(_), Some(_)) => Err(format!("the header {name} is sent twice")),
    }
}

/// Decodes the value of a header. A value with characters that a header cannot have is sent as `=?base64?…?=`.
pub(super) fn decoded<'h>(name: &HeaderName, value: &'h str) -> Result<Cow<'h, str>, String> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) else {
        return Ok(Cow::Borrowed(value));
    };
    let text = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(Cow::Owned).ok_or_else(|| format!("the header {name} is not base64 of UTF-8"))
}

/// Returns `true` if the text of a header is equal to the value of an argument. Numbers are compared as numbers.
fn same(value: &Value, sent: &str) -> bool {
    match value {
        Value::String(text) => text == sent,
        Value::Bool(flag) => sent == if *flag { "true" } else { "false" },
        Value::Number(number) => serde_json::from_str(sent).is_ok_and(|sent: Number| {
            let integers = number.as_i128().zip(sent.as_i128());
            integers.map_or_else(|| number.as_f64() == sent.as_f64(), |(number, sent)| number == sent)
        }),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
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
            assert_eq!(decoded(&HeaderName::from_static("mcp-name"), sent).ok().as_deref(), text, "{sent}");
        }
    }
}
