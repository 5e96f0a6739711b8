//! Checks `Host` and `Origin`, against DNS rebinding.

use std::borrow::Cow;

use ::http::StatusCode;
use ::http::header::{HOST, ORIGIN};
use ::http::request::Parts;

use super::problem::Rejected;
use crate::json::violation::quote_name;

/// The loopback hosts. A page of another site cannot have them.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

#[derive(Debug, Clone)]
pub(super) struct AllowedSources {
    /// `None` allows any.
    pub(super) hosts: Option<Vec<String>>,
    /// `None` allows the loopback hosts.
    pub(super) origins: Option<Vec<String>>,
}

impl Default for AllowedSources {
    fn default() -> Self {
        Self { hosts: Some(LOOPBACK.map(str::to_owned).into()), origins: None }
    }
}

impl AllowedSources {
    /// Refuses a request from a foreign host or origin.
    pub(super) fn check(&self, parts: &Parts) -> Result<(), Rejected> {
        self.check_host(parts)?;
        check_origin(parts, |origin| self.allows_origin(origin))
    }

    /// Does the same with a request of a page that this server serves. The origin that `Host` names is the page's own, so it is
    /// allowed without being listed.
    pub(super) fn check_page(&self, parts: &Parts) -> Result<(), Rejected> {
        let host = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
        let is_own = |origin: &str| {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            authority.zip(host).is_some_and(|(authority, host)| authority.eq_ignore_ascii_case(host))
        };
        self.check_host(parts)?;
        check_origin(parts, |origin| is_own(origin) || self.allows_origin(origin))
    }

    fn check_host(&self, parts: &Parts) -> Result<(), Rejected> {
        let mut hosts = parts.headers.get_all(HOST).iter();
        let header = match (hosts.next(), hosts.next()) {
            (None, _) => None,
            (Some(host), None) => Some(host.to_str().ok()),
            (Some(_), Some(_)) => Some(None),
        };
        // HTTP/2 has the host in the request target, and HTTP/1 may have it there. Browsers always send a host.
        let target = parts.uri.authority().map(|authority| Some(authority.as_str()));
        let is_allowed = |host: Option<&str>| host.is_some_and(|host| self.allows_host(host));
        let foreign = [header, target].into_iter().flatten().find(|host| !is_allowed(*host));
        match foreign {
            None => Ok(()),
            Some(None) => Err(forbidden("the header Host is sent twice or has characters that are not visible ASCII")),
            Some(Some(host)) => Err(forbidden(format!("the host {} is not allowed", quote_name(host)))),
        }
    }

    fn allows_host(&self, host: &str) -> bool {
        self.hosts.as_ref().is_none_or(|hosts| is_one_of(host, hosts))
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
}

fn check_origin(parts: &Parts, is_allowed: impl Fn(&str) -> bool) -> Result<(), Rejected> {
    let mut origins = parts.headers.get_all(ORIGIN).iter().map(|origin| origin.to_str().ok());
    let foreign = origins.find(|origin| !origin.is_some_and(&is_allowed));
    match foreign {
        None => Ok(()),
        Some(None) => Err(forbidden("the header Origin has characters that are not visible ASCII")),
        Some(Some(origin)) => Err(forbidden(format!("the origin {} is not allowed", quote_name(origin)))),
    }
}

pub(super) fn forbidden(text: impl Into<Cow<'static, str>>) -> Rejected {
    Rejected(StatusCode::FORBIDDEN, text.into())
}

/// Looks for a host, with or without its port, among those that are allowed.
fn is_one_of(host: &str, allowed: &[impl AsRef<str>]) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let without_port = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(name, _)| name);
    let is = |allowed: &str| host.eq_ignore_ascii_case(allowed) || without_port.eq_ignore_ascii_case(allowed);
    allowed.iter().any(|allowed| is(allowed.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (
                &[("host", "localhost"), ("host", "localhost")],
                "the header Host is sent twice or has characters that are not visible ASCII",
            ),
            (&[("origin", "http://é.example")], "the header Origin has characters that are not visible ASCII"),
        ] {
            assert_eq!(error(headers).as_deref(), Some(expected));
        }
    }
}
