//! From where a request may come: `Host` and `Origin` (DNS rebinding).

use ::http::header::{HOST, ORIGIN};
use ::http::request::Parts;

/// The hosts of the machine itself, which no page of another site can have.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

#[derive(Debug, Clone, Default)]
pub(super) struct Guard {
    hosts: Hosts,
    /// `None`: pages of this machine.
    origins: Option<Vec<String>>,
}

#[derive(Debug, Clone, Default)]
enum Hosts {
    #[default]
    Loopback,
    Any,
    These(Vec<String>),
}

impl Guard {
    pub(super) fn allow_hosts(&mut self, hosts: impl Iterator<Item = String>) {
        self.hosts = Hosts::These(hosts.map(|host| host.to_ascii_lowercase()).collect());
    }

    pub(super) fn allow_any_host(&mut self) {
        self.hosts = Hosts::Any;
    }

    pub(super) fn allow_origins(&mut self, origins: impl Iterator<Item = String>) {
        self.origins = Some(origins.map(|origin| origin.trim_end_matches('/').to_ascii_lowercase()).collect());
    }

    /// Why the request is not answered, if it is not.
    pub(super) fn fault(&self, parts: &Parts) -> Option<String> {
        let mut hosts = parts.headers.get_all(HOST).iter();
        let named = match (hosts.next(), hosts.next()) {
            (None, _) => None,
            (Some(host), None) => Some(host.to_str().ok()),
            (Some(_), Some(_)) => Some(None),
        };
        // HTTP/2 has the host in the target, and so may HTTP/1. A request that names none at all comes from no browser.
        let target = parts.uri.authority().map(|authority| Some(authority.as_str()));
        let is_own = |host: Option<&str>| host.is_some_and(|host| self.admits_host(&host.to_ascii_lowercase()));
        if let Some(host) = [named, target].into_iter().flatten().find(|host| !is_own(*host)) {
            return Some(format!("the host {} is not one of this server's", shown(host)));
        }
        let foreign = parts
            .headers
            .get_all(ORIGIN)
            .iter()
            .map(|origin| origin.to_str().ok())
            .find(|origin| !origin.is_some_and(|origin| self.admits_origin(&origin.to_ascii_lowercase())));
        foreign.map(|origin| format!("pages of the origin {} may not call this server", shown(origin)))
    }

    fn admits_host(&self, host: &str) -> bool {
        match &self.hosts {
            Hosts::Any => true,
            Hosts::Loopback => is_loopback(host),
            Hosts::These(hosts) => hosts.iter().any(|allowed| allowed == host || without_port(host) == Some(allowed)),
        }
    }

    fn admits_origin(&self, origin: &str) -> bool {
        match &self.origins {
            Some(origins) => origins.iter().any(|allowed| allowed == origin),
            None => ["http://", "https://"].iter().any(|scheme| origin.strip_prefix(scheme).is_some_and(is_loopback)),
        }
    }
}

fn is_loopback(host: &str) -> bool {
    LOOPBACK.iter().any(|own| host == *own || without_port(host) == Some(own))
}

/// The host of one that names a port.
fn without_port(host: &str) -> Option<&str> {
    let (host, port) = host.rsplit_once(':')?;
    (!port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())).then_some(host)
}

fn shown(name: Option<&str>) -> String {
    name.map_or_else(|| "named twice or not in ASCII".to_owned(), crate::document::name::quote_name)
}
