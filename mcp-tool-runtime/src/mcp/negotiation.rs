//! Finds the protocol version of a request.

use serde_json::json;

use super::error::{ErrorKind, ProtocolError};
use super::params::string;
use super::request_meta::{CAPABILITIES_KEY, RequestMeta, VERSION_KEY};
use super::version::{ProtocolVersion, supported_versions};

/// Negotiates the version of `initialize`: the client's version if it is supported, else the newest version that has
/// `initialize`.
pub(crate) fn negotiate(requested: &str) -> &str {
    let is_supported = requested.parse().is_ok_and(ProtocolVersion::is_legacy);
    if is_supported { requested } else { ProtocolVersion::V2025_11_25.as_str() }
}

/// Returns the version that a request names in its `_meta`. For a request of 2026-07-28, also checks that `_meta` has
/// the client's capabilities.
pub(crate) fn requested_version(meta: Option<&RequestMeta<'_>>) -> Result<Option<ProtocolVersion>, ProtocolError> {
    let Some(meta) = meta else { return Ok(None) };
    let Some(version) = meta.protocol_version else { return Ok(None) };
    let Some(version) = string(version) else {
        return Err(ProtocolError::invalid_params(format!("`{VERSION_KEY}` must be a string")));
    };
    let version = version.parse().map_err(|_| unsupported_version(&version))?;
    if version >= ProtocolVersion::V2026_07_28 && !meta.client_capabilities.is_some_and(|json| json.starts_with('{')) {
        return Err(missing_meta(CAPABILITIES_KEY));
    }
    Ok(Some(version))
}

/// The error of a request of 2026-07-28 that lacks a required property of `_meta`.
pub(crate) fn missing_meta(key: &str) -> ProtocolError {
    ProtocolError::invalid_params(format!("the request's `_meta` must have `{key}`"))
}

/// The error of a request that names no version before `initialize` has negotiated one.
pub(crate) fn not_initialized() -> ProtocolError {
    ProtocolError::invalid_params(format!(
        "the request's `_meta` must have `{VERSION_KEY}`, or `initialize` must be sent first"
    ))
}

/// The error of a request with a version that is not supported.
pub(crate) fn unsupported_version(version: &str) -> ProtocolError {
    let requested = crate::json::violation::truncate_name(version);
    ProtocolError::new(ErrorKind::Malformed, -32022, "unsupported protocol version")
        .with_data(json!({ "supported": supported_versions(), "requested": requested }))
}
