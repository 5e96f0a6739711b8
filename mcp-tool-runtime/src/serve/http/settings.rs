//! The settings that [`Endpoint`](super::Endpoint), [`PlainHttp`](super::PlainHttp) and `Page` share, and the answer to
//! callers who lack scopes.

use std::sync::Arc;

use ::http::HeaderValue;

use super::headers::AllowedSources;
use crate::dispatcher::Gate;
use crate::json::path::percent_encode;
use crate::json::violation::quote_name;

#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) sources: AllowedSources,
    pub(super) max_body_bytes: usize,
    /// The URL of the server's protected resource metadata (RFC 9728), if callers who lack scopes are challenged.
    pub(super) resource_metadata: Option<String>,
}

impl Settings {
    pub(super) fn new(max_body_bytes: usize) -> Arc<Self> {
        Arc::new(Self { sources: AllowedSources::default(), max_body_bytes, resource_metadata: None })
    }

    /// Turns on challenges for callers who lack scopes.
    pub(super) fn challenge_scopes(&mut self, resource_metadata: &str) {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !br#""\"#.contains(&byte);
        self.resource_metadata = Some(percent_encode(resource_metadata, is_plain));
    }

    /// Returns the message and the header `WWW-Authenticate` of the answer, if callers are challenged and the tool is
    /// hidden from this caller only for lack of scopes.
    ///
    /// The header has all scopes of the tool, including those that the caller has, because the specification wants all
    /// scopes of the operation in one challenge.
    pub(super) fn scope_challenge(&self, gate: &Gate<'_>, name: &str) -> Option<(String, HeaderValue)> {
        let resource_metadata = self.resource_metadata.as_ref()?;
        let scopes = gate.insufficient_scopes()?.join(" ");
        let text = format!("the token lacks scopes: tool {} needs `{scopes}`", quote_name(name));
        let header =
            format!(r#"Bearer error="insufficient_scope", scope="{scopes}", resource_metadata="{resource_metadata}""#);
        // `build` has checked the scopes, and the URL is encoded, so this is always a valid header.
        Some((text, HeaderValue::from_str(&header).ok()?))
    }
}

/// Implements the methods of a service that change its settings.
macro_rules! settings_methods {
    ($service:ident) => {
        impl $service {
            /// Limits the size of a request's body. A larger body gets status 413. The default is four times the
            /// dispatcher's `max_argument_bytes`. For [`PlainHttp`](crate::http::PlainHttp), whose bodies are only the
            /// arguments, the default is `max_argument_bytes` itself.
            pub fn with_max_body_bytes(mut self, bytes: usize) -> Self {
                self.settings().max_body_bytes = bytes;
                self
            }

            /// Sets the hosts that a request's `Host` may name, instead of the loopback hosts. `mcp.example.com` allows
            /// any port, `mcp.example.com:8443` only that port. A request for another host gets status 403. The first
            /// such request for each host is logged, up to 16 hosts and origins.
            pub fn with_allowed_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
                self.settings().sources.hosts = Some(hosts.into_iter().map(Into::into).collect());
                self
            }

            /// Allows any host. Use it only behind a proxy that checks `Host` itself.
            pub fn with_any_host(mut self) -> Self {
                self.settings().sources.hosts = None;
                self
            }

            /// Sets the origins of web pages that may call the server, instead of the loopback hosts:
            /// `https://app.example.com`, with the port if it is not the default port. An empty list allows no origin.
            /// For a browser's preflight requests, add a layer such as `tower_http::cors`.
            pub fn with_allowed_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
                let origins = origins.into_iter().map(|origin| origin.into().trim_end_matches('/').to_owned());
                self.settings().sources.origins = Some(origins.collect());
                self
            }

            fn settings(&mut self) -> &mut $crate::serve::http::settings::Settings {
                std::sync::Arc::make_mut(&mut self.settings)
            }
        }
    };
}
/// Implements `tower::Service` with a function that answers one request. The function's own future is boxed: an `async`
/// block around the future would need space for it twice, before its first poll and while it is polled.
macro_rules! tower_service {
    ($service:ident, $answer:path) => {
        impl<B> tower_service::Service<::http::Request<B>> for $service
        where
            B: http_body::Body + Send + 'static,
            B::Data: Send,
        {
            type Response = ::http::Response<$crate::serve::http::Body>;
            type Error = std::convert::Infallible;
            type Future = $crate::serve::http::ResponseFuture;

            fn poll_ready(
                &mut self,
                _: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Result<(), std::convert::Infallible>> {
                std::task::Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: ::http::Request<B>) -> Self::Future {
                Box::pin($answer(self.clone(), request))
            }
        }
    };
}

pub(super) use {settings_methods, tower_service};
