//! Checks the headers of a request: `Host` and `Origin` (against DNS rebinding), the media types and, from protocol
//! version 2026-07-28 on, the headers by which proxies route requests. Also reads the headers that select tools.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use ::http::header::{ACCEPT, CONTENT_TYPE, HOST, ORIGIN};
use ::http::request::Parts;
use ::http::{HeaderMap, HeaderName, StatusCode};

use super::problem::Rejected;
use crate::json::violation::quote_name;
use crate::listing::rules::Rule;
use crate::mcp::message::Request;
use crate::mcp::params::{RequestParams, string};
use crate::operations::Selection;
use crate::serve::repeated_arguments::{decoded, single};
use crate::{Dispatcher, Extensions, call::lock, log};

/// The loopback hosts. They are allowed by default, because they are never the host of a page from another site.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

#[derive(Debug, Clone)]
pub(super) struct AllowedSources {
    /// The hosts that are allowed. `None` allows any.
    pub(super) hosts: Option<Vec<String>>,
    /// The origins that are allowed. `None` allows the loopback hosts.
    pub(super) origins: Option<Vec<String>>,
    /// The refusals that were logged.
    logged: Arc<Mutex<Vec<String>>>,
}

/// The maximum number of refused hosts and origins that are logged, so that a client cannot fill the log.
const MAX_LOGGED: usize = 16;

impl Default for AllowedSources {
    fn default() -> Self {
        Self { hosts: Some(LOOPBACK.map(str::to_owned).into()), origins: None, logged: Arc::default() }
    }
}

impl AllowedSources {
    /// Refuses a request to a host or from an origin that is not allowed.
    pub(super) fn check(&self, parts: &Parts) -> Result<(), Rejected> {
        self.check_unless(parts, |_| false)
    }

    /// Does the same as [`check`](Self::check) for a request from a page that this server serves. The page's own origin
    /// has the host and port that `Host` names, and need not be listed.
    pub(super) fn check_page(&self, parts: &Parts) -> Result<(), Rejected> {
        let host = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
        self.check_unless(parts, |origin| {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            authority.zip(host).is_some_and(|(authority, host)| authority.eq_ignore_ascii_case(host))
        })
    }

    fn check_unless(&self, parts: &Parts, is_own: impl Fn(&str) -> bool) -> Result<(), Rejected> {
        let header = single(&parts.headers, &HOST).map_err(forbidden)?;
        // HTTP/2 puts the host into the request target, and HTTP/1 may do so too. A request without any host cannot
        // come from a browser, so it is allowed.
        let target = parts.uri.authority().map(http::uri::Authority::as_str);
        let is_allowed = |host: &str| self.hosts.as_ref().is_none_or(|hosts| is_one_of(host, hosts));
        if let Some(host) = header.into_iter().chain(target).find(|host| !is_allowed(host)) {
            return Err(self.refused("host", host, "with_allowed_hosts"));
        }
        let mut origins = parts.headers.get_all(ORIGIN).iter().map(|origin| origin.to_str().ok());
        let is_allowed = |origin: &str| is_own(origin) || self.allows_origin(origin);
        match origins.find(|origin| !origin.is_some_and(is_allowed)) {
            None => Ok(()),
            Some(None) => Err(forbidden("the header Origin has characters that are not visible ASCII")),
            Some(Some(origin)) => Err(self.refused("origin", origin, "with_allowed_origins")),
        }
    }

    fn allows_origin(&self, origin: &str) -> bool {
        match &self.origins {
            Some(origins) => origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)),
            None => ["http://", "https://"].iter().any(|scheme| {
                let parts = origin.split_at_checked(scheme.len());
                parts.is_some_and(|(start, host)| start.eq_ignore_ascii_case(scheme) && is_one_of(host, &LOOPBACK))
            }),
        }
    }

    /// Returns the refusal of a host or an origin. Logs each refused name once, up to [`MAX_LOGGED`] names. If a server
    /// does not allow its own name, the log then says why it refuses everybody.
    fn refused(&self, what: &str, name: &str, method: &str) -> Rejected {
        let text = format!("the {what} {} is not allowed", quote_name(name));
        let mut logged = lock(&self.logged);
        if logged.len() < MAX_LOGGED && !logged.contains(&text) {
            log::source_refused(&text, method);
            logged.push(text.clone());
        }
        forbidden(text)
    }
}

pub(super) fn forbidden(text: impl Into<Cow<'static, str>>) -> Rejected {
    Rejected(StatusCode::FORBIDDEN, text.into())
}

/// Returns `true` if a host, with or without its port, is one of the allowed hosts.
fn is_one_of(host: &str, allowed: &[impl AsRef<str>]) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let without_port = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(name, _)| name);
    let is = |allowed: &str| host.eq_ignore_ascii_case(allowed) || without_port.eq_ignore_ascii_case(allowed);
    allowed.iter().any(|allowed| is(allowed.as_ref()))
}

/// The media types that a client accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

impl Accepts {
    /// Reads the `Accept` header. If there is none, the client accepts only JSON.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(ACCEPT).iter().peekable();
        match values.peek() {
            None => return Self { json: true, events: false },
            // A fast path: the protocol requires clients to list both types, and almost all of them send exactly this
            // text.
            Some(value) if **value == "application/json, text/event-stream" => {
                return Self { json: true, events: true };
            }
            Some(_) => {}
        }
        let mut accepts = Self { json: false, events: false };
        // Ignore a header that is not ASCII.
        for range in values.flat_map(|value| value.to_str().unwrap_or_default().split(',')) {
            let mut parameters = range.split(';');
            let name = parameters.next().unwrap_or_default().trim().to_ascii_lowercase();
            if !parameters.any(is_refusal) {
                accepts.json |= ["application/json", "application/*", "*/*"].contains(&&*name);
                accepts.events |= ["text/event-stream", "text/*", "*/*"].contains(&&*name);
            }
        }
        accepts
    }
}

/// Returns `true` for `q=0`, which means "not accepted".
fn is_refusal(parameter: &str) -> bool {
    let weight = parameter.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
    weight.is_some_and(|(_, weight)| weight.trim().parse() == Ok(0.0_f32))
}

/// Refuses a request whose `Content-Type` is not `application/json`.
pub(super) fn check_json(headers: &HeaderMap) -> Result<(), Rejected> {
    let essence = single(headers, &CONTENT_TYPE).ok().flatten().and_then(|value| value.split(';').next());
    if essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json")) {
        return Ok(());
    }
    Err(Rejected(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the Content-Type must be application/json".into()))
}

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// For a request with protocol version 2026-07-28, compares the headers with the method, and with the name of the tool
/// or the id of the task. The error says how they differ.
pub(super) fn check_routing(
    headers: &HeaderMap,
    request: &Request<'_>,
    params: &RequestParams<'_>,
) -> Result<(), String> {
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
        // Accept a request about a task without this header. The extension for tasks requires it, but FastMCP 4.1.2
        // does not send it.
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

/// The tools that the headers of a request select.
pub(super) struct RequestedSelection(Selection);

impl RequestedSelection {
    /// Reads the headers as GitHub's server does: an empty header counts as absent, and a name that no tool has is not
    /// an error.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let texts =
            |name: &'static str| headers.get_all(name).iter().map(|text| String::from_utf8_lossy(text.as_bytes()));
        let list = |name| {
            let names = |text: Cow<'_, str>| text.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
            let mut names: Vec<_> = texts(name).flat_map(names).collect();
            names.retain(|name| !name.is_empty());
            Some(names).filter(|names| !names.is_empty())
        };
        let is_off = |text: &str| ["", "false", "f", "no", "n", "0", "off"].contains(&text);
        let mut selection = Selection::new();
        if texts("x-mcp-readonly").any(|text| !is_off(&text.trim().to_ascii_lowercase())) {
            selection = selection.read_only();
        }
        if let Some(tags) = list("x-mcp-toolsets") {
            selection = selection.tags(tags);
        }
        if let Some(names) = list("x-mcp-tools") {
            selection = selection.only(names);
        }
        Self(selection)
    }
}

/// Adds a rule that hides the tools that the headers of a request do not select.
#[track_caller]
pub(super) fn selectable(dispatcher: &Dispatcher) -> Dispatcher {
    dispatcher.with_rule(Rule::new("selectable_by_header", |tool, extensions: &Extensions| {
        extensions.get::<RequestedSelection>().is_none_or(|selection| selection.0.keeps(tool))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::settings::Settings;
    use crate::mcp::message::Message;

    #[test]
    fn a_rejection_names_the_host_or_the_origin() {
        let error = |headers: &[(&str, &str)]| {
            let request = headers
                .iter()
                .fold(::http::Request::post("/"), |request, (name, value)| request.header(*name, value.as_bytes()));
            let (parts, ()) = request.body(()).expect("a request").into_parts();
            AllowedSources::default().check(&parts).err().map(|Rejected(_, text)| text.into_owned())
        };
        assert_eq!(error(&[("host", "localhost:80"), ("origin", "http://localhost")]), None);
        for (headers, expected) in [
            (&[("host", "evil.example")][..], "the host `evil.example` is not allowed"),
            (&[("origin", "http://evil.example")], "the origin `http://evil.example` is not allowed"),
            (&[("host", "localhost"), ("host", "localhost")], "the header host is sent twice"),
            (&[("origin", "http://é.example")], "the header Origin has characters that are not visible ASCII"),
        ] {
            assert_eq!(error(headers).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_media_type_is_accepted_if_a_range_lists_it() {
        for (header, json, events) in [
            ("application/json, text/event-stream", true, true),
            ("*/*", true, true),
            ("text/*;q=0.5", false, true),
            ("Application/JSON;q=0, text/event-stream", false, true),
            ("text/html, application/xml", false, false),
            ("", false, false),
            ("application/*, text/*; Q=0.000", true, false),
            ("text/event-stream;q=0.1, text/*;q=0, */*;q=0", false, true),
            ("*/*;q=0", false, false),
            ("application/json;q=0, application/json", true, false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, header.parse().expect("a header"))]);
            assert_eq!(Accepts::of(&headers), Accepts { json, events }, "{header}");
        }
        assert_eq!(Accepts::of(&HeaderMap::new()), Accepts { json: true, events: false });
    }

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
            check_routing(&HeaderMap::from_iter(headers), &request, params.expect("params")).err()
        };
        assert_eq!(error("tools/call", "add"), None);
        assert_eq!(
            error("ping", "add").as_deref(),
            Some("the header Mcp-Method is `ping`, the body says `tools/call`")
        );
        assert_eq!(error("tools/call", "sum").as_deref(), Some("the header Mcp-Name is `sum`, the body says `add`"));
    }
}
