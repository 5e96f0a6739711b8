//! Headers that repeat the method and the name of the tool or the id of the task, so that proxies can route by them (2026-07-28).

use ::http::{HeaderMap, HeaderName};

use crate::json::violation::quote_name;
use crate::mcp::message::Request;
use crate::mcp::params::{RequestParams, string};
use crate::serve::repeated_arguments::{decoded, single};

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Compares the headers of a request of 2026-07-28 with its method, and with the name of its tool or the id of its task. The error says how
/// they differ.
pub(super) fn check(headers: &HeaderMap, request: &Request<'_>, params: &RequestParams<'_>) -> Result<(), String> {
    let method = single(headers, &METHOD)?.ok_or("the header Mcp-Method is missing")?;
    if method != request.method {
        return Err(differs("Mcp-Method", method, &request.method));
    }
    let (field, name) = match &*request.method {
        "tools/call" => ("name", params.name),
        "tasks/get" | "tasks/update" | "tasks/cancel" => ("taskId", params.task_id),
        _ => return Ok(()),
    };
    let sent = match single(headers, &NAME)? {
        Some(name) => decoded(&NAME, name)?,
        // FastMCP 4.1.2 does not send the id of a task here, though the extension says so.
        None if request.method != "tools/call" => return Ok(()),
        None => return Err("the header Mcp-Name is missing".to_owned()),
    };
    let Some(name) = name.and_then(string) else {
        return Err(format!("the header Mcp-Name is {}, but the body has no string `{field}`", quote_name(&sent)));
    };
    if sent == name { Ok(()) } else { Err(differs("Mcp-Name", &sent, &name)) }
}

fn differs(header: &str, sent: &str, body: &str) -> String {
    format!("the header {header} is {}, the body says {}", quote_name(sent), quote_name(body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::settings::Settings;
    use crate::mcp::message::Message;

    #[test]
    fn a_header_that_differs_is_named_with_both_values() {
        let error = |method: &str, name: &str| {
            let headers =
                [(METHOD, method), (NAME, name)].map(|(header, value)| (header, value.parse().expect("a value")));
            let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#;
            let mut params = RequestParams::default();
            let Ok(Message::Request(request, params)) = Message::read(message, &mut params, &Settings::default())
            else {
                panic!("a request")
            };
            check(&HeaderMap::from_iter(headers), &request, params.expect("params")).err()
        };
        assert_eq!(error("tools/call", "add"), None);
        assert_eq!(
            error("ping", "add").as_deref(),
            Some("the header Mcp-Method is `ping`, the body says `tools/call`")
        );
        assert_eq!(error("tools/call", "sum").as_deref(), Some("the header Mcp-Name is `sum`, the body says `add`"));
    }
}
