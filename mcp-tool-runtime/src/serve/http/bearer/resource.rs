//! A protected resource: its paths, its metadata (RFC 9728), and the challenges that lead clients to the metadata.

use std::fmt::Write as _;

use ::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW, CACHE_CONTROL, WWW_AUTHENTICATE};
use ::http::{HeaderValue, Method, Response, StatusCode, Uri};
use bytes::Bytes;
use serde_json::json;

use super::super::body::{Body, JSON};
use super::BearerError;
use super::verifier::Reason;
use crate::call::add_property;
use crate::log;

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

pub(super) struct Resource {
    pub(super) url: String,
    /// The path of the resource on this server, without a slash at the end.
    path: String,
    /// The path of the resource's metadata on this server.
    metadata_path: String,
    metadata_url: String,
    metadata: Bytes,
    /// The `scope` parameter of a challenge, with a comma after it. Empty if no scopes are set.
    scope: String,
    /// The values of `aud` that are accepted. `None` accepts any.
    pub(super) audience: Option<Vec<String>>,
}

impl Resource {
    /// Creates a resource. If `audience` is `None`, every audience is accepted. If it is empty, only the resource's own
    /// URL is accepted.
    pub(super) fn new(
        url: &str,
        path: Option<&str>,
        authorization_servers: &[String],
        scopes: &[String],
        audience: Option<&[String]>,
    ) -> Result<Self, BearerError> {
        let (origin, url_path) = split(url)?;
        let path = path.unwrap_or(url_path);
        if !(path.is_empty() || path.starts_with('/')) {
            return Err(BearerError::new(format!("the path `{path}` of a resource does not start with a slash")));
        }
        let mut metadata = json!({ "resource": url, "authorization_servers": authorization_servers });
        add_property(&mut metadata, "scopes_supported", (!scopes.is_empty()).then_some(scopes));
        metadata["bearer_methods_supported"] = json!(["header"]);
        let own_audience = || {
            // A URL with an empty path is equivalent to the same URL with a slash (RFC 3986, section 6.2.3).
            let is_root = matches!(url_path, "" | "/");
            if is_root { vec![origin.to_owned(), format!("{origin}/")] } else { vec![url.to_owned()] }
        };
        Ok(Self {
            url: url.to_owned(),
            path: path.trim_end_matches('/').to_owned(),
            metadata_path: well_known(url_path),
            metadata_url: format!("{origin}{}", well_known(url_path)),
            metadata: metadata.to_string().into(),
            scope: if scopes.is_empty() { String::new() } else { format!(r#"scope="{}", "#, scopes.join(" ")) },
            audience: audience.map(|named| if named.is_empty() { own_audience() } else { named.to_vec() }),
        })
    }

    /// Returns the length of the resource's path, if the path of the request is that path or below it.
    pub(super) fn covers(&self, path: &str) -> Option<usize> {
        let rest = path.strip_prefix(&self.path)?;
        (rest.is_empty() || rest.starts_with('/')).then_some(self.path.len())
    }

    /// Answers a request for the metadata. Returns `None` for any other path.
    pub(super) fn metadata(&self, method: &Method, path: &str) -> Option<Response<Body>> {
        if path != self.metadata_path {
            return None;
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            let mut response = Body::empty_response(StatusCode::METHOD_NOT_ALLOWED);
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return Some(response);
        }
        let mut response = Body::whole(self.metadata.clone()).into_response(StatusCode::OK, JSON);
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
        // Clients in browsers read this document too, and it contains no secrets, so every origin may read it.
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        Some(response)
    }

    /// Returns the response that refuses a request, with a challenge. For a request without credentials, `error` is
    /// `None`, and the challenge names no error (RFC 6750, section 3.1).
    pub(super) fn challenge(&self, status: StatusCode, error: Option<(&str, &str)>) -> Response<Body> {
        let mut challenge = String::from("Bearer ");
        if let Some((code, description)) = error {
            let _ = write!(challenge, r#"error="{code}", error_description="{description}", "#);
        }
        let _ = write!(challenge, r#"{}resource_metadata="{}""#, self.scope, self.metadata_url);
        let mut response = Body::empty_response(status);
        // The builder has checked the characters, so this is always a valid header.
        let challenge = HeaderValue::from_str(&challenge).ok();
        response.headers_mut().extend(challenge.map(|challenge| (WWW_AUTHENTICATE, challenge)));
        response
    }

    pub(super) fn refuse(&self, reason: Reason) -> Response<Body> {
        log::token_refused(&self.url, reason.text());
        if reason == Reason::Unavailable {
            return Body::empty_response(StatusCode::SERVICE_UNAVAILABLE);
        }
        self.challenge(StatusCode::UNAUTHORIZED, Some(("invalid_token", reason.text())))
    }
}

pub(super) fn metadata_url(resource: &str) -> Result<String, BearerError> {
    let (origin, path) = split(resource)?;
    Ok(format!("{origin}{}", well_known(path)))
}

/// Puts the well-known path in front of the path of a resource (RFC 9728, section 3.1).
fn well_known(path: &str) -> String {
    format!("{WELL_KNOWN}{}", if path == "/" { "" } else { path })
}

/// Splits the URL of a resource into its origin and its path.
fn split(url: &str) -> Result<(&str, &str), BearerError> {
    let uri = url.parse::<Uri>().ok().filter(|_| is_url(url) && !url.contains(['?', '#']));
    let authority = uri.as_ref().and_then(Uri::authority).filter(|authority| !authority.as_str().contains('@'));
    let start = url.find("://").map(|scheme| scheme + 3);
    let (Some(authority), Some(start)) = (authority, start) else {
        return Err(BearerError::new(format!(
            "`{}` is not the URL of a resource: expected one like `https://mcp.example.com/mcp`, without query, fragment and user",
            url.escape_debug()
        )));
    };
    Ok(url.split_at(start + authority.as_str().len()))
}

/// Returns `true` if the text can be used as a URL in a header and in the metadata.
pub(super) fn is_url(url: &str) -> bool {
    let is_valid = url.bytes().all(|byte| byte.is_ascii_graphic() && !br#""\"#.contains(&byte));
    is_valid
        && ["https://", "http://"].iter().any(|scheme| url.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()))
}
