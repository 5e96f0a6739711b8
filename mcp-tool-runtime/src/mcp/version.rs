//! The protocol versions that a dispatcher supports, and the version of a request.

use std::fmt;
use std::str::FromStr;

use serde_json::json;

use super::message::{ErrorKind, ProtocolError};
use super::params::{CAPABILITIES_KEY, RequestMeta, VERSION_KEY, string};

/// A version of the Model Context Protocol that a dispatcher supports.
///
/// Older versions parse as [`V2025_06_18`](Self::V2025_06_18), because their clients accept the same definitions and
/// results, and ignore unknown fields. The variants are ordered by release.
///
/// ```
/// use mcp_tool_runtime::ProtocolVersion;
///
/// assert_eq!("2025-11-25".parse(), Ok(ProtocolVersion::V2025_11_25));
/// assert_eq!("2024-11-05".parse(), Ok(ProtocolVersion::V2025_06_18));
/// assert_eq!(ProtocolVersion::LATEST.to_string(), "2026-07-28");
/// assert!(ProtocolVersion::V2025_11_25 < ProtocolVersion::LATEST);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProtocolVersion {
    /// 2025-06-18: requires structured content to be an object.
    V2025_06_18,
    /// 2025-11-25: adds icons.
    V2025_11_25,
    /// 2026-07-28: is stateless, and allows any JSON value as structured content.
    V2026_07_28,
}

impl ProtocolVersion {
    /// The newest supported version.
    pub const LATEST: Self = Self::V2026_07_28;

    /// All supported versions, oldest first.
    pub const ALL: [Self; 3] = [Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// Returns the version as the protocol writes it.
    ///
    /// ```
    /// # use mcp_tool_runtime::ProtocolVersion;
    /// assert_eq!(ProtocolVersion::V2025_06_18.as_str(), "2025-06-18");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Returns `true` if structured content must be an object. If so, any other value is sent as `{"result": …}`.
    pub(crate) const fn is_legacy(self) -> bool {
        !matches!(self, Self::V2026_07_28)
    }

    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// Returns the supported versions as the protocol lists them, newest first.
pub(super) fn supported_versions() -> serde_json::Value {
    ProtocolVersion::ALL.iter().rev().map(|version| version.as_str()).collect()
}

display!(ProtocolVersion, it => it.as_str());

impl FromStr for ProtocolVersion {
    type Err = UnknownProtocolVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "2024-11-05" | "2025-03-26" | "2025-06-18" => Ok(Self::V2025_06_18),
            "2025-11-25" => Ok(Self::V2025_11_25),
            "2026-07-28" => Ok(Self::V2026_07_28),
            _ => Err(UnknownProtocolVersion(())),
        }
    }
}

/// The error for a string that cannot be parsed as a [`ProtocolVersion`].
///
/// ```
/// use mcp_tool_runtime::ProtocolVersion;
///
/// let error = "2031-01-01".parse::<ProtocolVersion>().unwrap_err();
/// assert!(error.to_string().contains("2026-07-28"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProtocolVersion(());

impl fmt::Display for UnknownProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown protocol version; known are {}",
            ProtocolVersion::ALL.map(ProtocolVersion::as_str).join(", ")
        )
    }
}

impl std::error::Error for UnknownProtocolVersion {}

/// Returns the version that `initialize` agrees on: the requested version if it is supported and has `initialize`, or
/// else the newest version that has that method.
pub(crate) fn negotiate(requested: &str) -> &str {
    let is_supported = requested.parse().is_ok_and(ProtocolVersion::is_legacy);
    if is_supported { requested } else { ProtocolVersion::V2025_11_25.as_str() }
}

/// Returns the version that a request names in its `_meta`, if it names one. From version 2026-07-28 on, also checks
/// that `_meta` has the client's capabilities.
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

/// Returns the error for a request that lacks a property of `_meta` which protocol version 2026-07-28 requires.
pub(crate) fn missing_meta(key: &str) -> ProtocolError {
    ProtocolError::invalid_params(format!("the request's `_meta` must have `{key}`"))
}

/// Returns the error for a request that names no version and comes before `initialize` has negotiated one.
pub(crate) fn not_initialized() -> ProtocolError {
    ProtocolError::invalid_params(format!(
        "the request's `_meta` must have `{VERSION_KEY}`, or `initialize` must be sent first"
    ))
}

pub(crate) fn unsupported_version(version: &str) -> ProtocolError {
    let requested = crate::json::violation::truncate_name(version);
    ProtocolError::new(ErrorKind::Malformed, -32022, "unsupported protocol version")
        .with_data(json!({ "supported": supported_versions(), "requested": requested }))
}
